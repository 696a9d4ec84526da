// attention benchmark: what there is to measure, and what all benchmarks share.
#include "app/benchmark.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/commands.h"
#include "app/model_options.h"
#include "app/terminal/console.h"
#include "app/terminal/progress.h"
#include "app/train_options.h"
#include "base/settings.h"
#include "lab/benchmark/workload.h"
#include "text/vocabulary.h"

namespace attn::app {

namespace {

constexpr const char* kPreset = "base";
constexpr Index kSentences = 32, kLength = 32, kMostSentences = 1 << 20;
constexpr const char* kNames = "matmul, layers, step or decode";

// The options of all benchmarks; a title names those that take a group, unless all do.
std::vector<OptionGroup> all_groups() {
  const std::string length = std::to_string(kLength);
  return {
      {"Products (matmul)",
       {{"sizes", "LIST", "sizes of the square matrices", "256,512,1024,2048"},
        {"models", "LIST", "models whose products are measured, or none", "base,small,tiny"}}},
      {"Batch (layers, step)",
       {{"sentences", "N", "sentence pairs in a batch", std::to_string(kSentences)},
        {"source-length", "N", "tokens in a source sentence", length},
        {"target-length", "N", "tokens that are predicted in a target sentence", length}}},
      {"Steps (step)",
       {{"lengths", "F",
         "lengths of real sentences: a line for each pair, with the number of source and of "
         "target tokens; batches take the pairs in order"},
        {"steps", "N", "how many steps to measure, after one that is not", "about 10 s of them"},
        {"brief", "", "about 3 s of steps; without memory's bandwidth and the layers"}}},
      benchmark_model_options(),
      {"Decoding (decode)",
       {{"model", "DIR", "a run, or a .safetensors file in it, whose model is measured instead"},
        {"batch", "LIST", "sentences that are translated together", "1,32"},
        {"beam", "N", "hypotheses of each sentence", "1"},
        {"source-length", "N", "tokens in a source sentence, <eos> included", "32"},
        {"tokens", "N", "tokens in a translation", "32"},
        {"each-line", "",
         "decode once for each line of standard input, and write the seconds it took: to take "
         "turns with another program"}}},
      {"Precision",
       {{"seconds", "S", "how long to measure each of them, at least",
         shortest(Patience().total_seconds)}}},
      {"Options of all",
       {{"threads", "N", "processors to use", "all"},
        {"json", "", "print one JSON object instead"}}}};
}

// Throws UsageError for an option that only other benchmarks take.
void check_options(const Arguments& arguments, const std::string& benchmark) {
  std::vector<OptionGroup> taken;
  for (const OptionGroup& group : all_groups()) {
    const std::size_t names = group.title.find('(');
    if (names == std::string::npos || group.title.find(benchmark, names) != std::string::npos) {
      taken.push_back(group);
    }
  }
  for (const auto& [option, value] : arguments.values()) {
    if (find_option(taken, option) == nullptr) {
      fail_usage("benchmark ", benchmark, " has no option --", option);
    }
  }
}

int run_benchmark(const Arguments& arguments) {
  const std::pair<const char*, int (*)(const Arguments&)> benchmarks[] = {
      {"matmul", benchmark_matmul},
      {"layers", benchmark_layers},
      {"step", benchmark_step},
      {"decode", benchmark_decode}};
  if (arguments.operands().empty()) fail_usage("benchmark what? ", kNames);
  arguments.check_one_operand();
  const std::string& wanted = arguments.operands()[0];
  for (const auto& [name, run] : benchmarks) {
    if (name != wanted) continue;
    check_options(arguments, name);
    return run(arguments);
  }
  fail_usage("there is no benchmark '", wanted, "', only ", kNames,
             suggestion(wanted, {"matmul", "layers", "step", "decode"}));
}

}  // namespace

Command benchmark_command() {
  Command command;
  command.name = "benchmark";
  command.summary = "measure the speed of products, layers, training steps and decoding";
  command.usage = {
      "benchmark matmul [--sizes LIST] [--models LIST] [options]",
      "benchmark layers [--preset NAME] [options]",
      "benchmark step [--preset NAME] [--lengths F] [--steps N] [--brief] [options]",
      "benchmark decode [--preset NAME | --model DIR] [--batch LIST] [--beam N] [--tokens N] "
      "[options]",
  };
  command.description =
      "Measures how fast the program runs on this machine, and how fast it could run. Each speed "
      "is the median of several runs. Next to it is its share of a limit that is measured just "
      "before and after it, because machines differ and one machine changes from minute to minute: "
      "the speed of multiply-adds in registers or, where little is computed, the bandwidth of "
      "memory. Close other programs first.\n\n"
      "GFLOP/s: 10^9 additions and multiplications per second. A product of a matrix [m, k] and a "
      "matrix [k, n] takes 2 m n k of them. GB/s: 10^9 bytes per second.\n\n"
      "matmul: products of square matrices by each rung of the ladder in src/kernels/matmul.h, "
      "from three loops to all threads; then the products of a training step in the shapes in "
      "which the models have them, forward and backward. NN: both matrices as they are in memory; "
      "NT: the second transposed; TN: the first. A call that would take more than half a second "
      "computes fewer rows.\n\n"
      "layers: the time of one layer of each kind, forward and backward, with as many tokens as "
      "the batch has; count is how many a training step has. A stopwatch inside whole steps takes "
      "it, dropout and Adam included. A layer's time leaves out the layers inside it, so count "
      "times time, over all rows, is about a whole step (each row is a median of its own). Only "
      "softmax, which runs inside the threads of attention, is measured by itself; it is part of "
      "the attention above it and not added. The limit is whichever takes longer: the layer's "
      "products at the peak, or its bytes at the bandwidth, which is measured between the steps on "
      "arrays as large as everything a step reads and writes; the speed shown is the one with that "
      "limit. Bytes: each tensor that a layer reads or writes, once. Output projection and loss: "
      "forward is the product that computes the logits; backward is softmax, loss and both "
      "products of the gradients.\n\n"
      "step: whole training steps as `train text` takes them, dropout and Adam included, with "
      "fresh weights and random tokens. The operations of a step are counted from the shapes: "
      "2 m n k for each matrix product, including attention's (masked scores are computed and "
      "counted), and twice as many backward as forward; embedding lookups, softmax, norms and Adam "
      "count as nothing. The operations divided by the time, as a share of the peak, are known as "
      "model FLOPs utilisation. Then further steps, with the time of each kind of layer, measured "
      "as `layers` does, as a share of the step.\n\n"
      "decode: sentences of random tokens are translated together, each into the same number of "
      "tokens, whatever they are. The time is that of the whole translation, encoder included. A "
      "step computes the next token of every hypothesis; GFLOP/s counts the products with weights, "
      "GB/s the weights, read once per step.";
  command.examples = {
      "attention benchmark matmul --sizes 512,1024",
      "attention benchmark layers --preset small --vocabulary 8000",
      "attention benchmark step --preset base --vocabulary 37000 --json",
      "attention benchmark decode --batch 1,32 --beam 4",
  };
  command.groups = all_groups();
  command.operands = kNames;
  command.run = run_benchmark;
  return command;
}

Patience patience_of(const Arguments& arguments) {
  Patience patience;
  patience.total_seconds = arguments.positive_or("seconds", patience.total_seconds, 3600);
  patience.run_seconds = std::min(patience.run_seconds, patience.total_seconds / 4);
  return patience;
}

static std::vector<PairLengths> lengths_of(const Arguments& arguments) {
  const auto length = [&](const char* name) {
    if (arguments.has("lengths") && arguments.has(name)) {
      fail_usage("--", name, " and --lengths exclude each other");
    }
    return arguments.number_or(name, kLength, 1, kLongestLength);
  };
  const PairLengths lengths{length("source-length"), length("target-length")};
  if (!arguments.has("lengths")) return {lengths};
  return read_lengths(arguments.value("lengths"));
}

OptionGroup benchmark_model_options() {
  OptionGroup model{
      "Model (layers, step, decode)",
      {{"preset", "NAME", "tiny, small, or the paper's base or big", kPreset},
       {"vocabulary", "N", "tokens in the vocabulary", "base, big 37000; small 8000; tiny 29"}}};
  // The rest as `train` has them, except for the defaults, which are the preset's.
  const std::vector<OptionGroup> trained = train_option_groups();
  for (const char* name : {"layers", "d-model", "d-ff", "heads", "d-k", "d-v", "norm",
                           "tie-embeddings", "dropout", "attention-dropout", "relu-dropout"}) {
    model.options.push_back(*find_option(trained, name));
    model.options.back().standard = "";
  }
  return model;
}

TransformerConfig benchmark_config(const Arguments& arguments) {
  const std::string name = arguments.value_or("preset", kPreset);
  TransformerConfig config = model_of_options(arguments, name);
  config.source_vocabulary = config.target_vocabulary = arguments.number_or(
      "vocabulary", usual_vocabulary(name), kSpecialTokens + 1, kLargestVocabulary);
  return config;
}

BatchSource benchmark_batches(const Arguments& arguments, const TransformerConfig& config) {
  const std::vector<PairLengths> lengths = lengths_of(arguments);
  const Index sentences = arguments.number_or("sentences", kSentences, 1, kMostSentences);
  return [=](std::uint64_t index) { return random_batch(config, lengths, sentences, index); };
}

// Only on a terminal, where a line can be redrawn.
static void redraw(const std::string& line) {
  if (Progress::style_for(false) != Progress::Style::bar) return;
  std::fputs(("\r\x1b[K" + line).c_str(), stderr);
}

void show_doing(const std::string& what) {
  redraw(what + " …");
}

void print_part(const Arguments& arguments, const std::string& part) {
  redraw("");
  if (arguments.has("json")) return;
  put(part);
  flush_output();
}

void print_json(const Arguments& arguments, const Json& all) {
  redraw("");
  if (arguments.has("json")) put(to_json(all) + '\n');
}

}  // namespace attn::app
