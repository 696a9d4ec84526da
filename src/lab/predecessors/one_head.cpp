#include "lab/predecessors/one_head.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "lab/predecessors/additive_attention.h"
#include "layers/positional_encoding.h"
#include "layers/softmax.h"

namespace attn {

namespace {

// The numbers of PE have mean square 1/2.
Linear unit_variance(Index in, Index out) {
  Linear layer(in, out, false);
  layer.weight =
      Parameter({in, out}, Parameter::Start::normal, std::sqrt(2 / static_cast<double>(in)));
  return layer;
}

// PE(t) of every position of every sentence.
Tensor positions_of(const Offsets& offsets, Index width) {
  Tensor x = Tensor::uninitialised({offsets.back(), width});
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) {
      sinusoidal_encoding(t - offsets[b], width, x.row(t));
    }
  }
  return x;
}

// [PE(j); PE(n − 1 − j)]
Tensor positions_from_both_ends(const Offsets& offsets, Index width) {
  Tensor x = Tensor::uninitialised({offsets.back(), 2 * width});
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index j = offsets[b]; j < offsets[b + 1]; ++j) {
      sinusoidal_encoding(j - offsets[b], width, x.row(j));
      sinusoidal_encoding(offsets[b + 1] - 1 - j, width, x.row(j) + width);
    }
  }
  return x;
}

struct OneHeadState : DecodingState {
  Tensor K, V;            // of all sources
  Offsets offsets;        // their rows
  std::vector<Index> of;  // the source of each row
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
  if (how == Compatibility::additive) {
    v = Parameter({d_k}, Parameter::Start::normal, 1 / std::sqrt(static_cast<double>(d_k)));
  }
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
  if (!v.value.empty()) visitor("v", v);
}

// What softmax multiplies the scores by.
Real OneHead::scale() const {
  return compatibility == Compatibility::scaled_dot
             ? static_cast<Real>(1 / std::sqrt(static_cast<double>(d_k)))
             : 1;
}

// One sentence: the scores are written where P will be.
void OneHead::attend(const ConstMatrixView& Q, const ConstMatrixView& K, const ConstMatrixView& V,
                     const MatrixView& P, const MatrixView& O) const {
  if (compatibility == Compatibility::additive) {
    additive_scores(Q, K, v.value.data(), P);
  } else {
    matmul(Q, transposed(K), P);
  }
  softmax(P, scale(), Mask::none);
  matmul(P, V, O);
}

Tensor OneHead::forward(const PackedIds& source, const Offsets& targets, const Pass& pass,
                        Cache& cache) const {
  ATTN_CHECK_EQ(source.offsets.size(), targets.size(), "sources and targets");
  cache.at_query = positions_of(targets, width);
  cache.at_key = positions_from_both_ends(source.offsets, width);
  cache.e = embedding.forward(source.ids);
  cache.Q = query.forward(cache.at_query);
  cache.K = key.forward(cache.at_key);
  cache.V = value.forward(cache.e);
  cache.O = Tensor::uninitialised({targets.back(), width});
  for (std::size_t b = 0; b + 1 < targets.size(); ++b) {
    const Index m = targets[b + 1] - targets[b], n = source.offsets[b + 1] - source.offsets[b];
    cache.P.push_back(Tensor::uninitialised({m, n}));
    attend(rows_of(std::as_const(cache.Q), targets[b], targets[b + 1]),
           rows_of(std::as_const(cache.K), source.offsets[b], source.offsets[b + 1]),
           rows_of(std::as_const(cache.V), source.offsets[b], source.offsets[b + 1]),
           cache.P.back(), rows_of(cache.O, targets[b], targets[b + 1]));
    pass.see("P", "P = softmax(score(q, k))", cache.P.back());
  }
  return output.forward(cache.O);
}

LossSums OneHead::loss(const Batch& batch, const Pass& pass) const {
  Cache cache;
  const Tensor logits = forward(batch.source, batch.target_input.offsets, pass, cache);
  return cross_entropy_forward(logits, batch.target_output.data(), 0);
}

LossSums OneHead::loss_and_gradients(const Batch& batch, const Pass& pass, Real scale_of_loss) {
  Cache cache;
  const Offsets &targets = batch.target_input.offsets, &sources = batch.source.offsets;
  Tensor logits = forward(batch.source, targets, pass, cache);
  const LossSums sums =
      cross_entropy_backward(logits, batch.target_output.data(), 0, scale_of_loss);
  const Tensor dO = output.backward(logits, cache.O);

  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::zeros(cache.K.shape());
  Tensor dV = Tensor::uninitialised(cache.V.shape());
  for (std::size_t b = 0; b + 1 < targets.size(); ++b) {
    const auto asking = [&](auto& x) { return rows_of(x, targets[b], targets[b + 1]); };
    const auto answering = [&](auto& x) { return rows_of(x, sources[b], sources[b + 1]); };
    const Tensor& P = cache.P[b];
    // O = P V
    matmul(transposed(P), asking(dO), answering(dV));
    Tensor dS = product(asking(dO), transposed(answering(std::as_const(cache.V))));
    // P = softmax(scale · S)
    softmax_backward(P, scale(), Mask::none, dS);
    // S = Q Kᵀ, or v · tanh(q + k)
    const ConstMatrixView Q = asking(std::as_const(cache.Q));
    const ConstMatrixView K = answering(std::as_const(cache.K));
    if (compatibility == Compatibility::additive) {
      check_gradient(v);
      additive_scores_backward(dS, Q, K, v.value.data(), asking(dQ), answering(dK),
                               v.gradient.data());
    } else {
      matmul(dS, K, asking(dQ));
      matmul(transposed(dS), Q, answering(dK));
    }
  }
  query.backward(dQ, cache.at_query);
  key.backward(dK, cache.at_key);
  embedding.backward(value.backward(dV, cache.e), batch.source.ids);
  return sums;
}

std::unique_ptr<DecodingState> OneHead::start_decoding(const PackedIds& source) const {
  auto state = std::make_unique<OneHeadState>();
  state->K = key.forward(positions_from_both_ends(source.offsets, width));
  state->V = value.forward(embedding.forward(source.ids));
  state->offsets = source.offsets;
  for (Index b = 0; b < source.sentences(); ++b) state->of.push_back(b);
  return state;
}

// The tokens so far are of no interest: where to look depends on the position alone.
Tensor OneHead::next_logits(DecodingState& state, const std::vector<int>& tokens) const {
  auto& s = static_cast<OneHeadState&>(state);
  ATTN_CHECK_EQ(tokens.size(), s.of.size(), "tokens and rows");
  Tensor x = Tensor::uninitialised({1, width});
  sinusoidal_encoding(s.position++, width, x.row(0));
  const Tensor q = query.forward(x);
  Tensor O = Tensor::uninitialised({static_cast<Index>(s.of.size()), width});
  for (std::size_t r = 0; r < s.of.size(); ++r) {
    const auto b = static_cast<std::size_t>(s.of[r]);
    const Index begin = s.offsets[b], end = s.offsets[b + 1];
    Tensor P = Tensor::uninitialised({1, end - begin});
    const auto row = static_cast<Index>(r);
    attend(q, rows_of(std::as_const(s.K), begin, end), rows_of(std::as_const(s.V), begin, end), P,
           rows_of(O, row, row + 1));
  }
  return output.forward(O);
}

void OneHead::reorder(DecodingState& state, const std::vector<Index>& rows) const {
  auto& s = static_cast<OneHeadState&>(state);
  std::vector<Index> of;
  for (const Index row : rows) of.push_back(s.of.at(static_cast<std::size_t>(row)));
  s.of = std::move(of);
}

}  // namespace attn
