// What `attention forward` reads, so that other programs can be given the very same numbers.
#pragma once

#include <string>

#include "lab/language/decoder_only.h"
#include "model/batch.h"

namespace attn {

// Files of ids, one sentence per line. A source has at least 1 id and a target at least 2, of which
// the decoder reads all but the last and predicts all but the first. Throws Error, naming the file
// and the line, for words that are not ids of the model's vocabularies, lines that are too short or
// longer than the model can read, empty files, and files of different lengths.
Batch read_id_batch(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model);
// The same for a decoder-only model, which reads a file of texts: each of at least 2 ids.
Batch read_id_texts(const std::string& path, const DecoderOnly& model);

}  // namespace attn
