// The last program of walkthrough/grow/ as a second opinion: a model with the same weights.
#pragma once

#include <algorithm>

#include "model/config.h"
#include "model/sequence_model.h"

namespace attn::test {

// Twin: grow::Model, by whatever name the test includes the program.
template <class Twin>
Twin with_weights_of(SequenceModel& model, const TransformerConfig& c) {
  const auto number = [](Index n) { return static_cast<int>(n); };
  Twin twin;
  twin.config = {number(c.target_vocabulary),
                 number(c.layers),
                 number(c.d_model),
                 number(c.d_ff),
                 number(c.heads),
                 number(c.d_k),
                 number(c.d_v),
                 0,
                 c.label_smoothing};
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    auto& q = twin.parameter(name, number(p.value.rows()), number(p.value.cols()));
    std::copy_n(p.value.data(), p.value.elements(), q.value.numbers.begin());
  });
  return twin;
}

}  // namespace attn::test
