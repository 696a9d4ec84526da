// How a model knows where its tokens are. The paper adds sinusoids or learned rows to the
// embeddings (§3.5, layers/positional_encoding.h); `none` adds nothing, and leaves the causal mask.
// Other ways make their rules known here (lab/positions): they give sinusoids other places, turn
// queries and keys, or add a bias to the scores.
#pragma once

#include <vector>

#include "base/random.h"
#include "tensor/packed.h"
#include "tensor/tensor.h"

namespace attn {

enum class Positions { sinusoidal, learned, none, rotary, relative, alibi, random };

// What a score gets if its key is at this distance, i − j, from the query: the factor times number
// `row` of the head's weights.
struct BiasShare {
  Index row;
  Real factor;
};

// Each function may be missing.
struct PositionRules {
  // The places of all tokens, which increase in each sentence, while training.
  std::vector<Index> (*places)(const RandomStream& pass, const Offsets& offsets,
                               Index max_positions) = nullptr;

  // x [T, heads·d_k] with each head's part of row t turned as position at[t] says: multiplied by an
  // orthogonal matrix or, for backward, by its transpose.
  Tensor (*turned)(const Tensor& x, const std::vector<Index>& at, Index heads, bool back) = nullptr;

  // A bias of each score, linear in weights w [rows, heads].
  Index rows = 0;
  BiasShare (*share)(Index distance, bool causal) = nullptr;
  Real (*fixed_weight)(Index head, Index heads) = nullptr;  // if w is not learned

  const char* note = "";  // for a watcher: how queries are turned, or what the bias is

  bool learns() const { return rows > 0 && fixed_weight == nullptr; }
};

// Throws Error if these are the rules of a laboratory that was not opened.
const PositionRules& position_rules(Positions kind);
// Makes rules known. Not while models are being made.
void add_position_rules(Positions kind, const PositionRules& rules);

// The position of each token in its sentence.
std::vector<Index> positions_in(const Offsets& offsets);

}  // namespace attn
