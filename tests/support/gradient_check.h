// Is a hand-derived gradient right? Central differences tell:
//
//     dL/dx_i ≈ (L(x + h e_i) − L(x − h e_i)) / 2h,        h = 1e-5, in double.
//
// A tensor's gradient a passes against its difference quotients b if
//
//     ‖a − b‖ ≤ tolerance · (‖b‖ + 1e-3 · ‖the difference quotients of all tensors together‖).
//
// The second term is for gradients that are truly 0, whose quotients are rounding errors only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/sequence_model.h"
#include "support/random_tensors.h"

namespace attn::test {

class GradientCheck {
 public:
  // L depends on x, and somebody claims that its gradient is dx. x is changed and put back.
  void tensor(const std::string& name, Tensor& x, const Tensor& dx) {
    tensors_.push_back({name, &x, dx, {}});
  }

  // All parameters of a layer, with the gradients that its backward pass left in them.
  template <class Layer>
  void parameters(const std::string& name, Layer& layer) {
    layer.visit(name, [&](const std::string& full_name, Parameter& p) {
      tensor(full_name, p.value, p.gradient);
    });
  }

  // One line for each tensor whose gradient is wrong; empty if all are right.
  std::string errors(const std::function<double()>& loss, double tolerance = 1e-7) {
    double all = 0;
    for (Claim& claim : tensors_) {
      claim.quotients = difference_quotients(loss, *claim.x);
      for (const double q : claim.quotients) all += q * q;
    }
    std::string result;
    for (const Claim& claim : tensors_) result += error_of(claim, std::sqrt(all), tolerance);
    return result;
  }

 private:
  static constexpr double kStep = 1e-5;

  struct Claim {
    std::string name;
    Tensor* x;
    Tensor gradient;
    std::vector<double> quotients;
  };

  static std::vector<double> difference_quotients(const std::function<double()>& loss, Tensor& x) {
    std::vector<double> quotients;
    for (Index i = 0; i < x.elements(); ++i) {
      const Real kept = x[i];
      const Real above = kept + static_cast<Real>(kStep), below = kept - static_cast<Real>(kStep);
      x[i] = above;
      const double higher = loss();
      x[i] = below;
      const double lower = loss();
      x[i] = kept;
      quotients.push_back((higher - lower) / static_cast<double>(above - below));
    }
    return quotients;
  }

  static std::string error_of(const Claim& claim, double all, double tolerance) {
    if (claim.gradient.shape() != claim.x->shape()) {
      return claim.name + ": gradient " + to_string(claim.gradient.shape()) + " of a tensor " +
             to_string(claim.x->shape()) + "\n";
    }
    double squared_error = 0, squared_norm = 0;
    for (std::size_t i = 0; i < claim.quotients.size(); ++i) {
      const double a = static_cast<double>(claim.gradient[static_cast<Index>(i)]);
      const double b = claim.quotients[i];
      squared_error += (a - b) * (a - b);
      squared_norm += b * b;
    }
    const double error = std::sqrt(squared_error);
    const double allowed = tolerance * (std::sqrt(squared_norm) + 1e-3 * all);
    // Written so that a NaN anywhere fails.
    if (error <= allowed) return "";
    return claim.name + ": error " + scientific(error) + ", norm " +
           scientific(std::sqrt(squared_norm)) + ", allowed " + scientific(allowed) + "\n";
  }

  static std::string scientific(double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.3e", x);
    return buffer;
  }

  std::vector<Claim> tensors_;
};

// The same of a layer: forward(pass, cache) returns y, from whose gradient
// backward(dy, pass, cache, check) claims those of its inputs. With dropout, whatever it drops.
template <class Cache, class Layer, class Forward, class Backward>
std::string layer_errors(Layer& layer, const Forward& forward, const Backward& backward) {
  const Pass pass(DropoutMasks(5, 6)), again = pass;
  Cache cache;
  const Tensor y = forward(pass, cache), dy = random_tensor(y.shape(), 99);
  GradientCheck check;
  backward(dy, pass, cache, check);
  check.parameters("layer", layer);
  return check.errors([&] {
    Cache unused;
    return weighted_sum(dy, forward(Pass(again), unused));
  });
}

// The same of a whole model: of scale · the loss of a batch, with these masks.
inline std::string gradient_errors(SequenceModel& model, const Batch& batch,
                                   const DropoutMasks& masks, double scale) {
  const double loss = model.loss_and_gradients(batch, masks, static_cast<Real>(scale)).loss;
  if (model.loss(batch, masks).loss != loss) return "without gradients the loss is another\n";
  GradientCheck check;
  model.visit_parameters(
      [&](const std::string& name, Parameter& p) { check.tensor(name, p.value, p.gradient); });
  return check.errors([&] { return scale * model.loss(batch, masks).loss; });
}

}  // namespace attn::test
