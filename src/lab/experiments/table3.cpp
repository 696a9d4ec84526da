#include "lab/experiments/table3.h"

#include <cstdint>

#include "model/architectures.h"
#include "training/defaults.h"

namespace attn {

namespace {

template <class Change>
TransformerConfig varied(const Change& change) {
  TransformerConfig config;
  change(config);
  return config;
}

TransformerConfig with_heads(Index heads) {
  return varied([=](TransformerConfig& c) {
    c.heads = heads;
    set_head_sizes(c);
  });
}

TransformerConfig with_d_model(Index d_model) {
  return varied([=](TransformerConfig& c) {
    c.d_model = d_model;
    set_head_sizes(c);
  });
}

}  // namespace

std::vector<Table3Row> table3_rows() {
  return {
      {"base", TransformerConfig(), 65},
      {"A h=1", with_heads(1), 0},
      {"A h=4", with_heads(4), 0},
      {"A h=16", with_heads(16), 0},
      {"A h=32", with_heads(32), 0},
      {"B d_k=16", varied([](TransformerConfig& c) { c.d_k = 16; }), 58},
      {"B d_k=32", varied([](TransformerConfig& c) { c.d_k = 32; }), 60},
      {"C N=2", varied([](TransformerConfig& c) { c.layers = 2; }), 36},
      {"C N=4", varied([](TransformerConfig& c) { c.layers = 4; }), 50},
      {"C N=8", varied([](TransformerConfig& c) { c.layers = 8; }), 80},
      {"C d_model=256", with_d_model(256), 28},
      {"C d_model=1024", with_d_model(1024), 168},
      {"C d_ff=1024", varied([](TransformerConfig& c) { c.d_ff = 1024; }), 53},
      {"C d_ff=4096", varied([](TransformerConfig& c) { c.d_ff = 4096; }), 90},
      {"D dropout=0.0", varied([](TransformerConfig& c) { c.dropout = 0; }), 0},
      {"D dropout=0.2", varied([](TransformerConfig& c) { c.dropout = 0.2; }), 0},
      {"D smoothing=0.0", varied([](TransformerConfig& c) { c.label_smoothing = 0; }), 0},
      {"D smoothing=0.2", varied([](TransformerConfig& c) { c.label_smoothing = 0.2; }), 0},
      {"E learned positions",
       varied([](TransformerConfig& c) { c.positions = Positions::learned; }), 0},
      {"big", preset("big"), 213},
  };
}

TrainedVariants small_table3(bool quick) {
  const Defaults defaults = defaults_of("phrasebook");
  Settings base = preset_settings("transformer", defaults.preset);
  for (const auto& [name, value] : defaults.model) base[name] = value;
  TrainedVariants table;
  const auto add = [&](const std::string& name, const Settings& model, const Settings& training) {
    TrainingTrial trial{base, trial_training("phrasebook")};
    for (const auto& [setting, value] : model) trial.model[setting] = value;
    for (const auto& [setting, value] : training) set(trial.training, setting, value);
    if (quick) {
      trial.training.steps = 20;
      trial.training.validate_every = 10;
    }
    table.variants.emplace_back(name, trial);
  };
  // d_model 64, d_ff 256, h = 4, d_k = d_v = 16, N = 2
  add("base", {}, {});
  add("A h=1", {{"heads", "1"}, {"d_k", "64"}, {"d_v", "64"}}, {});
  if (!quick) {
    add("A h=2", {{"heads", "2"}, {"d_k", "32"}, {"d_v", "32"}}, {});
    add("A h=8", {{"heads", "8"}, {"d_k", "8"}, {"d_v", "8"}}, {});
    add("A h=16", {{"heads", "16"}, {"d_k", "4"}, {"d_v", "4"}}, {});
    add("B d_k=4", {{"d_k", "4"}}, {});
    add("B d_k=8", {{"d_k", "8"}}, {});
    add("d_v=4", {{"d_v", "4"}}, {});
    add("d_v=8", {{"d_v", "8"}}, {});
    add("C N=1", {{"layers", "1"}}, {});
    add("C N=3", {{"layers", "3"}}, {});
    add("C N=4", {{"layers", "4"}}, {});
    add("C d_model=32", {{"d_model", "32"}, {"d_k", "8"}, {"d_v", "8"}}, {});
    add("C d_model=128", {{"d_model", "128"}, {"d_k", "32"}, {"d_v", "32"}}, {});
    add("C d_ff=128", {{"d_ff", "128"}}, {});
    add("C d_ff=512", {{"d_ff", "512"}}, {});
    add("D dropout=0.1", {{"dropout", "0.1"}}, {});
    add("D dropout=0.2", {{"dropout", "0.2"}}, {});
    add("D smoothing=0.0", {{"label_smoothing", "0"}}, {});
    add("D smoothing=0.2", {{"label_smoothing", "0.2"}}, {});
  }
  add("E learned positions", {{"positions", "learned"}}, {});
  if (!quick) {
    add("pre-norm", {{"norm", "pre"}}, {});
    add("untied", {{"tie_embeddings", "no"}}, {});
    add("no warm-up", {}, {{"warmup", "1"}});
  }
  table.seeds =
      quick ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6};
  return table;
}

}  // namespace attn
