// The layers in turn, the context (Luong's of all steps at once), and h̃ = tanh(W_c [s; c]).
#include "lab/predecessors/recurrent_decoder.h"

#include <utility>

#include "base/parallel.h"

namespace attn {

constexpr Index kNumbersPerTask = 4096;

static Alignment::Kind kind_of(RecurrentAttention attention) {
  if (attention == RecurrentAttention::luong_dot) return Alignment::Kind::dot;
  if (attention == RecurrentAttention::luong_general) return Alignment::Kind::general;
  return Alignment::Kind::additive;
}

RecurrentDecoder::RecurrentDecoder(const RecurrentConfig& config)
    : attention(config.attention), p_drop(config.dropout) {
  const Index n = config.d_model, d_z = config.d_encoded();
  for (Index i = 0; i < config.layers; ++i) layers.emplace_back(config.cell, n, n);
  if (attention == RecurrentAttention::none) return;
  alignment = Alignment(kind_of(attention), n, d_z, n);
  if (attention == RecurrentAttention::bahdanau) {
    context = Linear(d_z, gates_of(config.cell) * n, false);
  }
  readout_state = Linear(n, n, false);
  readout_context = Linear(d_z, n, false);
}

Tensor RecurrentDecoder::forward(Tensor g, const Offsets& offsets, const AlignmentMemory& memory,
                                 const std::vector<Recurrent::State>& start, const Pass& pass,
                                 Cache& cache, std::vector<Recurrent::State>* last) const {
  cache = {};
  cache.layers.resize(layers.size());
  cache.masks.resize(layers.size());
  if (last != nullptr) last->resize(layers.size());
  Tensor s = std::move(g), C;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Pass layer = pass.in(i);
    Recurrent::State* const end = last != nullptr ? &(*last)[i] : nullptr;
    if (i == 0 && attention == RecurrentAttention::bahdanau) {
      s = attentive_forward(s, offsets, memory, start[i], layer, cache, C, end);
    } else {
      s = layers[i].forward(s, offsets, Direction::forwards, start[i], layer, cache.layers[i], end);
    }
    if (i + 1 < layers.size()) cache.masks[i] = layer.drop(p_drop, s);
  }
  if (attention == RecurrentAttention::none) return s;

  // Luong: the states of all steps look at the source at once.
  if (attention != RecurrentAttention::bahdanau) {
    const Pass attention_pass = pass.in("attention");
    Tensor Q = alignment.queries_of(s), P;
    C = alignment.forward(Q, memory, attention_pass, P);
    if (pass.keeps()) {
      cache.Q.emplace_back(std::move(Q));
      cache.P.emplace_back(std::move(P));
    }
  }

  // h̃ = tanh(W_c [s; c])
  Tensor h = readout_state.forward(s);
  matmul(C, readout_context.weight.value, h, Write::add);
  parallel_ranges(h.elements(), kNumbersPerTask, [&](Index begin, Index end) {
    hyperbolic_tangent(end - begin, h.data() + begin);
  });
  pass.see("readout", h);
  if (pass.keeps()) {
    cache.s = std::move(s);
    cache.C = std::move(C);
    cache.h = h;
  }
  return h;
}

Tensor RecurrentDecoder::backward(Tensor dh, const AlignmentMemory& memory, const Pass& pass,
                                  const Cache& cache, Tensor& dz, Tensor& dK,
                                  std::vector<Recurrent::State>& dstart) {
  Tensor ds = std::move(dh), dC;
  if (attention != RecurrentAttention::none) {
    // h̃ = tanh(W_c [s; c])
    Tensor da = std::move(ds);
    parallel_ranges(da.elements(), kNumbersPerTask, [&](Index begin, Index end) {
      hyperbolic_tangent_backward(end - begin, cache.h.data() + begin, da.data() + begin);
    });
    dC = readout_context.backward(da, cache.C);
    ds = readout_state.backward(da, cache.s);
    pass.see("dcontext", dC);
  }
  if (attention != RecurrentAttention::none && attention != RecurrentAttention::bahdanau) {
    // c = attention(s): one more part of ds.
    const Pass attention_pass = pass.in("attention");
    const Tensor dQ =
        alignment.backward(dC, cache.Q[0], memory, attention_pass, cache.P[0], dK, dz);
    add(alignment.queries_backward(dQ, cache.s), ds);
  }
  dstart.resize(layers.size());
  for (std::size_t i = layers.size(); i-- > 0;) {
    const Pass layer = pass.in(i);
    if (i + 1 < layers.size()) dropout(cache.masks[i], ds);
    if (i == 0 && attention == RecurrentAttention::bahdanau) {
      ds = attentive_backward(ds, dC, memory, layer, cache, dz, dK, dstart[i]);
    } else {
      ds = layers[i].backward(ds, {}, layer, cache.layers[i], &dstart[i]);
    }
  }
  return ds;
}

void RecurrentDecoder::visit(const std::string& name, const ParameterVisitor& visitor) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].visit(name + "." + std::to_string(i), visitor);
  }
  if (attention == RecurrentAttention::none) return;
  alignment.visit(name + ".attention", visitor);
  if (attention == RecurrentAttention::bahdanau) context.visit(name + ".context", visitor);
  readout_state.visit(name + ".readout.state", visitor);
  readout_context.visit(name + ".readout.context", visitor);
}

}  // namespace attn
