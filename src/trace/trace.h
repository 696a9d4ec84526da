// A trace: every value of one sentence pair in a model, forward or backward. An observer of a pass
// keeps a copy of each value under its name; the table (trace/table.h) says all else about it.
#pragma once

#include <string>
#include <vector>

#include "model/sequence_model.h"
#include "text/tokenizer.h"
#include "trace/table.h"

namespace attn {

// What the rows or columns of a value stand for: tokens. Empty: just numbers.
using Labels = std::vector<std::string>;

// The tokens of the sentence pair that is traced.
struct TraceTokens {
  Labels source;         // x1 … xn <eos>
  Labels target_input;   // <bos> y1 … ym
  Labels target_output;  // y1 … ym <eos>
  Labels vocabulary;     // all
  // Both, as a decoder-only model reads them, and what follows each token.
  Labels sequence;   // x1 … xn <eos> <bos> y1 … ym
  Labels following;  // x2 … xn <eos> <bos> y1 … ym <eos>
};
TraceTokens trace_tokens(const Batch& batch, const Tokenizer& tokenizer);

struct TraceValue {
  std::string name;          // "encoder.0.self_attention.heads.0.S"
  Tensor data;               // [T, width], or [T]
  bool weight = false;       // a parameter: given, not computed
  bool backward = false;     // a gradient
  const Row* row = nullptr;  // of the table; null if it has none, and then what follows is empty
  std::string symbol;        // the paper's: "S"
  std::string formula;       // "S = Q Kᵀ"
  std::string stage;         // the heading it is under: "Encoder, layer 0, self attention"
  Labels rows, columns;

  bool is_vector() const { return data.shape().rank == 1; }
  // Numbers of a vector count as rows.
  Index row_count() const { return is_vector() ? data.elements() : data.rows(); }
  std::string section() const { return row != nullptr ? section_of(*row) : ""; }
};

struct Trace {
  Settings settings;  // of the model
  std::vector<TraceValue> values;

  // Null if there is none.
  const TraceValue* find(const std::string& name) const;
};

// Adds a value that was shown; its name again adds rows, or numbers of a vector (one per token).
void keep(const std::string& name, Tensor data, Trace& trace);

// The parameters, what the model shows in a forward pass over one sentence pair, and what the table
// computes from it; if `backward` is set, with these masks and the gradients of the mean loss,
// those of the parameters last, which it leaves in the model.
Trace trace_of(SequenceModel& model, const Batch& batch, const TraceTokens& tokens, bool backward,
               const DropoutMasks& masks = {});

}  // namespace attn
