#include "training/summary.h"

#include <cmath>

#include "base/format.h"

namespace attn {

std::string model_summary(const SequenceModel& model) {
  const Settings s = model.settings();
  std::string result = text(s.at("architecture"), ", ", s.at("layers"), "+", s.at("layers"),
                            " layers, d_model ", s.at("d_model"));
  if (s.count("heads") > 0) {
    result += text(", ", s.at("heads"), s.at("heads") == "1" ? " head" : " heads");
  }
  if (s.count("attention") > 0) result += text(", attention ", s.at("attention"));
  return text(result, ": ", counted(count_parameters(model), "weight"));
}

std::string steps_summary(const Trainer& trainer, bool validated, double minutes) {
  const TrainingSettings& s = trainer.settings;
  std::string steps = trainer.step > 0 ? text("from step ", trainer.step, " to ") : "";
  steps += text(s.steps, ", batches of ", counted(s.batch_tokens, "token"));
  if (s.accumulate > 1) steps += text(" × ", s.accumulate);
  if (s.solved_after > 0) {
    steps += text(", or until ", s.solved_after, " validations in a row are without a mistake");
  }
  if (validated) {
    steps += text("; validated every ", s.validate_every);
    if (s.patience > 0) {
      steps += text(", until ", counted(s.patience, "validation"), " in a row bring no gain");
    }
  }
  if (minutes > 0) {
    steps += text("; at most ", shortest(minutes), minutes == 1 ? " minute" : " minutes");
  }
  return steps;
}

std::string loss_summary(const SequenceModel& model) {
  const Index V = model.target_vocabulary();
  std::string loss =
      text("guessing among ", V, " tokens gives ", fixed(std::log(static_cast<double>(V)), 2));
  const double epsilon = parse_number<double>(model.settings().at("label_smoothing"), "a number");
  if (epsilon > 0) {
    loss += text("; with label smoothing ", shortest(epsilon), " the least is ",
                 fixed(least_loss(epsilon, V), 2));
  }
  return loss;
}

}  // namespace attn
