// Each task's settings differ from another's by what a sweep gained.
#include "app/defaults.h"

namespace attn {

// What does best in ten minutes on two processors with 15,000 pairs of sentences
// (data/measurements/translation.tsv). A model smaller than the preset takes more steps in that
// time, and small batches give more again. Without dropout it memorises so few pairs.
static Defaults text_defaults() {
  Defaults d;
  d.preset = "small";
  d.sizes = {{"d_model", "192"}, {"d_ff", "768"}, {"d_k", "48"}, {"d_v", "48"}};
  d.model = {{"dropout", "0.3"}};
  d.training.batch_tokens = 1024;
  d.training.warmup = 1000;
  d.training.learning_rate_scale = 0.7;
  d.training.averaging = 0.999;
  d.training.hold_out = 50;
  d.training.validate_every = 200;
  // With each of three seeds the last weights had a higher BLEU than those of the smallest
  // perplexity (data/measurements/averaging.tsv).
  d.training.keep_last = true;
  return d;
}

// copy, reverse
static Defaults toy_defaults() {
  Defaults d;
  d.preset = "tiny";
  // Every batch is freshly drawn, so there is nothing for dropout to regularise against.
  d.model = {{"dropout", "0"}};
  // Small batches and a short warm-up learn most per token, but at such a rate the weights never
  // settle: after solving the task they make one mistake in a thousand. Averaging over about two
  // hundred steps prevents that; clipping limits the rare huge step, which averaging cannot mend.
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

Defaults defaults_of(const std::string& task) {
  return task == "text" ? text_defaults() : toy_defaults();
}

const Architectures& transformer_alone() {
  static const Architectures alone{
      {"transformer", [](const TransformerConfig& sizes) { return to_settings(sizes); }}};
  return alone;
}

Settings changed_preset(const std::string& architecture, const std::string& preset_name,
                        const Settings& changes, const Architectures& architectures) {
  std::vector<std::string> names;
  for (const Architecture& one : architectures) {
    names.push_back(one.name);
    if (one.name != architecture) continue;
    Settings settings = one.settings(preset(preset_name));
    settings["architecture"] = architecture;
    for (const auto& [name, value] : changes) {
      if (settings.count(name) > 0) settings[name] = value;
    }
    return settings;
  }
  fail("unknown architecture '", architecture, "'; there are: ", comma_list(names));
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
