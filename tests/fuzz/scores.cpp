// A hypothesis and references, separated by line ends: any bytes have a score from 0 to 100.
#include "fuzz/fuzz.h"

#include "metrics/bleu.h"
#include "text/lines.h"

using namespace attn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> lines = split(fuzz::view(data, size), '\n');
  if (lines.size() < 2) return 0;
  const std::string hypothesis = lines.back();
  lines.pop_back();
  for (const BleuWords words : {BleuWords::wmt_13a, BleuWords::none, BleuWords::characters}) {
    const BleuCounts counts = bleu_counts(hypothesis, lines, words);
    const double score = bleu(counts).score;
    fuzz::require(score >= 0 && score <= 100 + 1e-9, "BLEU is from 0 to 100");
    for (std::size_t n = 0; n < kBleuOrder; ++n) {
      fuzz::require(counts.matched[n] <= counts.total[n], "no more n-grams match than there are");
    }
    lines.push_back(hypothesis);
    const BleuCounts same = bleu_counts(hypothesis, lines, words);
    fuzz::require(same.matched == same.total && same.length == same.reference_length,
                  "a reference matches itself");
    lines.pop_back();
  }
  return 0;
}
