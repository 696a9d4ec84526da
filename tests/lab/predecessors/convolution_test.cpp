#include "lab/predecessors/convolution.h"

#include <doctest/doctest.h>

#include "base/parallel.h"
#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// Sentences of 6, 1, 0 and 4 words; 3 channels in, 5 out.
const Offsets kSentences = {0, 6, 7, 7, 11};
constexpr Index kTokens = 11, kIn = 3, kOut = 5;

Convolution random_convolution(const Window& window) {
  Convolution layer(kIn, kOut, window);
  randomise(layer, 1);
  return layer;
}

SeparableConvolution random_separable(const Window& window) {
  SeparableConvolution layer(kIn, kOut, window);
  randomise(layer, 1);
  return layer;
}

Tensor forward(const Convolution& layer, const Tensor& x, const Offsets& offsets) {
  return layer.forward(x, offsets);
}

Tensor forward(const SeparableConvolution& layer, const Tensor& x, const Offsets& offsets) {
  SeparableConvolution::Cache unused;
  return layer.forward(x, offsets, Pass(), unused);
}

Tensor backward(Convolution& layer, const Tensor& dy, const Tensor& x, const Offsets& offsets) {
  return layer.backward(dy, x, offsets);
}

Tensor backward(SeparableConvolution& layer, const Tensor& dy, const Tensor& x,
                const Offsets& offsets) {
  SeparableConvolution::Cache cache;
  layer.forward(x, offsets, Pass(DropoutMasks()), cache);
  return layer.backward(dy, x, offsets, cache);
}

// Outputs and gradients of a layer of 130 channels, computed on so many threads.
template <class Layer>
std::vector<Tensor> all_numbers(const Window& window, int count) {
  constexpr Index channels = 130;
  Layer layer(channels, kOut, window);
  randomise(layer, 1);
  const WithThreads with(count);
  Offsets offsets = {0};
  for (const Index n : {70, 1, 3, 200, 33}) offsets.push_back(offsets.back() + n);
  const Tensor x = random_tensor({offsets.back(), channels}, 5);
  const Tensor dy = random_tensor({offsets.back(), kOut}, 6);
  std::vector<Tensor> all = {forward(layer, x, offsets), backward(layer, dy, x, offsets)};
  layer.visit("layer", [&](const std::string&, Parameter& p) { all.push_back(p.gradient); });
  return all;
}

template <class Layer>
void check_threads(const Window& window) {
  const std::vector<Tensor> one = all_numbers<Layer>(window, 1),
                            three = all_numbers<Layer>(window, 3);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(same(one[i], three[i]));
}

#ifdef ATTENTION_DOUBLE
const Window kWindows[] = {{1, false}, {3, false},    {5, false},   {1, true},   {2, true},
                           {4, true},  {3, false, 2}, {3, true, 2}, {3, true, 4}};

std::string name_of(const Window& window) {
  return text(window.width, window.causal ? " causal" : " centred", " dilation ", window.dilation);
}

template <class Layer>
void check_gradients(const Window& window, Layer layer) {
  CAPTURE(name_of(window));
  Tensor x = random_tensor({kTokens, kIn}, 2);
  const Tensor dy = random_tensor({kTokens, kOut}, 3);
  const Tensor dx = backward(layer, dy, x, kSentences);
  GradientCheck check;
  check.tensor("x", x, dx);
  check.parameters("layer", layer);
  CHECK(check.errors([&] { return weighted_sum(dy, forward(layer, x, kSentences)); }) == "");
}
#endif

}  // namespace

TEST_SUITE("2 background: convolutions") {
  TEST_CASE("a window is centred, or ends with the output's own position; dilation spreads it") {
    const auto offsets = [](const Window& window) {
      std::vector<Index> result;
      for (Index j = 0; j < window.width; ++j) result.push_back(window.offset(j));
      return result;
    };
    CHECK(offsets({3, false}) == std::vector<Index>{-1, 0, 1});
    CHECK(offsets({3, true}) == std::vector<Index>{-2, -1, 0});
    CHECK(offsets({5, false, 3}) == std::vector<Index>{-6, -3, 0, 3, 6});
    CHECK(offsets({2, true, 4}) == std::vector<Index>{-4, 0});
    CHECK_THROWS_WITH_AS(Convolution(2, 2, {4, false}),
                         "a window of 4 positions has no centre: their number must be odd", Error);
    CHECK_THROWS_AS(SeparableConvolution(2, 2, {0, true}), Error);
    CHECK_THROWS_AS(Convolution(2, 2, {3, true, 0}), Error);
  }

  TEST_CASE("convolutions and their gradients do not depend on threads, by a bit") {
    for (const Window& window : {Window{3, false, 2}, Window{4, true}}) {
      check_threads<Convolution>(window);
      check_threads<SeparableConvolution>(window);
    }
  }

  TEST_CASE("offsets and widths that do not fit are errors") {
    Convolution layer = random_convolution({3, true});
    SeparableConvolution separable = random_separable({3, true});
    const Tensor x = random_tensor({kTokens, kIn}, 2), wide = random_tensor({kTokens, kIn + 1}, 2);
    CHECK_THROWS_AS(forward(layer, x, {0, 5}), Error);
    CHECK_THROWS_AS(forward(separable, x, {0, 5}), Error);
    CHECK_THROWS_AS(forward(layer, wide, kSentences), Error);
    CHECK_THROWS_AS(forward(separable, wide, kSentences), Error);
    Tensor past = layer.start(2);
    CHECK_THROWS_AS(layer.step(random_tensor({3, kIn}, 1), past), Error);
    CHECK_THROWS_AS(layer.step(random_tensor({2, kIn + 1}, 1), past), Error);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("convolution: dx, dW and db agree with finite differences") {
    for (const Window& window : kWindows) check_gradients(window, random_convolution(window));
  }

  TEST_CASE("separable convolution: dx, dw, dW and db agree with finite differences") {
    for (const Window& window : kWindows) check_gradients(window, random_separable(window));
  }
#endif
}
