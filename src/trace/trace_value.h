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

// Where an operand's number is: element `at` of the data of a value. Of no value: a constant.
struct TraceCell {
  int value = -1;
  Index at = 0;
  Real number = 0;

  bool is_constant() const { return value < 0; }
};

// A matrix that a value was computed from.
struct TraceOperand {
  Index rows = 0, cols = 0;
  std::vector<TraceCell> cells;      // row by row; of a weight matrix only the first
  Index row_step = 0, col_step = 0;  // of a weight matrix: from one of its numbers to the next
  std::string symbol;                // "K"
  bool transposed = false;

  // One row stands for all rows.
  TraceCell at(Index row, Index col) const;
  TraceOperand block(Index row, Index col, Index row_count, Index col_count) const;
};

// How some rows of a value were made, or numbers of a vector: layers/made.h, with operands that can
// be found.
struct Recipe {
  struct Step {
    Term::Kind kind = Term::Kind::matrix;
    TraceOperand a = {}, b = {};
    int sign = 1;
  };
  Operation operation = Operation::known;
  std::vector<Step> terms;
  double factor = 1;
  std::string factor_symbol;
  std::vector<Index> legal;
  Index row = 0, rows = 0;

  // Whether it adds the terms up, inside σ or tanh perhaps.
  bool is_sum() const;
  // The recipe of a block of what it makes; the operation must be one of single numbers, like a
  // sum, unless the block has all columns.
  Recipe block(Index first_row, Index first_col, Index row_count, Index col_count) const;
};

struct TraceValue {
  int id = -1;                  // by which operands know it
  std::string stage;            // the heading it is under: "Encoder, layer 0, self-attention"
  std::string name;             // "encoder.0.self_attention.heads.0.S"
  std::string word;             // another word for it, "scores"; or empty
  std::string symbol;           // the paper's: "S"
  std::string formula;          // "S = Q Kᵀ"
  std::string section;          // "§3.2.1, eq. (1)"
  std::string function;         // "attention_forward"; for a parameter the function that uses it
  std::string file;             // "src/layers/attention.cpp", which defines that
  Tensor data;                  // [T, width], or [T]
  std::vector<Recipe> recipes;  // of several that make the same rows, the sum
  Labels rows, columns;
  Index layer = -1, head = -1;  // −1: in none
  bool weight = false;          // a parameter: given, not computed
  bool backward = false;        // of the backward pass

  bool is_vector() const { return data.shape().rank == 1; }
  // Numbers of a vector count as rows.
  Index row_count() const { return is_vector() ? data.elements() : data.rows(); }
};

// The tokens of the sentence pair that is traced.
struct TraceTokens {
  Labels source;         // x1 … xn <eos>
  Labels target_input;   // <bos> y1 … ym
  Labels target_output;  // y1 … ym <eos>
  Labels vocabulary;     // all
  // Both, as a decoder-only model reads them, and what follows each token.
  Labels sequence = {};   // x1 … xn <eos> <bos> y1 … ym
  Labels following = {};  // x2 … xn <eos> <bos> y1 … ym <eos>
};

// Gives each operand of a value its symbol, as the value's formula writes it. `values` are all that
// operands can be of, by their id.
void name_operands(const std::vector<TraceValue>& values, const TraceValue& value, Recipe& recipe);
// "Q Kᵀ"; empty for a value that is given.
std::string formula_of(const Recipe& recipe);

// Adds rows to a matrix, or numbers to a vector.
void append(const Tensor& more, Tensor& x);

// The name of a value's gradient: a d before the last part. "encoder.0.attended" gives
// "encoder.0.dattended".
std::string gradient_name(const std::string& name);

}  // namespace attn
