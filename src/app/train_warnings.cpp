// Each warning is given once, with what to try.
#include "app/train_warnings.h"

#include <cmath>

#include "app/terminal/console.h"

namespace attn::app {

Warnings::Warnings(const Run& run, Progress& progress)
    : run_(run), progress_(progress), explosion_{std::log(run.tokenizer.size())} {
  // Sentences of a file may be in the order of their lengths. Without validation data, the first
  // batch of training shows as much.
  const std::vector<Batch>& validation = run.data.validation.batches;
  samples_ = {validation.empty() ? run.data.batches(0) : validation.front()};
  if (validation.size() > 1) samples_.push_back(validation.back());
}

void Warnings::look_at_loss(double loss) {
  if (!explosion_.sees_explosion(loss)) return;
  progress_.clear();
  const bool above = loss > 2 * explosion_.guessing;
  warn("the loss is ", fixed(loss, 2), " at step ", run_.trainer.step,
       above ? "; guessing gives " : " and was ",
       fixed(above ? explosion_.guessing : explosion_.best, 2), above ? "" : " at best",
       ". If it stays high, training has diverged: begin again with ",
       "a lower --learning-rate-scale, a longer --warmup or --clip 1");
}

void Warnings::look_inside() {
  progress_.clear();
  const std::vector<double> variations = encoder_variations(*run_.model, samples_[0]);
  if (!variations.empty() && collapse_.sees_collapse(variations.back())) {
    warn("the encoder's output has collapsed at step ", run_.trainer.step,
         ": the tokens of a sentence differ in only ", fixed(100 * variations.back(), 2),
         " % of its squares, so the decoder can hardly tell one word from another. Unless ",
         "validation still improves, begin again with --norm pre or fewer --layers");
  }
  if (warned_of_heads_) return;
  const HeadsSeen seen = heads_seen(*run_.model, samples_);
  if (seen.saturated.empty()) return;
  warned_of_heads_ = true;
  warn("heads that always look at the same position: ", seen.saturated.size(), " of ", seen.heads,
       " at step ", run_.trainer.step, ", the first of them ", seen.saturated[0],
       ". Softmax passes them hardly any gradient, so they may never look elsewhere. Unless ",
       "validation still improves, begin again with --norm pre or a lower --learning-rate-scale");
}

}  // namespace attn::app
