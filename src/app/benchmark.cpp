// attention benchmark: what there is to measure, and which options go with it.
#include "app/benchmark.h"

#include <algorithm>

#include "app/commands.h"

namespace attn::app {

namespace {

std::vector<Benchmark> all_benchmarks() {
  return {matmul_benchmark(), layers_benchmark(), step_benchmark(), decode_benchmark()};
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Benchmark& benchmark : all_benchmarks()) result.push_back(benchmark.name);
  return result;
}

// "matmul, layers, step or decode"
std::string names_in_words() {
  const std::vector<std::string> all = names();
  std::string result = all[0];
  for (std::size_t i = 1; i < all.size(); ++i) {
    result += (i + 1 < all.size() ? ", " : " or ") + all[i];
  }
  return result;
}

bool takes(const Benchmark& benchmark, const std::string& option) {
  for (const OptionGroup& group : benchmark.groups) {
    for (const Option& own : group.options) {
      if (own.name == option) return true;
    }
  }
  return false;
}

// Every group once: those of several benchmarks after those of one.
std::vector<OptionGroup> all_groups() {
  std::vector<OptionGroup> groups;
  for (const Benchmark& benchmark : all_benchmarks()) {
    for (const OptionGroup& group : benchmark.groups) {
      const auto same = [&](const OptionGroup& other) { return other.title == group.title; };
      groups.erase(std::remove_if(groups.begin(), groups.end(), same), groups.end());
      groups.push_back(group);
    }
  }
  return groups;
}

int run_benchmark(const Arguments& arguments) {
  const std::vector<std::string>& operands = arguments.operands();
  if (operands.empty()) fail_usage("benchmark what? ", names_in_words());
  arguments.check_one_operand();
  for (const Benchmark& benchmark : all_benchmarks()) {
    if (benchmark.name != operands[0]) continue;
    for (const auto& [option, value] : arguments.values()) {
      if (!takes(benchmark, option)) {
        fail_usage("benchmark ", benchmark.name, " has no option --", option);
      }
    }
    return benchmark.run(arguments);
  }
  fail_usage("there is no benchmark '", operands[0], "', only ", names_in_words(),
             suggestion(operands[0], names()));
}

}  // namespace

OptionGroup common_benchmark_options() {
  return {"Options of all",
          {{"threads", "N", "processors to use", "all"},
           {"json", "", "print one JSON object instead"}}};
}

Command benchmark_command() {
  Command command;
  command.name = "benchmark";
  command.summary = "measure the speed of products, layers, training steps and decoding";
  command.description =
      "Measures how fast the program runs on this machine, and how fast it could. Each speed is "
      "the median of several runs. Beside it stands its share of a limit that is measured just "
      "before and after it, as machines differ and one machine changes from minute to minute: what "
      "the processor does when it does nothing but multiply-adds in registers or, where little is "
      "computed, what memory delivers. Close other programs first.\n\n"
      "GFLOP/s: 10^9 additions and multiplications a second. A product of a matrix [m, k] and a "
      "matrix [k, n] takes 2 m n k of them. GB/s: 10^9 bytes a second.";
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
  command.operands = names_in_words();
  command.run = run_benchmark;
  return command;
}

}  // namespace attn::app
