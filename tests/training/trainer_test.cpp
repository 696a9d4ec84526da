#include "training/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "support/compare.h"
#include "support/model_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// Batch number i: sentences of lengths and ids that depend on i.
Batch numbered_batch(std::uint64_t i) {
  const RandomStream random{9, i};
  Batch batch;
  for (std::uint64_t b = 0; b < 3; ++b) {
    std::vector<int> source, target{1};
    const std::uint64_t length = 1 + random.below(b, 6);
    for (std::uint64_t t = 0; t < length; ++t) {
      source.push_back(3 + static_cast<int>(random.below(10 * b + t + 20, 8)));
    }
    target.insert(target.end(), source.begin(), source.end());
    source.push_back(2);
    target.push_back(2);
    batch.append(source, target);
  }
  return batch;
}

TrainingSettings quick_settings() {
  TrainingSettings settings;
  settings.steps = 6;
  settings.warmup = 4;
  settings.learning_rate_scale = 0.1;
  settings.validate_every = 2;
  return settings;
}

Transformer train_steps(const TransformerConfig& config, const TrainingSettings& settings,
                        int steps) {
  Transformer model = random_model(config);
  Trainer trainer;
  trainer.settings = settings;
  for (int i = 0; i < steps; ++i) trainer.take_step(model, numbered_batch);
  return model;
}

// Training as a story: the number of each step, v for a validation, s for a save, C for one that
// keeps a checkpoint.
TrainingEvents told_in(std::string& story) {
  TrainingEvents events;
  events.step = [&](const StepReport& report) { story += std::to_string(report.step); };
  events.validation = [&](Index, const Validation&) { story += "v"; };
  events.save = [&](bool checkpoint) { story += checkpoint ? "C" : "s"; };
  return events;
}

}  // namespace

TEST_SUITE("5.3 optimizer") {
  TEST_CASE(
      "two unequal batches accumulated are one batch: divided by all their tokens, one tick") {
    TransformerConfig config = small_config();
    config.label_smoothing = 0.1;
    const auto joined = [](std::uint64_t i) {
      Batch batch;
      for (const std::uint64_t part : {2 * i, 2 * i + 1}) {
        const Batch one = numbered_batch(part);
        for (std::size_t b = 0; b < 3; ++b) {
          std::vector<int> target = sentence(one.target_input, b);
          target.push_back(2);
          batch.append(sentence(one.source, b), target);
        }
      }
      return batch;
    };
    REQUIRE(numbered_batch(0).target_output.size() != numbered_batch(1).target_output.size());
    Transformer together = random_model(config), apart = random_model(config);
    Trainer one, two;
    one.settings = two.settings = quick_settings();
    two.settings.accumulate = 2;
    for (int step = 0; step < 3; ++step) {
      const StepReport a = one.take_step(together, joined);
      const StepReport b = two.take_step(apart, numbered_batch);
      CHECK(a.rate == b.rate);
      CHECK(a.sums.tokens == b.sums.tokens);
      CHECK(b.step == step + 1);
      // Before the first update the gradients themselves can be compared.
      if (step > 0) continue;
      apart.visit_parameters([&](const std::string& name, Parameter& p) {
        if (name.find("key.bias") != std::string::npos) return;
        together.visit_parameters([&](const std::string& other, Parameter& q) {
          CAPTURE(name);
          if (other == name) {
            CHECK(relative_error(p.gradient, q.gradient) <= (sizeof(Real) == 4 ? 1e-5 : 1e-13));
          }
        });
      });
    }
    CHECK(two.next_batch == 6);
    CHECK(two.step == 3);
  }

  TEST_CASE("one and two threads train to the same weights, bit by bit, with dropout") {
    const TransformerConfig config = with_dropout(small_config());
    set_threads(1);
    Transformer alone = train_steps(config, quick_settings(), 5);
    set_threads(2);
    Transformer shared = train_steps(config, quick_settings(), 5);
    check_same_weights(alone, shared);
  }

  TEST_CASE("a step longer than the clip is shortened to it, its direction kept") {
    TrainingSettings settings = quick_settings();
    Transformer model = random_model(small_config());
    Trainer free;
    free.settings = settings;
    free.settings.clip = 1e6;
    const double norm = free.take_step(model, numbered_batch).gradient_norm;
    double squares = 0;
    model.visit_parameters([&](const std::string&, Parameter& p) {
      for (Index i = 0; i < p.gradient.elements(); ++i) {
        squares += static_cast<double>(p.gradient[i]) * static_cast<double>(p.gradient[i]);
      }
    });
    CHECK(norm == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
    Transformer clipped_model = random_model(small_config());
    Trainer clipped;
    clipped.settings = settings;
    clipped.settings.clip = norm / 8;
    CHECK(clipped.take_step(clipped_model, numbered_batch).gradient_norm == norm);
    for (const auto& [name, moments] : free.adam.moments) {
      Tensor eighth = moments.m;
      for (Index i = 0; i < eighth.elements(); ++i) eighth[i] /= 8;
      CHECK(relative_error(clipped.adam.moments.at(name).m, eighth) <= 1e-6);
    }
  }

  TEST_CASE("the mean of the weights is the one that its definition gives") {
    Transformer model = random_model(small_config());
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.settings.averaging = 0.2;
    std::map<std::string, std::vector<double>> expected;
    for (int step = 1; step <= 4; ++step) {
      trainer.take_step(model, numbered_batch);
      const double kept = std::min(0.2, step / (step + 10.0));
      model.visit_parameters([&](const std::string& name, Parameter& p) {
        std::vector<double>& mean = expected[name];
        if (step == 1) mean.assign(p.value.data(), p.value.data() + p.value.elements());
        for (std::size_t i = 0; i < mean.size(); ++i) {
          mean[i] = kept * mean[i] + (1 - kept) * static_cast<double>(p.value.data()[i]);
        }
      });
    }
    const auto weights = weights_by_name(model);
    exchange_mean(model, trainer);
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      CAPTURE(name);
      CHECK(relative_error(p.value.elements(), p.value.data(), expected[name].data()) <= 1e-6);
      CHECK(same(trainer.mean.at(name), weights.at(name)));
    });
  }

  TEST_CASE("every batch that is read has dropout masks of its own, accumulated or not") {
    const auto one_batch = [](std::uint64_t) { return small_batch(); };
    TrainingSettings settings = quick_settings();
    settings.learning_rate_scale = 1e-12;  // so that only the masks differ
    Transformer model = random_model(with_dropout(small_config()));
    Trainer apart, together;
    apart.settings = together.settings = settings;
    together.settings.accumulate = 2;
    const double first = apart.take_step(model, one_batch).sums.loss;
    const double second = apart.take_step(model, one_batch).sums.loss;
    CHECK(std::abs(first - second) > 1e-3);
    CHECK(together.take_step(model, one_batch).sums.loss ==
          doctest::Approx(first + second).epsilon(1e-6));
  }

  TEST_CASE("the mean of the weights is what is validated, and training goes on without it") {
    const ValidationSet validation{{small_batch()}, {}, {}};
    Transformer model = random_model(small_config()), undisturbed = random_model(small_config());
    Trainer trainer, other;
    trainer.settings = quick_settings();
    trainer.settings.averaging = 0.9;
    other.settings = trainer.settings;
    double validated = 0;
    TrainingEvents events;
    events.validation = [&](Index, const Validation& found) { validated = found.sums.loss; };
    train(model, trainer, numbered_batch, validation, events);
    train(undisturbed, other, numbered_batch, {}, {});
    check_same_weights(model, undisturbed);
    exchange_mean(model, trainer);
    CHECK(evaluate(model, validation.batches).loss == validated);
    exchange_mean(model, trainer);
    CHECK(evaluate(model, validation.batches).loss != validated);
  }

  TEST_CASE(
      "a validation that is interrupted ends the training at once, and is made up for later") {
    const Vocabulary words({"a", "b", "c", "d", "e", "f", "g", "h"});
    const ValidationSet validation{{small_batch(), small_batch()}, {{"a b", "b a"}}, words};
    Transformer whole = random_model(small_config()), parts = random_model(small_config());
    Trainer one, other;
    one.settings = quick_settings();
    one.settings.averaging = 0.9;
    other.settings = one.settings;
    CHECK(train(whole, one, numbered_batch, validation, {}) == TrainingEnd::steps);

    // However far the validation has come.
    std::string story;
    TrainingEvents events = told_in(story);
    int asked = 0, patience = 1;
    events.interrupt = [&] { return ++asked > patience; };
    int stops = 0;
    for (; train(parts, other, numbered_batch, validation, events) == TrainingEnd::stopped;
         ++stops) {
      CHECK(asked == patience + 1);  // nothing was computed after that
      CHECK(story.back() == 's');
      asked = 0;
      patience += 7;
    }
    CHECK(stops > 5);
    CHECK(other.step == 6);
    CHECK(std::count(story.begin(), story.end(), 'v') == 3);
    CHECK(other.best.step == one.best.step);
    CHECK(other.best.perplexity == one.best.perplexity);
    CHECK(other.best.since == one.best.since);
    check_same_weights(whole, parts);
  }

  TEST_CASE("an exception during validation leaves weights and mean where they belong") {
    Transformer model = random_model(small_config()), undisturbed = random_model(small_config());
    Trainer trainer, other;
    trainer.settings = quick_settings();
    trainer.settings.averaging = 0.9;
    other.settings = trainer.settings;
    ValidationSet unknown_word{{small_batch()}, {}, {}};
    unknown_word.batches[0].source.ids[0] = 11;
    CHECK_THROWS_AS(train(model, trainer, numbered_batch, unknown_word, {}), Error);
    REQUIRE(trainer.step == 2);
    for (int i = 0; i < 2; ++i) other.take_step(undisturbed, numbered_batch);
    check_same_weights(model, undisturbed);
    for (const auto& [name, mean] : other.mean) CHECK(same(trainer.mean.at(name), mean));
  }

  TEST_CASE("a step refuses batches without sentences, sources without <eos> and fresh memory") {
    Transformer model = random_model(small_config());
    const auto before = weights_by_name(model);
    Trainer trainer;
    trainer.settings = quick_settings();
    const auto step_with = [&](const Batch& batch) {
      trainer.take_step(model, [&](std::uint64_t) { return batch; });
    };
    CHECK_THROWS_WITH_AS(step_with({}), "a batch to train on has no sentences", Error);
    Batch batch = small_batch();
    batch.append({4, 5}, {1, 4, 2});
    CHECK_THROWS_WITH_AS(
        step_with(batch),
        "source sentence 3 of a batch to train on does not end in <eos>, id 2: add it", Error);
    batch = small_batch();
    batch.append({}, {1, 4, 2});
    CHECK_THROWS_AS(step_with(batch), Error);
    batch = small_batch();
    batch.source.offsets.back() = 1000000;
    CHECK_THROWS_AS(step_with(batch), Error);
    CHECK(trainer.step == 0);
    check_weights(model, before);

    Transformer uninitialised(small_config());
    CHECK_THROWS_WITH_AS(trainer.take_step(uninitialised, numbered_batch),
                         doctest::Contains("call initialise_parameters"), Error);
    initialise_parameters(uninitialised, 1);
    CHECK(trainer.take_step(uninitialised, numbered_batch).step == 1);
  }

  TEST_CASE("a step of many batches holds one of them at a time") {
    std::vector<std::uint64_t> made;
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.settings.accumulate = 3;
    trainer.next_batch = 5;
    Transformer model = random_model(small_config());
    const auto source = [&](std::uint64_t index) {
      made.push_back(index);
      return numbered_batch(index);
    };
    trainer.take_step(model, source);
    // Counted from the last to the first, which stays; the other two are made again.
    CHECK(made == std::vector<std::uint64_t>{7, 6, 5, 6, 7});
    made.clear();
    trainer.settings.accumulate = 1;
    trainer.take_step(model, source);
    CHECK(made == std::vector<std::uint64_t>{8});
  }

  TEST_CASE(
      "a step that is stopped between two batches has not happened, and is taken again whole") {
    const TransformerConfig config = with_dropout(small_config());
    TrainingSettings settings = quick_settings();
    settings.accumulate = 3;
    Transformer undisturbed = train_steps(config, settings, 2);
    // Two questions while counting, two between the passes.
    for (int questions = 1; questions <= 4; ++questions) {
      CAPTURE(questions);
      Transformer model = random_model(config);
      Trainer trainer;
      trainer.settings = settings;
      trainer.take_step(model, numbered_batch);
      const auto before = weights_by_name(model);
      int left = questions;
      CHECK(trainer.take_step(model, numbered_batch, nullptr, [&] { return --left == 0; }).step ==
            0);
      CHECK(left == 0);
      CHECK(trainer.step == 1);
      CHECK(trainer.next_batch == 3);
      check_weights(model, before);
      trainer.take_step(model, numbered_batch);
      check_same_weights(model, undisturbed);
    }
  }

  TEST_CASE("training that is stopped within a step ends before it, and saves") {
    Transformer model = random_model(small_config());
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.settings.accumulate = 2;
    trainer.settings.validate_every = 1;
    std::string story;
    int questions = 0;
    TrainingEvents events = told_in(story);
    events.stop = [&] { return ++questions == 5; };  // three per step
    CHECK(train(model, trainer, numbered_batch, {{small_batch()}, {}, {}}, events) ==
          TrainingEnd::stopped);
    CHECK(story == "1vss");
  }

  TEST_CASE("two minutes after the last save there is another, unless saving takes too long") {
    for (const double saving : {0, 10}) {
      CAPTURE(saving);
      Transformer model = random_model(small_config());
      Trainer trainer;
      trainer.settings = quick_settings();
      trainer.settings.steps = 13;
      trainer.settings.validate_every = 8;
      std::string story;
      double seconds = 1000;
      TrainingEvents events;
      events.clock = [&] { return seconds; };
      events.step = [&](const StepReport& report) {
        story += std::to_string(report.step) + " ";
        seconds += 50;
      };
      events.save = [&](bool) {
        story += "s ";
        seconds += saving;
      };
      train(model, trainer, numbered_batch, {}, events);
      // 150 ≥ 120 seconds after three steps; with 10 seconds for each save, 200 are needed after
      // it.
      CHECK(story == (saving > 0 ? "1 2 3 s 4 5 6 7 s 8 s 9 10 11 12 s 13 s "
                                 : "1 2 3 s 4 5 6 s 7 8 s 9 10 11 s 12 13 s "));
    }
  }

  TEST_CASE("a loss that is not a number stops training and leaves weights and step alone") {
    Transformer model = random_model(small_config());
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.take_step(model, numbered_batch);
    model.source_embedding.weight.value[3 * 6] = std::numeric_limits<Real>::quiet_NaN();
    model.source_embedding.weight.value[4 * 6] = std::numeric_limits<Real>::infinity();
    const auto before = weights_by_name(model);
    CHECK_THROWS_WITH_AS(trainer.take_step(model, [](std::uint64_t) { return small_batch(); }),
                         doctest::Contains("not a finite number at step 2"), Error);
    CHECK(trainer.step == 1);
    model.visit_parameters(
        [&](const std::string& name, Parameter& p) { CHECK(same_bits(p.value, before.at(name))); });
  }

  TEST_CASE("training validates and saves when it should, and ends when the task is solved") {
    Transformer model = random_model(small_config());
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.settings.steps = 5;
    trainer.settings.save_every = 3;
    std::string story;
    TrainingEvents events = told_in(story);
    const ValidationSet validation{{small_batch()}, {}, {}};
    trainer.solved = 1;  // as if the last validation had been without a mistake
    CHECK(train(model, trainer, numbered_batch, validation, events) == TrainingEnd::steps);
    CHECK(story == "12vs3C4vs5vs");
    CHECK(trainer.solved == 0);

    // Nothing is left to do.
    story.clear();
    CHECK(train(model, trainer, numbered_batch, validation, events) == TrainingEnd::steps);
    CHECK(story.empty());

    // Stopped between validations; and at the last step, which leaves nothing to go on with.
    int steps_until_stop = 1;
    events.stop = [&] { return --steps_until_stop == 0; };
    trainer.settings.steps = 7;
    CHECK(train(model, trainer, numbered_batch, validation, events) == TrainingEnd::stopped);
    CHECK(trainer.step == 6);
    steps_until_stop = 1;
    CHECK(train(model, trainer, numbered_batch, validation, events) == TrainingEnd::steps);
    CHECK(story == "6vC7vs");
    events.stop = nullptr;
    story.clear();

    // A validation set that the model cannot get wrong: what it predicts itself.
    Batch own = small_batch();
    const Tensor logits = model.logits(own);
    for (Index t = 0; t < logits.rows(); ++t) {
      Index best = 0;
      for (Index v = 1; v < logits.cols(); ++v) {
        if (logits(t, v) > logits(t, best)) best = v;
      }
      own.target_output[static_cast<std::size_t>(t)] = static_cast<int>(best);
    }
    trainer.settings.steps = 1000;
    trainer.settings.learning_rate_scale = 1e-9;  // so that it stays so
    trainer.settings.save_every = 0;
    // Of the fresh batches, the third is wrong at first, which is found at step 8.
    ValidationSet flawless{{own}, {}, {}, {}, 0};
    int wrong = 1, asked = 0;
    flawless.fresh = [&](std::uint64_t index) {
      ++asked;
      return index == 2 && wrong-- > 0 ? small_batch() : own;
    };
    const Index sentences = own.target_input.sentences();
    trainer.settings.solved_after = 2 * sentences + 1;
    flawless.most_fresh = trainer.settings.solved_after;
    CHECK(train(model, trainer, numbered_batch, flawless, events) == TrainingEnd::solved);
    CHECK(story == "8vs910vs");
    CHECK(asked == 6);
    CHECK(trainer.solved == 3 * sentences);
  }

  TEST_CASE("the best validation is kept, and after as many without a gain as asked for it ends") {
    Transformer model = random_model(small_config());
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.settings.steps = 20;
    std::vector<std::pair<double, Index>> found;
    TrainingEvents events;
    events.validation = [&](Index step, const Validation& validation) {
      found.emplace_back(validation.sums.perplexity(), step);
    };
    const ValidationSet validation{{small_batch()}, {}, {}};
    CHECK(train(model, trainer, numbered_batch, validation, events) == TrainingEnd::steps);
    REQUIRE(found.size() == 10);
    const auto best = *std::min_element(found.begin(), found.end());
    CHECK(trainer.best.perplexity == best.first);
    CHECK(trainer.best.step == best.second);
    CHECK(trainer.best.since == (20 - best.second) / 2);
    // Its weights, with dropout off, have that perplexity.
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      std::swap(p.value, trainer.best.weights.at(name));
    });
    CHECK(evaluate(model, validation.batches).perplexity() == best.first);

    // When the last weights are to be kept, only the numbers are.
    Transformer same = random_model(small_config());
    Trainer last;
    last.settings = quick_settings();
    last.settings.steps = 20;
    last.settings.keep_last = true;
    CHECK(train(same, last, numbered_batch, validation, {}) == TrainingEnd::steps);
    CHECK(last.best.perplexity == best.first);
    CHECK(last.best.step == best.second);
    CHECK(last.best.since == trainer.best.since);
    CHECK(last.best.weights.empty());

    // The last step's validation is no regular one: a run that goes on never had it.
    trainer.best = {1000, 18, 0, {}};
    trainer.settings.steps = 21;
    CHECK(train(model, trainer, numbered_batch, validation, {}) == TrainingEnd::steps);
    CHECK(trainer.best.step == 18);
    CHECK(trainer.best.since == 0);

    // Nothing is better than a perplexity of 1.
    trainer.best.perplexity = 1;
    trainer.settings.patience = 2;
    trainer.settings.steps = 100;
    CHECK(train(model, trainer, numbered_batch, validation, {}) == TrainingEnd::no_gain);
    CHECK(trainer.step == 24);
    CHECK(train(model, trainer, numbered_batch, validation, {}) == TrainingEnd::no_gain);
    CHECK(trainer.step == 24);
  }
}
