// What `attention forward` reads and writes: numbers that other programs can be given or compared
// with.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "model/batch.h"

namespace attn::app {

// A file of ids, one sentence per line. The model reads all but the last `unread` of each: at least
// one, at most `longest`. Throws Error, naming the file and the line, for other lines, for words
// that are not ids below `vocabulary`, and for an empty file.
std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t unread,
                                       Index vocabulary, Index longest);

// A file of sources and one of targets, line by line. Of a target, the decoder reads all ids but
// the last and predicts all but the first. Throws Error as read_ids does, and for files of
// different lengths.
Batch read_id_pairs(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model);

// The file that --out names. Throws UsageError if it is one that is read.
const std::string& forward_output(const Arguments& arguments);

// Of --source-ids and --target-ids. Throws Error unless the model is a Transformer.
void forward_pairs(const Arguments& arguments, SequenceModel& model);

// Writes logits, loss and, with --gradients, gradients of a batch.
void write_forward(const Arguments& arguments, SequenceModel& model, const Batch& batch,
                   const Tensor& logits);

}  // namespace attn::app
