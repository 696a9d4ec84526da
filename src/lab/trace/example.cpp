#include "lab/trace/example.h"

#include <map>
#include <string>
#include <vector>


namespace attn {

namespace {

// Weights that are short enough for a pencil. They were chosen so that something can be seen: heads
// that look at different words, hidden units on both sides of 0, a prediction that is right for
// some words and wrong for others.
struct Weights {
  std::string prefix;
  std::vector<std::string> names;  // of matrices that are written side by side
  std::vector<double> numbers;     // row 0 of each matrix, row 1 of each, …
};

// clang-format off
const std::vector<Weights> kWeights{
    {"", {"embedding.weight"},
     {-0.5, -0.5,    1,  0.5,  // <unk>
      -0.5, -0.5,    1, -0.5,  // <bos>
      -0.5,   -1,    1, -0.5,  // <eos>
        -1,    1,   -1,  0.5,  // Jane
       0.5, -0.5, -0.5,  0.5,  // visite
       0.5,   -1, -0.5, -0.5,  // l'Afrique
         0,    0,    1, -0.5,  // en
      -0.5,    1,   -1,    1,  // septembre
         1,  0.5, -0.5, -0.5,  // visits
         1, -0.5,    0,  0.5,  // Africa
       0.5,   -1,  0.5, -0.5,  // in
         0,   -1,    0,  0.5}},  // September
    {"encoder.0.self_attention.", {"query.weight", "key.weight", "value.weight", "output.weight"},
     { 0.5,    1,    0, -0.5,     0,  0.5, -0.5, -0.5,     0,   -1,   -1,  0.5,     0,   -1,   -1,    0,
       0.5,    0,  0.5,    0,  -0.5, -0.5,   -1,    1,     0,    0,    1,    0,     1,    0,   -1,    0,
         1, -0.5,    0,    1,     0, -0.5,    0, -0.5,     0,    0,   -1,    0,    -1,    0,    0,    0,
        -1,  0.5,    1,    1,     0,  0.5,    0,    1,  -0.5,  0.5, -0.5,  0.5,     0, -0.5,    0,  0.5}},
    {"encoder.0.self_attention_norm.", {"gamma", "beta"}, {1, 1.25, 1.5, 1.5,  0, 0, -0.25, 0.5}},
    {"encoder.0.feed_forward.", {"inner.weight"},
     {  -1,   -1,   -1,  0.5,    0,
         1, -0.5,   -1,    1,  0.5,
         0,  0.5, -0.5,    0,    1,
        -1,  0.5,    0,    0,    0}},
    {"encoder.0.feed_forward.", {"outer.weight"},
     {   0,    0,    0,    1,
         1,   -1,  0.5,   -1,
         0,    1,  0.5,    1,
      -0.5,    0,    1,    1,
      -0.5,    0,  0.5, -0.5}},
    {"encoder.0.feed_forward.", {"inner.bias", "outer.bias"}, {0, 0.25, 0.25, 0, -0.25,  0.5, 0, 0.25, 0}},
    {"encoder.0.feed_forward_norm.", {"gamma", "beta"}, {1.25, 1, 1, 1,  0, 0.25, 0.5, 0.25}},
    {"decoder.0.self_attention.", {"query.weight", "key.weight", "value.weight", "output.weight"},
     {   1,    0,    1, -0.5,     0, -0.5,   -1,  0.5,     1,  0.5,    0,    0,    -1,    0,   -1,    1,
      -0.5,    0,   -1,  0.5,     0, -0.5, -0.5,    0,    -1,    0,    0,    0,     0,  0.5,    0,    0,
      -0.5,    0,    1,    0,    -1,    1, -0.5,   -1,  -0.5,    1,   -1, -0.5,     0, -0.5,    0,    0,
        -1,   -1,  0.5,    0,  -0.5,  0.5,  0.5,    0,  -0.5,    0,    0,    1,     0,   -1,  0.5,    0}},
    {"decoder.0.self_attention_norm.", {"gamma", "beta"}, {1, 1, 1.5, 0.5,  0, 0, 0, 0}},
    {"decoder.0.cross_attention.", {"query.weight", "key.weight", "value.weight", "output.weight"},
     {   0,  0.5,    0,    0,    -1,    0,  0.5, -0.5,     0,    0,  0.5,    0,     0,    1,    0,  0.5,
         0,    1, -0.5,    1,     1,    0, -0.5,    0,     0,    0,  0.5,    1,     0, -0.5,  0.5,   -1,
         1,  0.5,    1,  0.5,   0.5,   -1,    1,    1,     0,    1,    0,    0,     1,    0,    0, -0.5,
         0,   -1,  0.5, -0.5,     1,    0,   -1,    0,  -0.5,    0,    0,  0.5,     1,    0,    1,    0}},
    {"decoder.0.cross_attention_norm.", {"gamma", "beta"}, {1, 1.5, 1.25, 1.25,  0, 0.25, -0.25, 0}},
    {"decoder.0.feed_forward.", {"inner.weight"},
     {  -1,  0.5, -0.5, -0.5,    1,
         0,    0,    0, -0.5,   -1,
         0,  0.5,    0,    0,   -1,
      -0.5,  0.5,  0.5, -0.5,   -1}},
    {"decoder.0.feed_forward.", {"outer.weight"},
     {-0.5,    0,    0, -0.5,
      -0.5,  0.5,    0,    0,
         0,    1, -0.5,    0,
       0.5,   -1,    0,    1,
      -0.5,   -1,   -1,    0}},
    {"decoder.0.feed_forward.", {"inner.bias", "outer.bias"}, {-0.25, -0.5, 0.25, -0.5, -0.25,  0.5, 0.25, 0, 0.25}},
    {"decoder.0.feed_forward_norm.", {"gamma", "beta"}, {1, 1.5, 0.5, 1.25,  0.25, 0, 0, -0.5}},
};
// clang-format on

}  // namespace

TraceExample trace_example() {
  TraceExample example;
  example.tokenizer = Vocabulary(
      {"Jane", "visite", "l'Afrique", "en", "septembre", "visits", "Africa", "in", "September"});
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = example.tokenizer.size();
  config.layers = 1;
  config.d_model = 4;
  config.d_ff = 5;
  config.heads = 2;
  config.d_k = config.d_v = 2;
  example.model = std::make_unique<Transformer>(config);
  std::map<std::string, Tensor*> matrices;
  example.model->visit_parameters(
      [&](const std::string& name, Parameter& parameter) { matrices[name] = &parameter.value; });
  for (const Weights& weights : kWeights) {
    auto number = weights.numbers.begin();
    for (Index row = 0; number != weights.numbers.end(); ++row) {
      for (const std::string& name : weights.names) {
        Tensor& matrix = *matrices.at(weights.prefix + name);
        for (Index col = 0; col < matrix.cols(); ++col) {
          matrix(row, col) = static_cast<Real>(*number++);
        }
      }
    }
  }
  return example;
}

}  // namespace attn
