// Each layer of Table 1 as a function of its input, and the steps until all positions are
// connected.
#include "lab/experiments/compared_layers.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "lab/predecessors/convolution.h"
#include "lab/predecessors/recurrent.h"
#include "lab/predecessors/restricted_attention.h"
#include "layers/multi_head_attention.h"

namespace attn {

namespace {

double n2d(double n, double d) {
  return n * n * d;
}
double rnd(double n, double d) {
  return static_cast<double>(kTable1Window) * n * d;
}
double nd2(double n, double d) {
  return n * d * d;
}
double knd2(double n, double d) {
  return static_cast<double>(kTable1Kernel) * n * d * d;
}
double knd_nd2(double n, double d) {
  return static_cast<double>(kTable1Kernel) * n * d + n * d * d;
}

// One sentence; a backward pass would follow.
Offsets one_sentence(const Tensor& x) {
  return {0, x.rows()};
}
Pass training() {
  return DropoutMasks(1, 1);
}

// The weights as a model has them at the start of its training.
template <class Layer>
std::shared_ptr<Layer> started(Layer layer) {
  layer.visit("layer", [](const std::string& name, Parameter& parameter) {
    initialise(name, parameter, 1);
  });
  return std::make_shared<Layer>(std::move(layer));
}

// Softmax(x xᵀ/√d) x: the two products of n²·d, nothing else.
LayerRun bare_attention(const Tensor& x) {
  const auto P = std::make_shared<Tensor>(Tensor::uninitialised({x.rows(), x.rows()}));
  Tensor y = Tensor::uninitialised(x.shape());
  attention_forward(x, x, x, {}, Pass(), *P, y);
  return {std::move(y), P};
}

LayerFunction attention(Index d, Index) {
  const Index width = d / kTable1Heads;
  const auto layer = started(MultiHeadAttention(d, kTable1Heads, width, width, false, 0));
  return [=](const Tensor& x) {
    const auto cache = std::make_shared<MultiHeadAttention::Cache>();
    const Offsets offsets = one_sentence(x);
    Tensor y = layer->forward({x, offsets, x, offsets, Mask::none}, training(), *cache);
    return LayerRun{std::move(y), cache};
  };
}

LayerFunction bare_restricted_attention(Index d, Index) {
  const auto layer =
      started(RestrictedAttention({kTable1Window}, MultiHeadAttention(d, 1, d, d, false, 0)));
  return [=](const Tensor& x) {
    const auto P = std::make_shared<Tensor>();
    return LayerRun{layer->attend(x, x, x, one_sentence(x), {}, *P), P};
  };
}

LayerFunction restricted_attention(Index d, Index) {
  const Index width = d / kTable1Heads;
  const auto layer = started(RestrictedAttention(
      {kTable1Window}, MultiHeadAttention(d, kTable1Heads, width, width, false, 0)));
  return [=](const Tensor& x) {
    const auto cache = std::make_shared<RestrictedAttention::Cache>();
    Tensor y = layer->forward(x, one_sentence(x), training(), *cache);
    return LayerRun{std::move(y), cache};
  };
}

LayerFunction recurrent(Cell cell, Index d) {
  const auto layer = started(Recurrent(cell, d, d));
  return [=](const Tensor& x) {
    const auto cache = std::make_shared<Recurrent::Cache>();
    Tensor y = layer->forward(x, one_sentence(x), Direction::forwards, {}, training(), *cache);
    cache->x = {};  // x in the order of the steps: no layer's x is counted as kept
    return LayerRun{std::move(y), cache};
  };
}

LayerFunction convolution(Index d, const Window& window) {
  const auto layer = started(Convolution(d, d, window));
  return [=](const Tensor& x) { return LayerRun{layer->forward(x, one_sentence(x)), nullptr}; };
}

LayerFunction separable_convolution(Index d, Index) {
  const auto layer = started(SeparableConvolution(d, d, {kTable1Kernel}));
  return [=](const Tensor& x) {
    const auto cache = std::make_shared<SeparableConvolution::Cache>();
    Tensor y = layer->forward(x, one_sentence(x), training(), *cache);
    return LayerRun{std::move(y), cache};
  };
}

LayerFunction contiguous_convolution(Index d, Index) {
  return convolution(d, {kTable1Kernel});
}

// Each level sees k times as far as the one below. As in a decoder, windows look back: around the
// output's own position, paths that begin near the border would have to leave the sentence, and
// some positions are never connected.
LayerFunction dilated_convolution(Index d, Index level) {
  Window window{kTable1Kernel, true};
  for (Index i = 0; i < level; ++i) window.dilation *= kTable1Kernel;
  return convolution(d, window);
}

// A recurrent layer connects all its positions by itself, but one after another: the steps after
// which the last state depends on the first input.
Index steps_to_connect(Cell cell, Index n) {
  const auto layer = started(Recurrent(cell, kDepthWidth, kDepthWidth));
  Tensor x = random_input(n, kDepthWidth);
  std::fill_n(x.row(0), kDepthWidth, std::nan(""));
  Recurrent::Cache cache;
  layer->begin(x, time_steps({0, n}, Direction::forwards), {}, Pass(), cache);
  for (Index t = 0; t < n; ++t) layer->step(t, Pass(), cache);
  // Row 0 is the start.
  Index steps = 0;
  while (steps < n && std::isnan(cache.h(1 + steps, 0))) ++steps;
  ATTN_CHECK_EQ(steps, n, "states that depend on the first input");
  return steps;
}

using Make = std::function<LayerFunction(Index, Index)>;

ComparedLayer stacked(const std::string& name, const std::string& complexity,
                      double (*formula)(double, double), const std::string& products,
                      const std::string& path, const Make& make, bool causal = false) {
  return {name, complexity, formula, products, path, make, [=](Index n) {
            return layers_to_connect([=](Index level) { return make(kDepthWidth, level); }, n,
                                     kDepthWidth, causal);
          }};
}

ComparedLayer of_recurrent(const std::string& name, const std::string& products, Cell cell) {
  return {name,
          "n·d²",
          nd2,
          products,
          "n",
          [=](Index d, Index) { return recurrent(cell, d); },
          [=](Index n) { return steps_to_connect(cell, n); }};
}

}  // namespace

const std::vector<ComparedLayer>& compared_layers() {
  // The windows at both ends of a sentence are cut short, by 20 positions together if they are
  // r = 9 wide, by 2 if they are k = 3 wide.
  static_assert(kTable1Window == 9 && kTable1Kernel == 3);
  static const std::vector<ComparedLayer> kinds{
      stacked("bare-attention", "n²·d", n2d, "2n²d", "1",
              [](Index, Index) -> LayerFunction { return bare_attention; }),
      stacked("attention", "n²·d", n2d, "2n²d + 4nd²", "1", attention),
      stacked("bare-restricted", "r·n·d", rnd, "2(rn − 20)d", "n/r", bare_restricted_attention),
      stacked("restricted", "r·n·d", rnd, "2(rn − 20)d + 4nd²", "n/r", restricted_attention),
      of_recurrent("RNN", "2nd²", Cell::rnn),
      of_recurrent("LSTM", "8nd²", Cell::lstm),
      stacked("convolution", "k·n·d²", knd2, "knd²", "n/k", contiguous_convolution),
      stacked("dilated", "k·n·d²", knd2, "knd²", "log_k(n)", dilated_convolution, true),
      stacked("separable", "k·n·d + n·d²", knd_nd2, "(kn − 2)d + nd²", "n/k",
              separable_convolution),
  };
  return kinds;
}

const ComparedLayer& compared_layer(const std::string& name) {
  std::string names;
  for (const ComparedLayer& kind : compared_layers()) {
    if (kind.name == name) return kind;
    names += (names.empty() ? "" : ", ") + kind.name;
  }
  fail("there is no kind of layer '", name, "', only ", names);
}

}  // namespace attn
