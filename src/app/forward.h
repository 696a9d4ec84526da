// What `attention forward` does once it has a model.
#pragma once

#include "app/options.h"
#include "model/batch.h"

namespace attn::app {

// The file that --out names. Throws UsageError if it is one that is read.
const std::string& forward_output(const Arguments& arguments);

// Of --source-ids and --target-ids. Throws Error unless the model is a Transformer.
void forward_pairs(const Arguments& arguments, SequenceModel& model);

// Writes logits, loss and, with --gradients, gradients of a batch.
void write_forward(const Arguments& arguments, SequenceModel& model, const Batch& batch,
                   const Tensor& logits);

}  // namespace attn::app
