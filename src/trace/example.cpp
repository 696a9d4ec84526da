#include "trace/example.h"

#include <map>

#include "model/transformer.h"

namespace attn {

namespace {

// Weights, row by row. All are short enough for a pencil. They were chosen so that something can be
// seen: heads that look at different words, hidden units on both sides of 0, a prediction that is
// right for some words and wrong for others.
using Numbers = std::vector<double>;

const std::map<std::string, Numbers>& weights() {
  // clang-format off
  static const std::map<std::string, Numbers> all{
      {"embedding.weight",
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
      {"encoder.0.self_attention.query.weight",
       { 0.5,    1,    0, -0.5,
         0.5,    0,  0.5,    0,
           1, -0.5,    0,    1,
          -1,  0.5,    1,    1}},
      {"encoder.0.self_attention.key.weight",
       {   0,  0.5, -0.5, -0.5,
        -0.5, -0.5,   -1,    1,
           0, -0.5,    0, -0.5,
           0,  0.5,    0,    1}},
      {"encoder.0.self_attention.value.weight",
       {   0,   -1,   -1,  0.5,
           0,    0,    1,    0,
           0,    0,   -1,    0,
        -0.5,  0.5, -0.5,  0.5}},
      {"encoder.0.self_attention.output.weight",
       {   0,   -1,   -1,    0,
           1,    0,   -1,    0,
          -1,    0,    0,    0,
           0, -0.5,    0,  0.5}},
      {"encoder.0.self_attention_norm.gamma",
       {1, 1.25, 1.5, 1.5}},
      {"encoder.0.self_attention_norm.beta",
       {0, 0, -0.25, 0.5}},
      {"encoder.0.feed_forward.inner.weight",
       {  -1,   -1,   -1,  0.5,    0,
           1, -0.5,   -1,    1,  0.5,
           0,  0.5, -0.5,    0,    1,
          -1,  0.5,    0,    0,    0}},
      {"encoder.0.feed_forward.inner.bias",
       {0, 0.25, 0.25, 0, -0.25}},
      {"encoder.0.feed_forward.outer.weight",
       {   0,    0,    0,    1,
           1,   -1,  0.5,   -1,
           0,    1,  0.5,    1,
        -0.5,    0,    1,    1,
        -0.5,    0,  0.5, -0.5}},
      {"encoder.0.feed_forward.outer.bias",
       {0.5, 0, 0.25, 0}},
      {"encoder.0.feed_forward_norm.gamma",
       {1.25, 1, 1, 1}},
      {"encoder.0.feed_forward_norm.beta",
       {0, 0.25, 0.5, 0.25}},
      {"decoder.0.self_attention.query.weight",
       {   1,    0,    1, -0.5,
        -0.5,    0,   -1,  0.5,
        -0.5,    0,    1,    0,
          -1,   -1,  0.5,    0}},
      {"decoder.0.self_attention.key.weight",
       {   0, -0.5,   -1,  0.5,
           0, -0.5, -0.5,    0,
          -1,    1, -0.5,   -1,
        -0.5,  0.5,  0.5,    0}},
      {"decoder.0.self_attention.value.weight",
       {   1,  0.5,    0,    0,
          -1,    0,    0,    0,
        -0.5,    1,   -1, -0.5,
        -0.5,    0,    0,    1}},
      {"decoder.0.self_attention.output.weight",
       {  -1,    0,   -1,    1,
           0,  0.5,    0,    0,
           0, -0.5,    0,    0,
           0,   -1,  0.5,    0}},
      {"decoder.0.self_attention_norm.gamma",
       {1, 1, 1.5, 0.5}},
      {"decoder.0.self_attention_norm.beta",
       {0, 0, 0, 0}},
      {"decoder.0.cross_attention.query.weight",
       {   0,  0.5,    0,    0,
           0,    1, -0.5,    1,
           1,  0.5,    1,  0.5,
           0,   -1,  0.5, -0.5}},
      {"decoder.0.cross_attention.key.weight",
       {  -1,    0,  0.5, -0.5,
           1,    0, -0.5,    0,
         0.5,   -1,    1,    1,
           1,    0,   -1,    0}},
      {"decoder.0.cross_attention.value.weight",
       {   0,    0,  0.5,    0,
           0,    0,  0.5,    1,
           0,    1,    0,    0,
        -0.5,    0,    0,  0.5}},
      {"decoder.0.cross_attention.output.weight",
       {   0,    1,    0,  0.5,
           0, -0.5,  0.5,   -1,
           1,    0,    0, -0.5,
           1,    0,    1,    0}},
      {"decoder.0.cross_attention_norm.gamma",
       {1, 1.5, 1.25, 1.25}},
      {"decoder.0.cross_attention_norm.beta",
       {0, 0.25, -0.25, 0}},
      {"decoder.0.feed_forward.inner.weight",
       {  -1,  0.5, -0.5, -0.5,    1,
           0,    0,    0, -0.5,   -1,
           0,  0.5,    0,    0,   -1,
        -0.5,  0.5,  0.5, -0.5,   -1}},
      {"decoder.0.feed_forward.inner.bias",
       {-0.25, -0.5, 0.25, -0.5, -0.25}},
      {"decoder.0.feed_forward.outer.weight",
       {-0.5,    0,    0, -0.5,
        -0.5,  0.5,    0,    0,
           0,    1, -0.5,    0,
         0.5,   -1,    0,    1,
        -0.5,   -1,   -1,    0}},
      {"decoder.0.feed_forward.outer.bias",
       {0.5, 0.25, 0, 0.25}},
      {"decoder.0.feed_forward_norm.gamma",
       {1, 1.5, 0.5, 1.25}},
      {"decoder.0.feed_forward_norm.beta",
       {0.25, 0, 0, -0.5}},
  };
  // clang-format on
  return all;
}

}  // namespace

TraceExample trace_example() {
  TraceExample example;
  example.vocabulary = Vocabulary(
      {"Jane", "visite", "l'Afrique", "en", "septembre", "visits", "Africa", "in", "September"});
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = example.vocabulary.size();
  config.layers = 1;
  config.d_model = 4;
  config.d_ff = 5;
  config.heads = 2;
  config.d_k = config.d_v = 2;
  example.model = std::make_unique<Transformer>(config);
  example.model->visit_parameters([](const std::string& name, Parameter& parameter) {
    const Numbers& numbers = weights().at(name);
    ATTN_CHECK_EQ(static_cast<Index>(numbers.size()), parameter.value.elements(), name);
    Index i = 0;
    for (const double number : numbers) parameter.value[i++] = static_cast<Real>(number);
  });
  return example;
}

}  // namespace attn
