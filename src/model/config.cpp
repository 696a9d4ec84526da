#include "model/config.h"

#include <charconv>
#include <cmath>
#include <functional>

#include "base/check.h"

namespace attn {

namespace {

// One setting: its name and how it is written and read.
struct Setting {
  const char* name;
  std::function<std::string(const Config&)> write;
  std::function<void(Config&, const std::string&)> read;
};

std::string shortest(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

template <class Number>
Number parse_number(const std::string& value, const char* expected) {
  Number number{};
  const char* end = value.data() + value.size();
  const auto result = std::from_chars(value.data(), end, number);
  ATTN_CHECK(result.ec == std::errc() && result.ptr == end, "expected ", expected, ", not '", value,
             "'");
  return number;
}

Setting whole(const char* name, Index Config::*member) {
  return {name, [=](const Config& c) { return std::to_string(c.*member); },
          [=](Config& c, const std::string& v) {
            c.*member = parse_number<Index>(v, "a whole number");
          }};
}

Setting real(const char* name, double Config::*member) {
  return {
      name, [=](const Config& c) { return shortest(c.*member); },
      [=](Config& c, const std::string& v) { c.*member = parse_number<double>(v, "a number"); }};
}

// One of two words.
template <class Value>
Setting either(const char* name, Value Config::*member, const char* first_word, Value first,
               const char* second_word, Value second) {
  return {
      name,
      [=](const Config& c) -> std::string { return c.*member == first ? first_word : second_word; },
      [=](Config& c, const std::string& v) {
        ATTN_CHECK(v == first_word || v == second_word, "expected ", first_word, " or ",
                   second_word, ", not '", v, "'");
        c.*member = v == first_word ? first : second;
      }};
}

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> settings = {
      {"architecture", [](const Config& c) { return c.architecture; },
       [](Config& c, const std::string& v) { c.architecture = v; }},
      whole("source_vocabulary", &Config::source_vocabulary),
      whole("target_vocabulary", &Config::target_vocabulary),
      whole("layers", &Config::layers),
      whole("d_model", &Config::d_model),
      whole("d_ff", &Config::d_ff),
      whole("heads", &Config::heads),
      whole("d_k", &Config::d_k),
      whole("d_v", &Config::d_v),
      real("dropout", &Config::dropout),
      real("attention_dropout", &Config::attention_dropout),
      real("relu_dropout", &Config::relu_dropout),
      real("label_smoothing", &Config::label_smoothing),
      either("positions", &Config::positions, "sinusoidal", Positions::sinusoidal, "learned",
             Positions::learned),
      whole("max_positions", &Config::max_positions),
      either("norm", &Config::norm, "post", NormPlacement::post, "pre", NormPlacement::pre),
      either("attention_bias", &Config::attention_bias, "yes", true, "no", false),
      either("tie_embeddings", &Config::tie_embeddings, "yes", true, "no", false),
  };
  return settings;
}

// What another d_model or number of heads does to d_k = d_v = d_model/h.
Config with_heads(Config config, Index heads) {
  config.heads = heads;
  config.d_k = config.d_v = config.d_model / heads;
  return config;
}

Config with_size(Config config, Index layers, Index d_model, Index d_ff, Index heads) {
  config.layers = layers;
  config.d_model = d_model;
  config.d_ff = d_ff;
  return with_heads(config, heads);
}

}  // namespace

bool Config::operator==(const Config& other) const {
  return to_settings(*this) == to_settings(other);
}

void check(const Config& c) {
  // Large enough for anything that fits in memory, small enough that products of three fit an
  // Index.
  constexpr Index most = 1 << 20;
  const auto size = [most](const char* name, Index value) {
    ATTN_CHECK(value >= 1 && value <= most, name, " must be 1 to ", most, ", not ", value);
  };
  const auto probability = [](const char* name, double p) {
    ATTN_CHECK(p >= 0 && p < 1, name, " must be at least 0 and less than 1, not ", p);
  };
  ATTN_CHECK(c.architecture == "transformer", "unknown architecture '", c.architecture,
             "'; there is: transformer");
  size("layers", c.layers);
  size("d_model", c.d_model);
  size("d_ff", c.d_ff);
  size("heads", c.heads);
  size("d_k", c.d_k);
  size("d_v", c.d_v);
  size("max_positions", c.max_positions);
  probability("dropout", c.dropout);
  probability("attention_dropout", c.attention_dropout);
  probability("relu_dropout", c.relu_dropout);
  probability("label_smoothing", c.label_smoothing);
  ATTN_CHECK(c.source_vocabulary >= 3 && c.source_vocabulary <= 16 * most &&
                 c.target_vocabulary >= 3 && c.target_vocabulary <= 16 * most,
             "a vocabulary has at least the 3 special tokens and at most ", 16 * most,
             " tokens, not ", c.source_vocabulary, " and ", c.target_vocabulary);
  ATTN_CHECK(!c.tie_embeddings || c.source_vocabulary == c.target_vocabulary,
             "tied embeddings need one vocabulary for both languages, not ", c.source_vocabulary,
             " and ", c.target_vocabulary, " tokens");
}

Config preset(const std::string& name) {
  const Config base;
  if (name == "tiny") return with_size(base, 2, 64, 256, 4);
  if (name == "small") return with_size(base, 3, 256, 1024, 4);
  if (name == "base") return base;
  if (name == "big") {
    Config big = with_size(base, 6, 1024, 4096, 16);
    big.dropout = 0.3;
    return big;
  }
  fail("unknown preset '", name, "'; there are: tiny, small, base, big");
}

std::vector<std::string> preset_names() {
  return {"tiny", "small", "base", "big"};
}

Index parameter_count(const Config& c) {
  const Index bias = c.attention_bias ? 1 : 0;
  const Index attention = c.d_model * c.heads * (2 * c.d_k + c.d_v) + c.heads * c.d_v * c.d_model +
                          bias * (c.heads * (2 * c.d_k + c.d_v) + c.d_model);
  const Index feed_forward = 2 * c.d_model * c.d_ff + c.d_ff + c.d_model;
  const Index norm = 2 * c.d_model;
  const Index encoder_layer = attention + feed_forward + 2 * norm;
  const Index decoder_layer = 2 * attention + feed_forward + 3 * norm;
  const Index embeddings = c.tie_embeddings
                               ? c.source_vocabulary * c.d_model
                               : (c.source_vocabulary + 2 * c.target_vocabulary) * c.d_model;
  const Index positions = c.positions == Positions::learned ? 2 * c.max_positions * c.d_model : 0;
  const Index final_norms = c.norm == NormPlacement::pre ? 2 * norm : 0;
  return embeddings + positions + c.layers * (encoder_layer + decoder_layer) + final_norms;
}

std::vector<Table3Row> table3_rows() {
  const Config base;
  const auto with = [&](auto Config::*member, auto value) {
    Config config;
    config.*member = value;
    return config;
  };
  Config narrow = with_size(base, 6, 256, 2048, 8), wide = with_size(base, 6, 1024, 2048, 8);
  return {
      {"base", base, 65},
      {"A h=1", with_heads(base, 1), 0},
      {"A h=4", with_heads(base, 4), 0},
      {"A h=16", with_heads(base, 16), 0},
      {"A h=32", with_heads(base, 32), 0},
      {"B d_k=16", with(&Config::d_k, Index{16}), 58},
      {"B d_k=32", with(&Config::d_k, Index{32}), 60},
      {"C N=2", with(&Config::layers, Index{2}), 36},
      {"C N=4", with(&Config::layers, Index{4}), 50},
      {"C N=8", with(&Config::layers, Index{8}), 80},
      {"C d_model=256", narrow, 28},
      {"C d_model=1024", wide, 168},
      {"C d_ff=1024", with(&Config::d_ff, Index{1024}), 53},
      {"C d_ff=4096", with(&Config::d_ff, Index{4096}), 90},
      {"D dropout=0.0", with(&Config::dropout, 0.0), 0},
      {"D dropout=0.2", with(&Config::dropout, 0.2), 0},
      {"D smoothing=0.0", with(&Config::label_smoothing, 0.0), 0},
      {"D smoothing=0.2", with(&Config::label_smoothing, 0.2), 0},
      {"E learned positions", with(&Config::positions, Positions::learned), 0},
      {"big", preset("big"), 213},
  };
}

std::map<std::string, std::string> to_settings(const Config& config) {
  std::map<std::string, std::string> settings;
  for (const Setting& setting : all_settings()) settings[setting.name] = setting.write(config);
  return settings;
}

void set(Config& config, const std::string& name, const std::string& value) {
  for (const Setting& setting : all_settings()) {
    if (setting.name != name) continue;
    try {
      return setting.read(config, value);
    } catch (const Error& error) {
      fail(name, ": ", error.what());
    }
  }
  fail("unknown setting '", name, "'");
}

Config config_from_settings(const std::map<std::string, std::string>& settings,
                            const std::string& where) {
  Config config;
  try {
    for (const Setting& setting : all_settings()) {
      const auto found = settings.find(setting.name);
      ATTN_CHECK(found != settings.end(), "the configuration lacks '", setting.name, "'");
      set(config, found->first, found->second);
    }
    check(config);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return config;
}

}  // namespace attn
