// The program `attention-lab`: `attention` with more models and commands.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "app/program.h"

namespace attn::app {

RunCommand run_any_evaluate;  // for language models, too
RunCommand run_generate, run_benchmark;
RunCommand run_export, run_import;  // in pytorch.cpp

// What it trains, in the order of help.
std::vector<Subject> all_subjects();

const Program& laboratory_program();

// Throws Error, which begins with `where`, if the model cannot be a language model with this
// context: it has learned fewer positions, or was trained to predict sources as well as targets.
void check_context(const SequenceModel& model, Index context, const std::string& where);

// The language model in --model, with its tokenizer; a model of pairs is an Error with advice.
TrainedModel load_writer(const Arguments& arguments);

}  // namespace attn::app
