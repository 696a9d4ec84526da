// The laboratory: what the Transformer is compared with, and what looks at it. The core knows
// nothing of it; a program that wants it says so, once, at its start.
#pragma once

namespace attn {

// Makes the laboratory's architectures known to the loader of models (decoder, rnn, gru, lstm,
// convs2s), its tasks to find_task (phrasebook, bracketing) and plain text to training.
void open_laboratory();

}  // namespace attn
