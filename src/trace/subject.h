// What is traced: a model of any architecture, and a sentence pair for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trace/trace.h"
#include "training/trained_model.h"

namespace attn {

struct TraceSubject {
  std::unique_ptr<SequenceModel> model;
  Tokenizer tokenizer;
  std::string source = {}, target = {};  // of a language model, the target alone
  bool translated = false;               // the target is the model's own
  Batch batch = {};
  TraceTokens tokens = {};
};

// sentences: a source and a target, by default its greedy translation; or the text of a language
// model. Throws Error for a sentence that is not UTF-8, a source without words, and sentences too
// long for the model or with too many attention scores: a trace keeps S, A and P of every head at
// once, with this limit about a gigabyte in all.
constexpr Index kTracedScores = Index{1} << 26;
TraceSubject trace_subject(TrainedModel trained, const std::vector<std::string>& sentences,
                           Index most_scores = kTracedScores);

// The walkthrough's model, small enough to work out by hand: d_model 4, two heads of d_k = d_v = 2,
// d_ff 5, one encoder and one decoder layer, 12 tokens, fixed weights that were not trained.
TrainedModel trace_example();
constexpr const char* kExampleSource = "Jane visite l'Afrique en septembre";
constexpr const char* kExampleTarget = "Jane visits Africa in September";

}  // namespace attn
