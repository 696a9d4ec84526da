// Each task's settings differ from another's by what a sweep gained.
#include "app/defaults.h"

#include "model/architectures.h"
#include "model/config.h"

namespace attn {

namespace {

// copy, reverse, bracketing
Defaults toy_defaults() {
  Defaults d;
  d.preset = "tiny";
  // Every batch is freshly drawn, so there is nothing for dropout to regularise against.
  d.model = {{"dropout", "0"}};
  // Small batches and a short warm-up learn most per token. At such a rate the weights never
  // settle: right after solving the task they make one mistake in a thousand. Averaging them over
  // about two hundred steps prevents that. Clipping limits the rare huge step, which averaging
  // cannot repair.
  d.training.batch_tokens = 512;
  d.training.warmup = 50;
  d.training.learning_rate_scale = 0.35;
  d.training.averaging = 0.995;
  d.training.clip = 1;
  d.training.steps = 4000;
  d.training.validate_every = 50;
  d.training.solved_after = 10000;
  return d;
}

Defaults phrasebook_defaults() {
  Defaults d = toy_defaults();
  // There are always rare combinations left to learn, so it is never solved. These need more steps,
  // a lower rate and a longer mean than letters do.
  d.training.solved_after = 0;
  d.training.steps = 14000;
  d.training.learning_rate_scale = 0.25;
  d.training.averaging = 0.998;
  d.training.validate_every = 100;
  return d;
}

Defaults text_defaults(bool preset_named) {
  Defaults d;
  d.preset = "small";
  d.training.hold_out = 50;
  d.training.validate_every = 200;
  // With each of three seeds the last weights had a higher BLEU than those of the smallest
  // perplexity (data/measurements/averaging.tsv).
  d.training.keep_last = true;
  if (preset_named) return d;
  // What does best in ten minutes on two processors with 15,000 pairs of sentences
  // (data/measurements/translation.tsv). A model smaller than the preset takes more steps in that
  // time, and small batches give more again. Without dropout it memorises so few pairs.
  d.model = {{"d_model", "192"}, {"d_ff", "768"}, {"d_k", "48"}, {"d_v", "48"}, {"dropout", "0.3"}};
  d.training.batch_tokens = 1024;
  d.training.warmup = 1000;
  d.training.learning_rate_scale = 0.7;
  d.training.averaging = 0.999;
  return d;
}

Defaults language_defaults(bool preset_named) {
  Defaults d;
  d.preset = "small";
  d.training.hold_out = 20;
  d.training.validate_every = 200;
  // Smoothing would give a tenth of the probability to tokens that cannot follow, and sampling
  // would draw them.
  d.model = {{"label_smoothing", "0"}};
  if (preset_named) return d;
  // For half a megabyte and ten minutes on two processors: of a few short runs, small batches, a
  // high rate and pre-norm, which bears it, had the smallest perplexity.
  d.model.insert({{"layers", "4"},
                  {"d_model", "160"},
                  {"d_ff", "640"},
                  {"d_k", "40"},
                  {"d_v", "40"},
                  {"norm", "pre"},
                  {"dropout", "0.2"}});
  d.training.batch_tokens = 1024;
  d.training.warmup = 500;
  d.training.learning_rate_scale = 1;
  d.training.averaging = 0.999;
  d.training.clip = 1;
  return d;
}

}  // namespace

Defaults defaults_of(const std::string& task, bool preset_named) {
  if (task == "text") return text_defaults(preset_named);
  if (task == "language") return language_defaults(preset_named);
  return task == "phrasebook" ? phrasebook_defaults() : toy_defaults();
}

Settings changed_preset(const std::string& architecture, const std::string& preset,
                        const Settings& changes) {
  Settings settings = preset_settings(architecture, preset);
  for (const auto& [name, value] : changes) {
    if (settings.count(name) > 0) settings[name] = value;
  }
  return settings;
}

void share_among_heads(const std::function<bool(const std::string& name)>& is_given,
                       Settings& settings) {
  if (settings.count("heads") == 0 || (is_given("d_k") && is_given("d_v"))) return;
  TransformerConfig sizes;
  for (const char* name : {"d_model", "heads"}) set(sizes, name, settings.at(name));
  set_head_sizes(sizes);
  for (const char* name : {"d_k", "d_v"}) {
    if (!is_given(name)) settings[name] = to_settings(sizes).at(name);
  }
}

}  // namespace attn
