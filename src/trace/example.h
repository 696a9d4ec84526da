// The walkthrough's model: so small that each of its numbers can be worked out by hand.
#pragma once

#include <memory>

#include "model/transformer.h"
#include "text/tokenizer.h"

namespace attn {

constexpr const char* kExampleSource = "Jane visite l'Afrique en septembre";
constexpr const char* kExampleTarget = "Jane visits Africa in September";

// d_model 4, two heads of d_k = d_v = 2, d_ff 5, one encoder and one decoder layer, 12 tokens.
// Its weights are fixed and were not trained.
struct TraceExample {
  std::unique_ptr<Transformer> model;
  Tokenizer tokenizer;
};
TraceExample trace_example();

}  // namespace attn
