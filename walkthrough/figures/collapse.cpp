// Chapter 5.3: how the rows of a fresh encoder become alike, layer by layer.
#include <cmath>

#include "examples/variation.h"
#include "figures.h"
#include "model/transformer.h"
#include "tasks/task.h"
#include "text/vocabulary.h"
#include "trace/table.h"

namespace attn::walkthrough {

namespace {

struct Rows {
  std::string name;
  Tensor numbers;    // [n, d_model]
  double alike = 0;  // C/D
};

// What a fresh post-norm encoder of six layers makes of one sequence: its input and every second
// layer's output. W^V starts as Glorot's alone, g = 1.
std::vector<Rows> rows_of_layers(const Task& task, const Batch& batch) {
  TransformerConfig config = preset("tiny");
  config.layers = 6;
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  Transformer model(config);
  initialise_parameters(model, 1);
  for (EncoderLayer& layer : model.encoder) {
    Tensor& W = layer.self_attention.value.weight.value;
    for (Index i = 0; i < W.elements(); ++i) W[i] *= std::sqrt(Real(2));
  }
  std::vector<Rows> result;
  int layer = 0;
  const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
    if (!fits("e|encoder.*.output", name)) return;
    if (name != "e" && ++layer % 2 != 0) return;
    Rows rows{name == "e" ? "e" : text("after layer ", layer), copy_of(value), 0};
    const double share = token_variation(rows.numbers, batch.source.offsets);
    rows.alike = (1 - share) / share;
    result.push_back(std::move(rows));
  };
  model.loss(batch, Pass(observer));
  return result;
}

void draw_rows(Svg& svg, const Rect& area, const Tensor& x) {
  HeatMap map = heat_map(x);
  for (double& number : map.weights) number /= 2.5;
  draw_signed_map(svg, area, map);
  draw_rect(svg, area, "line muted thin");
}

}  // namespace

Svg rank_collapse() {
  Svg svg{880, 292, "Rank collapse: rows that become alike",
          "Four heat maps of the same eight tokens, a row for each and a column for each of 64 "
          "features, blue for positive and orange for negative: the input e, and the outputs of "
          "layers 2, 4 and 6 of a fresh encoder. In e every row has its own pattern; after layer 6 "
          "all rows have the same, and the map consists of upright stripes.",
          ""};
  const Task task = find_task("copy");
  std::vector<int> source = task.tokenizer.encode("t s v w h z l"), target = source;
  source.push_back(kEos);
  target.insert(target.begin(), kBos);
  Batch one;
  one.append(source, target);
  const std::vector<Rows> layers = rows_of_layers(task, one);
  constexpr double kCell = 19;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Rect area{66 + 203 * static_cast<double>(i), 56, 192, 8 * kCell};
    draw_text(svg, {area.x, 40}, layers[i].name, "bold");
    draw_rows(svg, area, layers[i].numbers);
    draw_text(svg, {area.x, area.bottom() + 22}, text("C/D = ", fixed_number(layers[i].alike, 2)));
  }
  for (std::size_t t = 0; t < 8; ++t) {
    draw_text(svg, {56, 56 + kCell * static_cast<double>(t) + 14},
              task.tokenizer.token(one.source.ids[t]), "small end");
  }
  draw_text(
      svg, {66, 272},
      "Row: a token. Column: a feature; blue is positive, orange negative. Post-norm, g = 1, one "
      "sequence.",
      "small muted");
  return svg;
}

}  // namespace attn::walkthrough
