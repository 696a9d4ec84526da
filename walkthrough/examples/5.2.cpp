// The numbers of chapter 5.2: floating-point operations of a training step, part by part, from the
// shapes alone, and the paper's arithmetic done again.
//
//     example-5.2 parts         a table: forward operations of a base step of the paper
//     example-5.2               prints numbers as KEY = VALUE
//
// It counts on its own and not by the program's tables, so that one can check the other.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "figures/table.h"

namespace {

struct Model {
  double layers, d_model, d_ff, vocabulary;
};
constexpr Model kBase{6, 512, 2048, 37000}, kBig{6, 1024, 4096, 37000}, kTrace{1, 4, 5, 12};

// Sentences, and tokens of each on both sides.
struct Shape {
  double sentences, source, target;
};

struct Part {
  std::string name;
  double forward;  // operations: two for each multiply-add
};

std::vector<Part> parts(const Model& model, const Shape& s) {
  const double d = model.d_model, N = model.layers;
  const double source = s.sentences * s.source, target = s.sentences * s.target;
  const double pairs = s.sentences * (s.source * s.source + s.target * s.target +
                                      s.source * s.target);  // of a query and a key, one layer
  return {{"projections", N * 2 * d * d * (4 * source + 4 * target + 2 * target + 2 * source)},
          {"attention", N * 4 * pairs * d},
          {"feed_forward", N * 4 * d * model.d_ff * (source + target)},
          {"output", 2 * target * d * model.vocabulary}};
}

double forward(const Model& model, const Shape& s) {
  double sum = 0;
  for (const Part& part : parts(model, s)) sum += part.forward;
  return sum;
}
double step(const Model& model, const Shape& s) {
  return 3 * forward(model, s);  // backward: two products for each
}

void print(const std::string& key, double value) {
  std::printf("%s = %.10g\n", key.c_str(), value);
}

// A run of the paper: what its time times its processors' peak gives, and what it must compute.
void print_run(const std::string& name, const Model& model, double step_seconds, double steps,
               double hours) {
  constexpr double kDevices = 8, kPeak = 9.5e12;
  const Shape batch{1000, 25, 25};
  const double one = step(model, batch), seconds = step_seconds * steps;
  print(name + ".flop_of_step.T", one / 1e12);
  print(name + ".flop", one * steps);
  print(name + ".hours_by_steps", seconds / 3600);
  print(name + ".days_by_steps", seconds / 86400);
  print(name + ".budget_by_steps", seconds * kDevices * kPeak);
  print(name + ".budget", hours * 3600 * kDevices * kPeak);
  print(name + ".tflops_of_device", one / step_seconds / kDevices / 1e12);
  print(name + ".utilisation", 100 * one / step_seconds / (kDevices * kPeak));
  print(name + ".utilisation_of_budget", 100 * one * steps / (hours * 3600 * kDevices * kPeak));
  // A training step as measured.
  using namespace attn::walkthrough;
  const Table table = read_table("data/measurements", "intel/step").where("row", "base_dropout");
  const double here = 1e9 * number_in(table.rows.front(), "ours_gflops");
  print(name + ".step_seconds_here", one / here);
  print(name + ".days_here", one * steps / here / 86400);
}

}  // namespace

int main(int argc, char** argv) {
  const Shape paper{1000, 25, 25};
  if (argc > 1 && std::strcmp(argv[1], "parts") == 0) {
    const double all = forward(kBase, paper);
    std::printf("%-14s %12s %8s\n", "forward", "TFLOP", "share");
    for (const Part& part : parts(kBase, paper)) {
      std::printf("%-14s %12.4f %6.1f %%\n", part.name.c_str(), part.forward / 1e12,
                  100 * part.forward / all);
    }
    std::printf("%-14s %12.4f %6.1f %%\n", "all", all / 1e12, 100.0);
    return 0;
  }
  // The walkthrough's small model on its sentence: 6 tokens in, 6 out.
  for (const Part& part : parts(kTrace, {1, 6, 6})) print("trace." + part.name, part.forward);
  print("trace.forward", forward(kTrace, {1, 6, 6}));
  print("trace.step", step(kTrace, {1, 6, 6}));
  // As `attention-lab benchmark step` counts it: 32 sentence pairs of 32 tokens.
  print("benchmark.step.G", step(kBase, {32, 32, 32}) / 1e9);

  const double d = kBase.d_model, N = kBase.layers;
  const double encoder = N * (4 * d * d + 2 * d * kBase.d_ff);
  const double decoder = N * (8 * d * d + 2 * d * kBase.d_ff), output = d * kBase.vocabulary;
  print("weights.encoder.M", encoder / 1e6);
  print("weights.decoder.M", decoder / 1e6);
  print("weights.output.M", output / 1e6);
  print("weights.M", (encoder + decoder + output) / 1e6);
  print("rule.T", 6 * 25000 * (encoder + decoder + output) / 1e12);
  // Tokens a sentence at which attention's own products cost as much as all others, self-attention
  // of an encoder layer alone: 4 n² d = 8 n d² + 4 n d d_ff.
  print("attention_equal_at", (8 * d * d + 4 * d * kBase.d_ff) / (4 * d));
  for (const int n : {25, 100, 1000}) {
    const Shape s{25000.0 / n, static_cast<double>(n), static_cast<double>(n)};
    print("attention_share." + std::to_string(n),
          100 * parts(kBase, s)[1].forward / forward(kBase, s));
  }
  print("tokens_of_run.G", 100000.0 * 25000 / 1e9);
  print("epochs", 100000.0 * 25000 / (4.5e6 * 25));
  print_run("base", kBase, 0.4, 1e5, 12);
  print_run("big", kBig, 1.0, 3e5, 84);
  return 0;
}
