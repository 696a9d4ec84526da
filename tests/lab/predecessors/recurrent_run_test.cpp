// Recurrent models go through the same trainer, files and search as the Transformer.
#include <doctest/doctest.h>

#include "examples/load_transformer.h"
#include "lab/models.h"
#include "lab/support/small_recurrent_models.h"
#include "support/run_check.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("2 predecessors") {
  TEST_CASE("a recurrent run that was stopped, saved and resumed is the run without the stop") {
    for (const SmallRecurrentModel& small : small_recurrent_models()) {
      CAPTURE(small.name);
      const TemporaryDirectory directory;
      RecurrentConfig config = small.config;
      config.dropout = 0.2;
      check_resumed<RecurrentModel>(directory, config, 4, 2, plan_any_model);
      CHECK_THROWS_WITH_AS(load_transformer(directory.path("whole")),
                           doctest::Contains("unknown architecture"), Error);
    }
  }

  TEST_CASE("every recurrent model learns: the loss of one batch falls to nearly the least") {
    for (const SmallRecurrentModel& small : small_recurrent_models()) {
      CAPTURE(small.name);
      check_learns<RecurrentModel>(small.config, 100);
    }
  }
}
