// The experiment `positions`: which ways to know positions (§3.5) still work on sequences longer
// than any in training?
#pragma once

#include <string>

#include "lab/experiments/training_trial.h"

namespace attn {

// Every kind of positions in the encoder–decoder Transformer and in the decoder-only model, each
// trained as `train` trains the Transformer, until the task, copy or reverse, is solved. The
// paper's is the first. More measures: steps, that were trained; to_50 and to_100, the share of
// exact outputs for sources of 31 to 50 and of 51 to 100 letters. (`longer` has 21 to 30.)
TrainedVariants positions_that_last(const std::string& task, bool quick);

// The experiment `windows`: models whose self-attention sees everything, the first, or only
// positions up to R away. "copy-2-layers" names the task and the layers on each side of a
// Transformer; of "copy-2-layers-decoder" the model is decoder-only. Trained on the task, letters
// until they are solved; steps, as above, is one more measure.
TrainedVariants windows(const std::string& name, bool quick);

}  // namespace attn
