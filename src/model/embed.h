// From ids to vectors that know their place, e = Dropout(√d_model E[ids] + PE) (§3.4, §3.5, §5.4).
#pragma once

#include "layers/embedding.h"
#include "layers/positional_encoding.h"

namespace attn {

// e [T, d_model]. The mask is for the backward pass.
inline Tensor embed(const Embedding& embedding, const PositionalEncoding& positions,
                    const PackedIds& ids, double p_drop, const Pass& pass, DropoutMask& mask) {
  Tensor e = embedding.forward(ids.ids);  // [T, d_model]
  pass.see("embedding", e);
  positions.forward(e, ids.offsets, pass);
  mask = pass.drop(p_drop, e);
  return e;
}

// From de to the gradients of the matrix and of learned positions.
inline void embed_backward(Embedding& embedding, PositionalEncoding& positions, Tensor de,
                           const PackedIds& ids, const DropoutMask& mask, const Pass& pass) {
  dropout(mask, de);
  positions.backward(de, ids.offsets);
  embedding.backward(de, ids.ids);
  pass.see("dembedding", de);
}

}  // namespace attn
