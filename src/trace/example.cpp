#include "trace/example.h"

#include <map>
#include <string>

#include "base/number.h"
#include "text/lines.h"

namespace attn {

namespace {

// data/example/weights.txt
constexpr char kWeights[] =
#include "trace/weights.inc"
    ;

}  // namespace

TraceExample trace_example() {
  TraceExample example;
  example.tokenizer = Tokenizer(
      {"Jane", "visite", "l'Afrique", "en", "septembre", "visits", "Africa", "in", "September"});
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = example.tokenizer.size();
  config.layers = 1;
  config.d_model = 4;
  config.d_ff = 5;
  config.heads = 2;
  config.d_k = config.d_v = 2;
  example.model = std::make_unique<Transformer>(config);
  std::map<std::string, Tensor*> tensors;
  example.model->visit_parameters(
      [&](const std::string& name, Parameter& parameter) { tensors[name] = &parameter.value; });
  // A line is a name, or numbers of the tensor that was named last.
  Tensor* tensor = nullptr;
  Index filled = 0;
  for (const std::string& line : split(kWeights, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      tensor = tensors.at(line);
      filled = 0;
      continue;
    }
    for (const std::string_view word : words(line)) {
      if (const auto number = number_in<Real>(word)) (*tensor)[filled++] = *number;
    }
  }
  return example;
}

}  // namespace attn
