// The models of chapter 3.5.1, whose weights were set by hand (by_hand.h), and how the heads that
// training finds compare with them.
//
//     example-3.5.1 copy|reverse hello      the answer, and where the decoder looks for each letter
//     example-3.5.1 shift K hello           the same of a model that looks K positions further on
//     example-3.5.1 reverse-steps hello     the numbers that reverse works with, a row a position
//     example-3.5.1 values                  what the chapter quotes, as NAME = VALUE
//     example-3.5.1 save copy|reverse DIR   as a model that the program can read
//     example-3.5.1 heads copy|reverse DIR  how much of its weight each head of a trained model has
//                                           on the right source position, as a table
#include "examples/by_hand.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "decoding/greedy.h"
#include "tasks/task.h"
#include "text/corpus.h"
#include "training/run_directory.h"

using namespace attn;

namespace {

Transformer shifted(int k) {
  Transformer model = by_hand::blank(1);
  by_hand::look(model.decoder[0].cross_attention, k);
  return model;
}

// What the model answers, and all that it computes when it reads its own answer.
struct Answer {
  std::string source, target;
  Transformer::Cache cache;
};

Answer answer(const Transformer& model, const std::string& letters) {
  const Tokenizer vocabulary = find_task("copy").tokenizer;
  Answer result;
  result.source = joined(characters(letters), " ");
  const PackedIds source = packed(encode_source(vocabulary, result.source));
  result.target = vocabulary.decode(decode_greedily(model, source)[0]);
  Batch batch;
  batch.append(source.ids, encode_target(vocabulary, result.target));
  model.forward(batch, DropoutMasks(), result.cache);
  return result;
}

// A picture of P for every layer: the darker, the larger the weight. A row is a step of the
// decoder, named by the letter that it writes; a column is a source position. <eos> is $.
void draw(const Answer& answer) {
  const char* const shades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  const std::string columns = answer.source + " $", rows = answer.target + " $";
  std::printf("%s → %s\n", answer.source.c_str(), answer.target.c_str());
  for (std::size_t layer = 0; layer < answer.cache.decoder.size(); ++layer) {
    const Tensor& P = answer.cache.decoder[layer].cross_attention.P;  // one head
    std::printf("\ndecoder layer %zu\n     %s\n", layer + 1, columns.c_str());
    const Index n = static_cast<Index>(columns.size() + 1) / 2;
    for (Index t = 0; 2 * t < static_cast<Index>(rows.size()); ++t) {
      std::printf("   %c ", rows[2 * t]);
      for (Index s = 0; s < n; ++s) {
        std::printf("%s", shades[std::min(4, static_cast<int>(P[t * n + s] * 5))]);
      }
      std::printf("\n");
    }
  }
}

// What column c holds, in units of the 1 that layer norm has scaled with everything else.
double reading(const Tensor& x, Index t, Index c) {
  const Real zero = x(t, by_hand::kZero);
  return static_cast<double>((x(t, c) - zero) / (x(t, by_hand::kOne) - zero));
}

// The same of what the table writes, a hundred times as loud, to two digits; −0 becomes 0.
double rounded(const Tensor& x, Index t, Index c) {
  return std::round(reading(x, t, c)) / 100 + 0.0;
}

// At each step: n − t as the ruler has it, and what the table makes of it.
void print_steps(const Answer& answer) {
  const Tensor& ruler = answer.cache.decoder[0].ffn_residual.u;   // [n + 1, d_model]
  const Tensor& waves = answer.cache.decoder[1].self_residual.u;  // [n + 1, d_model]
  const double step = by_hand::frequency(by_hand::kRuler / 2) - by_hand::frequency(127);
  std::printf("  t   n - t    sine  cosine    wish   writes\n");
  for (Index t = 0; t < ruler.rows(); ++t) {
    const std::size_t at = static_cast<std::size_t>(2 * t);
    const double n_minus_t =
        std::round(-1000 * reading(ruler, t, by_hand::kRuler) / step) / 1000 + 0.0;
    std::printf("  %td  %6.3f  %6.2f  %6.2f  %6.2f   %s\n", t, n_minus_t, rounded(waves, t, 0),
                rounded(waves, t, 1), rounded(waves, t, by_hand::kWish),
                at < answer.target.size() ? answer.target.substr(at, 1).c_str() : "<eos>");
  }
}

// σ of the embedding of letter a at position t, and how far apart positions are.
void print_values() {
  const auto sigma = [](double loud, Index t) {
    Tensor x = Tensor::zeros({by_hand::kDModel});
    sinusoidal_encoding(t, x.cols(), x.data());
    x[by_hand::column_of(3)] += static_cast<Real>(loud);
    double sum = 0;
    for (Index c = 0; c < x.cols(); ++c) sum += static_cast<double>(x[c]);
    const double mean = sum / static_cast<double>(x.cols());
    return std::sqrt(sum_of_squares(x) / static_cast<double>(x.cols()) - mean * mean);
  };
  for (const Index t : {0, 20, 64}) {
    std::printf("sigma.quiet.%td = %.7g\n", t, sigma(16, t));
    std::printf("sigma.loud.%td = %.7g\n", t, sigma(by_hand::kLoud, t));
  }
  for (Index k = 0; k <= 64; ++k) {
    double product = 0;
    for (Index i = 0; i < by_hand::kFastPairs; ++i) {
      product += std::cos(by_hand::frequency(i) * static_cast<double>(k));
    }
    std::printf("product.%td = %.7g\n", k, product);
  }
  const double sharp = by_hand::kSharp / by_hand::kSigma;
  std::printf("beta = %.7g\n", sharp * sharp / std::sqrt(static_cast<double>(by_hand::kQuery)));
  std::printf("bend.20 = %.7g\nbend.64 = %.7g\n", 20 - 1000 * std::sin(0.020),
              64 - 1000 * std::sin(0.064));
  Transformer copy = by_hand::copy(), reverse = by_hand::reverse();
  for (Transformer* model : {&copy, &reverse}) {
    Index weights = 0, set = 0;
    model->visit_parameters([&](const std::string& name, Parameter& p) {
      const bool norm = name.find("norm") != std::string::npos;
      for (Index i = 0; i < p.value.elements(); ++i) set += !norm && p.value[i] != 0;
      weights += p.value.elements();
    });
    const char* const name = model == &copy ? "copy" : "reverse";
    std::printf("weights.%s = %td\nset.%s = %td\n", name, weights, name, set);
  }
}

// For every head of the decoder's attention over the source, over the 1000 test sequences: its
// weight on the right position; how often that is its largest; its weight on <eos>; and of all
// distances from the right position the one with most weight, and that weight.
void print_heads(const Task& task, const std::string& directory) {
  const std::unique_ptr<SequenceModel> model = load_model(directory);
  const auto& transformer = dynamic_cast<const Transformer&>(*model);
  const Tokenizer vocabulary = load_trained_model(directory).tokenizer;
  Batch batch;
  for (const TextPair& pair : task.test_set()) {
    batch.append(encode_source(vocabulary, pair.source), encode_target(vocabulary, pair.target));
  }
  Transformer::Cache cache;
  transformer.forward(batch, DropoutMasks(), cache);

  constexpr Index kFar = 20;
  const Index h = transformer.config().heads;
  for (std::size_t layer = 0; layer < cache.decoder.size(); ++layer) {
    for (Index head = 0; head < h; ++head) {
      const Real* P = cache.decoder[layer].cross_attention.P.data();
      std::vector<double> weight(2 * kFar + 1);  // by distance from the right position
      double largest = 0, at_end = 0;
      for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b) {
        const Index n = batch.source.offsets[b + 1] - batch.source.offsets[b];  // letters and <eos>
        for (Index t = 0; t < n; ++t) {
          const Real* row = P + (head * n + t) * n;
          const Index right = t == n - 1 || task.name == "copy" ? t : n - 2 - t;
          for (Index s = 0; s < n; ++s) {
            weight[s - right + kFar] += static_cast<double>(row[s]);
          }
          at_end += static_cast<double>(row[n - 1]);
          largest += std::max_element(row, row + n) - row == right;
        }
        P += h * n * n;
      }
      const double steps = static_cast<double>(batch.target_output.size());
      const auto most = std::max_element(weight.begin(), weight.end());
      std::printf("%s\t%zu\t%td\t%.3f\t%.3f\t%.3f\t%td\t%.3f\n", task.name.c_str(), layer + 1,
                  head + 1, weight[kFar] / steps, largest / steps, at_end / steps,
                  most - weight.begin() - kFar, *most / steps);
    }
  }
}

int usage() {
  std::fprintf(
      stderr,
      "usage: example-3.5.1 copy|reverse|reverse-steps LETTERS | shift K LETTERS | values\n"
      "       example-3.5.1 save|heads copy|reverse DIR\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string mode = words.empty() ? "" : words[0];
  if (mode == "values" && words.size() == 1) {
    print_values();
  } else if (mode == "copy" && words.size() == 2) {
    draw(answer(by_hand::copy(), words[1]));
  } else if (mode == "reverse" && words.size() == 2) {
    draw(answer(by_hand::reverse(), words[1]));
  } else if (mode == "reverse-steps" && words.size() == 2) {
    print_steps(answer(by_hand::reverse(), words[1]));
  } else if (mode == "shift" && words.size() == 3) {
    draw(answer(shifted(std::atoi(words[1].c_str())), words[2]));
  } else if (mode == "save" && words.size() == 3) {
    const Task task = find_task(words[1]);
    Transformer model = task.name == "copy" ? by_hand::copy() : by_hand::reverse();
    create_model(words[2], model, task.tokenizer);
  } else if (mode == "heads" && words.size() == 3) {
    print_heads(find_task(words[1]), words[2]);
  } else {
    return usage();
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "example-3.5.1: error: %s\n", error.what());
  return 1;
}
