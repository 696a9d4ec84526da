// Whole recurrent encoder–decoders: gradients, what must not matter, decoding step by step.
#include "lab/predecessors/recurrent_model.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "base/parallel.h"
#include "lab/models.h"
#include "lab/support/predecessors_logits.h"
#include "lab/support/small_recurrent_models.h"
#include "support/decoding_check.h"
#include "support/gradient_check.h"
#include "support/model_check.h"

using namespace attn;
using namespace attn::test;

namespace {

RecurrentConfig dropping(RecurrentConfig config) {
  config.dropout = 0.3;
  return config;
}

void for_each_model(const std::function<void(const RecurrentConfig&)>& check) {
  for (const SmallRecurrentModel& small : small_recurrent_models()) {
    CAPTURE(small.name);
    check(small.config);
  }
}

}  // namespace

TEST_SUITE("2 predecessors") {
  TEST_CASE("every weight of a recurrent model has a name of its own and is counted") {
    for_each_model([](const RecurrentConfig& config) {
      RecurrentModel model(config);
      std::set<std::string> names;
      model.visit_parameters(
          [&](const std::string& name, Parameter&) { CHECK(names.insert(name).second); });
      CHECK(count_parameters(model) == parameter_count(config));
      const double weights = static_cast<double>(parameter_count(config)) * sizeof(Real);
      CHECK(training_memory(config, 100, 10, 1) - training_memory(config, 100, 10, 0) ==
            doctest::Approx(weights));
      CHECK(training_memory(config, 200, 10, 0) > training_memory(config, 100, 10, 0));
    });
  }

  TEST_CASE("the settings of a recurrent model make the same model again") {
    for_each_model([](const RecurrentConfig& config) {
      RecurrentModel model = random_recurrent_model(config);
      const auto made = make_model(model.settings(), "test", plan_any_model);
      CHECK(made->settings() == model.settings());
      CHECK(made->source_vocabulary() == config.source_vocabulary);
      CHECK(made->target_vocabulary() == config.target_vocabulary);
      CHECK(made->d_model() == config.d_model);
      CHECK(made->longest_sentence() == kAnyLength);
      const auto weights = weights_by_name(model);
      made->visit_parameters(
          [&](const std::string& name, Parameter& p) { p.value = weights.at(name); });
      CHECK(made->loss(small_batch()).loss == model.loss(small_batch()).loss);
    });
  }

  TEST_CASE("a recurrent model that cannot be is refused by the name of the setting") {
    const Settings good = RecurrentModel(small_recurrent_models()[1].config).settings();
    const auto refuses = [&](const char* name, const char* value, const std::string& why) {
      Settings bad = good;
      bad[name] = value;
      CHECK_THROWS_WITH_AS(plan_any_model(bad, "a file"), doctest::Contains(why.c_str()), Error);
      CHECK_THROWS_WITH_AS(make_model(bad, "a file", plan_any_model), doctest::Contains("a file: "),
                           Error);
    };
    refuses("attention", "some", "attention: expected one of none, bahdanau, luong-dot");
    refuses("layers", "0", "layers must be 1 to");
    refuses("d_model", "-1", "d_model must be 1 to");
    refuses("dropout", "1", "dropout must be at least 0");
    refuses("target_vocabulary", "2", "target_vocabulary must be 3 to");
    refuses("architecture", "lstm2",
            "unknown architecture 'lstm2'; there are: transformer, decoder, rnn");
    CHECK_THROWS_WITH_AS(make_model(good, "a file", plan_any_model, 10),
                         doctest::Contains("asks for"), Error);
  }

  TEST_CASE("decoding step by step is the whole pass, bit for bit, and rows can be moved") {
    for_each_model([](const RecurrentConfig& config) {
      Decoding decoding(random_recurrent_model(dropping(config)), kSources);
      const std::vector<std::vector<Index>> orders{{0, 0, 1, 2, 2}, {4, 3, 2, 1, 0}, {1, 1, 1},
                                                   {2, 0, 1, 0},    {3, 0},          {}};
      for (const std::vector<Index>& order : orders) check_moves(decoding, {{order, 3}});
    });
  }

  TEST_CASE("a step for another number of rows, or a row that is not there, is an error") {
    const RecurrentModel model = random_recurrent_model(small_recurrent_models()[0].config);
    const PackedIds sources = packed({5, 2});
    const auto state = model.start_decoding(sources);
    CHECK_THROWS_AS(model.next_logits(*state, {1, 1}), Error);
    CHECK_THROWS_WITH_AS(model.next_logits(*state, {11}),
                         "token id 11 is not in a vocabulary of 11", Error);
    CHECK_THROWS_WITH_AS(model.reorder(*state, {1}), "no row 1 in the decoding state", Error);
    CHECK_THROWS_WITH_AS(model.reorder(*state, {-1}), "no row -1 in the decoding state", Error);
  }

  TEST_CASE("a sentence's logits do not depend, by a bit, on its batch, nor on later tokens") {
    for_each_model([](const RecurrentConfig& config) {
      const RecurrentModel model = random_recurrent_model(config);
      const Batch batch = small_batch();
      const Tensor together = logits_of(model, batch);
      for (std::size_t b = 0; b < 3; ++b) {
        const Index begin = batch.target_input.offsets[b], end = batch.target_input.offsets[b + 1];
        for (Index length = 1; length <= end - begin; ++length) {
          Batch alone;
          alone.source.append(sentence(batch.source, b));
          std::vector<int> target = sentence(batch.target_input, b);
          target.resize(static_cast<std::size_t>(length));
          alone.target_input.append(target);
          CHECK(same(logits_of(model, alone), copy_of(rows_of(together, begin, begin + length))));
        }
      }
    });
  }

  TEST_CASE("every source token, the first and the last too, reaches the output") {
    for_each_model([](const RecurrentConfig& config) {
      const RecurrentModel model = random_recurrent_model(config);
      const Batch batch = small_batch();
      const Tensor before = logits_of(model, batch);
      for (std::size_t s = 0; s < 4; ++s) {
        Batch changed = batch;
        changed.source.ids[s] = 7;
        CHECK_FALSE(same(logits_of(model, changed), before));
      }
    });
  }

  TEST_CASE("an empty source sentence, and an empty batch, are no problem") {
    for_each_model(
        [](const RecurrentConfig& config) { check_empty_source(random_recurrent_model(config)); });
  }

  TEST_CASE("recurrent models: the same bits on any number of threads, and watched") {
    for (SmallRecurrentModel& small : small_recurrent_models()) {
      CAPTURE(small.name);
      // Large enough that products are shared among threads.
      small.config.d_model = 48;
      RecurrentModel model = random_recurrent_model(dropping(small.config));
      const Batch batch = random_pairs({31, 1, 40, 17, 9}, 50);
      const Observer observer = [](const std::string&, const ConstMatrixView&) {};
      Tensor logits, gradients;
      for (const int count : {1, 2, 5}) {
        const WithThreads in_use(count);
        const Tensor new_logits = logits_of(model, batch);
        const Tensor new_gradients = gradients_of(model, batch, DropoutMasks(3, 4), Real(0.1));
        if (count == 1) logits = new_logits;
        if (count == 1) gradients = new_gradients;
        CHECK(same(logits, new_logits));
        CHECK(same(gradients, new_gradients));
        CHECK(same(gradients,
                   gradients_of(model, batch, {DropoutMasks(3, 4), &observer}, Real(0.1))));
      }
    }
  }

  TEST_CASE("recurrent models drop in training only, and each pass draws masks of its own") {
    for_each_model([](const RecurrentConfig& config) {
      check_dropout(random_recurrent_model(dropping(config)));
    });
  }

  TEST_CASE("an observer sees the weights α of every attention, a row per target token") {
    for_each_model([](const RecurrentConfig& config) {
      const RecurrentModel model = random_recurrent_model(config);
      Batch batch;
      batch.append({5, 3, 5, 2}, {1, 4, 9, 4, 3, 2});
      std::vector<Real> alpha;
      std::map<std::string, int> names;
      const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
        ++names[name];
        if (name.find(".alpha") == name.npos) return;
        const Tensor rows = copy_of(value);
        REQUIRE(rows.cols() == 4);
        alpha.insert(alpha.end(), rows.data(), rows.data() + rows.elements());
      };
      model.loss(batch, Pass(observer));
      // What a step computes is shown in every step, of 4 source and 5 target tokens.
      for (const auto& named : names) {
        const std::string& name = named.first;
        CAPTURE(name);
        const int times = named.second;
        CHECK((times == 1 || times == (name.rfind("encoder", 0) == 0 ? 4 : 5)));
      }
      CHECK(names.count("h") == 1);
      if (config.attention == RecurrentAttention::none) {
        CHECK(alpha.empty());
        return;
      }
      REQUIRE(alpha.size() == 5 * 4);
      for (std::size_t i = 0; i < 20; i += 4) {
        const Real sum = alpha[i] + alpha[i + 1] + alpha[i + 2] + alpha[i + 3];
        CHECK(static_cast<double>(sum) == doctest::Approx(1));
      }
    });
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("every parameter of every recurrent model, with dropout, against finite differences") {
    const WithThreads one_thread(1);
    for_each_model([](const RecurrentConfig& config) {
      RecurrentModel model = random_recurrent_model(dropping(config));
      CHECK(gradient_errors(model, small_batch(), DropoutMasks(5, 6), 0.1) == "");
    });
  }
#endif
}
