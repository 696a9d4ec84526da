// What PyTorch computed for a model, read from a file, and the model with its weights.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/number.h"
#include "model/model_plan.h"
#include "storage/safetensors.h"
#include "support/parse_lines.h"
#include "text/lines.h"

namespace attn::test {

constexpr bool kDouble = sizeof(Real) == 8;

// Sentences of ids, one a line.
inline std::vector<std::vector<int>> sentences(const std::string& lines) {
  std::vector<std::vector<int>> result;
  for (const std::string& line : parse_lines(lines, "sentences")) {
    result.emplace_back();
    for (const std::string_view id : words(line)) {
      result.back().push_back(parse_number<int>(std::string(id), "an id"));
    }
  }
  return result;
}

// A file of what PyTorch computed for one model.
struct GoldenModel {
  std::string name;
  TensorFile file;
  Settings settings;
  Batch batch;

  const Tensor& tensor(const std::string& tensor_name) const {
    REQUIRE_MESSAGE(file.tensors.count(tensor_name) == 1, tensor_name);
    return file.tensors.at(tensor_name);
  }
  const std::string& setting(const std::string& key) const { return file.metadata.at(key); }

  // The norm of all tensors whose names begin so.
  double norm(const std::string& beginning) const {
    double squares = 0;
    for (const auto& [tensor_name, value] : file.tensors) {
      if (tensor_name.rfind(beginning, 0) == 0) squares += sum_of_squares(value);
    }
    return std::sqrt(squares);
  }

  // A model with PyTorch's weights. Names and shapes must be the same.
  std::unique_ptr<SequenceModel> model(PlanModel* plan = plan_transformer) const {
    std::unique_ptr<SequenceModel> result = make_model(settings, name, plan);
    result->visit_parameters([&](const std::string& parameter, Parameter& p) {
      CAPTURE(parameter);
      REQUIRE(tensor("weights." + parameter).shape() == p.value.shape());
      p.value = tensor("weights." + parameter);
    });
    zero_gradients(*result);
    return result;
  }
};

// tests/golden/NAME.safetensors
inline GoldenModel read_golden(const std::string& name) {
  GoldenModel golden;
  golden.name = name;
  golden.file = read_safetensors(ATTENTION_SOURCE_DIR "/tests/golden/" + name + ".safetensors");
  for (const auto& [key, value] : golden.file.metadata) {
    if (key.rfind("config.", 0) == 0) golden.settings[key.substr(7)] = value;
  }
  const auto sources = sentences(golden.setting("source"));
  const auto targets = sentences(golden.setting("target"));
  for (std::size_t b = 0; b < sources.size(); ++b) golden.batch.append(sources[b], targets[b]);
  return golden;
}

}  // namespace attn::test
