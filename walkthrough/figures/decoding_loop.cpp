// Chapter 3: how a sentence is written, pass by pass, with the trained model of data/phrasebook.
#include "decoding/next_token.h"
#include "examples/load_transformer.h"
#include "figures.h"
#include "layers/softmax.h"
#include "text/vocabulary.h"

namespace attn::walkthrough {

namespace {

constexpr double kTop = 142, kRow = 74, kBox = 64, kPitch = 70, kHeight = 32;
constexpr double kLeft = 20, kDecoder = 392, kGuess = 500, kWritten = 770;

Rect read_box(std::size_t t, std::size_t j) {
  return {kLeft + kPitch * static_cast<double>(j), kTop + kRow * static_cast<double>(t), kBox,
          kHeight};
}

// The most probable tokens of a row of probabilities: two, if the second has a hundredth.
void draw_guesses(Svg& svg, double y, const Tensor& p, const Tokenizer& tokenizer) {
  const std::vector<int> best = top_tokens(2, p.cols(), p.row(0));
  const bool alone = p(0, best[1]) < Real(0.01);
  double line = alone ? y + 6 : y - 4;
  for (std::size_t i = 0; i < (alone ? 1 : 2); ++i, line += 20) {
    const double share = static_cast<double>(p(0, best[i]));
    draw_text(svg, {kGuess + 62, line + 15}, tokenizer.token(best[i]), "small end");
    draw_rect(svg, {kGuess + 72, line + 3, 100 * share, 14}, i == 0 ? "area green" : "area muted");
    draw_text(svg, {kGuess + 78 + 100 * share, line + 15}, fixed_number(share, 2), "small");
  }
}

void draw_encoder(Svg& svg, const std::vector<std::string>& source) {
  draw_text(svg, {kLeft, 34}, "once", "bold");
  for (std::size_t j = 0; j < source.size(); ++j) {
    draw_word(svg, {kLeft + kPitch * static_cast<double>(j), 46, kBox, kHeight}, source[j], "blue");
  }
  draw_arrow(svg, {{kLeft + kPitch * 5, 62}, {kDecoder - 2, 62}}, "blue");
  draw_box(svg, {kDecoder, 40, 84, 44}, {"encoder"}, "blue");
  draw_arrow(svg, {{kDecoder + 42, 86}, {kDecoder + 42, kTop - 6}}, "blue");
  draw_text(svg, {kDecoder + 52, 112}, "z", "italic");
  draw_text(svg, {kLeft, 122}, "once per word: reads", "bold");
  draw_text(svg, {kGuess + 20, 122}, "the likeliest", "bold");
  draw_text(svg, {kWritten, 122}, "writes", "bold");
}

}  // namespace

Svg decoding_loop(const std::string& measurements) {
  Svg svg{880, 530, "Writing a sentence, pass by pass",
          "The encoder reads son chat noir dort once and gives z. The decoder runs five times. It "
          "reads <bos>, finds her more probable than his, 0.28 against 0.10, and writes her; it "
          "reads <bos> her and writes black; and so on, until it writes <eos>. An arrow leads from "
          "each written word to what the next pass reads.",
          ""};
  const std::string run = measurements + "/../phrasebook";
  const auto model = load_transformer(run);
  const Tokenizer tokenizer = load_trained_model(run).tokenizer;
  std::vector<int> source = tokenizer.encode("son chat noir dort");
  source.push_back(kEos);
  std::vector<std::string> words;
  for (const int id : source) words.push_back(tokenizer.token(id));
  draw_encoder(svg, words);

  const auto state = model->start_decoding(packed(source));
  std::vector<int> read{kBos};
  for (std::size_t t = 0; read.back() != kEos; ++t) {
    const double y = read_box(t, 0).y;
    for (std::size_t j = 0; j < read.size(); ++j) {
      draw_word(svg, read_box(t, j), tokenizer.token(read[j]),
                j == t && t > 0 ? "green" : "orange");
    }
    const double from = read_box(t, t).right() + 6;
    draw_arrow(svg, {{from, y + 16}, {kDecoder - 2, y + 16}}, "orange");
    draw_box(svg, {kDecoder, y - 4, 84, kHeight + 8}, {"decoder"}, "orange");
    if (t > 0) {
      draw_line(svg, {kDecoder + 42, y - kRow + kHeight + 5}, {kDecoder + 42, y - 5}, "blue thin");
    }
    Tensor p = state->next_logits({read.back()});
    softmax(p, 1, Mask::none);
    draw_guesses(svg, y, p, tokenizer);
    draw_arrow(svg, {{kDecoder + 86, y + 16}, {kGuess + 6, y + 16}}, "green");
    read.push_back(top_tokens(1, p.cols(), p.row(0)).front());
    const Rect written{kWritten, y, 74, kHeight};
    draw_arrow(svg, {{kGuess + 216, y + 16}, {kWritten - 2, y + 16}}, "green");
    draw_word(svg, written, tokenizer.token(read.back()), "green");
    if (read.back() == kEos) continue;
    const Rect next = read_box(t + 1, t + 1);
    const double between = y + kHeight + 24;
    draw_arrow(svg,
               {{written.middle(), written.bottom()},
                {written.middle(), between},
                {next.middle(), between},
                {next.middle(), next.y - 2}},
               "green thin");
  }
  draw_text(
      svg, {kLeft, 506},
      "French son is both his and her. The other probabilities stay near 0.9: training keeps a "
      "tenth for all tokens.",
      "small muted");
  return svg;
}

}  // namespace attn::walkthrough
