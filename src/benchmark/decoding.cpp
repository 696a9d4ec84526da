#include "benchmark/decoding.h"

#include <string>

#include "benchmark/batches.h"
#include "decoding/beam_search.h"

namespace attn {

namespace {

// The number of weights that decoding reads: once per source sentence, and at every step.
struct Weights {
  double source = 0, step = 0;
};

Weights count_weights(SequenceModel& model) {
  Weights weights;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    const bool once = name.rfind("encoder.", 0) == 0 ||
                      name.find(".cross_attention.key") != std::string::npos ||
                      name.find(".cross_attention.value") != std::string::npos;
    const bool each = !once && name.rfind("decoder.", 0) == 0;
    if (once) weights.source += static_cast<double>(p.value.elements());
    if (each) weights.step += static_cast<double>(p.value.elements());
  });
  const Config& config = model.config();
  weights.step += static_cast<double>(config.target_vocabulary * config.d_model);
  return weights;
}

}  // namespace

void decode(const SequenceModel& model, const Decoding& d, const PackedIds& sources) {
  BeamOptions options;
  options.beam = d.beam;
  options.limits = OutputLimits::exactly(d.tokens);
  beam_search(model, sources, options);
}

DecodingSpeed measure_decoding(SequenceModel& model, const Decoding& d, const Patience& patience) {
  const Weights weights = count_weights(model);
  const PackedIds sources = random_sources(model.config(), d.batch, d.source_length);
  const double rows = static_cast<double>(d.batch * d.beam), steps = static_cast<double>(d.tokens);
  const double operations =
      2 * (weights.source * static_cast<double>(sources.tokens()) + weights.step * rows * steps);
  const double bytes = (weights.source + weights.step * steps) * static_cast<double>(sizeof(Real));
  return {d, speed_of({[&] { decode(model, d, sources); }, operations, bytes}, patience), bytes};
}

}  // namespace attn
