// One value of a trace: its name, where the paper defines it, which function computes it, its
// numbers, and what they were computed from. Text, JSON, selection and explanations all work from
// this one description.
#pragma once

#include <string>
#include <vector>

#include "layers/made.h"

namespace attn {

// What the rows or columns of a value stand for: tokens. Empty: just numbers.
using Labels = std::vector<std::string>;

// A matrix that a value was computed from: blocks of other values, found in their memory or by
// their numbers.
struct TraceOperand {
  struct Block {
    Index row, col, rows, cols;  // of the operand
    std::string value;           // the name of the value that it is a part of
    Index value_row, value_col;  // where it begins there
    bool transposed = false;
  };
  Index rows = 0, cols = 0;
  std::vector<Block> blocks;
  Tensor numbers;      // of an operand that is not all in blocks
  std::string symbol;  // "K"
  bool transposed = false;
};

// How a value was made: layers/made.h, with operands that have names.
struct Recipe {
  struct Step {
    Term::Kind kind;
    TraceOperand a, b;
    int sign = 1;
  };
  Operation operation = Operation::known;
  std::vector<Step> terms;
  double factor = 1;
  std::string factor_symbol;
  std::vector<Index> legal;
};

struct TraceValue {
  std::string stage;     // the heading it is under: "Encoder, layer 0, self-attention"
  std::string name;      // "encoder.0.self_attention.heads.0.S"
  std::string word;      // another word for it, "scores"; or empty
  std::string symbol;    // the paper's: "S"
  std::string formula;   // "S = Q Kᵀ"
  std::string section;   // "§3.2.1, eq. (1)"
  std::string function;  // "attention_forward"; for a parameter the struct that holds it
  std::string file;      // "src/layers/attention.cpp", which defines that
  Tensor data;           // [T, width], or [T]
  Recipe recipe;
  Labels rows, columns;
  Index layer = -1, head = -1;  // −1: in none
  bool weight = false;          // a parameter: given, not computed
  bool backward = false;        // of the backward pass
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
