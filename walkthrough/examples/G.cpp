// Appendix G: what a training run looks like from outside. Trains the tiny model on copy, as
// `attention train copy` does but for a few hundred steps, and prints what there is to diagnose by:
// the loss and the length of the gradient on the way, then the validation loss, and what greedy
// decoding makes of sequences that the model has never seen.
//
//     example-G [NAME=VALUE]...     a setting of the model or of the training, such as warmup=400;
//                                   batches=N trains on the first N batches over and over;
//                                   blind=1 shows the model empty sources;
//                                   threads=N does not change what is printed
//
// Try it on broken source: apply a patch of break-it/, build, run.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/parallel.h"
#include "base/settings.h"
#include "decoding/greedy.h"
#include "model/transformer.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "training/trainer.h"

using namespace attn;

namespace {

constexpr int kSentences = 200;  // that are decoded

struct Plan {
  TransformerConfig config = preset("tiny");
  TrainingSettings training;
  std::uint64_t repeated = 0;  // batches; 0: always new ones
  bool blind = false;
};

Plan plan_of(int argc, char** argv, const Task& task) {
  Plan plan;
  plan.config.source_vocabulary = plan.config.target_vocabulary = task.tokenizer.size();
  plan.config.dropout = 0;
  plan.training.steps = 300;
  plan.training.batch_tokens = 512;
  plan.training.warmup = 50;
  plan.training.learning_rate_scale = 0.35;
  plan.training.clip = 1;
  set_threads(1);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    ATTN_CHECK(equals != std::string::npos, "expected NAME=VALUE, not ", argument);
    const std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    const Settings training = to_settings(plan.training);
    if (name == "batches") {
      plan.repeated = parse_number<std::uint64_t>(value, "a whole number");
    } else if (name == "blind") {
      plan.blind = value == "1";
    } else if (name == "threads") {
      set_threads(parse_number<int>(value, "a whole number"));
    } else if (training.count(name) == 1) {
      set(plan.training, name, value);
    } else {
      set(plan.config, name, value);
    }
  }
  check(plan.config);
  check(plan.training);
  return plan;
}

// What a batch says without its sources: each is the end of an empty sentence.
void blind(Batch& batch) {
  const Index sentences = batch.source.sentences();
  batch.source = {};
  for (Index i = 0; i < sentences; ++i) batch.source.append({kEos});
}

// A model that does not know where to end goes on for fifty letters; twelve will do.
std::string beginning(const std::string& letters) {
  constexpr std::size_t kLongest = 2 * 12 - 1;
  return letters.size() <= kLongest ? letters : letters.substr(0, kLongest) + " ...";
}

bool is_printed(Index step) {
  return step == 1 || step == 10 || step == 20 || step == 50 || step % 100 == 0;
}

void run(int argc, char** argv) {
  const Task task = find_task("copy");
  const Plan plan = plan_of(argc, argv, task);
  Transformer model(plan.config);
  initialise_parameters(model, plan.training.seed);
  const auto batches = [&](std::uint64_t index) {
    const std::uint64_t which = plan.repeated > 0 ? index % plan.repeated : index;
    Batch batch = task_batch(task, plan.training.seed, which, plan.training.batch_tokens);
    if (plan.blind) blind(batch);
    return batch;
  };

  // The loss and the gradient of a step are those before its update.
  Trainer trainer;
  trainer.settings = plan.training;
  double first_loss = 0;
  std::printf("step      loss  gradient\n");
  while (trainer.step < plan.training.steps) {
    const StepReport report = trainer.take_step(model, batches);
    if (report.step == 1) first_loss = report.sums.mean_loss();
    if (!is_printed(report.step)) continue;
    std::printf("%4td  %8.4f  %8.3f\n", report.step, report.sums.mean_loss(), report.gradient_norm);
  }

  std::printf("first_loss = %.4f\n", first_loss);

  const Corpus unseen = encode_corpus(task.validation_set(), task.tokenizer);
  std::vector<Batch> validation = batches_in_order(unseen.pairs, 512);
  if (plan.blind) std::for_each(validation.begin(), validation.end(), blind);
  const LossSums sums = evaluate(model, validation);
  std::printf("validation_loss = %.4f\nvalidation_accuracy = %.1f\n", sums.mean_loss(),
              100 * sums.accuracy());

  PackedIds source;
  for (std::size_t i = 0; i < kSentences; ++i) {
    source.append(plan.blind ? std::vector<int>{kEos} : unseen.pairs[i].source);
  }
  const std::vector<std::vector<int>> outputs = decode_greedily(model, source);
  int right = 0;
  const auto input = [&](std::size_t i) {
    const std::vector<int>& ids = unseen.pairs[i].source;
    return std::vector<int>(ids.begin(), ids.end() - 1);
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) right += outputs[i] == input(i);
  std::printf("copied_exactly = %.1f\n", 100.0 * right / kSentences);
  for (const std::size_t i : {1u, 3u, 7u}) {
    std::printf("  %s -> %s\n", task.tokenizer.decode(input(i)).c_str(),
                beginning(task.tokenizer.decode(outputs[i])).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
  return 0;
}
