// The position-wise feed-forward network (§3.3): the same two-layer network for every token.
#pragma once

#include "layers/linear.h"
#include "layers/pass.h"

namespace attn {

struct FeedForward {
  Linear inner;             // W₁ [d_model, d_ff], b₁
  Linear outer;             // W₂ [d_ff, d_model], b₂
  double relu_dropout = 0;  // on the hidden layer; 0 in the paper

  struct Cache {
    Tensor hidden;  // max(0, x W₁ + b₁) after dropout [T, d_ff]
    DropoutMask hidden_mask;
  };

  FeedForward(Index d_model, Index d_ff, double relu_dropout_);

  // y = max(0, x W₁ + b₁) W₂ + b₂          x, y [T, d_model]                              eq. (2)
  Tensor forward(const Tensor& x, const Pass& pass, Cache& cache) const;
  // dy → dx [T, d_model]; adds to the gradients of W₁, b₁, W₂ and b₂.
  Tensor backward(const Tensor& dy, const Tensor& x, const Pass& pass, const Cache& cache);

  void visit(const std::string& name, const ParameterVisitor& visitor);
};

}  // namespace attn
