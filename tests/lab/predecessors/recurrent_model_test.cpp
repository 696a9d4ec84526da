// Whole recurrent encoder–decoders: gradients, what must not matter, decoding step by step.
#include "lab/predecessors/recurrent_model.h"

#include <doctest/doctest.h>

#include <set>

#include "base/parallel.h"
#include "lab/models.h"
#include "lab/support/predecessors_logits.h"
#include "lab/support/small_recurrent_models.h"
#include "support/decoding_check.h"
#include "support/gradient_check.h"
#include "support/model_check.h"
#include "support/strings.h"

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
      const ModelFacts facts = facts_of(config);
      CHECK(training_memory(facts, 100, 10, 1) - training_memory(facts, 100, 10, 0) ==
            doctest::Approx(weights));
      CHECK(training_memory(facts, 200, 10, 0) > training_memory(facts, 100, 10, 0));
    });
  }

  TEST_CASE("the settings of a recurrent model make the same model again") {
    for_each_model([](const RecurrentConfig& config) {
      check_made_again(random_recurrent_model(config), plan_any_model);
    });
  }

  TEST_CASE("a recurrent model that cannot be is refused by the name of the setting") {
    const Settings good = RecurrentModel(small_recurrent_models()[1].config).facts.settings;
    const auto refuses = [&](const char* name, const char* value, const std::string& why) {
      Settings bad = good;
      bad[name] = value;
      CHECK_ERROR(plan_any_model(bad, "a file"), Contains(why.c_str()));
      CHECK_ERROR(make_model(bad, "a file", plan_any_model), Contains("a file: "));
    };
    refuses("attention", "some", "attention: expected one of none, bahdanau, luong-dot");
    refuses("layers", "0", "layers must be 1 to");
    refuses("d_model", "-1", "d_model must be 1 to");
    refuses("dropout", "1", "dropout must be at least 0");
    refuses("target_vocabulary", "2", "target_vocabulary must be 3 to");
    refuses("architecture", "lstm2",
            "unknown architecture 'lstm2'; there are: transformer, decoder, rnn");
    CHECK_ERROR(make_model(good, "a file", plan_any_model, 10), Contains("asks for"));
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
    CHECK_THROWS_AS(state->next_logits({1, 1}), Error);
    CHECK_ERROR(state->next_logits({11}), "token id 11 is not in a vocabulary of 11");
    CHECK_ERROR(state->reorder({1}), "no row 1 in the decoding state");
    CHECK_ERROR(state->reorder({-1}), "no row -1 in the decoding state");
  }

  TEST_CASE("recurrent models: neither batch nor threads change a bit; each pass has its masks") {
    for_each_model([](RecurrentConfig config) {
      check_alone(random_recurrent_model(config), small_batch());
      check_empty_source(random_recurrent_model(config));
      check_dropout(random_recurrent_model(dropping(config)));
      config.d_model = 48;  // large enough that products are shared among threads
      check_threads(random_recurrent_model(dropping(config)), random_pairs({31, 1, 40, 17, 9}, 50));
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
