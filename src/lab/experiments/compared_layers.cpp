// A layer of each kind, made with fresh weights, as a function of its input x. Table 1's n is the
// length of x, its d the width.
#include "lab/experiments/compared_layers.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "lab/predecessors/convolution.h"
#include "lab/predecessors/recurrent.h"
#include "lab/predecessors/restricted_attention.h"
#include "layers/multi_head_attention.h"
#include "model/encoder_layer.h"

namespace attn {

namespace {

constexpr auto kN2D = [](double n, double d, double) { return n * n * d; };
constexpr auto kKND = [](double n, double d, double k) { return k * n * d; };
constexpr auto kND2 = [](double n, double d, double) { return n * d * d; };
constexpr auto kKND2 = [](double n, double d, double k) { return k * n * d * d; };
constexpr auto kKND_ND2 = [](double n, double d, double k) { return k * n * d + n * d * d; };
constexpr auto kN2D_ND2 = [](double n, double d, double) { return n * n * d + n * d * d; };

// The weights as a model has them at the start of its training.
template <class Layer>
std::shared_ptr<Layer> started(Layer layer) {
  layer.visit("layer", [](const std::string& name, Parameter& parameter) {
    initialise(name, parameter, 1);
  });
  return std::make_shared<Layer>(std::move(layer));
}

// forward(layer, x, offsets, cache): one sentence, with a cache for the backward pass.
template <class Cache, class Layer, class Forward>
LayerFunction running(Layer made, const Forward& forward) {
  const auto layer = started(std::move(made));
  return [=](const Tensor& x) {
    const auto cache = std::make_shared<Cache>();
    Tensor y = forward(*layer, x, Offsets{0, x.rows()}, *cache);
    return LayerRun{std::move(y), cache};
  };
}

// The same for a layer whose forward pass takes just these.
template <class Layer>
LayerFunction running(Layer made) {
  return running<typename Layer::Cache>(std::move(made), [](const Layer& layer, const Tensor& x,
                                                            const Offsets& offsets, auto& cache) {
    return layer.forward(x, offsets, DropoutMasks(1, 1), cache);
  });
}

MultiHeadAttention heads_of(Index d, Index heads) {
  return {d, heads, d / heads, d / heads, false, 0};
}

// Softmax(x xᵀ/√d) x: the two products of n²·d, nothing else.
LayerFunction bare_attention(const LayerSize&) {
  return [](const Tensor& x) {
    const auto P = std::make_shared<Tensor>(Tensor::uninitialised({x.rows(), x.rows()}));
    Tensor y = Tensor::uninitialised(x.shape());
    attention_forward(x, x, x, {}, Pass(), *P, y);
    return LayerRun{std::move(y), P};
  };
}

LayerFunction attention(const LayerSize& size) {
  return running<MultiHeadAttention::Cache>(
      heads_of(size.d, kTable1Heads),
      [](const MultiHeadAttention& layer, const Tensor& x, const Offsets& offsets, auto& cache) {
        return layer.forward({x, offsets, x, offsets, Mask::none}, DropoutMasks(1, 1), cache);
      });
}

// A self-attention layer and a feed-forward network, with their residuals and norms.
LayerFunction encoder_layer(const LayerSize& size) {
  TransformerConfig config;
  config.d_model = size.d;
  config.d_ff = 4 * size.d;
  config.heads = kTable1Heads;
  config.d_k = config.d_v = size.d / kTable1Heads;
  config.dropout = 0;
  return running(EncoderLayer(config));
}

LayerFunction bare_restricted_attention(const LayerSize& size) {
  return running<Tensor>(
      RestrictedAttention(Window{size.window}, heads_of(size.d, 1)),
      [](const RestrictedAttention& layer, const Tensor& x, const Offsets& offsets, Tensor& P) {
        return layer.attend(x, x, x, offsets, {}, P);
      });
}

LayerFunction restricted_attention(const LayerSize& size) {
  return running(RestrictedAttention(Window{size.window}, heads_of(size.d, kTable1Heads)));
}

LayerFunction recurrent(Cell cell, Index d) {
  return running<Recurrent::Cache>(
      Recurrent(cell, d, d),
      [](const Recurrent& layer, const Tensor& x, const Offsets& offsets, auto& cache) {
        Tensor y = layer.forward(x, offsets, Direction::forwards, {}, DropoutMasks(1, 1), cache);
        cache.x = {};  // x in the order of the steps: no layer's x is counted as kept
        return y;
      });
}

LayerFunction convolution(Index d, const Window& window) {
  return running<Tensor>(Convolution(d, d, window),
                         [](const Convolution& layer, const Tensor& x, const Offsets& offsets,
                            Tensor&) { return layer.forward(x, offsets); });
}

LayerFunction contiguous_convolution(const LayerSize& size) {
  return convolution(size.d, Window{size.window});
}

// Each level sees k times as far as the one below. As in a decoder, windows look back: around the
// output's own position, paths that begin near the border would have to leave the sentence, and
// some positions are never connected.
LayerFunction dilated_convolution(const LayerSize& size) {
  Window window{size.window, true};
  for (Index i = 0; i < size.level; ++i) window.dilation *= window.width;
  return convolution(size.d, window);
}

// Windows lie end to end: k positions become one, so the next level's sentence is shorter.
LayerFunction strided_convolution(const LayerSize& size) {
  const Index k = size.window;
  return running<Tensor>(Linear(k * size.d, size.d, true),
                         [k](const Linear& taps, const Tensor& x, const Offsets&, Tensor&) {
                           Tensor windows = Tensor::zeros({(x.rows() + k - 1) / k, k * x.cols()});
                           std::copy_n(x.data(), x.elements(), windows.data());
                           return taps.forward(windows);
                         });
}

LayerFunction separable_convolution(const LayerSize& size) {
  return running(SeparableConvolution(size.d, size.d, Window{size.window}));
}

// k = n in effect: every output sees all n positions.
LayerFunction whole_separable_convolution(const LayerSize& size) {
  return separable_convolution({size.d, size.n, 2 * size.n - 1});
}

// A recurrent layer connects all its positions by itself, but one through another: how many steps
// every path from the first input to the last state takes. A step counts if the last state does
// not depend on the first input without what the step computes.
Index steps_to_connect(Cell cell, Index n) {
  const auto layer = started(Recurrent(cell, kDepthWidth, kDepthWidth));
  Tensor x = random_input(n, kDepthWidth);
  std::fill_n(x.row(0), kDepthWidth, std::nan(""));
  const auto connected_without = [&](Index without) {
    Recurrent::Cache cache;
    layer->begin(x, time_steps({0, n}, Direction::forwards), {}, Pass(), cache);
    for (Index t = 0; t < n; ++t) {
      layer->step(t, Pass(), cache);
      if (t != without) continue;
      for (Tensor* states : {&cache.h, &cache.c}) {  // row 0 is the start
        if (states->rows() > 0) std::fill_n(states->row(1 + t), kDepthWidth, 0);
      }
    }
    return std::isnan(cache.h(n, 0));
  };
  ATTN_CHECK(connected_without(n), "the last state does not depend on the first input");
  Index steps = 0;
  for (Index t = 0; t < n; ++t) {
    if (!connected_without(t)) ++steps;
  }
  return steps;
}

ComparedLayer stacked(const std::string& name, Index window, const std::string& complexity,
                      double (*formula)(double, double, double), const std::string& products,
                      const std::string& path, LayerFunction (*make)(const LayerSize&),
                      bool causal = false) {
  const auto measure_path = [=](const LayerSize& size) {
    const auto at = [=](Index level) { return make({size.d, size.n, size.window, level}); };
    return layers_to_connect(at, size.n, size.d, causal);
  };
  return {name, window, complexity, formula, products, path, make, measure_path};
}

ComparedLayer of_recurrent(const std::string& name, const std::string& products, Cell cell) {
  return {name,
          0,
          "n·d²",
          kND2,
          products,
          "n",
          [=](const LayerSize& size) { return recurrent(cell, size.d); },
          [=](const LayerSize& size) { return steps_to_connect(cell, size.n); }};
}

}  // namespace

const std::vector<ComparedLayer>& compared_layers() {
  // The windows at both ends of a sentence are cut short, by 20 positions together if they are
  // r = 9 wide, by 2 if they are k = 3 wide.
  static const std::vector<ComparedLayer> kinds{
      stacked("bare-attention", 0, "n²·d", kN2D, "2n²d", "1", bare_attention),
      stacked("attention", 0, "n²·d", kN2D, "2n²d + 4nd²", "1", attention),
      stacked("bare-restricted", 9, "r·n·d", kKND, "2(rn − 20)d", "n/r", bare_restricted_attention),
      stacked("restricted", 9, "r·n·d", kKND, "2(rn − 20)d + 4nd²", "n/r", restricted_attention),
      of_recurrent("RNN", "2nd²", Cell::rnn),
      of_recurrent("LSTM", "8nd²", Cell::lstm),
      stacked("convolution", 3, "k·n·d²", kKND2, "knd²", "n/k", contiguous_convolution),
      stacked("dilated", 3, "k·n·d²", kKND2, "knd²", "log_k(n)", dilated_convolution, true),
      stacked("strided", 3, "n·d²", kND2, "k⌈n/k⌉d²", "log_k(n)", strided_convolution),
      stacked("separable", 3, "k·n·d + n·d²", kKND_ND2, "(kn − 2)d + nd²", "n/k",
              separable_convolution),
      stacked("separable-n", 0, "n²·d + n·d²", kN2D_ND2, "n²d + nd²", "1",
              whole_separable_convolution),
      stacked("encoder-layer", 0, "n²·d + n·d²", kN2D_ND2, "2n²d + 12nd²", "1", encoder_layer),
  };
  return kinds;
}

const ComparedLayer& compared_layer(const std::string& name) {
  std::vector<std::string> names;
  for (const ComparedLayer& kind : compared_layers()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  fail("there is no kind of layer '", name, "', only ", comma_list(names));
}

}  // namespace attn
