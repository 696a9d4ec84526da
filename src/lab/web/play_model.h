// A model that the page holds, with what it needs to learn, and the last trace of it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/sequence_model.h"
#include "tasks/task.h"
#include "text/tokenizer.h"
#include "trace/attention_maps.h"
#include "trace/trace.h"
#include "training/trainer.h"

namespace attn::web {

// What a model that learns has besides its weights.
struct Lesson {
  Task task;  // of sentence pairs
  BatchSource batches;
  std::vector<Batch> held_out;  // of a text
  Trainer trainer;
  // Whether the target is shifted right, as it must be, lest the decoder read what it predicts.
  bool shifted = true;
};

struct PlayModel {
  std::shared_ptr<SequenceModel> model;
  Tokenizer tokenizer;
  TextPair example;              // a pair to begin with; empty if none is known
  std::optional<Lesson> lesson;  // of a model that was made here
  Index context = 0;             // of a language model: the most tokens that it reads
  // The last trace: the values and parameters of the forward pass, then the gradients.
  Trace traced;
};

// A head of one of the attentions, which the page names as here, in the order of Attends.
constexpr const char* kAttentionKinds[] = {"encoder", "decoder", "cross", "sequence"};
struct Head {
  Attends attends;
  Index layer, head;
};

// What one looks at: with averaging the mean of the weights, and without the heads that are off
// (their rows of W^O are 0). The model itself if that changes nothing.
std::shared_ptr<const SequenceModel> view_of(const PlayModel& play, const std::vector<Head>& off);
// The same, as a model of its own. Throws Error if there is no such head.
std::unique_ptr<SequenceModel> copy_of(const PlayModel& play, const std::vector<Head>& off = {});

// A model of these settings with the weights of another, which has the same sizes.
std::unique_ptr<SequenceModel> copy_with(const SequenceModel& model, const Settings& settings);

}  // namespace attn::web
