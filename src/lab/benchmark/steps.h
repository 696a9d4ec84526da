// Measures training steps: whole ones, and where their time goes.
#pragma once

#include "lab/benchmark/timing.h"
#include "model/transformer.h"
#include "storage/json.h"
#include "training/trainer.h"

namespace attn {

// The floating-point operations of a training step: 2 m n k for each product of [m, k] and [k, n],
// and each has two in the backward pass (§5.2). Masked scores are computed and counted. Softmax,
// norms, dropout, embeddings and Adam count as nothing.
double step_operations(const TransformerConfig& config, const Batch& batch);

// Whole steps on one batch: as many as asked for or, if that is 0, as take `seconds`; before them
// one that is not counted. Gives the medians over the steps, the most memory that the process held,
// and the rate of matmul at 1024³ right after the steps.
Json measure_steps(Transformer& model, const Batch& batch, Index steps, double seconds,
                   const Announce& announce);

// Where the time of a step that takes so long goes. Each part is measured by itself, on the batch's
// shapes with invented numbers: its "forward_seconds" and "backward_seconds" in all layers.
// "output" goes both ways at once, "adam" sets the gradients to 0, too, and "the rest" is what is
// left.
Json measure_parts(Transformer& model, const Batch& batch, double step_seconds,
                   const Patience& patience, const Announce& announce);

}  // namespace attn
