// What benchmarks run: the presets with vocabularies of the usual size, and random tokens.
#pragma once

#include <string>

#include "model/batch.h"

namespace attn {

// The paper's (§5.1) for base and big, fewer for small, and the toy tasks' for tiny.
Index usual_vocabulary(const std::string& preset_name);

// Sentence pairs of one length: the encoder reads `source` tokens, the decoder `target`.
Batch random_batch(Index vocabulary, Index sentences, Index source, Index target);

}  // namespace attn
