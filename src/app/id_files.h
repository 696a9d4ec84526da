// What `attention forward` reads, so that other programs can be given the very same numbers.
#pragma once

#include <string>
#include <vector>

#include "model/batch.h"
#include "model/sequence_model.h"

namespace attn {

// Files of ids, one sentence per line. A source has at least 1 id and a target at least 2, of which
// the decoder reads all but the last and predicts all but the first. Throws Error, naming the file
// and the line, for words that are not ids of the model's vocabularies, lines that are too short or
// longer than the model can read, empty files, and files of different lengths.
Batch read_id_batch(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model);

// One such file: the ids are below `vocabulary`. The model reads all but the last `unread` of each
// line: at least one, at most `longest`.
std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t unread,
                                       Index vocabulary, Index longest);

}  // namespace attn
