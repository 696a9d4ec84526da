// The library's BLEU, of lengths, and of sentences of numbers.
#include "metrics/bleu.h"
#include "support/checks.h"

static const exercises::Exercise brevity_exercise("6.1-brevity", [](exercises::Answers& answers) {
  const auto brevity = [](Index c, Index r) {
    attn::BleuCounts counts;
    counts.length = c;
    counts.reference_length = r;
    return attn::bleu(counts).brevity_penalty;
  };
  const auto numbers = [](int count) {
    std::string words;
    for (int i = 0; i < count; ++i) words += "w" + std::to_string(i) + ' ';
    return words;
  };
  const auto bleu_of = [&](int words) {
    return attn::bleu(attn::bleu_counts(numbers(words), {numbers(1000)})).score;
  };
  Index least = 1;
  while (brevity(least, 1000) < 0.9) ++least;
  answers.number("a", brevity(900, 1000), "e^(1 − 1000/900).",
                 {{0.9, "BP is not c/r."}, {std::exp(1 - 0.9), "r/c, not c/r."}});
  answers.number("b", brevity(1100, 1000), "c ≥ r.", {{std::exp(1 - 1.0 / 1.1), "c ≥ r."}});
  answers.count("c", least, "Solve 1 − r/c = ln 0.9 and round up.",
                {{static_cast<double>(least - 1), "That is just below 0.9."}});
  answers.number("d", brevity(8 + 12, 10 + 10), "Lengths are added up before BP is computed.",
                 {{(brevity(8, 10) + brevity(12, 10)) / 2, "That is e."}});
  answers.number("e", (brevity(8, 10) + brevity(12, 10)) / 2, "e^(1 − 10/8) and 1.");
  answers.number("f", bleu_of(900), "All n-grams are right: only BP is left.");
  answers.number("g", bleu_of(1100),
                 "There are 1101 − n n-grams, and 1001 − n of them are right. BP is 1.",
                 {{100, "The wrong words are counted in p's denominator."}});
  answers.number("h", std::exp(1 - 0.9), "e^(1 − 900/1000).");
});
