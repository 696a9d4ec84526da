// From ids to vectors that know their place, √d_model E[ids] + PE, with dropout (§3.4, §3.5, §5.4).
#pragma once

#include "layers/embedding.h"
#include "layers/positional_encoding.h"

namespace attn {

// e [T, d_model]. The mask is for the backward pass.
Tensor embed(const Embedding& embedding, const PositionalEncoding& positions, const PackedIds& ids,
             double p_drop, const Pass& pass, DropoutMask& mask);
// From de to the gradients of the matrix and of learned positions.
void embed_backward(Embedding& embedding, PositionalEncoding& positions, Tensor de,
                    const PackedIds& ids, const DropoutMask& mask, const Pass& pass);

}  // namespace attn
