// Measures training steps: whole ones, and the kinds of layer that they consist of.
#pragma once

#include "lab/benchmark/timing.h"
#include "model/sequence_model.h"
#include "storage/json.h"
#include "training/trainer.h"

namespace attn {

// Whole steps: as many as asked for or, if that is 0, as take `seconds`; before them one that is
// not counted. Gives the medians over the steps, the most memory that the process held, and the
// rate of matmul at 1024³ right after the steps.
Json measure_steps(SequenceModel& model, Trainer& trainer, const BatchSource& batches, Index steps,
                   double seconds, const Announce& announce);

// Takes training steps on this batch, watched by a stopwatch: at least patience.runs, and as many
// as last patience.total_seconds for each kind of layer. Gives "layers", of each kind its "count"
// in a step and one layer's time and speed; the last is the rest of the step. A layer's time leaves
// out that of layers inside it, so the times in one step add up to the step; the results are
// medians over the steps. Softmax runs inside threads, where no stopwatch can see it, so it is
// measured by itself.
Json measure_layers(SequenceModel& model, Trainer& trainer, const Batch& batch,
                    const Patience& patience, const Announce& announce);

}  // namespace attn
