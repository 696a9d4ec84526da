#include "training/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "decoding/next_token.h"
#include "support/compare.h"
#include "support/model_check.h"
#include "support/small_models.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

namespace {

// Adds three sentence pairs, of lengths and ids that depend on i.
void append_numbered(std::uint64_t i, Batch& batch) {
  const RandomStream random{9, i};
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
}

Batch numbered_batch(std::uint64_t i) {
  Batch batch;
  append_numbered(i, batch);
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

struct Learner {
  Transformer model;
  Trainer trainer;

  explicit Learner(const TrainingSettings& settings = quick_settings(),
                   const TransformerConfig& config = small_config())
      : model(random_model(config)) {
    trainer.settings = settings;
  }
  StepReport step(const BatchSource& batches = numbered_batch) {
    return trainer.take_step(model, batches);
  }
  TrainingEnd train(const ValidationSet& validation = {}, const TrainingEvents& events = {}) {
    return attn::train(model, trainer, numbered_batch, validation, events);
  }
};

const ValidationSet& one_batch() {
  static const ValidationSet set{{small_batch()}, {}, {}};
  return set;
}

// Training as a story: the number of each step, v for a validation, s for a save, C for one that
// keeps a checkpoint.
TrainingEvents told_in(std::string& story) {
  TrainingEvents events;
  events.step = [&](const StepReport& report) { story += std::to_string(report.step); };
  events.validation = [&](const Validation&) { story += "v"; };
  events.save = [&](bool checkpoint) { story += checkpoint ? "C" : "s"; };
  return events;
}

// Interrupts where it is asked for the nth time.
std::function<void()> interrupting(int& n) {
  return [&] {
    if (--n == 0) throw Interrupted();
  };
}

}  // namespace

TEST_SUITE("5.3 optimizer") {
  TEST_CASE(
      "two unequal batches accumulated are one batch: divided by all their tokens, one tick") {
    TransformerConfig config = small_config();
    config.label_smoothing = 0.1;
    const auto joined = [](std::uint64_t i) {
      Batch batch;
      append_numbered(2 * i, batch);
      append_numbered(2 * i + 1, batch);
      return batch;
    };
    REQUIRE(numbered_batch(0).target_output.size() != numbered_batch(1).target_output.size());
    Learner together(quick_settings(), config), apart(quick_settings(), config);
    apart.trainer.settings.accumulate = 2;
    for (int step = 0; step < 3; ++step) {
      const StepReport a = together.step(joined), b = apart.step();
      CHECK(a.rate == b.rate);
      CHECK(a.sums.tokens == b.sums.tokens);
      CHECK(b.step == step + 1);
      // Before the first update the gradients themselves can be compared.
      if (step > 0) continue;
      apart.model.visit_parameters([&](const std::string& name, Parameter& p) {
        if (name.find("key.bias") != std::string::npos) return;
        together.model.visit_parameters([&](const std::string& other, Parameter& q) {
          CAPTURE(name);
          if (other == name) {
            CHECK(relative_error(p.gradient, q.gradient) <= (sizeof(Real) == 4 ? 1e-5 : 1e-13));
          }
        });
      });
    }
    CHECK(apart.trainer.next_batch == 6);
    CHECK(apart.trainer.step == 3);
  }

  TEST_CASE("a step longer than the clip is shortened to it, its direction kept") {
    Learner free, clipped;
    free.trainer.settings.clip = 1e6;
    const double norm = free.step().gradient_norm;
    const double squares = sum_of_squares(gradients_in(free.model));
    CHECK(norm == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
    clipped.trainer.settings.clip = norm / 8;
    CHECK(clipped.step().gradient_norm == norm);
    for (const auto& [name, moments] : free.trainer.adam.moments) {
      Tensor eighth = moments.m;
      for (Index i = 0; i < eighth.elements(); ++i) eighth[i] /= 8;
      CHECK(relative_error(clipped.trainer.adam.moments.at(name).m, eighth) <= 1e-6);
    }
  }

  TEST_CASE("the mean of the weights is the one that its definition gives") {
    Learner learner;
    Transformer& model = learner.model;
    learner.trainer.settings.averaging = 0.2;
    std::map<std::string, std::vector<double>> expected;
    for (int step = 1; step <= 4; ++step) {
      learner.step();
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
    exchange_mean(model, learner.trainer);
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      CAPTURE(name);
      CHECK(relative_error(p.value.elements(), p.value.data(), expected[name].data()) <= 1e-6);
      CHECK(same(learner.trainer.mean.at(name), weights.at(name)));
    });
  }

  TEST_CASE("every batch that is read has dropout masks of its own, accumulated or not") {
    const auto always = [](std::uint64_t) { return small_batch(); };
    Learner apart(quick_settings(), with_dropout(small_config()));
    apart.trainer.settings.learning_rate_scale = 1e-12;  // so that only the masks differ
    Learner together = apart;
    together.trainer.settings.accumulate = 2;
    const double first = apart.step(always).sums.loss, second = apart.step(always).sums.loss;
    CHECK(std::abs(first - second) > 1e-3);
    CHECK(together.step(always).sums.loss == doctest::Approx(first + second).epsilon(1e-6));
  }

  TEST_CASE("the mean of the weights is what is validated, and training goes on without it") {
    Learner learner, undisturbed;
    learner.trainer.settings.averaging = 0.9;
    undisturbed.trainer.settings.averaging = 0.9;
    double validated = 0;
    TrainingEvents events;
    events.validation = [&](const Validation& found) { validated = found.sums.loss; };
    learner.train(one_batch(), events);
    undisturbed.train();
    check_same_weights(learner.model, undisturbed.model);
    const auto loss = [&] { return evaluate(learner.model, {small_batch()}).loss; };
    CHECK(loss() != validated);
    exchange_mean(learner.model, learner.trainer);
    CHECK(loss() == validated);
  }

  TEST_CASE("without memory for the best weights none are kept, and their validation is due") {
    struct Forgetful final : SequenceModel {
      Transformer model = random_model(small_config());
      bool forgets = false;
      Forgetful() : SequenceModel(facts_of(small_config())) {}
      void visit_parameters(const ParameterVisitor& visitor) override {
        int left = 3;
        model.visit_parameters([&](const std::string& name, Parameter& p) {
          if (forgets && left-- == 0) throw std::bad_alloc();
          visitor(name, p);
        });
      }
      LossSums loss(const Batch& batch, const Pass& pass) const override {
        return model.loss(batch, pass);
      }
      LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) override {
        return model.loss_and_gradients(batch, pass, scale);
      }
      std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override {
        return model.start_decoding(source);
      }
    };
    Forgetful model;
    Trainer trainer;
    trainer.settings = quick_settings();
    trainer.settings.steps = 2;
    CHECK(train(model, trainer, numbered_batch, one_batch(), {}) == TrainingEnd::steps);
    CHECK(trainer.best.step == 2);
    trainer.best.perplexity = 1e6;  // so that the next is better
    trainer.settings.steps = 4;
    TrainingEvents events;
    events.between_batches = [&] { model.forgets = trainer.validation_due; };
    CHECK_THROWS_AS(train(model, trainer, numbered_batch, one_batch(), events), std::bad_alloc);
    CHECK(trainer.step == 4);
    CHECK(trainer.best.step == 0);
    CHECK(trainer.best.perplexity == kNoPerplexity);
    CHECK(trainer.best.weights.empty());

    model.forgets = false;
    CHECK(train(model, trainer, numbered_batch, one_batch(), {}) == TrainingEnd::steps);
    CHECK(trainer.best.step == 4);
    CHECK(trainer.best.perplexity == evaluate(model, {small_batch()}).perplexity());
    check_weights(model, trainer.best.weights);
  }

  TEST_CASE("an interrupted validation ends the training at once, and is made up for later") {
    const Tokenizer words({"a", "b", "c", "d", "e", "f", "g", "h"});
    const ValidationSet validation{{small_batch(), small_batch()}, {{"a b", "b a"}}, words};
    Learner whole;
    whole.trainer.settings.averaging = 0.9;
    Learner parts = whole;
    CHECK(whole.train(validation) == TrainingEnd::steps);

    // However far the validation has come.
    std::string story;
    TrainingEvents events = told_in(story);
    int left = 1, stops = 0;
    events.between_batches = interrupting(left);
    for (; parts.train(validation, events) == TrainingEnd::stopped; ++stops) {
      CHECK(left == 0);  // nothing was computed after that
      CHECK(story.back() == 's');
      left = 2 + stops;
    }
    CHECK(stops > 5);
    CHECK(parts.trainer.step == 6);
    CHECK(std::count(story.begin(), story.end(), 'v') == 3);
    CHECK(parts.trainer.best.step == whole.trainer.best.step);
    CHECK(parts.trainer.best.perplexity == whole.trainer.best.perplexity);
    CHECK(parts.trainer.best.since == whole.trainer.best.since);
    check_same_weights(whole.model, parts.model);
  }

  TEST_CASE("a step refuses batches without sentences, sources without <eos> and fresh memory") {
    Learner learner;
    const auto before = weights_by_name(learner.model);
    const auto step_with = [&](const Batch& batch) {
      learner.step([&](std::uint64_t) { return batch; });
    };
    CHECK_ERROR(step_with({}), "a batch to train on has no sentences");
    Batch batch = small_batch();
    batch.append({4, 5}, {1, 4, 2});
    CHECK_ERROR(step_with(batch),
                "source sentence 3 of a batch to train on does not end in <eos>, id 2: add it");
    batch = small_batch();
    batch.append({}, {1, 4, 2});
    CHECK_THROWS_AS(step_with(batch), Error);
    batch = small_batch();
    batch.source.offsets.back() = 1000000;
    CHECK_THROWS_AS(step_with(batch), Error);
    CHECK(learner.trainer.step == 0);
    check_weights(learner.model, before);

    learner.model = Transformer(small_config());
    CHECK_ERROR(learner.step(), Contains("call initialise_parameters"));
    initialise_parameters(learner.model, 1);
    CHECK(learner.step().step == 1);
  }

  TEST_CASE("a step of many batches holds one of them at a time") {
    std::vector<std::uint64_t> made;
    Learner learner;
    learner.trainer.settings.accumulate = 3;
    learner.trainer.next_batch = 5;
    const auto source = [&](std::uint64_t index) {
      made.push_back(index);
      return numbered_batch(index);
    };
    learner.step(source);
    // Counted from the last to the first, which stays; the other two are made again.
    CHECK(made == std::vector<std::uint64_t>{7, 6, 5, 6, 7});
    made.clear();
    learner.trainer.settings.accumulate = 1;
    learner.step(source);
    CHECK(made == std::vector<std::uint64_t>{8});
  }

  TEST_CASE(
      "a step that is interrupted between two batches has not happened, and is taken again whole") {
    Learner undisturbed(quick_settings(), with_dropout(small_config()));
    undisturbed.trainer.settings.accumulate = 3;
    const Learner fresh = undisturbed;
    for (int i = 0; i < 2; ++i) undisturbed.step();
    // Twice while counting, twice between the passes.
    for (int pauses = 1; pauses <= 4; ++pauses) {
      CAPTURE(pauses);
      Learner learner = fresh;
      learner.step();
      const auto before = weights_by_name(learner.model);
      int left = pauses;
      CHECK_THROWS_AS(learner.trainer.take_step(learner.model, numbered_batch, interrupting(left)),
                      Interrupted);
      CHECK(learner.trainer.step == 1);
      CHECK(learner.trainer.next_batch == 3);
      check_weights(learner.model, before);
      learner.step();
      check_same_weights(learner.model, undisturbed.model);
    }
  }

  TEST_CASE("two minutes after the last save there is another, unless saving takes too long") {
    for (const double saving : {0, 10}) {
      CAPTURE(saving);
      Learner learner;
      learner.trainer.settings.steps = 13;
      learner.trainer.settings.validate_every = 8;
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
      learner.train({}, events);
      // 150 ≥ 120 seconds after three steps; with 10 seconds for each save, 200 are needed after
      // it.
      CHECK(story == (saving > 0 ? "1 2 3 s 4 5 6 7 s 8 s 9 10 11 12 s 13 s "
                                 : "1 2 3 s 4 5 6 s 7 8 s 9 10 11 s 12 13 s "));
    }
  }

  TEST_CASE("when the time is up, the last step is validated and saved") {
    Learner learner;
    learner.trainer.settings.validate_every = 4;
    std::string story;
    double seconds = 1000;
    TrainingEvents events = told_in(story);
    events.clock = [&] { return seconds += 0.01; };
    events.between_batches = [&] { seconds += 10; };
    events.seconds = 25;
    CHECK(learner.train(one_batch(), events) == TrainingEnd::stopped);
    CHECK(story == "123vs");
    events.seconds = 1000;
    CHECK(learner.train(one_batch(), events) == TrainingEnd::steps);
    CHECK(story == "123vs4vs56vs");
  }

  TEST_CASE("a gradient whose squares no float can hold stops training as a loss does") {
    TransformerConfig config = small_config();
    config.tie_embeddings = false;
    for (const double clip : {0.0, 1.0}) {
      Learner learner(quick_settings(), config);
      learner.trainer.settings.clip = clip;
      learner.step();
      learner.model.visit_parameters([](const std::string& name, Parameter& p) {
        if (name != "projection.weight") return;
        for (Index i = 0; i < p.value.elements(); ++i) p.value[i] *= Real(1e20);
      });
      const auto before = weights_by_name(learner.model);
      const auto moments = learner.trainer.adam.moments;
      if (clip > 0) {
        CHECK(learner.step().gradient_norm > 1e18);
        continue;
      }
      CHECK_THROWS_WITH_AS(learner.step(),
                           Contains("the gradient is too large at step 2: training has "
                                    "diverged; try a lower `learning_rate_scale`"),
                           Diverged);
      check_weights(learner.model, before);
      for (const auto& [name, moment] : moments) {
        CHECK(same(learner.trainer.adam.moments.at(name).v, moment.v));
      }
    }
  }

  TEST_CASE("a loss that is not a number stops training and leaves weights and step alone") {
    Learner learner;
    Transformer& model = learner.model;
    learner.step();
    model.source_embedding.weight.value[3 * 6] = std::numeric_limits<Real>::quiet_NaN();
    model.source_embedding.weight.value[4 * 6] = std::numeric_limits<Real>::infinity();
    const auto before = weights_by_name(model);
    CHECK_THROWS_WITH_AS(learner.step([](std::uint64_t) { return small_batch(); }),
                         Contains("not a finite number at step 2"), Diverged);
    CHECK(learner.trainer.step == 1);
    model.visit_parameters(
        [&](const std::string& name, Parameter& p) { CHECK(same_bits(p.value, before.at(name))); });
  }

  TEST_CASE("training validates and saves when it should, and ends when the task is solved") {
    Learner learner;
    Trainer& trainer = learner.trainer;
    trainer.settings.steps = 5;
    trainer.settings.save_every = 3;
    std::string story;
    TrainingEvents events = told_in(story);
    trainer.solved = 1;  // as if the last validation had been without a mistake
    CHECK(learner.train(one_batch(), events) == TrainingEnd::steps);
    CHECK(story == "12vs3C4vs5vs");
    CHECK(trainer.solved == 0);

    // Nothing is left to do, but settings may have changed.
    story.clear();
    CHECK(learner.train(one_batch(), events) == TrainingEnd::steps);
    CHECK(story == "s");

    // Interrupted between validations; and at the last step, which leaves nothing to go on with.
    story.clear();
    int left = 2;
    events.between_batches = interrupting(left);
    trainer.settings.steps = 8;
    CHECK(learner.train(one_batch(), events) == TrainingEnd::stopped);
    CHECK(trainer.step == 6);
    CHECK(trainer.validation_due);
    left = 3;
    CHECK(learner.train(one_batch(), events) == TrainingEnd::stopped);
    left = 3;
    CHECK(learner.train(one_batch(), events) == TrainingEnd::steps);
    CHECK(story == "6CvC7s8vs");
    events.between_batches = [] {};
    story.clear();

    // A validation set that the model cannot get wrong: what it predicts itself.
    Batch own = small_batch();
    const Tensor logits = learner.model.logits(own);
    for (Index t = 0; t < logits.rows(); ++t) {
      own.target_output[t] = top_tokens(1, logits.cols(), logits.row(t))[0];
    }
    trainer.settings.steps = 1000;
    trainer.settings.learning_rate_scale = 1e-9;  // so that it stays so
    trainer.settings.save_every = 0;
    // Of the fresh batches, the third is wrong at first, which is found at step 10.
    ValidationSet flawless{{own}, {}, {}, {}, 0};
    int wrong = 1, asked = 0;
    flawless.fresh = [&](std::uint64_t index) {
      ++asked;
      return index == 2 && wrong-- > 0 ? small_batch() : own;
    };
    const Index sentences = own.target_input.sentences();
    trainer.settings.solved_after = 2 * sentences + 1;
    flawless.most_fresh = trainer.settings.solved_after;
    CHECK(learner.train(flawless, events) == TrainingEnd::solved);
    CHECK(story == "910vs1112vs");
    CHECK(asked == 6);
    CHECK(trainer.solved == 3 * sentences);
  }

  TEST_CASE("the best validation is kept, and after as many without a gain as asked for it ends") {
    Learner learner, last;
    Trainer& trainer = learner.trainer;
    trainer.settings.steps = last.trainer.settings.steps = 20;
    std::vector<std::pair<double, Index>> found;
    TrainingEvents events;
    events.validation = [&](const Validation& validation) {
      found.emplace_back(validation.sums.perplexity(), trainer.step);
    };
    CHECK(learner.train(one_batch(), events) == TrainingEnd::steps);
    REQUIRE(found.size() == 10);
    const auto best = *std::min_element(found.begin(), found.end());
    CHECK(trainer.best.perplexity == best.first);
    CHECK(trainer.best.step == best.second);
    CHECK(trainer.best.since == (20 - best.second) / 2);
    // Its weights, with dropout off, have that perplexity.
    learner.model.visit_parameters([&](const std::string& name, Parameter& p) {
      std::swap(p.value, trainer.best.weights.at(name));
    });
    CHECK(evaluate(learner.model, {small_batch()}).perplexity() == best.first);

    // When the last weights are to be kept, only the numbers are.
    last.trainer.settings.keep_last = true;
    CHECK(last.train(one_batch()) == TrainingEnd::steps);
    CHECK(last.trainer.best.perplexity == best.first);
    CHECK(last.trainer.best.step == best.second);
    CHECK(last.trainer.best.since == trainer.best.since);
    CHECK(last.trainer.best.weights.empty());

    // A run that ends between two validations has one at its end. It competes, but a run that goes
    // on never had it.
    for (const double others : {1000.0, 1.0}) {
      trainer.best.perplexity = others;
      trainer.best.step = 18;
      trainer.best.since = 0;
      trainer.settings.steps = trainer.step + 1;
      CHECK(learner.train(one_batch()) == TrainingEnd::steps);
      CHECK(trainer.best.step == 18);
      CHECK(trainer.best.since == 0);
      CHECK(trainer.last_perplexity == evaluate(learner.model, {small_batch()}).perplexity());
      CHECK(trainer.decodes_with_best() == (others == 1));
      learner.step();
      CHECK(trainer.last_perplexity == kNoPerplexity);
      CHECK(trainer.decodes_with_best());
    }

    // Nothing is better than a perplexity of 1.
    trainer.best.perplexity = 1;
    trainer.settings.patience = 2;
    trainer.settings.steps = 100;
    CHECK(learner.train(one_batch()) == TrainingEnd::no_gain);
    CHECK(trainer.step == 28);
    CHECK(learner.train(one_batch()) == TrainingEnd::no_gain);
    CHECK(trainer.step == 28);
  }
}
