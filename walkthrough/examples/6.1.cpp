// The numbers of chapter 6.1: beam search on an invented model, and BLEU by hand.
//
//     example-6.1 search      what is alive at each step: greedy, and beams of 2
//     example-6.1 outputs     three outputs under three length penalties
//     example-6.1 bleu        BLEU of one sentence, from its counts
//     example-6.1 values      all of it as NAME = VALUE
#include <cmath>
#include <cstdio>
#include <string>

#include "examples/invented_model.h"
#include "metrics/bleu.h"

using namespace attn;
using invented::probability;

namespace {

constexpr Index kLongest = 8;

struct Output {
  const char* name;
  const char* tokens;
  Index length;  // |Y|
};
const Output kOutputs[] = {{"greedy", "Jane is visiting Africa <eos>", 5},
                           {"short", "Jane visits Africa <eos>", 4},
                           {"long", "Jane visits Africa in September <eos>", 6}};

double score(const Output& output, double alpha) {
  return std::log(probability(output.tokens)) / length_penalty(alpha, output.length);
}

void print_search(Index beam, double alpha) {
  std::printf("beam %td, alpha %.1f\n", beam, alpha);
  const invented::Search search = invented::search(beam, alpha, kLongest);
  for (std::size_t step = 0; step < search.live.size(); ++step) {
    std::printf("  step %zu  ", step + 1);
    for (std::size_t i = 0; i < search.live[step].size(); ++i) {
      const std::string& words = search.live[step][i];
      const char* shown = words.empty() ? "<bos>" : words.c_str();
      std::printf("%s%.4f %s", i == 0 ? "" : "   ", probability(words), shown);
    }
    std::printf("\n");
  }
  std::printf("  found   %s\n", search.found[0].c_str());
}

void print_outputs() {
  std::printf("%-38s |Y|       P     ln P  alpha = 0     0.6       1\n", "");
  for (const Output& output : kOutputs) {
    const double p = probability(output.tokens);
    std::printf("%-38s %3td  %.4f  %.4f    %.4f %.4f %.4f\n", output.tokens, output.length, p,
                std::log(p), score(output, 0), score(output, 0.6), score(output, 1));
  }
}

const char* const kHypothesis = "Jane visits Africa in September and in in October.";
const char* const kReference = "Jane visits Africa in September and comes home in October.";
// A second sentence, translated without a mistake.
const char* const kPerfect = "Jane is in Africa.";

void print_bleu() {
  const BleuCounts counts = bleu_counts(kHypothesis, {kReference});
  const Bleu result = bleu(counts);
  std::printf("n   matched   total   p_n\n");
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    std::printf("%zu   %7td   %5td   %.4f\n", n + 1, counts.matched[n], counts.total[n],
                result.precisions[n] / 100);
  }
  std::printf("c = %td, r = %td, BP = %.4f\n", counts.length, counts.reference_length,
              result.brevity_penalty);
  std::printf("BLEU = %.2f\n", result.score);
}

void print_values() {
  for (const Output& output : kOutputs) {
    std::printf("p.%s = %.7g\n", output.name, probability(output.tokens));
    std::printf("ln.%s = %.7g\n", output.name, std::log(probability(output.tokens)));
  }
  for (const Index length : {4, 5, 6, 8}) {
    std::printf("lp.%td = %.7g\n", length, length_penalty(0.6, length));
  }
  // From which α on the long output wins: (11/9)^α = ln P(long)/ln P(short).
  const double ratio = std::log(score(kOutputs[2], 0) / score(kOutputs[1], 0));
  std::printf("alpha.equal = %.7g\n", ratio / std::log(11.0 / 9));

  // The best that this hypothesis can still reach.
  const double log_p = std::log(probability("Jane visits Africa in"));
  std::printf("ln.in = %.7g\n", log_p);
  std::printf("bound.in.8 = %.7g\n", log_p / length_penalty(0.6, kLongest));

  BleuCounts counts = bleu_counts(kHypothesis, {kReference});
  const BleuCounts perfect = bleu_counts(kPerfect, {kPerfect});
  std::printf("bleu.mean_of_two = %.7g\n", (bleu(counts).score + bleu(perfect).score) / 2);
  counts += perfect;
  std::printf("bleu.of_two = %.7g\n", bleu(counts).score);
  const auto words = [](BleuWords kind) {
    return bleu(bleu_counts(kHypothesis, {kReference}, kind)).score;
  };
  std::printf("bleu.none = %.7g\n", words(BleuWords::none));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "search") {
    print_search(1, 0.6);
    print_search(2, 0.6);
    print_search(2, 0);
  } else if (what == "outputs") {
    print_outputs();
  } else if (what == "bleu") {
    print_bleu();
  } else if (what == "values") {
    print_values();
  } else {
    std::fprintf(stderr, "usage: example-6.1 search|outputs|bleu|values\n");
    return 2;
  }
  return 0;
}
