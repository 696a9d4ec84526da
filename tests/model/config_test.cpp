#include "model/config.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/check.h"
#include "examples/table3.h"
#include "support/strings.h"

using namespace attn;

namespace {

TransformerConfig valid() {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 100;
  return config;
}

std::string error_of(const TransformerConfig& config) {
  return test::thrown_by([&] { check(config); });
}

int millions(TransformerConfig config, Index vocabulary) {
  config.source_vocabulary = config.target_vocabulary = vocabulary;
  return static_cast<int>(std::lround(static_cast<double>(parameter_count(config)) / 1e6));
}

// Whether a vocabulary gives every count that Table 3 prints, big's aside.
bool reproduces_table3(Index vocabulary) {
  for (const Table3Row& row : table3_rows()) {
    if (row.millions == 0 || row.label == "big") continue;
    if (millions(row.config, vocabulary) != row.millions) return false;
  }
  return true;
}

Table3Row row_of(const std::string& label) {
  for (const Table3Row& row : table3_rows()) {
    if (row.label == label) return row;
  }
  fail("no row ", label);
}

}  // namespace

TEST_SUITE("6.2 table 3") {
  TEST_CASE("the rows of Table 3 are the paper's") {
    CHECK(table3_rows().size() == 20);
    std::map<std::string, Settings> rows = {
        {"base", {{"layers", "6"}, {"d_model", "512"}, {"d_ff", "2048"}, {"heads", "8"}}},
        {"big", {{"d_model", "1024"}, {"d_ff", "4096"}, {"heads", "16"}, {"dropout", "0.3"}}},
        {"B d_k=16", {{"d_k", "16"}}},
        {"B d_k=32", {{"d_k", "32"}}},
        {"C d_model=256", {{"d_model", "256"}, {"d_k", "32"}, {"d_v", "32"}}},
        {"C d_model=1024", {{"d_model", "1024"}, {"d_k", "128"}, {"d_v", "128"}}},
        {"D dropout=0.0", {{"dropout", "0"}}},
        {"D dropout=0.2", {{"dropout", "0.2"}}},
        {"D smoothing=0.0", {{"label_smoothing", "0"}}},
        {"D smoothing=0.2", {{"label_smoothing", "0.2"}}},
        {"E learned positions", {{"positions", "learned"}}}};
    for (const Index h : {1, 4, 16, 32}) {
      rows[text("A h=", h)] = {{"heads", text(h)}, {"d_k", text(512 / h)}, {"d_v", text(512 / h)}};
    }
    // What a row does not name it has from the base model, and that from the paper.
    const Settings others = {{"d_k", "64"},      {"d_v", "64"},
                             {"dropout", "0.1"}, {"label_smoothing", "0.1"},
                             {"norm", "post"},   {"positions", "sinusoidal"}};
    for (auto& row : rows) {
      CAPTURE(row.first);
      Settings& expected = row.second;
      expected.insert(others.begin(), others.end());
      expected.insert(rows.at("base").begin(), rows.at("base").end());
      const Settings found = to_settings(row_of(row.first).config);
      for (const auto& setting : expected) {
        CHECK_MESSAGE(found.at(setting.first) == setting.second, setting.first);
      }
    }
  }

  TEST_CASE("with V = 37000 the base model has 63.0 million weights, not the 65 that are printed") {
    TransformerConfig base;
    base.source_vocabulary = base.target_vocabulary = 37000;
    // Embedding, six encoder layers, six decoder layers, counted on paper.
    const Index attention = 4 * 512 * 512, ffn = 2 * 512 * 2048 + 2048 + 512, norm = 2 * 512;
    const Index expected =
        37000 * 512 + 6 * (attention + ffn + 2 * norm) + 6 * (2 * attention + ffn + 3 * norm);
    CHECK(parameter_count(base) == expected);
    CHECK(std::abs(static_cast<double>(parameter_count(base)) / 1e6 - 63.0) < 0.1);
  }

  TEST_CASE("any V from 41004 to 41208 gives every count of Table 3 but big's, no other V does") {
    for (Index V = 41004; V <= 41208; ++V) CHECK(reproduces_table3(V));
    CHECK_FALSE(reproduces_table3(41003));
    CHECK_FALSE(reproduces_table3(41209));
    CHECK_FALSE(reproduces_table3(37000));
    for (Index V = 30000; V < 50000; V += 7) {
      if (V < 41004 || V > 41208) CHECK_FALSE(reproduces_table3(V));
    }
    for (const Index V : {41004, 41208}) CHECK(millions(row_of("big").config, V) != 213);
  }

  TEST_CASE(
      "presets are models with the sizes of the paper, and another name is an error that lists "
      "them") {
    for (const char* name : {"tiny", "small", "base", "big"}) {
      TransformerConfig config = preset(name);
      config.source_vocabulary = config.target_vocabulary = 10;
      CHECK(error_of(config) == "");
      CHECK(config.heads * config.d_k == config.d_model);
    }
    const auto has = [](const char* name, const char* settings) {
      CAPTURE(name);
      const std::vector<std::string> words = test::words_of(settings);
      const Settings found = to_settings(preset(name));
      for (std::size_t i = 0; i < words.size(); i += 2) CHECK(found.at(words[i]) == words[i + 1]);
    };
    has("tiny", "layers 2 d_model 64");
    has("small", "layers 3 d_model 256");
    has("base", "layers 6 d_model 512 d_ff 2048 heads 8 d_k 64 d_v 64 norm post");
    has("base", "dropout 0.1 label_smoothing 0.1 positions sinusoidal");
    has("big", "layers 6 d_model 1024 d_ff 4096 heads 16 dropout 0.3");
    CHECK_ERROR(preset("huge"), "unknown preset 'huge'; there are: tiny, small, base, big");
  }
}

TEST_SUITE("3.1 stacks") {
  TEST_CASE("a configuration goes to text and back unchanged, whatever is set") {
    const std::map<std::string, std::string> others = {{"source_vocabulary", "77"},
                                                       {"target_vocabulary", "78"},
                                                       {"layers", "3"},
                                                       {"d_model", "10"},
                                                       {"d_ff", "11"},
                                                       {"heads", "12"},
                                                       {"d_k", "13"},
                                                       {"d_v", "14"},
                                                       {"dropout", "0.15"},
                                                       {"attention_dropout", "0.25"},
                                                       {"relu_dropout", "0.35"},
                                                       {"label_smoothing", "0"},
                                                       {"positions", "learned"},
                                                       {"max_positions", "15"},
                                                       {"norm", "pre"},
                                                       {"attention_bias", "yes"},
                                                       {"tie_embeddings", "no"}};
    TransformerConfig all = valid();
    for (const auto& [name, value] : others) {
      TransformerConfig one = valid();
      set(one, name, value);
      CHECK(to_settings(one) != to_settings(valid()));
      CHECK(to_settings(one).at(name) == value);
      set(all, name, value);
    }
    CHECK(all.d_v == 14);
    CHECK(all.relu_dropout == 0.35);
    CHECK(all.attention_bias);
    const TransformerConfig back = from_settings<TransformerConfig>(to_settings(all), "here");
    CHECK(to_settings(back) == to_settings(all));
    CHECK(back.norm == NormPlacement::pre);
    CHECK(back.positions == Positions::learned);
    CHECK_FALSE(back.tie_embeddings);
    CHECK(to_settings(all).size() == others.size() + 1);  // and the architecture
    CHECK(to_settings(from_settings<TransformerConfig>(to_settings(valid()), "here")) ==
          to_settings(valid()));
    TransformerConfig config = valid();
    for (const double p : {0.1, 1.0 / 3, 1e-300, 0.0, 0.30000000000000004}) {
      config.dropout = p;
      CHECK(from_settings<TransformerConfig>(to_settings(config), "here").dropout == p);
    }
  }

  TEST_CASE("a setting that is missing or that is no value says so, and where") {
    std::map<std::string, std::string> settings = to_settings(valid());
    settings.erase("d_ff");
    CHECK_ERROR(from_settings<TransformerConfig>(settings, "model.safetensors"),
                "model.safetensors: the setting 'd_ff' is missing");
    settings["d_ff"] = "2048x";
    CHECK_ERROR(from_settings<TransformerConfig>(settings, "m"),
                "m: d_ff: expected a whole number, not '2048x'");
    settings["d_ff"] = "0";
    CHECK_ERROR(from_settings<TransformerConfig>(settings, "m"),
                "m: d_ff must be 1 to 1048576, not 0");

    TransformerConfig config = valid();
    CHECK_ERROR(set(config, "dmodel", "3"), "unknown setting 'dmodel'");
    CHECK_ERROR(set(config, "norm", "both"), "norm: expected post or pre, not 'both'");
    for (const char* bad : {"", " 1", "1 ", "1.5", "x", "99999999999999999999", "0x10"}) {
      CHECK_THROWS_AS(set(config, "layers", bad), Error);
    }
    for (const char* bad : {"", "a", "0.1.2", "0,1"}) {
      CHECK_THROWS_AS(set(config, "dropout", bad), Error);
    }
    set(config, "dropout", "-0");
    CHECK(to_settings(config).at("dropout") == "0");
    set(config, "dropout", to_settings(valid()).at("dropout"));
    CHECK(to_settings(config) == to_settings(valid()));
  }

  TEST_CASE("sizes and probabilities that no model can have are errors") {
    CHECK(error_of(valid()) == "");
    for (const char* name : {"layers", "d_model", "d_ff", "heads", "d_k", "d_v", "max_positions"}) {
      for (const char* value : {"0", "-1", "1048577", "9223372036854775807"}) {
        TransformerConfig config = valid();
        set(config, name, value);
        CHECK(error_of(config).find(std::string(name) + " must be 1 to 1048576") == 0);
      }
    }
    for (const char* name : {"dropout", "attention_dropout", "relu_dropout", "label_smoothing"}) {
      for (const char* value : {"1", "-0.1", "nan", "inf", "2"}) {
        TransformerConfig config = valid();
        set(config, name, value);
        CHECK(error_of(config).find(std::string(name) + " must be at least 0") == 0);
      }
    }
    TransformerConfig config = valid();
    config.layers = config.d_model = Index{1} << 20;
    CHECK(error_of(config).find("more than any memory holds") != std::string::npos);
    config = valid();
    config.source_vocabulary = config.target_vocabulary = 2;
    CHECK(error_of(config) != "");
    config = valid();
    config.target_vocabulary = 99;
    CHECK(error_of(config) ==
          "tied embeddings need one vocabulary for both languages, not 100 and 99 tokens");
    config.tie_embeddings = false;
    CHECK(error_of(config) == "");
  }

  TEST_CASE("a training step's memory counts every attention weight, and a mean like the weights") {
    TransformerConfig config = valid();
    config.layers = 2;
    config.heads = 4;
    // 3 attentions a layer pair, 2 of these, 4 heads, 100 queries of 10 or 30 keys.
    const ModelFacts facts = facts_of(config);
    CHECK(training_memory(facts, 100, 30, 0) - training_memory(facts, 100, 10, 0) ==
          3 * 2 * 4 * 100 * (30 - 10) * sizeof(Real));
    CHECK(training_memory(facts, 100, 10, 1) - training_memory(facts, 100, 10, 0) ==
          static_cast<double>(parameter_count(config)) * sizeof(Real));
  }
}
