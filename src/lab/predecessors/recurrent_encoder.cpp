// z = the states of the top layer; in both directions z = [→h; ←h] and s_0 = tanh(W_s ←h_1).
#include "lab/predecessors/recurrent_encoder.h"

#include <algorithm>
#include <utility>

namespace attn {

RecurrentEncoder::RecurrentEncoder(const RecurrentConfig& config) : p_drop(config.dropout) {
  const Index n = config.d_model;
  for (Index i = 0; i < config.layers; ++i) {
    const Index d_in = i == 0 ? n : config.d_encoded();
    forwards.emplace_back(config.cell, d_in, n);
    if (!config.bidirectional()) continue;
    backwards.emplace_back(config.cell, d_in, n);
    start.emplace_back(n, n, true);
  }
}

// [a; b] in every row.
static Tensor side_by_side(const Tensor& a, const Tensor& b) {
  Tensor y = Tensor::uninitialised({a.rows(), a.cols() + b.cols()});
  for (Index t = 0; t < a.rows(); ++t) {
    std::copy_n(a.row(t), a.cols(), y.row(t));
    std::copy_n(b.row(t), b.cols(), y.row(t) + a.cols());
  }
  return y;
}

RecurrentEncoder::Output RecurrentEncoder::forward(Tensor e, const Offsets& offsets,
                                                   const Pass& pass, Cache& cache) const {
  const std::size_t layers = forwards.size();
  cache.forwards.resize(layers);
  cache.backwards.resize(backwards.size());
  cache.last.resize(backwards.size());
  cache.start.resize(backwards.size());
  cache.masks.resize(layers);
  Output output;
  output.start.resize(layers);
  Tensor x = std::move(e);
  for (std::size_t i = 0; i < layers; ++i) {
    const Pass layer = pass.in(i);
    Tensor y = forwards[i].forward(x, offsets, Direction::forwards, {}, layer.in("forwards"),
                                   cache.forwards[i], &output.start[i]);
    if (!backwards.empty()) {
      // From the other end, and z = [→h; ←h].
      Recurrent::State last;
      const Tensor from_end = backwards[i].forward(
          x, offsets, Direction::backwards, {}, layer.in("backwards"), cache.backwards[i], &last);
      y = side_by_side(y, from_end);
      layer.see("z", y);

      // s_0 = tanh(W_s ←h_1); an LSTM's c begins at 0.
      Tensor s = start[i].forward(last.h);
      hyperbolic_tangent(s.elements(), s.data());
      layer.see("start", s);
      if (pass.keeps()) {
        cache.last[i] = std::move(last.h);
        cache.start[i] = s;
      }
      output.start[i] = {std::move(s), {}};
    }
    if (i + 1 < layers) cache.masks[i] = layer.drop(p_drop, y);
    x = std::move(y);
  }
  output.z = std::move(x);
  return output;
}

Tensor RecurrentEncoder::backward(Tensor dz, const std::vector<Recurrent::State>& dstart,
                                  const Pass& pass, const Cache& cache) {
  Tensor dy = std::move(dz);
  for (std::size_t i = forwards.size(); i-- > 0;) {
    const Pass layer = pass.in(i);
    if (i + 1 < forwards.size()) dropout(cache.masks[i], dy);
    if (backwards.empty()) {
      dy = forwards[i].backward(dy, dstart[i], layer.in("forwards"), cache.forwards[i]);
      continue;
    }
    // s_0 = tanh(W_s ←h_1)
    Tensor da = dstart[i].h;
    hyperbolic_tangent_backward(da.elements(), cache.start[i].data(), da.data());
    const Tensor dlast = start[i].backward(da, cache.last[i]);

    // z = [→h; ←h], and both read x.
    const Index n = forwards[i].n();
    const auto half = [&](Index col) {
      return copy_of(block(std::as_const(dy), 0, dy.rows(), col, n));
    };
    Tensor dx = forwards[i].backward(half(0), {}, layer.in("forwards"), cache.forwards[i]);
    add(backwards[i].backward(half(n), {dlast, {}}, layer.in("backwards"), cache.backwards[i]), dx);
    layer.see("dx", dx);
    dy = std::move(dx);
  }
  return dy;
}

void RecurrentEncoder::visit(const std::string& name, const ParameterVisitor& visitor) {
  for (std::size_t i = 0; i < forwards.size(); ++i) {
    const std::string layer = name + "." + std::to_string(i);
    forwards[i].visit(layer + ".forwards", visitor);
    if (backwards.empty()) continue;
    backwards[i].visit(layer + ".backwards", visitor);
    start[i].visit(layer + ".start", visitor);
  }
}

}  // namespace attn
