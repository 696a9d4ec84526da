// Chapter 1: one step of an RNN, an LSTM and a GRU, and what is on the way from state to state.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kLine = 120;    // y of the state's own path
constexpr double kGates = 236;   // y of the gates' upper edge
constexpr double kInputs = 318;  // y of the line that feeds the gates

void draw_gate(Svg& svg, double middle, const char* name, const char* function) {
  draw_arrow(svg, {{middle, kInputs}, {middle, kGates + 46}}, "muted thin");
  draw_box(svg, {middle - 24, kGates, 48, 44}, {name, function}, "blue");
}

void draw_inputs(Svg& svg, double from, double to, const char* text) {
  draw_line(svg, {from, kInputs}, {to, kInputs}, "muted thin");
  draw_text(svg, {(from + to) / 2, kInputs + 22}, text, "small middle");
}

void draw_rnn(Svg& svg, double x) {
  draw_text(svg, {x, 34}, "RNN", "large bold");
  draw_text(svg, {x, 58}, "a matrix and a tanh per step", "small orange");
  draw_text(svg, {x, kLine + 5}, "s", "");
  draw_arrow(svg, {{x + 14, kLine}, {x + 34, kLine}}, "orange thick");
  draw_box(svg, {x + 36, kLine - 20, 46, 40}, {"U"}, "purple");
  draw_arrow(svg, {{x + 84, kLine}, {x + 104, kLine}}, "orange thick");
  draw_operation(svg, {x + 118, kLine}, "+");
  draw_arrow(svg, {{x + 132, kLine}, {x + 148, kLine}}, "orange thick");
  draw_box(svg, {x + 150, kLine - 20, 52, 40}, {"tanh"}, "blue");
  draw_arrow(svg, {{x + 204, kLine}, {x + 224, kLine}}, "orange thick");
  draw_text(svg, {x + 228, kLine + 5}, "s′", "");
  draw_arrow(svg, {{x + 118, kInputs}, {x + 118, kLine + 15}}, "muted thin");
  draw_text(svg, {x + 118, kInputs + 22}, "x W + b", "small middle");
}

void draw_lstm(Svg& svg, double x) {
  draw_text(svg, {x, 34}, "LSTM", "large bold");
  draw_text(svg, {x, 58}, "a factor f per step", "small orange");
  draw_text(svg, {x, kLine + 5}, "c", "");
  draw_arrow(svg, {{x + 14, kLine}, {x + 32, kLine}}, "orange thick");
  draw_operation(svg, {x + 46, kLine}, "×");
  draw_arrow(svg, {{x + 60, kLine}, {x + 116, kLine}}, "orange thick");
  draw_operation(svg, {x + 130, kLine}, "+");
  draw_arrow(svg, {{x + 144, kLine}, {x + 278, kLine}}, "orange thick");
  draw_text(svg, {x + 282, kLine + 5}, "c′", "");
  const double f = x + 46, i = x + 104, g = x + 160, o = x + 218;
  draw_gate(svg, f, "f", "σ");
  draw_gate(svg, i, "i", "σ");
  draw_gate(svg, g, "g", "tanh");
  draw_gate(svg, o, "o", "σ");
  draw_arrow(svg, {{f, kGates - 2}, {f, kLine + 15}}, "blue thin");
  draw_operation(svg, {x + 130, 184}, "×");
  draw_arrow(svg, {{i, kGates - 2}, {i, 184}, {x + 116, 184}}, "blue thin");
  draw_arrow(svg, {{g, kGates - 2}, {g, 184}, {x + 144, 184}}, "blue thin");
  draw_arrow(svg, {{x + 130, 170}, {x + 130, kLine + 15}}, "blue thin");
  draw_operation(svg, {x + 250, 200}, "×");
  draw_arrow(svg, {{o, kGates - 2}, {o, 200}, {x + 236, 200}}, "blue thin");
  draw_arrow(svg, {{x + 250, kLine}, {x + 250, 186}}, "blue thin");
  draw_text(svg, {x + 256, 160}, "tanh", "small");
  draw_arrow(svg, {{x + 264, 200}, {x + 284, 200}}, "muted");
  draw_text(svg, {x + 288, 205}, "s′", "");
  draw_inputs(svg, f, o, "from x W + b + s U");
}

void draw_gru(Svg& svg, double x) {
  draw_text(svg, {x, 34}, "GRU", "large bold");
  draw_text(svg, {x, 58}, "a factor z per step", "small orange");
  draw_text(svg, {x, kLine + 5}, "s", "");
  draw_arrow(svg, {{x + 14, kLine}, {x + 32, kLine}}, "orange thick");
  draw_operation(svg, {x + 46, kLine}, "×");
  draw_arrow(svg, {{x + 60, kLine}, {x + 116, kLine}}, "orange thick");
  draw_operation(svg, {x + 130, kLine}, "+");
  draw_arrow(svg, {{x + 144, kLine}, {x + 204, kLine}}, "orange thick");
  draw_text(svg, {x + 208, kLine + 5}, "s′", "");
  const double z = x + 46, n = x + 130, r = x + 200;
  draw_gate(svg, z, "z", "σ");
  draw_gate(svg, n, "ñ", "tanh");
  draw_gate(svg, r, "r", "σ");
  draw_arrow(svg, {{z, kGates - 2}, {z, kLine + 15}}, "blue thin");
  draw_operation(svg, {n, 184}, "×");
  draw_arrow(svg, {{n, kGates - 2}, {n, 198}}, "blue thin");
  draw_arrow(svg, {{z, 184}, {n - 14, 184}}, "blue thin");
  draw_text(svg, {x + 64, 177}, "1 − z", "small");
  draw_arrow(svg, {{n, 170}, {n, kLine + 15}}, "blue thin");
  draw_arrow(svg, {{r - 26, kGates + 22}, {n + 26, kGates + 22}}, "blue thin");
  draw_inputs(svg, z, r, "from x W + b and s U + b_{U}");
}

}  // namespace

Svg cells() {
  Svg svg{
      880, 360, "One step of an RNN, an LSTM and a GRU",
      "In an RNN, the way from the old state to the new one leads through the matrix U and a "
      "tanh. In an LSTM the cell's own way leads through a product with the forget gate f and a "
      "sum; the gates i, g and o read and write beside it. In a GRU the state's way leads "
      "through a product with z and a sum.",
      ""};
  draw_rnn(svg, 24);
  draw_lstm(svg, 300);
  draw_gru(svg, 640);
  return svg;
}

}  // namespace attn::walkthrough
