// Files of token ids, one sentence per line, for comparison with other programs.
#pragma once

#include <string>

#include "model/batch.h"
#include "model/sequence_model.h"

namespace attn {

// Line n of both files is a pair: a source of at least 1 id and a target of at least 2, of which
// the decoder reads all but the last and predicts all but the first. Throws Error, naming the file
// and the line, for words that are not ids of the model's vocabularies, lines that are too short or
// longer than the model can read, empty files, and files of different lengths.
Batch read_id_batch(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model);

}  // namespace attn
