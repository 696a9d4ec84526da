// w ← w − rate · m̂/(√v̂ + ε)
#include "training/adam.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

constexpr Index kPiece = 1 << 13;  // weights that one thread updates at a time

void Adam::update(SequenceModel& model, Index step, double rate, double gradient_scale) {
  // m and v start at 0, which pulls them towards 0 in the first steps: after t steps the weights of
  // the mean add up to 1 − βᵗ. Dividing by that undoes it.
  const double t = static_cast<double>(step);
  AdamStep constants;
  constants.rate = static_cast<Real>(rate);
  constants.beta1 = static_cast<Real>(kBeta1);
  constants.beta2 = static_cast<Real>(kBeta2);
  constants.epsilon = static_cast<Real>(kEpsilon);
  constants.correction1 = static_cast<Real>(1 / (1 - std::pow(kBeta1, t)));
  constants.correction2 = static_cast<Real>(1 / (1 - std::pow(kBeta2, t)));
  constants.gradient_scale = static_cast<Real>(gradient_scale);

  // One job for all parameters: most parameters of a small model are too small to be split.
  struct Piece {
    Index n;
    const Real* gradient;
    Real *value, *m, *v;
  };
  std::vector<Piece> pieces;
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    Moments& moment = moments[name];
    if (moment.m.empty()) {
      moment.m = Tensor::zeros(parameter.value.shape());
      moment.v = Tensor::zeros(parameter.value.shape());
    }
    const Index n = parameter.value.elements();
    for (Index i = 0; i < n; i += kPiece) {
      pieces.push_back({std::min(kPiece, n - i), parameter.gradient.data() + i,
                        parameter.value.data() + i, moment.m.data() + i, moment.v.data() + i});
    }
  });
  parallel_for(pieces.size(), [&](Index i) {
    const Piece& piece = pieces[i];
    kernels().vector_adam(piece.n, constants, piece.gradient, piece.value, piece.m, piece.v);
  });
}

}  // namespace attn
