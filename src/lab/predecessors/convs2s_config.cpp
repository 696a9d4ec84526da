// Settings by name, the number of weights, and an estimate of memory.
#include "lab/predecessors/convs2s_config.h"

#include <algorithm>

#include "base/check.h"
#include "base/number.h"
#include "layers/output_projection.h"

namespace attn {

namespace {

const std::vector<Setting<ConvS2SConfig>>& convs2s_settings() {
  using T = ConvS2SConfig;
  static const std::vector<Setting<T>> settings = {
      number_setting("source_vocabulary", &T::source_vocabulary),
      number_setting("target_vocabulary", &T::target_vocabulary),
      number_setting("layers", &T::layers),
      number_setting("d_model", &T::d_model),
      number_setting("encoder_kernel", &T::encoder_kernel),
      number_setting("decoder_kernel", &T::decoder_kernel),
      number_setting("dropout", &T::dropout),
      number_setting("label_smoothing", &T::label_smoothing),
      number_setting("max_positions", &T::max_positions),
  };
  return settings;
}

double as_double(Index size) {
  return static_cast<double>(size);
}

// In floating point, which is exact up to 2⁵³ and does not overflow, whatever the sizes.
double exact_convs2s_count(const ConvS2SConfig& c) {
  const double d = as_double(c.d_model);
  const double tables = as_double(c.source_vocabulary) + 2 * as_double(c.target_vocabulary) +
                        2 * as_double(c.max_positions);
  const double convolutions =
      as_double(c.encoder_kernel + c.decoder_kernel) * d * 2 * d + 2 * 2 * d;
  const double query = d * d + d;
  return tables * d + as_double(c.layers) * (convolutions + query);
}

}  // namespace

Index parameter_count(const ConvS2SConfig& config) {
  return static_cast<Index>(exact_convs2s_count(config));
}

void check(const ConvS2SConfig& c) {
  constexpr Index most = 1 << 20;
  const auto size = [](const char* name, Index value, Index limit) {
    ATTN_CHECK(value >= 1 && value <= limit, name, " must be 1 to ", limit, ", not ", value);
  };
  const auto probability = [](const char* name, double p) {
    ATTN_CHECK(p >= 0 && p < 1, name, " must be at least 0 and less than 1, not ", shortest(p));
  };
  size("layers", c.layers, most);
  size("d_model", c.d_model, most);
  size("max_positions", c.max_positions, most);
  size("encoder_kernel", c.encoder_kernel, 1 << 10);
  size("decoder_kernel", c.decoder_kernel, 1 << 10);
  ATTN_CHECK(c.encoder_kernel % 2 == 1, "encoder_kernel must be odd, around a position, not ",
             c.encoder_kernel);
  probability("dropout", c.dropout);
  probability("label_smoothing", c.label_smoothing);
  ATTN_CHECK(c.source_vocabulary >= 3 && c.source_vocabulary <= 16 * most &&
                 c.target_vocabulary >= 3 && c.target_vocabulary <= 16 * most,
             "a vocabulary has at least the 3 special tokens and at most ", 16 * most,
             " tokens, not ", c.source_vocabulary, " and ", c.target_vocabulary);
  ATTN_CHECK(exact_convs2s_count(c) < static_cast<double>(kLargestCount),
             "a model of these sizes would have ", shortest(exact_convs2s_count(c)),
             " weights, more than any memory holds");
}

Settings to_settings(const ConvS2SConfig& config) {
  return write_settings(convs2s_settings(), config);
}

ConvS2SConfig convs2s_config(const Settings& settings, const std::string& where) {
  ConvS2SConfig config;
  try {
    read_settings(convs2s_settings(), config, settings);
    check(config);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return config;
}

double training_memory(const ConvS2SConfig& c, Index tokens, Index sentence_length,
                       Index further_copies) {
  const double weights = as_double(4 + further_copies) * as_double(parameter_count(c));
  // A layer keeps its input and, before the gate, twice that; the decoder's also h, d and P. In
  // passing, the widest convolution has what its windows see, and the gradient of that; e, v, z, g,
  // their gradients and those of a layer are there once.
  const double x = as_double(tokens) * as_double(c.d_model);
  const double layers =
      as_double(c.layers) * (3 * x + 5 * x + as_double(tokens) * as_double(sentence_length));
  const double windows = 2 * as_double(std::max(c.encoder_kernel, c.decoder_kernel)) * x;
  const double gradients = 16 * x;
  const Index V = c.target_vocabulary;
  const double logits = as_double(tokens_at_once(tokens, V)) * as_double(V);
  constexpr double kProgramItself = 16e6;  // bytes
  return kProgramItself + sizeof(Real) * (weights + layers + windows + gradients + logits);
}

}  // namespace attn
