// e = Dropout(√d_model E[ids] + PE)
#include "model/embed.h"

namespace attn {

Tensor embed(const Embedding& embedding, const PositionalEncoding& positions, const PackedIds& ids,
             double p_drop, const Pass& pass, DropoutMask& mask) {
  Tensor e = embedding.forward(ids.ids, pass);  // [T, d_model]
  positions.forward(e, ids.offsets, pass);
  mask = pass.drop(p_drop, e);
  return e;
}

void embed_backward(Embedding& embedding, PositionalEncoding& positions, Tensor de,
                    const PackedIds& ids, const DropoutMask& mask, const Pass& pass) {
  pass.drop(mask, de);
  positions.backward(de, ids.offsets, pass);
  embedding.backward(de, ids.ids, pass);
}

}  // namespace attn
