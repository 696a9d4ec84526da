#include "lab/predecessors/recurrent_config.h"

#include "base/check.h"
#include "layers/output_projection.h"

namespace attn {

namespace {

// One of several words.
template <class Value>
using Words = std::vector<std::pair<const char*, Value>>;

template <class Value>
Setting<RecurrentConfig> word_setting(const std::string& name, Value RecurrentConfig::*member,
                                      const Words<Value>& words) {
  const auto write = [=](const RecurrentConfig& config) {
    for (const auto& [word, value] : words) {
      if (config.*member == value) return std::string(word);
    }
    fail(name, " has no name");
  };
  const auto read = [=](RecurrentConfig& config, const std::string& text_value) {
    std::string all;
    for (const auto& [word, value] : words) {
      if (text_value == word) {
        config.*member = value;
        return;
      }
      all += (all.empty() ? "" : ", ") + std::string(word);
    }
    fail("expected one of ", all, ", not '", text_value, "'");
  };
  return {name, write, read};
}

const std::vector<Setting<RecurrentConfig>>& recurrent_settings() {
  using T = RecurrentConfig;
  using A = RecurrentAttention;
  static const std::vector<Setting<T>> settings = {
      word_setting<Cell>("architecture", &T::cell,
                         {{"rnn", Cell::rnn}, {"gru", Cell::gru}, {"lstm", Cell::lstm}}),
      word_setting<A>("attention", &T::attention,
                      {{"none", A::none},
                       {"bahdanau", A::bahdanau},
                       {"luong-dot", A::luong_dot},
                       {"luong-general", A::luong_general},
                       {"luong-concat", A::luong_concat}}),
      number_setting("source_vocabulary", &T::source_vocabulary),
      number_setting("target_vocabulary", &T::target_vocabulary),
      number_setting("layers", &T::layers),
      number_setting("d_model", &T::d_model),
      number_setting("dropout", &T::dropout),
      number_setting("label_smoothing", &T::label_smoothing),
      either_setting<T, bool>("tie_embeddings", &T::tie_embeddings, {"yes", true}, {"no", false}),
  };
  return settings;
}

double real(Index size) {
  return static_cast<double>(size);
}

// In floating point, which is exact up to 2⁵³ and does not overflow, whatever the sizes.
double exact_count(const RecurrentConfig& c) {
  using A = RecurrentAttention;
  const double n = real(c.d_model), d_z = real(c.d_encoded());
  const double gates = real(gates_of(c.cell)) * n, more = real(c.layers - 1);
  const auto cell = [&](double d_in) {
    return gates * (d_in + 1 + n) + (c.cell == Cell::gru ? gates : 0);
  };
  const double embeddings = c.tie_embeddings
                                ? real(c.source_vocabulary) * n
                                : (real(c.source_vocabulary) + 2 * real(c.target_vocabulary)) * n;
  double encoder = cell(n) + more * cell(n), decoder = encoder;
  if (c.bidirectional()) {
    encoder = 2 * (cell(n) + more * cell(d_z)) + real(c.layers) * (n * n + n);
    decoder += d_z * gates;
  }
  if (c.attention != A::none) decoder += n * n + d_z * n;  // the attentional layer
  if (c.attention == A::luong_general) decoder += n * n;
  if (c.attention == A::bahdanau || c.attention == A::luong_concat) decoder += n * n + d_z * n + n;
  return embeddings + encoder + decoder;
}

}  // namespace

Index parameter_count(const RecurrentConfig& config) {
  return static_cast<Index>(exact_count(config));
}

double training_memory(const RecurrentConfig& c, Index tokens, Index sentence_length,
                       Index further_copies) {
  const double weights = real(4 + further_copies) * exact_count(c);
  // A layer keeps what it reads, its gates, and up to four states; in both directions, or with a
  // context and a query. Its gradients are about as much again, of one layer.
  const double n = real(c.d_model), gates = real(gates_of(c.cell)) * n;
  const double layer = real(tokens) * (real(c.d_encoded()) + gates + 4 * n);
  const double twice = c.bidirectional() ? 2 : 1;
  const double layers = (twice * real(c.layers) + real(c.layers)) * layer;
  const double gradients = 3 * twice * layer + 6 * real(tokens) * n;
  const double attention = 2 * real(tokens) * (real(sentence_length) + 3 * n);
  const double logits =
      real(tokens_at_once(tokens, c.target_vocabulary)) * real(c.target_vocabulary);
  constexpr double kProgramBytes = 16e6;
  return kProgramBytes + sizeof(Real) * (weights + layers + gradients + attention + logits);
}

void check(const RecurrentConfig& c) {
  constexpr Index most = 1 << 20;
  const auto size = [&](const char* name, Index value, Index least, Index greatest) {
    ATTN_CHECK(value >= least && value <= greatest, name, " must be ", least, " to ", greatest,
               ", not ", value);
  };
  const auto probability = [](const char* name, double p) {
    ATTN_CHECK(p >= 0 && p < 1, name, " must be at least 0 and less than 1, not ", shortest(p));
  };
  size("layers", c.layers, 1, most);
  size("d_model", c.d_model, 1, most);
  size("source_vocabulary", c.source_vocabulary, 3, 16 * most);
  size("target_vocabulary", c.target_vocabulary, 3, 16 * most);
  probability("dropout", c.dropout);
  probability("label_smoothing", c.label_smoothing);
  ATTN_CHECK(!c.tie_embeddings || c.source_vocabulary == c.target_vocabulary,
             "tied embeddings need one vocabulary for both languages, not ", c.source_vocabulary,
             " and ", c.target_vocabulary, " tokens");
  ATTN_CHECK(exact_count(c) < static_cast<double>(kLargestCount),
             "a model of these sizes would have ", shortest(exact_count(c)),
             " weights, more than any memory holds");
}

Settings to_settings(const RecurrentConfig& config) {
  return write_settings(recurrent_settings(), config);
}

RecurrentConfig recurrent_config_from_settings(const Settings& settings, const std::string& where) {
  RecurrentConfig config;
  try {
    read_settings(recurrent_settings(), config, settings);
    check(config);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return config;
}

}  // namespace attn
