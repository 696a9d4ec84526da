// What PyTorch computed for recurrent models (tests/golden/make_recurrent_golden.py), again.
#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "lab/models.h"
#include "lab/support/predecessors_logits.h"
#include "lab/support/small_recurrent_models.h"
#include "support/compare.h"
#include "support/golden.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("2 predecessors") {
  TEST_CASE("PyTorch's cells, and attention written with them: the same logits, loss, gradients") {
    for (const std::string name :
         {"rnn_none", "gru_none", "lstm_none", "rnn_bahdanau", "gru_bahdanau", "lstm_bahdanau",
          "rnn_luong_dot", "gru_luong_general", "lstm_luong_concat"}) {
      CAPTURE(name);
      const GoldenModel golden = read_golden("recurrent_" + name);
      const std::unique_ptr<SequenceModel> made = golden.model(plan_any_model);
      auto& model = dynamic_cast<RecurrentModel&>(*made);
      std::size_t weights = 0;
      read_parameters(model, [&](const std::string&, const Parameter&) { ++weights; });
      CHECK(golden.file.tensors.size() == 2 * weights + 2);

      CHECK(relative_error(logits_of(model, golden.batch), golden.tensor("logits")) <=
            (kDouble ? 1e-13 : 1e-5));
      const auto tokens = static_cast<double>(golden.batch.target_output.size());
      const LossSums sums =
          model.loss_and_gradients(golden.batch, {}, static_cast<Real>(1 / tokens));
      const double loss = static_cast<double>(golden.tensor("loss")[0]);
      CHECK(sums.mean_loss() == doctest::Approx(loss).epsilon(kDouble ? 1e-13 : 1e-5));
      const double whole = golden.norm("gradients.");
      model.visit_parameters([&](const std::string& parameter, Parameter& p) {
        CAPTURE(parameter);
        CHECK(relative_error(p.gradient, golden.tensor("gradients." + parameter), 1e-3 * whole) <=
              (kDouble ? 1e-11 : 1e-5));
      });
    }
  }
}
