#include "training/defaults.h"

namespace attn {

Defaults toy_defaults() {
  Defaults d;
  d.preset = "tiny";
  // The data never repeat, so there is nothing for dropout to regularise against.
  d.model = {{"dropout", "0"}};
  // Small batches and a short warm-up learn most from each token. At such a rate the weights never
  // come to rest: solved one moment, they make a mistake in a thousand the next. What stops that is
  // the mean over the last hundred steps or so. Clipping holds back the rare step that would throw
  // them far off, which a mean cannot mend.
  d.training.batch_tokens = 512;
  d.training.warmup = 50;
  d.training.learning_rate_scale = 0.35;
  d.training.averaging = 0.99;
  d.training.clip = 1;
  d.training.steps = 4000;
  d.training.validate_every = 50;
  d.training.solved_after = 8;
  return d;
}

Defaults text_defaults() {
  Defaults d;
  d.preset = "small";
  return d;
}

Defaults defaults_of(const std::string& task) {
  return task == "text" ? text_defaults() : toy_defaults();
}

}  // namespace attn
