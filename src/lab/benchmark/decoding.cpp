// Every step multiplies with all weights of the decoder, which are read once for all sentences.
#include "lab/benchmark/decoding.h"

#include <string>

#include "decoding/beam_search.h"
#include "lab/benchmark/workload.h"

namespace attn {

namespace {

// The number of weights that decoding reads: once per source sentence, and at every step.
struct Weights {
  double source = 0, step = 0;
};

Weights count_weights(const SequenceModel& model) {
  Weights weights;
  read_parameters(model, [&](const std::string& name, const Parameter& p) {
    const bool once = name.rfind("encoder.", 0) == 0 ||
                      name.find(".cross_attention.key") != std::string::npos ||
                      name.find(".attention.key") != std::string::npos ||
                      name.find(".cross_attention.value") != std::string::npos;
    const bool each = !once && name.rfind("decoder.", 0) == 0;
    if (once) weights.source += static_cast<double>(p.value.elements());
    if (each) weights.step += static_cast<double>(p.value.elements());
  });
  weights.step += static_cast<double>(model.target_vocabulary() * model.d_model());
  return weights;
}

}  // namespace

void decode(const SequenceModel& model, const Decoding& d, const PackedIds& sources) {
  BeamOptions options;
  options.beam = d.beam;
  options.limits = OutputLimits::exactly(d.tokens);
  beam_search(model, sources, options);
}

Json measure_decoding(const SequenceModel& model, const Decoding& d, const Patience& patience) {
  const Weights weights = count_weights(model);
  const PackedIds sources = random_sources(model.source_vocabulary(), d.batch, d.source_length);
  const double rows = static_cast<double>(d.batch * d.beam), steps = static_cast<double>(d.tokens);
  const double operations =
      2 * (weights.source * static_cast<double>(sources.tokens()) + weights.step * rows * steps);
  const double bytes = (weights.source + weights.step * steps) * static_cast<double>(sizeof(Real));
  const Speed speed = speed_of([&] { decode(model, d, sources); }, operations, bytes, patience);
  return Json::object(
      {{"batch", d.batch},
       {"beam", d.beam},
       {"source_length", d.source_length},
       {"tokens", d.tokens},
       {"seconds", speed.seconds},
       {"tokens_per_second", static_cast<double>(d.batch * d.tokens) / speed.seconds},
       {"gflops", speed.rate / 1e9},
       {"weights_gbytes_per_second", speed.bandwidth / 1e9},
       {"limit", speed.bound_by_memory ? "memory" : "arithmetic"},
       {"share_of_limit", speed.share}});
}

}  // namespace attn
