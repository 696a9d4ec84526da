// The line is a list of fields; those that matter least go first where the terminal is narrow.
#include "app/terminal/progress.h"

#include <algorithm>
#include <utility>

#include "app/drawing/terminal.h"
#include "app/terminal/console.h"
#include "app/terminal/streams.h"
#include "base/check.h"
#include "base/printing.h"

namespace attn {

namespace {

// "35.1k"
std::string thousands(double number) {
  if (number < 1000) return fixed(number, 0);
  if (number < 1e6) return fixed(number / 1e3, number < 1e5 ? 1 : 0) + "k";
  return fixed(number / 1e6, 1) + "M";
}

// Four significant digits at most, and always of the same width below 100.
std::string loss_text(double loss) {
  return fixed(loss, loss < 10 ? 4 : loss < 100 ? 3 : 1);
}

std::string perplexity_text(double perplexity) {
  return perplexity < 1e6 ? fixed(perplexity, 3) : "above a million";
}

std::string bar(double part, std::size_t width, bool colour) {
  const double exact = std::clamp(part, 0.0, 1.0) * static_cast<double>(width);
  const std::size_t full = static_cast<std::size_t>(exact);
  std::string result = colour ? "\x1b[36m" : "";
  for (std::size_t i = 0; i < full; ++i) result += "━";
  if (colour) result += "\x1b[90m";
  for (std::size_t i = full; i < width; ++i) result += "─";
  if (colour) result += "\x1b[0m";
  return result;
}

}  // namespace

std::string progress_line(const ProgressState& s, std::size_t columns, bool colour) {
  struct Field {
    std::string text;
    int importance;  // fields of a lower one go first
  };
  constexpr std::size_t kGap = 2, kLeastBar = 6, kWide = 100, kCurve = 16;
  constexpr int kBar = 2;  // the importance of the bar, which gets what is left over
  const std::string left = columns < 60 ? "" : " left";
  std::vector<Field> fields{
      {"", kBar},
      {text(s.step, "/", s.steps), 5},
      {"loss " + loss_text(s.loss), 3},
      {"accuracy " + share_text(s.accuracy), 1},
      {thousands(s.tokens_per_second) + " tokens/s", 0},
      {(s.at_most ? "≤" : "") + clock_time(s.seconds_left) + left, 4},
  };
  if (columns >= kWide && s.losses.size() > 1) {
    fields.insert(fields.begin() + 1, {sparkline(s.losses, kCurve), 0});
  }

  const auto width = [&] {
    std::size_t sum = 0;
    for (const Field& field : fields) {
      sum += kGap + (field.importance == kBar ? kLeastBar : display_width(field.text));
    }
    return sum - kGap;
  };
  for (int importance = 0; importance < 5 && width() > columns; ++importance) {
    fields.erase(std::remove_if(fields.begin(), fields.end(),
                                [&](const Field& f) { return f.importance == importance; }),
                 fields.end());
  }

  const double part = to_double(s.step) / to_double(std::max<Index>(s.steps, 1));
  std::string line;
  for (const Field& field : fields) {
    if (!line.empty()) line += std::string(kGap, ' ');
    const bool is_bar = field.importance == kBar;
    line += is_bar ? bar(part, kLeastBar + columns - width(), colour) : field.text;
  }
  return line;
}

Progress::Style Progress::style_for(bool quiet) {
  if (quiet) return Style::silent;
  return can_redraw() ? Style::bar : Style::lines;
}

Progress::Progress(Style style, const TrainingSettings& settings, Index first_step, double minutes,
                   std::function<double()> clock)
    : style_(style),
      line_(style == Style::bar),
      first_step_(first_step),
      minutes_(minutes),
      now_(std::move(clock)),
      start_(now_()),
      said_(start_) {
  state_.steps = settings.steps;
  state_.at_most = settings.solved_after > 0 || settings.patience > 0;
}

double Progress::seconds() const {
  return now_() - start_;
}

void Progress::step(const StepReport& report) {
  constexpr double kKeep = 0.95;
  loss_ = kKeep * loss_ + report.sums.loss;
  correct_ = kKeep * correct_ + to_double(report.sums.correct);
  target_tokens_ = kKeep * target_tokens_ + to_double(report.sums.tokens);
  tokens_ = kKeep * tokens_ + to_double(report.tokens);
  seconds_ = kKeep * seconds_ + report.seconds;
  state_.step = report.step;
  state_.loss = loss_ / target_tokens_;
  state_.accuracy = correct_ / target_tokens_;
  state_.tokens_per_second = tokens_ / seconds_;
  constexpr std::size_t kRecent = 240;
  if (state_.losses.size() == kRecent) state_.losses.erase(state_.losses.begin());
  state_.losses.push_back(report.sums.mean_loss());
  if (style_ == Style::lines && now_() >= said_ + 30) milestone(report.step, nullptr);
  if (!line_.is_due()) return;

  // Work between the steps, validation and saving, is assumed to continue as before.
  const double done = to_double(report.step - first_step_);
  state_.seconds_left = seconds() / done * to_double(state_.steps - report.step);
  if (minutes_ > 0) {
    state_.seconds_left = std::min(state_.seconds_left, std::max(0.0, 60 * minutes_ - seconds()));
  }
  line_.draw(progress_line(state_, StatusLine::columns(), shows_colour(platform::standard_error)));
}

void Progress::milestone(Index step, const Validation* validation) {
  const bool nothing = style_ == Style::bar && validation == nullptr;
  const bool trained = target_tokens_ > 0;
  if (style_ == Style::silent || nothing || (!trained && validation == nullptr)) return;
  clear();
  said_ = now_();
  std::string line = text("step ", step, "/", state_.steps);
  if (trained) line += "  loss " + loss_text(state_.loss);
  if (validation != nullptr) {
    const LossSums& sums = validation->sums;
    line +=
        text("  validation: loss ", loss_text(sums.mean_loss()), ", perplexity ",
             perplexity_text(sums.perplexity()), ", accuracy ", percent(sums.correct, sums.tokens));
    if (validation->bleu) line += ", BLEU " + fixed(*validation->bleu, 1);
  }
  if (trained) line += "  " + thousands(state_.tokens_per_second) + " tokens/s";
  say(line);
}

}  // namespace attn
