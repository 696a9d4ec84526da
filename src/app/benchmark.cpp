// attention benchmark: what there is to measure, and what all benchmarks share.
#include "app/benchmark.h"

#include <algorithm>
#include <cstdio>

#include "app/commands.h"
#include "app/console.h"
#include "app/progress.h"
#include "app/train_options.h"
#include "base/settings.h"
#include "benchmark/workload.h"
#include "text/vocabulary.h"

namespace attn::app {

namespace {

constexpr const char* kPreset = "base";
constexpr Index kSentences = 32, kLength = 32, kMostSentences = 1 << 20;
constexpr const char* kNames = "matmul, layers, step or decode";

std::vector<Benchmark> all_benchmarks() {
  return {matmul_benchmark(), layers_benchmark(), step_benchmark(), decode_benchmark()};
}

// The options of all benchmarks; a title names those that take a group, unless all do.
std::vector<OptionGroup> all_groups() {
  const std::string length = std::to_string(kLength);
  return {matmul_options(),
          {"Batch (layers, step)",
           {{"sentences", "N", "sentence pairs in a batch", std::to_string(kSentences)},
            {"source-length", "N", "tokens in a source sentence", length},
            {"target-length", "N", "tokens that are predicted in a target sentence", length}}},
          step_options(),
          benchmark_model_options(),
          decode_options(),
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
  const std::vector<std::string>& operands = arguments.operands();
  if (operands.empty()) fail_usage("benchmark what? ", kNames);
  arguments.check_one_operand();
  std::vector<std::string> names;
  for (const Benchmark& benchmark : all_benchmarks()) {
    names.push_back(benchmark.name);
    if (benchmark.name != operands[0]) continue;
    check_options(arguments, benchmark.name);
    return benchmark.run(arguments);
  }
  fail_usage("there is no benchmark '", operands[0], "', only ", kNames,
             suggestion(operands[0], names));
}

}  // namespace

Command benchmark_command() {
  Command command;
  command.name = "benchmark";
  command.summary = "measure the speed of products, layers, training steps and decoding";
  command.description =
      "Measures how fast the program runs on this machine, and how fast it could run. Each speed "
      "is the median of several runs. Next to it is its share of a limit that is measured just "
      "before and after it, because machines differ and one machine changes from minute to minute: "
      "the speed of multiply-adds in registers or, where little is computed, the bandwidth of "
      "memory. Close other programs first.\n\n"
      "GFLOP/s: 10^9 additions and multiplications per second. A product of a matrix [m, k] and a "
      "matrix [k, n] takes 2 m n k of them. GB/s: 10^9 bytes per second.";
  for (const Benchmark& benchmark : all_benchmarks()) {
    command.usage.push_back("benchmark " + benchmark.name + ' ' + benchmark.usage + " [options]");
    command.description += "\n\n" + benchmark.explanation;
  }
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

namespace {

std::vector<PairLengths> lengths_of(const Arguments& arguments) {
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

}  // namespace

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
  TransformerConfig config = model_of_options(arguments, name, {});
  config.source_vocabulary = config.target_vocabulary = arguments.number_or(
      "vocabulary", usual_vocabulary(name), kSpecialTokens + 1, kLargestVocabulary);
  return config;
}

BatchSource benchmark_batches(const Arguments& arguments, const TransformerConfig& config) {
  const std::vector<PairLengths> lengths = lengths_of(arguments);
  const Index sentences = arguments.number_or("sentences", kSentences, 1, kMostSentences);
  return [=](std::uint64_t index) { return random_batch(config, lengths, sentences, index); };
}

std::string machine_text(const Machine& m) {
  std::vector<std::vector<std::string>> rows{
      {"", "1 thread", text(m.threads, " threads")},
      {"multiply-adds, GFLOP/s", giga(m.one.peak), giga(m.all.peak)},
  };
  if (m.all.bandwidth > 0) {
    rows.push_back(
        {"memory, two read and one written, GB/s", giga(m.one.bandwidth), giga(m.all.bandwidth)});
    rows.push_back({"memory, read, GB/s", giga(m.one.read), giga(m.all.read)});
  }
  if (m.threads == 1) {
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return text(m.cpu, ", ", m.isa, ", ", m.compiler, "\n\n", table(rows));
}

Json machine_json(const Machine& machine) {
  const auto billions = [](double rate) { return rate > 0 ? Json(rate / 1e9) : Json(); };
  return Json::object({{"cpu", machine.cpu},
                       {"isa", machine.isa},
                       {"compiler", machine.compiler},
                       {"threads", machine.threads},
                       {"fma_peak_gflops_1", billions(machine.one.peak)},
                       {"fma_peak_gflops", billions(machine.all.peak)},
                       {"bandwidth_gbytes_per_second_1", billions(machine.one.bandwidth)},
                       {"bandwidth_gbytes_per_second", billions(machine.all.bandwidth)},
                       {"read_gbytes_per_second_1", billions(machine.one.read)},
                       {"read_gbytes_per_second", billions(machine.all.read)}});
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
