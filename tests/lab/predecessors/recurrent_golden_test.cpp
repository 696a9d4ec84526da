// What PyTorch computed for recurrent models (tests/golden/make_recurrent_golden.py), again.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "storage/safetensors.h"
#include "support/predecessors_logits.h"
#include "support/small_recurrent_models.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr bool kDouble = sizeof(Real) == 8;

std::vector<std::vector<int>> ids_of(const std::string& lines) {
  std::vector<std::vector<int>> result;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    result.emplace_back();
    for (int id = 0; words >> id;) result.back().push_back(id);
  }
  return result;
}

}  // namespace

TEST_SUITE("2 predecessors") {
  TEST_CASE("PyTorch's cells, and attention written with them: the same logits, loss, gradients") {
    for (const std::string name :
         {"rnn_none", "gru_none", "lstm_none", "rnn_bahdanau", "gru_bahdanau", "lstm_bahdanau",
          "rnn_luong_dot", "gru_luong_general", "lstm_luong_concat"}) {
      CAPTURE(name);
      const TensorFile file =
          read_safetensors(ATTENTION_SOURCE_DIR "/tests/golden/recurrent_" + name + ".safetensors");
      Settings settings;
      for (const auto& [key, value] : file.metadata) {
        if (key.rfind("config.", 0) == 0) settings[key.substr(7)] = value;
      }
      Batch batch;
      const auto sources = ids_of(file.metadata.at("source"));
      const auto targets = ids_of(file.metadata.at("target"));
      for (std::size_t b = 0; b < sources.size(); ++b) batch.append(sources[b], targets[b]);

      RecurrentModel model(from_settings<RecurrentConfig>(settings, name));
      std::size_t weights = 0;
      double squares = 0;
      model.visit_parameters([&](const std::string& parameter, Parameter& p) {
        CAPTURE(parameter);
        REQUIRE(file.tensors.count("weights." + parameter) == 1);
        const Tensor& value = file.tensors.at("weights." + parameter);
        REQUIRE(value.shape() == p.value.shape());
        p.value = value;
        ++weights;
        squares += sum_of_squares(file.tensors.at("gradients." + parameter));
      });
      CHECK(file.tensors.size() == 2 * weights + 2);
      zero_gradients(model);

      CHECK(relative_error(logits_of(model, batch), file.tensors.at("logits")) <=
            (kDouble ? 1e-13 : 1e-5));
      const auto tokens = static_cast<double>(batch.target_output.size());
      const LossSums sums = model.loss_and_gradients(batch, {}, static_cast<Real>(1 / tokens));
      const double loss = static_cast<double>(file.tensors.at("loss")[0]);
      CHECK(sums.mean_loss() == doctest::Approx(loss).epsilon(kDouble ? 1e-13 : 1e-5));
      model.visit_parameters([&](const std::string& parameter, Parameter& p) {
        CAPTURE(parameter);
        CHECK(relative_error(p.gradient, file.tensors.at("gradients." + parameter),
                             1e-3 * std::sqrt(squares)) <= (kDouble ? 1e-11 : 1e-5));
      });
    }
  }
}
