// Positional encodings (§3.5), added to the embeddings: without them the model cannot tell one
// order of the same words from another.
#pragma once

#include <vector>

#include "layers/parameter.h"
#include "layers/pass.h"
#include "layers/position_rules.h"
#include "tensor/packed.h"

namespace attn {

// PE(pos, 2i) = sin(pos/10000^(2i/d_model)),  PE(pos, 2i+1) = cos of the same angle.
// row [d_model] receives PE(pos). d_model may be odd; then the last sine has no cosine.
void sinusoidal_encoding(Index pos, Index d_model, Real* row);

struct PositionalEncoding {
  // Only sinusoidal, learned and random positions are added; attention applies the others.
  Positions kind = Positions::sinusoidal;
  Index max_positions = 0;  // of random ones: the number of places to draw from
  // Sinusoidal: the first rows, computed once; later ones are computed once per call, so there is
  // no longest sentence. Learned: none.
  Tensor table;
  // Learned: [max_positions, d_model]. A longer sentence is an error.
  Parameter weight;

  PositionalEncoding(Positions kind_, Index max_positions_, Index d_model);

  // x_t += PE(position of t in its sentence)       x [T, d_model] packed
  // Random places are drawn while training, from the pass's dropout, for each sentence number and
  // length. Otherwise they are the positions.
  void forward(Tensor& x, const Offsets& offsets, const Pass& pass = {}) const;
  // Row t of x is a token at position at[t], or every row one at the same position: decoding.
  void forward_at(const std::vector<Index>& at, Tensor& x) const;
  void forward_at(Index pos, Tensor& x) const {
    forward_at(std::vector<Index>(static_cast<std::size_t>(x.rows()), pos), x);
  }
  // dx is also the gradient of the sum's other term, the embeddings. Learned: dPE[pos] += dx_t.
  void backward(const Tensor& dx, const Offsets& offsets, const Pass& pass = {});

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
