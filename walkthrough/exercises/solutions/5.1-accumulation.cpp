// tokens[i] · dmean[i] is the gradient of batch i's summed loss; sums add up. Then divide once, by
// all tokens. (The library never takes a batch's mean: it is told 1/(all tokens) before it begins.)
#include "support/exercise.h"

Tensor accumulated(const std::vector<Tensor>& dmean, const std::vector<Index>& tokens) {
  Tensor d = Tensor::zeros(dmean[0].shape());
  Index all = 0;
  for (const Index n : tokens) all += n;
  for (std::size_t b = 0; b < dmean.size(); ++b) {
    const double weight = static_cast<double>(tokens[b]) / static_cast<double>(all);
    for (Index i = 0; i < d.elements(); ++i) d[i] += weight * dmean[b][i];
  }
  return d;
}
