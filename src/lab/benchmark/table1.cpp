// A layer is counted from the shapes of its products; its path is found by poisoning.
#include "lab/benchmark/table1.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "lab/predecessors/convolution.h"
#include "lab/predecessors/recurrent.h"
#include "lab/predecessors/restricted_attention.h"
#include "layers/multi_head_attention.h"

namespace attn {

namespace {

using Forward = std::function<Tensor(const Tensor& x)>;
// Layer number `level` of a stack of them, for inputs of width d.
using Make = std::function<Forward(Index d, Index level)>;

// With weights as at the start of training; `weights`, if not null, receives their number.
template <class Layer>
std::shared_ptr<const Layer> started(Layer layer, Index* weights = nullptr) {
  layer.visit("layer", [&](const std::string& name, Parameter& parameter) {
    initialise(name, parameter, 1);
    const bool matrix = parameter.value.shape().rank == 2;
    if (weights != nullptr && matrix) *weights += parameter.value.elements();
  });
  return std::make_shared<const Layer>(std::move(layer));
}

MultiHeadAttention heads_of(Index d) {
  const Index each = d / kTable1Heads;
  return {d, kTable1Heads, each, each, false, 0};
}

// How many of the positions around t a window of this width shows, inside the sentence.
Index seen_from(Index t, Index width, Index n) {
  return std::min(t + width / 2, n - 1) - std::max<Index>(t - width / 2, 0) + 1;
}

// Which positions have a NaN after a layer, if these have one before it. The path does not depend
// on d, so it is found with the least; fresh numbers for each layer, so that none can overflow.
std::vector<bool> poisoned_after(const Forward& layer, const std::vector<bool>& before) {
  Tensor x = random_input(before.size(), kTable1Heads);
  for (Index t = 0; t < x.rows(); ++t) {
    if (before[t]) x(t, 0) = std::numeric_limits<Real>::quiet_NaN();
  }
  const Tensor y = layer(x);
  std::vector<bool> after;
  for (Index t = 0; t < y.rows(); ++t) after.push_back(std::isnan(y(t, 0)));
  return after;
}

Index layers_to_the_end(const LayerSize& size, const Make& make) {
  std::vector<bool> poisoned(size.n);
  poisoned[0] = true;
  for (Index level = 0; level < size.n; ++level) {
    poisoned = poisoned_after(make(kTable1Heads, level), poisoned);
    if (poisoned.back()) return level + 1;
  }
  fail("windows of one position connect it with no other");
}

Index states_on_the_way(const LayerSize& size, const Make& make) {
  std::vector<bool> poisoned(size.n);
  poisoned[0] = true;
  poisoned = poisoned_after(make(kTable1Heads, 0), poisoned);
  return std::count(poisoned.begin(), poisoned.end(), true);
}

ComparedLayer compared(const LayerSize& size, const std::string& name,
                       const std::string& complexity, std::vector<Product> products,
                       const std::function<Forward(Index d, Index level, Index* weights)>& make,
                       bool recurrent = false) {
  ComparedLayer layer{name, complexity, std::move(products), 0, nullptr, nullptr};
  layer.forward = make(size.d, 0, &layer.weights);
  const Make again = [make](Index d, Index level) { return make(d, level, nullptr); };
  layer.longest_path = [=] {
    return recurrent ? states_on_the_way(size, again) : layers_to_the_end(size, again);
  };
  return layer;
}

Forward convolution(Index d, const Window& window, Index* weights) {
  const auto layer = started(Convolution(d, d, window), weights);
  return [layer](const Tensor& x) { return layer->forward(x, {0, x.rows()}); };
}

ComparedLayer recurrent(const LayerSize& size, const char* name, Cell cell, Index gates) {
  const Index n = size.n, d = size.d;
  const auto make = [cell](Index width, Index, Index* weights) -> Forward {
    const auto layer = started(Recurrent(cell, width, width), weights);
    return [layer](const Tensor& x) {
      Recurrent::Cache unused;
      return layer->forward(x, {0, x.rows()}, Direction::forwards, {}, Pass(), unused);
    };
  };
  return compared(size, name, "n·d²", {{n, d, gates * d}, {1, d, gates * d, n}}, make, true);
}

}  // namespace

Index multiply_adds(const ComparedLayer& layer) {
  Index sum = 0;
  for (const Product& p : layer.products) sum += p.rows * p.inner * p.cols * p.count;
  return sum;
}

Tensor random_input(Index rows, Index cols) {
  Tensor x = Tensor::uninitialised({rows, cols});
  const RandomStream random{1, hash("input")};
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
  }
  return x;
}

std::vector<ComparedLayer> compared_layers(const LayerSize& size) {
  const auto [n, d, k, r] = size;
  const Index heads = kTable1Heads, each = d / heads;
  ATTN_CHECK(d % heads == 0, "d is shared out among ", heads, " heads, so it cannot be ", d);
  const Window around_k{k}, around_r{r};

  const Product projections{n, d, d, 4};  // W^Q, W^K, W^V, W^O
  std::vector<Product> restricted{projections}, separable{{n, d, d}};
  for (Index t = 0; t < n; ++t) {
    const Index keys = seen_from(t, r, n), taps = seen_from(t, k, n);
    restricted.push_back({1, each, keys, heads});  // scores
    restricted.push_back({1, keys, each, heads});  // what they weigh
    separable.push_back({1, taps, 1, d});          // each channel by itself
  }

  return {
      compared(size, "self-attention", "n²·d",
               {projections, {n, each, n, heads}, {n, n, each, heads}},
               [](Index width, Index, Index* weights) -> Forward {
                 const auto layer = started(heads_of(width), weights);
                 return [layer](const Tensor& x) {
                   const Offsets all{0, x.rows()};
                   MultiHeadAttention::Cache unused;
                   return layer->forward(x, x, sentence_by_sentence(all, all, Mask::none), Pass(),
                                         unused);
                 };
               }),
      compared(size, "self-attention, restricted", "r·n·d", restricted,
               [around_r](Index width, Index, Index* weights) -> Forward {
                 const auto layer =
                     started(RestrictedAttention(around_r, heads_of(width)), weights);
                 return [layer](const Tensor& x) {
                   RestrictedAttention::Cache unused;
                   return layer->forward(x, {0, x.rows()}, Pass(), unused);
                 };
               }),
      recurrent(size, "recurrent, RNN", Cell::rnn, 1),
      recurrent(size, "recurrent, LSTM", Cell::lstm, 4),
      compared(size, "convolution, contiguous", "k·n·d²", {{n, k * d, d}},
               [around_k](Index width, Index, Index* weights) {
                 return convolution(width, around_k, weights);
               }),
      // Each level sees k times as far as the one below, looking back, as in a decoder: around its
      // own position, paths that begin near the border would have to leave the sentence.
      compared(size, "convolution, dilated", "k·n·d²", {{n, k * d, d}},
               [k = k](Index width, Index level, Index* weights) {
                 Window window{k, true};
                 for (Index i = 0; i < level; ++i) window.dilation *= k;
                 return convolution(width, window, weights);
               }),
      compared(size, "convolution, separable", "k·n·d + n·d²", separable,
               [around_k](Index width, Index, Index* weights) -> Forward {
                 const auto layer = started(SeparableConvolution(width, width, around_k), weights);
                 return [layer](const Tensor& x) {
                   SeparableConvolution::Cache unused;
                   return layer->forward(x, {0, x.rows()}, Pass(), unused);
                 };
               }),
  };
}

}  // namespace attn
