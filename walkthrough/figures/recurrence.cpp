// Chapters 1 and 2: what waits for what in recurrent networks and in those that came after them,
// and how much of a gradient survives the way back.
#include <cmath>

#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

constexpr double kRadius = 14;

// A state, and the step in which it can be computed.
void draw_node(Svg& svg, Point at, int step, const std::string& colour) {
  draw_circle(svg, at, kRadius, "paper area");
  draw_circle(svg, at, kRadius, "box " + colour);
  draw_text(svg, {at.x, at.y + 5}, text(step), "small middle");
}

// An arrow from the rim of one node to the rim of another.
void draw_link(Svg& svg, Point from, Point to, const std::string& classes) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  const double x = dx / length * (kRadius + 2), y = dy / length * (kRadius + 2);
  draw_arrow(svg, {{from.x + x, from.y + y}, {to.x - x, to.y - y}}, classes);
}

constexpr const char* kPath = "orange thick";
constexpr const char* kOther = "muted thin";

void draw_caption(Svg& svg, Point at, const std::string& name, const std::string& steps,
                  const std::string& path) {
  draw_text(svg, at, name, "large bold");
  draw_text(svg, {at.x, at.y + 22}, steps, "small");
  draw_text(svg, {at.x, at.y + 42}, path, "small orange");
}

constexpr int kTokens = 7;
Point in_panel(const Rect& panel, int token, double row) {
  return {panel.x + 28 + token * 56, panel.y + row};
}

void draw_tokens(Svg& svg, const Rect& panel, double row) {
  for (int t = 0; t < kTokens; ++t) {
    const Point at = in_panel(panel, t, row);
    draw_text(svg, {at.x, at.y + 5}, text("x_{", t + 1, "}"), "small middle");
  }
}

void draw_recurrent_panel(Svg& svg, const Rect& panel) {
  draw_caption(svg, {panel.x, panel.y}, "Recurrent layer", "7 steps, one after another",
               "from the first token to the last output: 7 links");
  draw_tokens(svg, panel, 230);
  for (int t = 0; t < kTokens; ++t) {
    const Point at = in_panel(panel, t, 150);
    draw_link(svg, in_panel(panel, t, 230), at, t == 0 ? kPath : kOther);
    if (t > 0) draw_link(svg, in_panel(panel, t - 1, 150), at, kPath);
    draw_node(svg, at, t + 1, "blue");
  }
}

void draw_attentive_panel(Svg& svg, const Rect& panel) {
  draw_caption(svg, {panel.x, panel.y}, "Recurrent decoder with attention",
               "7 steps to read, then one per word written",
               "from a source state to any word written: 1 link");
  draw_tokens(svg, panel, 270);
  draw_text(svg, {panel.x, panel.y + 306}, "Attention is drawn for the last word only.",
            "small muted");
  const int written = 4;
  for (int t = 0; t < kTokens; ++t) {
    const Point at = in_panel(panel, t, 205);
    draw_link(svg, in_panel(panel, t, 270), at, kOther);
    if (t > 0) draw_link(svg, in_panel(panel, t - 1, 205), at, kOther);
  }
  const auto decoder = [&](int t) { return Point{panel.x + 112 + t * 76, panel.y + 90}; };
  for (int t = 0; t < kTokens; ++t) {
    draw_link(svg, in_panel(panel, t, 205), decoder(written - 1), t == 0 ? kPath : kOther);
    draw_node(svg, in_panel(panel, t, 205), t + 1, "blue");
  }
  for (int t = 0; t < written; ++t) {
    if (t > 0) draw_link(svg, decoder(t - 1), decoder(t), kOther);
    draw_node(svg, decoder(t), kTokens + 1 + t, "green");
  }
}

// Causal, of width 3: each output with all that it depends on is a tree.
void draw_convolution_panel(Svg& svg, const Rect& panel) {
  draw_caption(svg, {panel.x, panel.y}, "Causal convolutions of width 3", "3 steps, one per layer",
               "from the first token to the last output: 3 links");
  draw_tokens(svg, panel, 290);
  const int layers = 3, reach = 2;
  const auto row = [&](int layer) { return 290 - 66.0 * layer; };
  for (int layer = 1; layer <= layers; ++layer) {
    for (int t = kTokens - 1 - reach * (layers - layer); t < kTokens; ++t) {
      for (int back = 0; back <= reach; ++back) {
        if (t - back < 0) continue;
        const bool first = t == reach * layer && back == reach;
        draw_link(svg, in_panel(panel, t - back, row(layer - 1)), in_panel(panel, t, row(layer)),
                  first ? kPath : kOther);
      }
    }
  }
  for (int layer = 1; layer <= layers; ++layer) {
    for (int t = 0; t < kTokens; ++t) {
      const bool used = t >= kTokens - 1 - reach * (layers - layer);
      draw_node(svg, in_panel(panel, t, row(layer)), layer, used ? "blue" : "grid");
    }
  }
}

void draw_self_attention_panel(Svg& svg, const Rect& panel) {
  draw_caption(svg, {panel.x, panel.y}, "Self-attention", "1 step, all outputs at once",
               "from the first token to the last output: 1 link");
  draw_tokens(svg, panel, 290);
  for (int t = 0; t < kTokens; ++t) {
    for (int s = 0; s < kTokens; ++s) {
      if (s == 0 && t == kTokens - 1) continue;
      draw_link(svg, in_panel(panel, s, 290), in_panel(panel, t, 130),
                t == kTokens - 1 ? kOther : "grid thin");
    }
  }
  draw_link(svg, in_panel(panel, 0, 290), in_panel(panel, kTokens - 1, 130), kPath);
  for (int t = 0; t < kTokens; ++t) draw_node(svg, in_panel(panel, t, 130), 1, "blue");
}

}  // namespace

Svg what_waits() {
  Svg svg{
      880, 740, "What waits for what: recurrence, attention, convolution, self-attention",
      "Four networks over seven tokens, with the step in which each state can be computed. A "
      "recurrent layer is a chain of seven steps. A recurrent decoder with attention waits for "
      "the chain too, but has an arrow from every source state. Three layers of convolutions of "
      "width 3 are a tree of depth three. In self-attention every output has an arrow from "
      "every token, in one step.",
      ""};
  draw_recurrent_panel(svg, {30, 40, 400, 320});
  draw_attentive_panel(svg, {470, 40, 400, 320});
  draw_convolution_panel(svg, {30, 400, 400, 320});
  draw_self_attention_panel(svg, {470, 400, 400, 320});
  return svg;
}

Svg recurrence() {
  Svg svg{880, 330, "A recurrent encoder-decoder, unrolled",
          "Six cells in a row read Jane visite l'Afrique en septembre <eos>, each waiting for the "
          "one before. The last state is all that six more cells get to know of the source, which "
          "write Jane visits Africa in September <eos>, again one after another: twelve steps.",
          ""};
  const std::vector<std::string> source{"Jane", "visite", "l'Afrique", "en", "septembre", "<eos>"};
  const std::vector<std::string> target{"<bos>", "Jane", "visits", "Africa", "in", "September"};
  constexpr double kCellWidth = 50, kStride = 68, kGap = 30, kTop = 130;
  const auto left = [&](int i) { return 20 + i * kStride + (i >= 6 ? kGap : 0); };
  for (int i = 0; i < 12; ++i) {
    const bool reads = i < 6;
    const auto at = static_cast<std::size_t>(i % 6);
    const double x = left(i), middle = x + kCellWidth / 2;
    const std::string name = text("s_{", i + 1, "}");
    draw_rect(svg, {x, kTop, kCellWidth, 46}, reads ? "box blue" : "box green", 8);
    draw_text(svg, {middle, kTop + 29}, name, "middle");
    draw_text(svg, {middle, kTop - 56}, text(i + 1), "small middle muted");
    const std::string& word = reads ? source[at] : target[at];
    draw_text(svg, {middle, kTop + 106}, word, "small middle");
    draw_arrow(svg, {{middle, kTop + 90}, {middle, kTop + 48}}, "muted");
    if (i > 0) {
      draw_arrow(svg, {{left(i - 1) + kCellWidth + 1, kTop + 23}, {x - 2, kTop + 23}},
                 i == 6 ? "orange thick" : "blue");
    }
    if (!reads) {
      draw_arrow(svg, {{middle, kTop - 2}, {middle, kTop - 26}}, "muted");
      draw_text(svg, {middle, kTop - 34}, i < 11 ? target[at + 1] : "<eos>", "small middle");
    }
  }
  draw_text(svg, {20, 40}, "step", "small muted");
  const double bottleneck = left(6) - kGap / 2 - 9;
  draw_polyline(svg, {{bottleneck, kTop + 34}, {bottleneck, kTop + 142}}, "orange thin");
  draw_text(svg, {bottleneck, kTop + 160}, "all that the decoder learns of the source: d numbers",
            "middle orange bold");
  draw_text(svg, {bottleneck, kTop + 182}, "however long the sentence", "middle small");
  return svg;
}

Svg recurrent_gradients(const std::string& measurements) {
  Svg svg{
      880, 460, "How much of a gradient comes back over a distance",
      "A chart with a logarithmic axis. From one token to the one before, the gradients of a "
      "fresh RNN, GRU and LSTM fall by nearly a constant factor, to less than a billionth over "
      "fifty tokens. With a forget gate's bias of 1 an LSTM's fall more slowly, and with 3 they "
      "hardly fall.",
      ""};
  const Table table = read_table(measurements, "recurrence");
  Axes axes = make_axes({80, 50, 600, 330}, 0, 50, 1e-12, 10);
  axes.y.logarithmic = true;
  std::vector<Tick> y;
  for (int power = -12; power <= 0; power += 2) y.push_back(powers_of_ten(power, power)[0]);
  draw_axes(svg, axes,
            {ticks({0, 10, 20, 30, 40, 50}), y, "distance: tokens read since",
             "gradient, relative to that of the last token"});
  struct Curve {
    const char *layer, *label, *classes;
    double lower;  // the label, so that no two overlap
  };
  for (const Curve& curve : {Curve{"lstm_forget_3", "LSTM, forget bias 3", "blue", 0},
                             Curve{"lstm_forget_1", "LSTM, forget bias 1", "purple", 0},
                             Curve{"rnn", "RNN", "orange", -6}, Curve{"gru", "GRU", "green", 4},
                             Curve{"lstm", "LSTM, forget bias 0", "muted", 12}}) {
    std::vector<Point> points;
    for (const auto& row : table.where("layer", curve.layer).rows) {
      points.push_back({number_in(row, "distance"), number_in(row, "gradient")});
    }
    draw_curve(svg, axes, points, curve.classes);
    const Point end = axes(points.back().x, points.back().y);
    draw_text(svg, {end.x + 10, end.y + 5 + curve.lower}, curve.label,
              text("small bold ", curve.classes));
  }
  draw_text(svg, {80, 446},
            "Fresh layers of 64 units, random tokens; root of the mean square over 20 seeds.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
