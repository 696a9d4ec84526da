// Attention, its softmax, the feed-forward network, Add & Norm and dropout, as benchmarks run them.
#include "app/benchmark_sublayers.h"

#include <utility>

#include "app/benchmark_products.h"
#include "base/parallel.h"
#include "base/random.h"

namespace attn::app {

Tensor random_tensor(const Shape& shape, std::uint64_t stream) {
  const RandomStream random{1, stream};
  Tensor x = Tensor::uninitialised(shape);
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
  }
  return x;
}

Side::Side(std::string name_, const Offsets& offsets_, Index d_model)
    : name(std::move(name_)),
      offsets(offsets_),
      x(random_tensor({offsets.back(), d_model}, 1)),
      dy(random_tensor({offsets.back(), d_model}, 2)) {}

namespace {

// Σ m n over the sentences: the scores of one head.
double scores(const Offsets& x, const Offsets& memory) {
  double sum = 0;
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    sum += static_cast<double>((x[b + 1] - x[b]) * (memory[b + 1] - memory[b]));
  }
  return sum;
}

}  // namespace

LayerKind attention_kind(const Config& config, const std::string& name,
                         const std::vector<MultiHeadAttention*>& layers, const SharedSide& x,
                         const SharedSide& memory, Mask mask) {
  struct State {
    std::vector<MultiHeadAttention::Cache> caches;
    Tensor dmemory;
  };
  const auto state = std::make_shared<State>();
  state->caches.resize(layers.size());
  state->dmemory = memory->dy;

  LayerKind kind{name, static_cast<Index>(layers.size())};
  kind.forward.run = [=] {
    DropoutMasks masks(1, 1);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i]->forward({x->x, x->offsets, memory->x, memory->offsets, mask}, masks,
                         state->caches[i]);
    }
  };
  kind.backward.run = [=] {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (x == memory) {
        self_attention_backward(*layers[i], x->dy, x->x, x->offsets, mask, state->caches[i]);
      } else {
        layers[i]->backward(x->dy, {x->x, x->offsets, memory->x, memory->offsets, mask},
                            state->caches[i], state->dmemory);
      }
    }
  };

  // Forward: x and the memory, weights, Q, K, V, P, heads, y. Backward: the gradients of all that,
  // too; those of the weights are read and written.
  const std::vector<Product> products = attention_products(config, x->offsets, memory->offsets);
  kind.forward.operations = operations(products, false);
  kind.backward.operations = operations(products, true);
  const double heads = static_cast<double>(config.heads), d = static_cast<double>(config.d_model);
  const double wide = heads * static_cast<double>(2 * config.d_k + 2 * config.d_v);
  const double activations = size(x->x) * 2 + (x == memory ? 0 : size(memory->x)) +
                             size(x->x) / d * wide + heads * scores(x->offsets, memory->offsets);
  kind.forward.bytes = bytes(activations + d * wide);
  kind.backward.bytes = bytes(2 * activations + 3 * d * wide);
  return kind;
}

LayerKind softmax_kind(const Config& config, Index count, const SharedSide& x,
                       const SharedSide& memory, Mask mask) {
  struct State {
    std::vector<Tensor> P, dP;
  };
  const auto state = std::make_shared<State>();
  for (std::size_t b = 0; b + 1 < x->offsets.size(); ++b) {
    const Index m = x->offsets[b + 1] - x->offsets[b];
    const Index n = memory->offsets[b + 1] - memory->offsets[b];
    for (Index head = 0; head < config.heads; ++head) {
      state->P.push_back(random_tensor({m, n}, 3));
      state->dP.push_back(state->P.back());
    }
  }

  LayerKind kind{"  softmax", count, true};
  const auto for_all = [=](auto body) {
    for (Index i = 0; i < count; ++i) {
      parallel_for(static_cast<Index>(state->P.size()),
                   [&](Index task) { body(static_cast<std::size_t>(task)); });
    }
  };
  kind.forward.run = [=] { for_all([&](std::size_t i) { softmax(state->P[i], 1, mask); }); };
  kind.backward.run = [=] {
    for_all([&](std::size_t i) {
      // A scale at which gradients that pass again and again do not fade away.
      softmax_backward(state->P[i], static_cast<Real>(state->P[i].cols()), mask, state->dP[i]);
    });
  };
  const double all = static_cast<double>(config.heads) * scores(x->offsets, memory->offsets);
  kind.forward.bytes = bytes(2 * all);
  kind.backward.bytes = bytes(3 * all);
  return kind;
}

LayerKind feed_forward_kind(const Config& config, const std::vector<FeedForward*>& layers,
                            const SharedSide& side) {
  const auto caches = std::make_shared<std::vector<FeedForward::Cache>>(layers.size());
  LayerKind kind{side->name + " feed-forward", static_cast<Index>(layers.size())};
  kind.forward.run = [=] {
    DropoutMasks masks(1, 1);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i]->forward(side->x, masks, (*caches)[i]);
    }
  };
  kind.backward.run = [=] {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      layers[i]->backward(side->dy, side->x, (*caches)[i]);
    }
  };
  const std::vector<Product> products = feed_forward_products(config, side->x.rows());
  kind.forward.operations = operations(products, false);
  kind.backward.operations = operations(products, true);
  const double weights = 2 * static_cast<double>(config.d_model * config.d_ff);
  const double hidden = static_cast<double>(side->x.rows() * config.d_ff);
  kind.forward.bytes = bytes(2 * size(side->x) + hidden + weights);
  kind.backward.bytes = bytes(3 * size(side->x) + 2 * hidden + 3 * weights);
  return kind;
}

LayerKind add_and_norm_kind(const std::vector<Residual*>& layers, const SharedSide& side) {
  struct State {
    std::vector<Residual::Cache> caches;
    Tensor f, df;  // the sub-layer's output, and the gradient of its input
  };
  const auto state = std::make_shared<State>();
  state->caches.resize(layers.size());
  state->f = side->x;
  state->df = side->dy;
  LayerKind kind{side->name + " add & norm", static_cast<Index>(layers.size())};
  kind.forward.run = [=] {
    DropoutMasks off;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      state->f = layers[i]->forward(side->x, off, state->caches[i],
                                    [&](const Tensor&) { return std::move(state->f); });
    }
  };
  kind.backward.run = [=] {
    for (std::size_t i = 0; i < layers.size(); ++i) {
      state->df =
          layers[i]->backward(side->dy, side->x, state->caches[i],
                              [&](const Tensor&, const Tensor&) { return std::move(state->df); });
    }
  };
  kind.forward.bytes = bytes(4 * size(side->x));   // x, f; x_hat, y
  kind.backward.bytes = bytes(5 * size(side->x));  // dy, x_hat, the sub-layer's; df, dx
  return kind;
}

LayerKind dropout_kind(double p, Index count, const SharedSide& side) {
  // What is dropped again and again is soon all zero or infinite, which takes no longer.
  const auto x = std::make_shared<Tensor>(side->x);
  LayerKind kind{side->name + " dropout", count};
  kind.forward.run = [=] {
    DropoutMasks masks(1, 1);
    for (Index i = 0; i < count; ++i) dropout(masks.next(p), *x);
  };
  kind.forward.bytes = bytes(2 * size(*x));
  kind.backward = kind.forward;
  return kind;
}

}  // namespace attn::app
