// One value of a trace: its name, where the paper defines it, which function computes it, and its
// numbers. Text, JSON and selection all work from this one description.
#pragma once

#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace attn {

// What the rows or columns of a value stand for: tokens. Empty: just numbers.
using Labels = std::vector<std::string>;

struct TraceValue {
  std::string stage;     // the heading it is under: "Encoder, layer 0, self-attention"
  std::string name;      // "encoder.0.self_attention.heads.0.S"
  std::string word;      // another word for the last part of its name, "scores"; or empty
  std::string formula;   // "S = Q Kᵀ", which begins with the paper's symbol
  std::string section;   // "§3.2.1, eq. (1)"
  std::string function;  // "attention_forward"; for a parameter the struct that holds it
  std::string file;      // "src/layers/attention.cpp", which defines that
  Tensor data;           // [T, width], or [T]
  Labels rows, columns;
  Index layer = -1, head = -1;  // −1: in none
  bool weight = false;          // a parameter: given, not computed
};

// The tokens of the sentence pair that is traced.
struct TraceTokens {
  Labels source;         // x1 … xn <eos>
  Labels target_input;   // <bos> y1 … ym
  Labels target_output;  // y1 … ym <eos>
  Labels vocabulary;     // all
};

// The name of a value's gradient: a d before the last part. "encoder.0.attended" gives
// "encoder.0.dattended".
std::string gradient_name(const std::string& name);

}  // namespace attn
