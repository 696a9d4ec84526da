// "A big for-loop over attention"                                            ★★ 25 min, §3.2.2
//
//     MultiHead = Concat(head_1, …, head_h) W^O
//     head_i = Attention(x W^Q_i, z W^K_i, z W^V_i)
//
// x [m, d_model] asks, z [n, d_model] answers. Each head has matrices of its own:
// W_Q[i], W_K[i] [d_model, d_k] and W_V[i] [d_model, d_v]; W_O is [h·d_v, d_model].
// Return [m, d_model].
//
// attention_of(Q, K, V) is equation (1). d_v is not d_k here, nor is h·d_v d_model.
#include "layers/attention.h"
#include "support/exercise.h"

inline Tensor attention_of(const Tensor& Q, const Tensor& K, const Tensor& V) {
  Tensor P = Tensor::zeros({Q.rows(), K.rows()}), O = Tensor::zeros({Q.rows(), V.cols()});
  attn::attention_forward(Q, K, V, {}, {}, P, O);
  return O;
}

Tensor multi_head_loop(const Tensor& x, const Tensor& z, const std::vector<Tensor>& W_Q,
                       const std::vector<Tensor>& W_K, const std::vector<Tensor>& W_V,
                       const Tensor& W_O) {
  not_yet();
}
