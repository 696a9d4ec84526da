// Perplexity of all sentences, BLEU of a few: decoding takes much longer than computing a loss.
#include "training/validation.h"

#include "metrics/bleu.h"
#include "metrics/exact_match.h"

namespace attn {

LossSums evaluate(const SequenceModel& model, const std::vector<Batch>& batches,
                  const std::function<void()>& between_batches) {
  LossSums sums;
  for (const Batch& batch : batches) {
    between_batches();
    sums += model.loss(batch);
  }
  return sums;
}

Validation validate(const SequenceModel& model, const ValidationSet& set,
                    const std::function<void()>& between_batches) {
  Validation result;
  result.sums = evaluate(model, set.batches, between_batches);
  bool right = result.sums.correct == result.sums.tokens;
  for (std::uint64_t i = 0; right && result.flawless < set.most_fresh; ++i) {
    const Batch batch = set.fresh(i);
    const LossSums sums = evaluate(model, {batch}, between_batches);
    right = sums.correct == sums.tokens;
    if (right) result.flawless += batch.target_input.sentences();
  }
  if (set.sample.empty()) return result;

  const ExactMatches translated =
      exact_matches(model, set.tokenizer, set.sample, kGreedy, [&](Index) { between_batches(); });
  BleuCounts counts;
  for (std::size_t i = 0; i < set.sample.size(); ++i) {
    counts += bleu_counts(translated.outputs[i], {set.sample[i].target});
  }
  result.bleu = bleu(counts).score;
  return result;
}

}  // namespace attn
