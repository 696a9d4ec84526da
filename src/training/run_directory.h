// A run is a directory:
//
//     training.safetensors   weights, Adam's moments, step, settings, vocabulary: enough to resume
//     model.safetensors      for decoding: configuration, and the weights (with averaging, their
//                            mean) of the best validation or the last step; made from the above
//     tokenizer.txt          the vocabulary
//     log.tsv, curves.svg    loss, learning rate, … by step, and a picture of them, if the program
//                            that trains writes them
//     checkpoints/           step-00001000.safetensors …: a step's weights (or mean), if asked for
//     lock                   empty; locked while a process trains in the directory
//
// Each file is written to a temporary name and renamed, training.safetensors first. So whenever the
// program is killed, the directory holds a complete state, from which the rest is repaired.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "training/data.h"
#include "training/trained_model.h"
#include "training/trainer.h"

namespace attn {

// The files above. (There are checkpoints in a directory of their own.)
inline const std::set<std::string> kRunFiles{
    "training.safetensors", "model.safetensors", "tokenizer.txt", "log.tsv", "curves.svg", "lock"};

// While it exists, no other process can train in the directory. It ends with its process.
using RunLock = std::shared_ptr<void>;

// The directory itself, if it is named by a link: that may be changed while a model is trained.
std::string without_links(const std::string& directory);

// Makes the directory. Throws Error if it is not empty, or another process is making a run in it.
RunLock create_run(const std::string& directory);

struct Run {
  std::string directory;  // empty: it is in memory only
  std::unique_ptr<SequenceModel> model;
  Trainer trainer;
  Tokenizer tokenizer;
  TrainingData data;  // not in the directory: resume_run leaves it empty
  RunLock lock;
};

// Throws Error if the directory, or its lock, was moved, removed or replaced since it was locked:
// another process may train there now.
void check_place(const Run& run);

// Writes training.safetensors, model.safetensors and tokenizer.txt, and with `checkpoint` also
// checkpoints/step-….safetensors. Throws Error if something cannot be written, and Diverged if a
// number of the state is not finite; each file is then the new one or that of the last save, whole.
void save_run(const Run& run, bool checkpoint);

// The run in a directory, from training.safetensors alone. Throws if another process trains there.
Run resume_run(const std::string& directory, PlanModel* plan = plan_transformer);
// Writes the other files again, the step's checkpoint too if it should be there and is not: a
// process killed between two files may have left them older than the state, or missing.
void repair_run(const Run& run);

// Makes a directory with model.safetensors and, if given, tokenizer.txt: a run that decodes but
// cannot be resumed. context: as context_of returns it. Throws Error as create_run does.
void create_model(const std::string& directory, const SequenceModel& model,
                  const std::optional<Tokenizer>& tokenizer, Index context = 0);

}  // namespace attn
