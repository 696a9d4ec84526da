// What is traced: a model of any architecture, and a sentence pair for it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/sequence_model.h"
#include "text/tokenizer.h"
#include "trace/trace.h"
#include "training/run_directory.h"

namespace attn {

struct TraceSubject {
  std::unique_ptr<SequenceModel> model;
  Tokenizer tokenizer;
  std::string source = {}, target = {};   // of a language model, the target alone
  bool translated = false;                // the target is the model's own
  std::vector<std::string> unknown = {};  // words of both that the tokenizer lacks
  Batch batch = {};
  TraceTokens tokens = {};
};

// sentences: a source and a target; a source, whose target is then its greedy translation; or none,
// for the example's. Throws Error for a sentence that is not UTF-8, a source without words, and
// sentences longer than the model can read or that have more attention scores than there is room
// for: a trace keeps S, A and P of every head at once, with this limit about a gigabyte in all.
constexpr Index kTracedScores = Index{1} << 26;
TraceSubject trace_subject(std::unique_ptr<SequenceModel> model, Tokenizer tokenizer,
                           const std::vector<std::string>& sentences,
                           Index most_scores = kTracedScores);
// Of a trained model: the same of a pair of sentences or, of a language model, what it reads and is
// to predict of a text, which is the only one of `sentences`. Throws Error also if it takes more
// tokens than the model reads at a time.
TraceSubject trace_subject(TrainedModel trained, const std::vector<std::string>& sentences);

}  // namespace attn
