// Chapter 3.2.1: one row of softmax, backward. The bars of the weights, of their gradients as
// distances from the mean that the weights give them, and of the product of both.
#include <cmath>

#include "examples/five_words.h"
#include "figures.h"
#include "layers/attention.h"

namespace attn::walkthrough {

namespace {

constexpr Index kRow = 2;  // l'Afrique
constexpr double kTop = 92, kPitch = 42, kHeight = 22;

double bar_top(Index j) {
  return kTop + kPitch * static_cast<double>(j);
}

// From one value to another along an axis, and the number at the end of it.
void draw_length(Svg& svg, const Scale& x, Index j, double from, double to,
                 const std::string& number, const char* colour) {
  const double a = x(std::min(from, to)), b = x(std::max(from, to));
  draw_rect(svg, {a, bar_top(j), b - a, kHeight}, text("area ", colour));
  const bool left = to < from;
  draw_text(svg, {left ? a - 6 : b + 6, bar_top(j) + 16}, number,
            left ? "small halo end" : "small halo");
}

void draw_upright(Svg& svg, double x, const char* classes) {
  draw_line(svg, {x, kTop - 12}, {x, bar_top(kFiveWords) - 8}, classes);
}

std::string four_digits(double value) {
  return with_minus(fixed_number(value, 4));
}

}  // namespace

Svg softmax_backward_bars() {
  Svg svg{880, 348, "Softmax backward, as bars",
          "A row for each of five words, and three columns of bars. The weights p. Their gradients "
          "dp as distances from the mean −1.7428: only visite, −4, is below it. The gradients of "
          "the scores, da, are the products of the two: −1.1250 for visite, and positive for the "
          "others. They add up to 0.",
          ""};
  const Tensor Q = example_Q(), K = example_K(), V = example_V();
  Tensor P = Tensor::zeros({kFiveWords, kFiveWords}), dP = P, O = Tensor::zeros({kFiveWords, 3});
  attention_forward(Q, K, V, {}, {}, P, O);
  Tensor dO = Tensor::zeros({kFiveWords, 3});
  dO(kRow, 0) = 1, dO(kRow, 1) = -1;
  matmul(dO, transposed(V), dP);
  Tensor dA = dP;
  softmax_backward(P, 1, Mask::none, dA);
  double mean = 0;
  for (Index j = 0; j < kFiveWords; ++j) mean += static_cast<double>(P(kRow, j) * dP(kRow, j));

  const Scale weights{0, 0.5, 108, 236}, gradients{-4, 2, 390, 570}, scores{-1.125, 0.69, 700, 812};
  draw_text(svg, {108, 40}, "weight p", "bold purple");
  draw_text(svg, {340, 40}, "dp, measured from its mean", "bold blue");
  draw_text(svg, {640, 40}, "da = p · (dp − mean)", "bold orange");
  draw_text(svg, {gradients(mean), 68}, text("mean ", four_digits(mean)), "small muted middle");
  draw_text(svg, {scores(0), 68}, "0", "small muted middle");
  for (Index j = 0; j < kFiveWords; ++j) {
    const double p = static_cast<double>(P(kRow, j)), dp = static_cast<double>(dP(kRow, j)),
                 da = static_cast<double>(dA(kRow, j));
    draw_text(svg, {20, bar_top(j) + 16}, kWords[j]);
    draw_length(svg, weights, j, 0, p, fixed_number(p, 4), "purple");
    draw_length(svg, gradients, j, mean, dp, with_minus(short_number(dp)), "blue");
    draw_length(svg, scores, j, 0, da, four_digits(da), "orange");
  }
  draw_upright(svg, weights(0), "muted thin");
  draw_upright(svg, gradients(mean), "muted dashed thin");
  draw_upright(svg, scores(0), "muted thin");
  draw_text(svg, {20, 330},
            "The mean counts each dp by its weight. Only visite is below it: training raises its "
            "score and lowers the others.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
