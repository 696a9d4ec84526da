// From post-norm to pre-norm                                                   ★★ 15 min, §3.1
//
// encoder_post below is the paper's encoder, written as a loop over its sub-layers: attention, FFN,
// attention, FFN, … norms[i] belongs to sublayers[i]. Write the same with pre-norm. Then no layer
// normalises the sum that leaves the stack, so final_norm must.
//
// This is the commonest disagreement between prose and code in published Transformers: check the
// changed line twice.
#include "support/exercise.h"

using Step = std::function<Tensor(const Tensor&)>;

inline Tensor sum_of(const Tensor& a, Tensor b) {
  add(a, b);
  return b;
}

inline Tensor encoder_post(Tensor x, const std::vector<Step>& sublayers,
                           const std::vector<Step>& norms) {
  for (std::size_t i = 0; i < sublayers.size(); ++i) x = norms[i](sum_of(x, sublayers[i](x)));
  return x;
}

Tensor encoder_pre(Tensor x, const std::vector<Step>& sublayers, const std::vector<Step>& norms,
                   const Step& final_norm) {
  not_yet();
}
