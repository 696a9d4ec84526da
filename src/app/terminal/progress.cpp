// The line is a list of fields, the most important first.
#include "app/terminal/progress.h"

#include <algorithm>

#include "app/terminal/printing.h"

namespace attn {

// "35.1k"
static std::string thousands(double number) {
  if (number < 1000) return fixed(number, 0);
  if (number < 1e6) return fixed(number / 1e3, number < 1e5 ? 1 : 0) + "k";
  return fixed(number / 1e6, 1) + "M";
}

static std::string perplexity_text(double perplexity) {
  return perplexity < 1e6 ? fixed(perplexity, 3) : "above a million";
}

static std::string bar(double part, std::size_t width) {
  const double full = part * static_cast<double>(width);
  std::string result;
  for (double i = 1; i <= static_cast<double>(width); ++i) result += i <= full ? "━" : "─";
  return result;
}

std::string progress_line(const ProgressState& s, std::size_t columns) {
  const std::string fields[] = {
      text(s.by_time ? "step " : "", s.step, s.by_time ? "" : text("/", s.steps)),
      text(clock_time(s.seconds), ", ", s.at_most ? "≤" : "", clock_time(s.seconds_left), " left"),
      "loss " + fixed(s.loss, 4),
      share_text(s.accuracy) + " right",
      thousands(s.tokens_per_second) + " tokens/s",
  };
  std::string line;
  for (const std::string& field : fields) {
    const std::string longer = line + (line.empty() ? "" : "  ") + field;
    if (display_width(longer) > columns) break;
    line = longer;
  }
  constexpr std::size_t kLeastBar = 6;
  const std::size_t used = display_width(line) + 2;
  if (columns < used + kLeastBar) return line;
  const double part = s.by_time ? s.seconds / (s.seconds + s.seconds_left)
                                : to_double(s.step) / to_double(std::max<Index>(s.steps, 1));
  return bar(part, columns - used) + "  " + line;
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
  // Work between the steps, validation and saving, is assumed to continue as before.
  const double done = to_double(report.step - first_step_);
  state_.seconds = seconds();
  state_.seconds_left = state_.seconds / done * to_double(state_.steps - report.step);
  const double budget_left = std::max(0.0, 60 * minutes_ - state_.seconds);
  state_.by_time = minutes_ > 0 && budget_left < state_.seconds_left;
  if (state_.by_time) state_.seconds_left = budget_left;
  if (style_ == Style::lines && now_() >= said_ + 30) milestone(report.step, nullptr);
  if (line_.is_due()) line_.draw(progress_line(state_, StatusLine::columns()));
}

void Progress::milestone(Index step, const Validation* validation) {
  const bool nothing = style_ == Style::bar && validation == nullptr;
  const bool trained = target_tokens_ > 0;
  if (style_ == Style::silent || nothing || (!trained && validation == nullptr)) return;
  clear();
  said_ = now_();
  std::string line = text("step ", step);
  line += state_.by_time ? text(", ", clock_time(seconds()), " of ", clock_time(60 * minutes_))
                         : text("/", state_.steps);
  if (trained) line += "  loss " + fixed(state_.loss, 4);
  if (validation != nullptr) {
    const LossSums& sums = validation->sums;
    line +=
        text("  validation: loss ", fixed(sums.mean_loss(), 4), ", perplexity ",
             perplexity_text(sums.perplexity()), ", accuracy ", percent(sums.correct, sums.tokens));
    if (validation->bleu) line += ", BLEU " + fixed(*validation->bleu, 1);
  }
  if (trained) line += "  " + thousands(state_.tokens_per_second) + " tokens/s";
  say(line);
}

}  // namespace attn
