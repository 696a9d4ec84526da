// logits = softmax(score(Q, K)) V W_O, where Q and K know positions, and V words.
#include "lab/experiments/one_head.h"

#include <cmath>

#include "layers/positional_encoding.h"

namespace attn {

namespace {

// The numbers of PE have mean square 1/2.
Linear unit_variance(Index in, Index out) {
  Linear layer(in, out, false);
  layer.weight = Parameter({in, out}, Parameter::Start::normal, std::sqrt(2 / to_double(in)));
  return layer;
}

// PE(t) of every position of every sentence; from both ends, [PE(t); PE(n − 1 − t)].
Tensor positions_of(const Offsets& offsets, Index width, bool from_both_ends) {
  Tensor x = Tensor::uninitialised({offsets.back(), from_both_ends ? 2 * width : width});
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) {
      sinusoidal_encoding(t - offsets[b], width, x.row(t));
      if (from_both_ends) sinusoidal_encoding(offsets[b + 1] - 1 - t, width, x.row(t) + width);
    }
  }
  return x;
}

struct OneHeadState : DecodingState {
  Tensor K, V;  // of all sources
  Looks looks;  // of each row
  Index position = 0;
};

}  // namespace

const char* name_of(Compatibility compatibility) {
  return compatibility == Compatibility::scaled_dot ? "scaled-dot"
         : compatibility == Compatibility::dot      ? "dot"
                                                    : "additive";
}

OneHead::OneHead(Compatibility how, Index vocabulary, Index width_, Index d_k_)
    : compatibility(how),
      width(width_),
      d_k(d_k_),
      embedding(vocabulary, width_),
      query(unit_variance(width_, d_k_)),
      key(unit_variance(2 * width_, d_k_)),
      value(width_, width_, false),
      output(width_, vocabulary, true) {
  const double root = std::sqrt(to_double(d_k));
  if (how == Compatibility::scaled_dot) attention.scale = static_cast<Real>(1 / root);
  if (how != Compatibility::additive) return;
  attention.kind = Alignment::Kind::additive;
  attention.v = Parameter({d_k}, Parameter::Start::normal, 1 / root);
}

Settings OneHead::settings() const {
  return {{"architecture", "one-head"},
          {"compatibility", name_of(compatibility)},
          {"d_model", std::to_string(width)},
          {"d_k", std::to_string(d_k)}};
}

void OneHead::visit_parameters(const ParameterVisitor& visitor) {
  embedding.visit("embedding", visitor);
  query.visit("query", visitor);
  key.visit("key", visitor);
  value.visit("value", visitor);
  output.visit("output", visitor);
  if (compatibility == Compatibility::additive) visitor("v", attention.v);
}

Tensor OneHead::forward(const Batch& batch, const Pass& pass, Cache& cache) const {
  const Offsets &sources = batch.source.offsets, &targets = batch.target_input.offsets;
  const Looks looks = looks_of_sentences(targets, sources);
  cache.at_query = positions_of(targets, width, false);
  cache.at_key = positions_of(sources, width, true);
  cache.e = embedding.forward(batch.source.ids);
  cache.Q = query.forward(cache.at_query);
  cache.K = key.forward(cache.at_key);
  cache.V = value.forward(cache.e);
  cache.O = attention.forward(cache.Q, {cache.K, cache.V, looks}, pass, cache.P);
  return output.forward(cache.O);
}

LossSums OneHead::loss(const Batch& batch, const Pass& pass) const {
  Cache unused;
  const Tensor logits = forward(batch, pass, unused);
  return cross_entropy_forward(logits, batch.target_output.data(), 0);
}

LossSums OneHead::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) {
  Cache cache;
  Tensor logits = forward(batch, pass, cache);
  const LossSums sums = cross_entropy_backward(logits, batch.target_output.data(), 0, scale);
  const Tensor dO = output.backward(logits, cache.O);
  const Looks looks = looks_of_sentences(batch.target_input.offsets, batch.source.offsets);
  Tensor dK = Tensor::zeros(cache.K.shape()), dV = Tensor::zeros(cache.V.shape());
  const Tensor dQ =
      attention.backward(dO, cache.Q, {cache.K, cache.V, looks}, pass.back(), cache.P, dK, dV);
  query.backward(dQ, cache.at_query);
  key.backward(dK, cache.at_key);
  embedding.backward(value.backward(dV, cache.e), batch.source.ids);
  return sums;
}

std::unique_ptr<DecodingState> OneHead::start_decoding(const PackedIds& source) const {
  auto state = std::make_unique<OneHeadState>();
  state->K = key.forward(positions_of(source.offsets, width, true));
  state->V = value.forward(embedding.forward(source.ids));
  state->looks = looks_of_rows(source.offsets);
  return state;
}

// The tokens so far do not matter: where to look depends on the position alone.
Tensor OneHead::next_logits(DecodingState& state, const std::vector<int>& tokens) const {
  auto& s = static_cast<OneHeadState&>(state);
  ATTN_CHECK_EQ(tokens.size(), s.looks.size(), "tokens and rows");
  Tensor at = Tensor::uninitialised({static_cast<Index>(tokens.size()), width}), unused;
  for (Index r = 0; r < at.rows(); ++r) sinusoidal_encoding(s.position, width, at.row(r));
  ++s.position;
  return output.forward(attention.forward(query.forward(at), {s.K, s.V, s.looks}, Pass(), unused));
}

void OneHead::reorder(DecodingState& state, const std::vector<Index>& rows) const {
  auto& s = static_cast<OneHeadState&>(state);
  s.looks = reordered(s.looks, rows);
}

}  // namespace attn
