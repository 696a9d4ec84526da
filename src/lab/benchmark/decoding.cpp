// A translation's length depends on <eos>, so here the model cannot write it before it must.
#include "lab/benchmark/decoding.h"

#include <limits>
#include <memory>
#include <utility>

#include "lab/benchmark/workload.h"
#include "text/vocabulary.h"

namespace attn {

namespace {

// Another model's state, except for the logit of <eos>.
struct EndlessState final : DecodingState {
  std::unique_ptr<DecodingState> state;

  explicit EndlessState(std::unique_ptr<DecodingState> other) : state(std::move(other)) {}
  Tensor next_logits(const std::vector<int>& tokens) override {
    Tensor logits = state->next_logits(tokens);
    for (Index row = 0; row < logits.rows(); ++row) {
      logits(row, kEos) = -std::numeric_limits<Real>::infinity();
    }
    return logits;
  }
  void reorder(const std::vector<Index>& rows) override { state->reorder(rows); }
};

struct Endless : SequenceModel {
  const SequenceModel& model;

  explicit Endless(const SequenceModel& which) : SequenceModel(which.facts), model(which) {}
  void visit_parameters(const ParameterVisitor&) override {}
  LossSums loss(const Batch& batch, const Pass& pass) const override {
    return model.loss(batch, pass);
  }
  LossSums loss_and_gradients(const Batch&, const Pass&, Real) override { return {}; }
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override {
    return std::make_unique<EndlessState>(model.start_decoding(source));
  }
};

}  // namespace

std::vector<std::vector<Translation>> decode(const SequenceModel& model, const Decoding& d,
                                             const PackedIds& sources) {
  BeamOptions options;
  options.beam = d.beam;
  options.max_extra = d.tokens - d.source_length;  // the last token is an <eos> that has to come
  return beam_search(Endless(model), sources, options);
}

Json measure_decoding(const SequenceModel& model, const Decoding& d, const Patience& patience) {
  const PackedIds sources =
      random_batch(model.facts.source_vocabulary, d.batch, d.source_length, 1).source;
  const double seconds = seconds_of([&] { decode(model, d, sources); }, patience);
  return Json::object({{"batch", d.batch},
                       {"beam", d.beam},
                       {"source_length", d.source_length},
                       {"tokens", d.tokens},
                       {"seconds", seconds},
                       {"tokens_per_second", to_double(d.batch * d.tokens) / seconds}});
}

}  // namespace attn
