// Perplexity of all sentences, BLEU of a few: decoding takes much longer than computing a loss.
#include "training/validation.h"

#include "metrics/bleu.h"
#include "metrics/exact_match.h"

namespace attn {

LossSums evaluate(const SequenceModel& model, const std::vector<Batch>& batches) {
  LossSums sums;
  for (const Batch& batch : batches) sums += model.loss(batch);
  return sums;
}

Validation validate(const SequenceModel& model, const ValidationSet& set) {
  Validation result;
  result.sums = evaluate(model, set.batches);
  if (set.sample.empty()) return result;

  const ExactMatches translated = exact_matches(model, set.tokenizer, set.sample);
  BleuCounts counts;
  for (std::size_t i = 0; i < set.sample.size(); ++i) {
    counts += bleu_counts(translated.outputs[i], {set.sample[i].target});
  }
  result.bleu = bleu(counts).score;
  return result;
}

}  // namespace attn
