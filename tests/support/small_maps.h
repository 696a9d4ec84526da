// Where small models look.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/small_models.h"
#include "trace/attention_maps.h"

namespace attn::test {

// Three words, <eos>; <bos>, two words.
template <class Model>
TraceSubject subject_of(Model model) {
  return trace_subject({std::make_unique<Model>(std::move(model)), letters()}, {"c a h", "b a"});
}

inline std::vector<std::string> titles(const std::vector<AttentionMaps>& attentions) {
  std::vector<std::string> result;
  for (const AttentionMaps& attention : attentions) result.push_back(attention.title());
  return result;
}

// Each row of each map is a distribution over the columns that its labels name.
inline void check_rows(const std::vector<AttentionMaps>& attentions) {
  for (const AttentionMaps& attention : attentions) {
    CAPTURE(attention.title());
    for (const AttentionHead& head : attention.heads) {
      const Tensor& P = head.weights;
      CHECK(static_cast<std::size_t>(P.rows()) == attention.rows().size());
      CHECK(static_cast<std::size_t>(P.cols()) == attention.columns.size());
      for (Index i = 0; i < P.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < P.cols(); ++j) sum += static_cast<double>(P(i, j));
        CHECK(sum == doctest::Approx(1));
      }
    }
  }
}

}  // namespace attn::test
