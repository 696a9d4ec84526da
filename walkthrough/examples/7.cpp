// The numbers of chapter 7: what a layer of today costs next to the paper's, what the key–value
// cache weighs, a softmax in two blocks, numbers of few bits, and three dials of sampling.
//
//     example-7 softmax      one query's attention, two keys at a time
//     example-7 sampling     what is drawn after "Jane", in the tree of chapter 6.1
//     example-7 values       all of it as KEY = VALUE
//
// It counts on its own and not by the program's tables.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "examples/invented_model.h"
#include "figures/table.h"
#include "lab/language/sampling.h"

using namespace attn;

namespace {

void print(const std::string& key, double value) {
  std::printf("%s = %.12g\n", key.c_str(), value);
}

// Sizes of a decoder-only model. The defaults are those of Llama 3 with 8 billion weights
// (Grattafiori et al. 2024).
struct Sizes {
  double layers = 32, d_model = 4096, heads = 32, groups = 8, d_k = 128, d_ff = 14336;
  double vocabulary = 128256;
};

// Weights of one layer. The paper: as many keys as heads, d_ff = 4 d_model, biases, two norms of γ
// and β.
struct Weights {
  double attention, feed_forward, norms;
  double sum() const { return attention + feed_forward + norms; }
};
Weights paper_layer(const Sizes& s) {
  const double d = s.d_model;
  return {4 * d * s.heads * s.d_k, 2 * d * 4 * d + 4 * d + d, 2 * 2 * d};
}
Weights later_layer(const Sizes& s) {
  const double d = s.d_model;
  return {2 * d * s.heads * s.d_k + 2 * d * s.groups * s.d_k, 3 * d * s.d_ff, 2 * d};
}
// With E and an output matrix that is not tied to it, and the norm after the last layer.
double later_model(const Sizes& s) {
  return s.layers * later_layer(s).sum() + 2 * s.vocabulary * s.d_model + s.d_model;
}

void print_layers() {
  const Sizes s;
  const Weights paper = paper_layer(s), later = later_layer(s);
  const double d = s.d_model;
  print("paper.attention", paper.attention);
  print("paper.feed_forward", paper.feed_forward);
  print("paper.norms", paper.norms);
  print("paper.layer", paper.sum());
  print("later.attention", later.attention);
  print("later.feed_forward", later.feed_forward);
  print("later.norms", later.norms);
  print("later.layer", later.sum());
  print("later.model", later_model(s));

  // The decoder layer of the paper's base model, with attention over z and without.
  const Sizes base{6, 512, 8, 8, 64, 2048, 37000};
  const Weights layer = paper_layer(base);
  print("base.decoder_only_layer", layer.sum());
  print("base.decoder_layer", layer.sum() + layer.attention + layer.norms / 2);

  // Floating-point operations per token and layer: two for each weight of a matrix; the rest by the
  // formulas, each +, −, ·, / and exponential as one.
  print("flop.layer_norm", 2 * 7 * d);
  print("flop.rms_norm", 2 * 4 * d);
  print("flop.paper.attention", 2 * paper.attention);
  print("flop.later.attention", 2 * later.attention);
  print("flop.paper.feed_forward", 2 * 2 * d * 4 * d + 4 * d * 2 + d);
  print("flop.later.feed_forward", 2 * later.feed_forward + 5 * s.d_ff);
  print("flop.positions", d);
  print("flop.rotary", 3 * (s.heads + s.groups) * s.d_k);
}

double cache_bytes(double layers, double groups, double d_k, double bytes) {
  return 2 * layers * groups * d_k * bytes;
}

void print_cache() {
  const Sizes s;
  const double token = cache_bytes(s.layers, s.groups, s.d_k, 2);
  print("cache.base", cache_bytes(6, 8, 64, 4) / 1024);
  print("cache.grouped", token / 1024);
  print("cache.full", cache_bytes(s.layers, s.heads, s.d_k, 2) / 1024);
  print("cache.grouped.8192", token * 8192 / (1 << 30));
  print("cache.full.8192", cache_bytes(s.layers, s.heads, s.d_k, 2) * 8192 / (1 << 30));

  // All weights that a token is multiplied by: everything except E, in which it is looked up.
  const double used = later_model(s) - s.vocabulary * s.d_model;
  print("used", used);
  // Appendix B's processor, in float32: operations per second, bytes per second.
  const auto machine = walkthrough::read_table("data/measurements", "intel/ladder")
                           .where("rung", "peak")
                           .where("threads", "1")
                           .rows.front();
  const double peak = 1e9 * walkthrough::number_in(machine, "gflops");
  const double read = 1e9 * walkthrough::number_in(machine, "read");
  print("cpu.ridge_tokens", peak / read * 4 / 2);
  print("cpu.token", used * 4 / read);
  // NVIDIA's data sheet of the H100 SXM, bfloat16 without sparsity.
  constexpr double kGpuPeak = 989e12, kGpuRead = 3.35e12;
  print("gpu.ridge", kGpuPeak / kGpuRead);
  print("gpu.cache_is_weights", used * 2 / (token * 8192));
  // Scores of one layer, float32.
  print("scores.head", 8192.0 * 8192 * 4 / (1 << 20));
  print("scores.layer", s.heads * 8192.0 * 8192 * 4 / (1 << 30));
  // In training: weight and gradient in bfloat16, master weight and two moments in float32.
  print("training.bytes", 2 + 2 + 4 + 4 + 4);
  print("training.gigabytes", 16 * later_model(s) / 1e9);
}

// One query, four keys: scores, and values of one number.
constexpr double kExponentials[] = {2, 4, 8, 2};  // of the scores ln 2, ln 4, ln 8, ln 2
constexpr double kValues[] = {10, 20, 30, 40};

struct Block {
  double m, l, o;
};
std::vector<Block> softmax_in_blocks() {
  std::vector<Block> steps;
  Block b{-HUGE_VAL, 0, 0};
  for (int first = 0; first < 4; first += 2) {
    double m = b.m;
    for (int j = first; j < first + 2; ++j) m = std::max(m, std::log(kExponentials[j]));
    const double c = std::exp(b.m - m);
    b = {m, c * b.l, c * b.o};
    for (int j = first; j < first + 2; ++j) {
      const double e = std::exp(std::log(kExponentials[j]) - m);
      b.l += e;
      b.o += e * kValues[j];
    }
    steps.push_back(b);
  }
  return steps;
}

void print_softmax() {
  std::printf("%-14s %6s %6s %6s %6s\n", "after", "e^m", "l", "o", "o/l");
  const char* const names[] = {"keys 1 and 2", "keys 3 and 4"};
  const std::vector<Block> steps = softmax_in_blocks();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Block& b = steps[i];
    std::printf("%-14s %6.2f %6.2f %6.2f %6.2f\n", names[i], std::exp(b.m), b.l, b.o, b.o / b.l);
  }
}

// x, rounded to nearest-even as a binary number of `digits` digits, the last of them worth at
// least 2^least.
double rounded(double x, int digits, int least) {
  if (x == 0) return 0;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int last = std::max(exponent - digits, least);
  return std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
}
double bfloat16(double x) {
  return rounded(x, 8, -133);
}
double float16(double x) {
  return rounded(x, 11, -24);
}

void print_precision() {
  print("bfloat16.third", bfloat16(1.0 / 3));
  print("bfloat16.spacing", std::ldexp(1, -7));
  print("bfloat16.one_and_a_thousandth", bfloat16(1 + 0.001));
  double half = 1, master = 1;
  for (int step = 0; step < 1000; ++step) {
    half = bfloat16(half + 0.001);
    master += 0.001;
  }
  print("bfloat16.after_1000", half);
  print("master.after_1000", bfloat16(master));
  print("float16.least", std::ldexp(1, -24));
  print("float16.gradient", float16(1e-8));
  print("float16.scaled", float16(1e-8 * 65536));
}

// What may follow "Jane": is, visits, goes.
std::vector<double> distribution(double temperature, Index top_k, double top_p) {
  const auto tree = invented::tree();
  std::vector<Real> logits;
  for (const invented::Next& next : tree.at("Jane")) {
    logits.push_back(static_cast<Real>(std::log(next.p)));
  }
  std::vector<double> p(logits.size());
  SamplingOptions options{temperature, top_k, top_p};
  const Index V = logits.size();
  for (const TokenProbability& token : sampling_distribution(options, V, logits.data())) {
    p[token.token] = token.p;
  }
  return p;
}

struct Dials {
  const char* name;
  double temperature;
  Index top_k;
  double top_p;
};
const Dials kDials[] = {
    {"as the model finds it", 1, kAnyLength, 1}, {"temperature 1/2", 0.5, kAnyLength, 1},
    {"temperature 2", 2, kAnyLength, 1},         {"top-k 2", 1, 2, 1},
    {"top-p 0.8", 1, kAnyLength, 0.8},           {"top-p 0.5", 1, kAnyLength, 0.5}};

void print_sampling() {
  std::printf("%-24s %7s %7s %7s\n", "", "is", "visits", "goes");
  for (const Dials& d : kDials) {
    const std::vector<double> p = distribution(d.temperature, d.top_k, d.top_p);
    std::printf("%-24s %7.3f %7.3f %7.3f\n", d.name, p[0], p[1], p[2]);
  }
}

void print_scaling() {
  const double weights = later_model({}), tokens = 15e12;
  print("scaling.flop", 6 * weights * tokens);
  print("scaling.times_base_thousands", 6 * weights * tokens / 3.3e18 / 1000);
  print("scaling.tokens_per_weight", tokens / weights);
}

void print_values() {
  print_layers();
  print_cache();
  const std::vector<Block> steps = softmax_in_blocks();
  print("softmax.result", steps[1].o / steps[1].l);
  print_precision();
  print_scaling();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "softmax") {
    print_softmax();
  } else if (what == "sampling") {
    print_sampling();
  } else if (what == "values") {
    print_values();
  } else {
    std::fprintf(stderr, "usage: example-7 softmax|sampling|values\n");
    return 2;
  }
  return 0;
}
