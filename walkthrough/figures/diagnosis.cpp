// Appendix G: from what one sees to where to look, and the loss curves of the mistakes.
#include "figures.h"
#include "layers/cross_entropy.h"
#include "table.h"

namespace attn::walkthrough {

Svg diagnosis_tree() {
  Svg svg{
      880, 676, "Where to look if it does not learn",
      "Eleven questions from top to bottom. At the first that is answered with yes, an arrow to "
      "the right leads to the numbered section and to its first suspects; no leads down to the "
      "next question, and after the last one to the tests.",
      ""};
  const struct {
    const char *question, *section, *suspects;
  } steps[] = {
      {"an error, or NaN?", "1", "steps from 0; an empty softmax row"},
      {"first loss far from ln V + ½?", "2", "scale of the embeddings; a missing norm"},
      {"does the loss rise?", "3", "a sign; a scale; the rate"},
      {"does it stay near ln V?", "4", "the rate; warm-up; a gradient; the data"},
      {"does it fall too fast, or below its floor?", "5", "the shift; the mask; the loss itself"},
      {"losses good, outputs bad?", "6", "cached decoding; <eos>; dropout left on"},
      {"training good, validation bad?", "7", "too little data; code that disagrees"},
      {"does it learn, but slowly?", "8", "the rate; a missing part of a gradient"},
      {"a little worse, perhaps?", "9", "only tests will tell"},
      {"do two equal runs differ?", "10", "a generator with state; the order of sums"},
      {"fluent, but about something else?", "11", "words that became alike in the encoder"},
  };
  constexpr double kTop = 20, kPitch = 55, kHeight = 36;
  double y = kTop;
  for (const auto& step : steps) {
    const Rect question{20, y, 330, kHeight}, answer{440, y, 420, kHeight};
    draw_rect(svg, question, "box blue", 6);
    draw_text(svg, {question.middle(), question.centre() + 5}, step.question, "middle");
    draw_arrow(svg, {{question.right() + 2, question.centre()}, {answer.x - 4, answer.centre()}},
               "muted");
    draw_text(svg, {(question.right() + answer.x) / 2 - 4, question.centre() - 7}, "yes",
              "small middle");
    draw_rect(svg, answer, "box orange", 6);
    draw_text(svg, {answer.x + 16, answer.centre() + 5}, step.section, "bold orange");
    draw_text(svg, {answer.x + 50, answer.centre() + 5}, step.suspects);
    draw_arrow(svg,
               {{question.middle(), question.bottom() + 1}, {question.middle(), y + kPitch - 2}},
               "muted");
    draw_text(svg, {question.middle() + 12, y + kHeight + 14}, "no", "small");
    y += kPitch;
  }
  draw_box(svg, {20, y, 330, kHeight}, {"run the tests; train on one batch"}, "green");
  return svg;
}

namespace {

constexpr int kMeasuredSteps[] = {1, 10, 20, 50, 100, 200, 300};

std::vector<Point> losses_of(const Table& table, const std::string& name) {
  std::vector<Point> result;
  const auto row = table.where("case", name).rows.front();
  for (const int step : kMeasuredSteps) {
    result.push_back({static_cast<double>(step), number_in(row, text("loss_", step))});
  }
  return result;
}

// One section's panel: health, and its mistakes.
void draw_panel(Svg& svg, const Table& table, const Axes& axes, const std::string& title,
                const std::vector<const char*>& mistakes) {
  AxesText words{ticks({0, 100, 200, 300}), ticks({0, 1, 2, 3, 4, 5}), "step", "loss"};
  if (axes.y.logarithmic) words.y = ticks({1, 10, 100});
  draw_axes(svg, axes, words);
  const Rect area = axes.area();
  draw_text(svg, {area.x - 26, area.y - 36}, title, "bold");
  const double floor = least_loss(0.1, 29);
  draw_line(svg, axes(0, floor), axes(300, floor), "muted thin fine");
  for (const char* name : mistakes) {
    draw_curve(svg, axes, losses_of(table, name), "orange thin");
  }
  draw_curve(svg, axes, losses_of(table, "healthy"), "blue thick");
}

}  // namespace

Svg diagnosis_curves(const std::string& measurements) {
  Svg svg{880, 636, "Loss curves of the mistakes in appendix G, by section",
          "Six charts of the training loss over 300 steps, each with the healthy run, which falls "
          "from 4 to below 1. Section 2: mistakes that begin too high, or too low. Section 3: "
          "losses that rise, up to two hundred, and one that rises in a spike. Section 4: losses "
          "that stay above 3. Section 5: two that are at the floor within fifty steps, and one "
          "that looks healthy for a hundred and is there at two hundred. Section 8: losses that "
          "fall more slowly. Section 9: losses that end near the healthy one's.",
          ""};
  const Table table = read_table(measurements, "diagnosis");
  const struct {
    const char* title;
    bool logarithmic;
    std::vector<const char*> mistakes;
  } panels[] = {
      {"2. wrong first loss", true, {"embedding_deviation_1", "norm_before", "nothing_shifted"}},
      {"3. rises",
       true,
       {"adam_climbs", "loss_sign", "target_not_divided", "gradients_not_zeroed",
        "rate_times_100_no_clip"}},
      {"4. stays near ln V",
       false,
       {"rate_times_10", "no_warmup", "warmup_4000", "no_softmax_row_sum", "no_dropout_in_backward",
        "no_residual", "no_residual_gradient", "mask_after_softmax"}},
      {"5. falls too fast", false, {"nothing_shifted", "labels_not_shifted", "no_causal_mask"}},
      {"8. slow",
       false,
       {"rate_by_10", "no_embedding_scale", "no_norm_variance_gradient", "no_value_gradient",
        "values_from_keys", "adam_forgets", "no_positions"}},
      {"9. a little worse, or not",
       false,
       {"no_attention_scale", "adam_no_second_correction", "no_embedding_scale_backward",
        "no_smoothing_in_gradient", "no_relu", "all_weights_alike"}},
  };
  int i = 0;
  for (const auto& panel : panels) {
    const int row = i / 3;
    const double x = 56 + 285 * (i % 3), y = 70 + 284 * row;
    ++i;
    Axes axes = make_axes({x, y, 230, 176}, 0, 300, panel.logarithmic ? 0.4 : 0,
                          panel.logarithmic ? 600 : 5);
    axes.y.logarithmic = panel.logarithmic;
    draw_panel(svg, table, axes, panel.title, panel.mistakes);
  }
  draw_sample(svg, {56, 616}, 28, "blue thick", "healthy");
  draw_sample(svg, {170, 616}, 28, "orange thin", "one mistake each");
  draw_sample(svg, {340, 616}, 28, "muted thin fine", "the least loss there is");
  draw_text(svg, {540, 621}, "loss of the batch; 2 and 3 have logarithmic axes", "small muted");
  return svg;
}

}  // namespace attn::walkthrough
