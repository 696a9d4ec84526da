// Figure 1 of the paper, with the source file of every box and the shapes between them.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kWidth = 250, kHeight = 44;  // of a box
constexpr double kPitch = 158;                // from one sub-layer to the next

// One of the two stacks. `outward` is -1 if its outer side is the left, 1 if it is the right: the
// residual connections and the files' names are outside, the shapes inside.
struct Stack {
  Svg& svg;
  double centre;
  double outward;

  Rect box(double bottom) const { return {centre - kWidth / 2, bottom - kHeight, kWidth, kHeight}; }
  void shape(double y, const std::string& words) const {
    draw_text(svg, {centre - outward * 14, y}, words, outward < 0 ? "small" : "small end");
  }
  void up(double from, double to) const {
    draw_arrow(svg, {{centre, from}, {centre, to}}, "muted");
  }
};

// A sub-layer, its bottom at `bottom`, with Add & Norm above it and the connection around it.
void draw_sublayer(const Stack& s, double bottom, const std::string& name, const std::string& file,
                   const char* colour) {
  const double top = bottom - kHeight, norm = top - 18, around = s.centre + s.outward * 150;
  draw_arrow(s.svg,
             {{s.centre, bottom + 38},
              {around, bottom + 38},
              {around, norm - kHeight / 2},
              {s.centre + s.outward * kWidth / 2, norm - kHeight / 2}},
             "muted");
  draw_box(s.svg, s.box(bottom), {name, file}, colour);
  s.up(top, norm);
  draw_box(s.svg, s.box(norm), {"Add & Norm", "layers/residual.cpp"}, "muted");
}

// Three arrows into an attention: what it makes queries, keys and values of.
void draw_self_inputs(const Stack& s, double bottom) {
  draw_polyline(s.svg, {{s.centre, bottom + 38}, {s.centre, bottom + 22}}, "muted");
  draw_line(s.svg, {s.centre - 60, bottom + 22}, {s.centre + 60, bottom + 22}, "muted");
  const char* const names[] = {"Q", "K", "V"};
  for (int i = 0; i < 3; ++i) {
    const double x = s.centre + 60 * (i - 1);
    draw_arrow(s.svg, {{x, bottom + 22}, {x, bottom}}, "muted");
    draw_text(s.svg, {x + 7, bottom + 17}, names[i], "small italic");
  }
}

// From the tokens at the bottom to the first layer: embedding and position.
void draw_input(const Stack& s, const std::string& tokens, const std::string& ids,
                const std::string& T, const std::string& letter) {
  draw_text(s.svg, {s.centre, 972}, tokens, "bold middle");
  s.up(954, 926);
  s.shape(945, ids);
  draw_box(s.svg, s.box(926), {"Embedding × √d_{model}", "layers/embedding.cpp"}, "purple");
  s.up(882, 856);
  draw_box(s.svg, s.box(856), {"+ Positional encoding", "layers/positional_encoding.cpp"},
           "purple");
  draw_line(s.svg, {s.centre, 812}, {s.centre, 760}, "muted");
  s.shape(801, text(letter, " [", T, ", d_{model}]"));
}

void draw_frame(const Stack& s, double top, const std::string& name, const std::string& file) {
  draw_rect(s.svg, {s.centre - 182, top, 364, 776 - top}, "line muted thin dashed", 10);
  const char* const anchor = s.outward < 0 ? "" : "end";
  const double x = s.centre + s.outward * 182;
  draw_text(s.svg, {x, top - 24}, name, text("bold ", anchor));
  draw_text(s.svg, {x, top - 8}, file, text("mono muted ", anchor));
}

}  // namespace

Svg figure_1() {
  Svg svg{880, 992, "The Transformer: the paper's Figure 1 with the source files",
          "Two stacks of boxes, read from the bottom up. Left, the encoder: source tokens, "
          "embedding, positional encoding, then N layers of self-attention and feed-forward, each "
          "followed by Add & Norm. Right, the decoder: target tokens shifted right, embedding, "
          "positional encoding, then N layers of masked self-attention, attention over the "
          "encoder's output z, and feed-forward, each followed by Add & Norm; then the output "
          "projection and the softmax. Each box names its file in src; each arrow its shape.",
          ""};
  const Stack encoder{svg, 212, -1}, decoder{svg, 668, 1};
  const double first = 722, second = first - kPitch, third = second - kPitch;
  const char* const attention = "layers/multi_head_attention.cpp";
  const char* const feed_forward = "layers/feed_forward.cpp";

  // The encoder's frame ends above its second sub-layer, the decoder's above its third.
  const double encoder_end = second - 2 * kHeight - 18, decoder_end = third - 2 * kHeight - 18;
  draw_frame(encoder, encoder_end - 16, "N × encoder layer", "model/encoder_layer.cpp");
  draw_frame(decoder, decoder_end - 16, "N × decoder layer", "model/decoder_layer.cpp");

  draw_input(encoder, "source tokens", "x [T_{source}]", "T_{source}", "e");
  draw_self_inputs(encoder, first);
  draw_sublayer(encoder, first, "Self-attention", attention, "orange");
  encoder.up(first - 2 * kHeight - 18, second);
  draw_sublayer(encoder, second, "Feed-forward", feed_forward, "blue");

  draw_input(decoder, "target tokens, shifted right", "[T_{target}]", "T_{target}", "g");
  draw_self_inputs(decoder, first);
  draw_sublayer(decoder, first, "Masked self-attention", attention, "orange");
  draw_line(svg, {decoder.centre, first - 2 * kHeight - 18}, {decoder.centre, second + 38},
            "muted");
  draw_sublayer(decoder, second, "Encoder–decoder attention", attention, "orange");
  decoder.up(third + 52, third);
  draw_sublayer(decoder, third, "Feed-forward", feed_forward, "blue");

  // The encoder's output: keys and values for every decoder layer; the queries are the decoder's.
  const double x = 440;
  draw_polyline(svg,
                {{encoder.centre, encoder_end},
                 {encoder.centre, encoder_end - 36},
                 {x, encoder_end - 36},
                 {x, second + 20},
                 {decoder.centre, second + 20}},
                "green");
  for (const double at : {decoder.centre - 60, decoder.centre}) {
    draw_arrow(svg, {{at, second + 20}, {at, second}}, "green");
  }
  draw_text(svg, {encoder.centre + 12, encoder_end - 44}, "z [T_{source}, d_{model}]",
            "green bold small");
  draw_text(svg, {decoder.centre - 53, second + 16}, "K", "small italic green");
  draw_text(svg, {decoder.centre + 7, second + 16}, "V", "small italic green");
  draw_arrow(svg,
             {{decoder.centre, second + 38},
              {decoder.centre + 60, second + 38},
              {decoder.centre + 60, second}},
             "muted");
  draw_text(svg, {decoder.centre + 67, second + 16}, "Q", "small italic");

  // From h to probabilities.
  decoder.up(decoder_end, 238);
  decoder.shape(258, "h [T_{target}, d_{model}]");
  draw_box(svg, decoder.box(238), {"Linear: h E^{T}", "layers/output_projection.cpp"}, "purple");
  decoder.up(194, 152);
  decoder.shape(178, "logits [T_{target}, V]");
  draw_box(svg, decoder.box(152), {"Softmax (and the loss)", "layers/cross_entropy.cpp"}, "green");
  decoder.up(108, 66);
  decoder.shape(92, "p [T_{target}, V]");
  draw_text(svg, {decoder.centre, 54}, "how likely each token is to come next", "bold middle");

  // How to read it.
  draw_text(svg, {30, 54}, "Read from the bottom up.", "muted");
  draw_text(svg, {30, 76}, "Files are in src/. LayerNorm itself: layers/layer_norm.cpp.", "muted");
  draw_text(svg, {30, 98}, "Lines around a sub-layer: its input is added to its output.", "muted");
  return svg;
}

}  // namespace attn::walkthrough
