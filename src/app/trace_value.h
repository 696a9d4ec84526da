// One value of `attention trace`: what it is called, where the paper defines it, which function
// makes it, and its numbers. Text, JSON and narrowing all work from this one description.
#pragma once

#include <string>
#include <vector>

#include "layers/multi_head_attention.h"

namespace attn::app {

// A function of the source, and the file that defines it.
struct Maker {
  const char* function;
  const char* file;
};

// What the rows or columns of a value are: tokens. Empty: just numbers.
using Labels = std::vector<std::string>;

struct TraceValue {
  std::string stage;    // the heading it stands under: "Encoder layer 0: self-attention"
  std::string name;     // "encoder.0.self_attention.heads.0.S"
  std::string word;     // another word for the last part of its name, "scores"; or empty
  std::string formula;  // "S = Q Kᵀ", which begins with the paper's symbol
  std::string section;  // "§3.2.1, eq. (1)"
  Maker maker;
  Tensor data;  // [T, width], or [T]
  Labels rows, columns;
  Index layer = -1, head = -1;  // −1: in none
  bool weight = false;          // a parameter: given, not computed
};

// The layer that a value is named by, as "encoder.3.attended" by layer 3; −1: by none.
Index layer_of(const std::string& name);

// The values in the order in which they are made. What stays the same from one to the next is set
// once. `layer` is for values that are not named by theirs, as z: a name that has one goes first,
// since the way back through a layer ends with the gradient of the layer before.
struct TraceRecorder {
  std::string stage;
  Index layer = -1, head = -1;
  std::vector<TraceValue> values;

  void add(const std::string& name, const std::string& word, const std::string& formula,
           const std::string& section, Maker maker, Tensor data, Labels rows, Labels columns = {}) {
    const Index named = layer_of(name);
    values.push_back({stage, name, word, formula, section, maker, std::move(data), std::move(rows),
                      std::move(columns), named >= 0 ? named : layer, head});
  }
};

// The tokens of the one sentence pair that is traced.
struct TraceTokens {
  Labels source;         // x1 … xn <eos>
  Labels target_input;   // <bos> y1 … ym
  Labels target_output;  // y1 … ym <eos>
  Labels vocabulary;     // all
};

// The name of a value's gradient: a d before the last part. "encoder.0.attended" gives
// "encoder.0.dattended".
std::string gradient_name(const std::string& name);
// "encoder.0", "decoder.1"
std::string layer_name(const std::string& stack, Index layer);
// The rows × cols numbers of a view, as a tensor.
Tensor copy_of(const ConstMatrixView& view);
// 1/√d_k
Real score_scale(const MultiHeadAttention& layer);

}  // namespace attn::app
