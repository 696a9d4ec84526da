// logits = h Eᵀ: dE += dlogitsᵀ h, without √d, and dh = dlogits E. dh goes to both terms of the
// sum, and through each embedding to a row of E, with √d.
#include "support/exercise.h"

Tensor tied_gradient(const Tensor& dlogits, const std::vector<int>& source,
                     const std::vector<int>& target, const Tensor& E) {
  const double scale = std::sqrt(static_cast<double>(E.cols()));
  const Tensor dh = product(dlogits, E);
  Tensor h = Tensor::zeros(dh.shape()), embedded = Tensor::zeros(E.shape());
  for (Index t = 0; t < dh.rows(); ++t) {
    for (const int id : {source[t], target[t]}) {
      for (Index j = 0; j < E.cols(); ++j) {
        h(t, j) += scale * E(id, j);
        embedded(id, j) += scale * dh(t, j);
      }
    }
  }
  Tensor dE = product(transposed(dlogits), h);
  add(embedded, dE);
  return dE;
}
