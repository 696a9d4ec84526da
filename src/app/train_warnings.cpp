// Each warning is given once, with what to try.
#include "app/train_warnings.h"

#include <cmath>
#include <utility>

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
  const bool above = loss > 2 * explosion_.guessing;
  warn(text("the loss is ", fixed(loss, 2), " at step ", run_.trainer.step,
            above ? "; guessing gives " : " and was ",
            fixed(above ? explosion_.guessing : explosion_.best, 2), above ? "" : " at best",
            ". If it stays high, training has diverged: begin again with ",
            "a lower --learning-rate-scale, a longer --warmup or --clip 1"));
}

void Warnings::look_inside() {
  const std::vector<double> variations = encoder_variations(*run_.model, samples_[0]);
  if (!variations.empty() && collapse_.sees_collapse(variations.back())) {
    warn(text("the encoder's output has collapsed at step ", run_.trainer.step,
              ": the tokens of a sentence differ in only ", fixed(100 * variations.back(), 2),
              " % of its squares, so the decoder can hardly tell one word from another. Unless ",
              "validation still improves, begin again with --norm pre or fewer --layers"));
  }
  heads_ = heads_seen(*run_.model, samples_);
  if (heads_.saturated.empty() || std::exchange(warned_of_heads_, true)) return;
  warn(text(saturated_heads(), " at step ", run_.trainer.step, ", the first of them ",
            heads_.saturated[0],
            ". Softmax passes them hardly any gradient, so they may never look ",
            "elsewhere. Unless validation still improves, begin again with --norm pre or a lower ",
            "--learning-rate-scale"));
}

std::string Warnings::saturated_heads() const {
  if (heads_.saturated.empty()) return "";
  return text("heads that always look at the same position: ", heads_.saturated.size(), " of ",
              heads_.heads);
}

void Warnings::warn(const std::string& message) {
  progress_.clear();
  attn::warn(message);
}

}  // namespace attn::app
