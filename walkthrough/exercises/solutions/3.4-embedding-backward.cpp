// Row ids_t of E reached e_t, times √d_model. += takes care of tokens that occur twice.
#include "support/exercise.h"

void embedding_backward(const Tensor& de, const std::vector<int>& ids, Tensor& dE) {
  const double scale = std::sqrt(static_cast<double>(dE.cols()));
  for (Index t = 0; t < de.rows(); ++t) {
    const Index id = ids[t];
    for (Index j = 0; j < dE.cols(); ++j) dE(id, j) += scale * de(t, j);
  }
}
