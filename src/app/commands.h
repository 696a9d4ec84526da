// The commands, each defined in the file of its name, and the texts of --help.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "app/program.h"
#include "layers/cross_entropy.h"
#include "model/batch.h"
#include "storage/json.h"

namespace attn::app {

RunCommand run_train, run_translate, run_evaluate, run_average, run_bleu;
RunCommand run_tokenizer, run_inspect, run_forward, run_trace, run_attend;

// The program `attention`.
const Program& paper_program();

// The text help/NAME.txt for a program, whose name takes the place of each @. Lines that begin with
// < are for attention alone, those that begin with > for attention-lab alone.
std::string help_text(const std::string& name, const std::string& program);
// A command with this help, from which its options follow.
Command command(const std::string& name, const std::string& help, RunCommand* run,
                std::size_t most_words = 0, const std::string& subject_kind = "",
                const std::vector<std::string>& subjects = {});

std::vector<std::string> names_of(const std::vector<Subject>& subjects);

// What the program is for and which commands it has.
std::string program_help(const Program& program);
// A command: what it does, examples, and its options with their defaults; if there are many, those
// that are used most, or all.
std::string command_help(const Command& command, bool all);

// For attention-lab, whose evaluate and forward are of more models. In evaluate.cpp:

// How well a model predicts pairs or characters, and how many they are: numbers by name, in the
// order in which they are printed.
Json prediction(const char* what, std::size_t count, const LossSums& sums);

void warn_of_unknown(Index unknown, Index all);

// A line for each number, or one object.
void put_result(const Json& result, bool as_json);

// In forward.cpp:

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

// Of --source-ids and --target-ids. Throws Error unless the model is a Transformer.
void forward_pairs(const Arguments& arguments, SequenceModel& model);

// Writes logits, loss and, with --gradients, gradients of a batch.
void write_forward(const Arguments& arguments, SequenceModel& model, const Batch& batch,
                   const Tensor& logits);

}  // namespace attn::app
