// Positional encodings (§3.5), added to the embeddings: without them the model cannot tell one
// order of the same words from another.
#pragma once

#include <vector>

#include "layers/parameter.h"
#include "layers/pass.h"
#include "tensor/packed.h"

namespace attn {

// How a model knows where its tokens are: sinusoids or learned rows, as in the paper, are added to
// the embeddings; `none` adds nothing, and leaves the causal mask; `rotary` is left to attention
// (layers/rotary.h).
enum class Positions { sinusoidal, learned, none, rotary };

// PE(pos, 2i) = sin(pos/10000^(2i/d_model)),  PE(pos, 2i+1) = cos of the same angle.
// row [d_model] receives PE(pos). d_model may be odd; then the last sine has no cosine.
void sinusoidal_encoding(Index pos, Index d_model, Real* row);

struct PositionalEncoding {
  Positions kind = Positions::sinusoidal;
  // Sinusoidal: the first rows, computed once; later ones are computed once per call, so there is
  // no longest sentence. Learned: none.
  Tensor table;
  // Learned: [max_positions, d_model]. A longer sentence is an error.
  Parameter weight;

  PositionalEncoding(Positions kind_, Index max_positions, Index d_model);

  // x_t += PE(position of t in its sentence)       x [T, d_model] packed
  void forward(Tensor& x, const Offsets& offsets, const Pass& pass = {}) const;
  // The same where row t of x is a token at position at[t], or all are at one: decoding.
  void forward_at(const std::vector<Index>& at, Tensor& x) const;
  void forward_at(Index pos, Tensor& x) const { forward_at(std::vector<Index>(x.rows(), pos), x); }
  // dx is also the gradient of the sum's other term, the embeddings. Learned: dPE[pos] += dx_t.
  void backward(const Tensor& dx, const Offsets& offsets);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
