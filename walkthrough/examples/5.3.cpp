// The numbers of chapter 5.3: Adam and the learning rate, through the library's own functions.
//
//     example-5.3 steps      three steps of one weight, with all that is in between
//     example-5.3 rates      the learning rate of the base and of the big model
//     example-5.3 noise      how long a step is if the gradients are nothing but noise
//     example-5.3 values     all of it as NAME = VALUE
#include <cmath>
#include <cstdio>
#include <string>

#include "base/random.h"
#include "model/transformer.h"
#include "training/adam.h"
#include "training/schedule.h"

using namespace attn;

namespace {

// Adam moves models, so one weight is the first of a model's, and the others are not looked at.
struct OneModel {
  Transformer model;
  Adam adam;

  OneModel() : model(config()) {
    initialise_parameters(model, 1);
    zero_gradients(model);
  }
  static TransformerConfig config() {
    TransformerConfig config = preset("tiny");
    config.source_vocabulary = config.target_vocabulary = 100;
    config.layers = 1;
    return config;
  }
  Parameter& E() { return model.source_embedding.weight; }
  Adam::Moments& moments() { return adam.moments.at("embedding.weight"); }
};

double real(Real x) {
  return static_cast<double>(x);
}

void print_steps(bool values) {
  const double gradients[] = {-0.16, -0.08, 0.12};
  const double rate = 0.01;
  OneModel one;
  one.E().value[0] = 1;
  if (!values) std::printf("step       g        m        v    m-hat    v-hat   change        w\n");
  for (Index t = 1; t <= 3; ++t) {
    const double g = gradients[t - 1], before = real(one.E().value[0]);
    one.E().gradient[0] = static_cast<Real>(g);
    one.adam.update(one.model, t, rate);
    const double w = real(one.E().value[0]);
    const double m = real(one.moments().m[0]), v = real(one.moments().v[0]);
    const double m_hat = m / (1 - std::pow(Adam::kBeta1, t));
    const double v_hat = v / (1 - std::pow(Adam::kBeta2, t));
    if (values) {
      std::printf("m.%td = %.7g\nv.%td = %.7g\nm-hat.%td = %.7g\nv-hat.%td = %.7g\n", t, m, t, v, t,
                  m_hat, t, v_hat);
      std::printf("change.%td = %.7g\nw.%td = %.7g\n", t, w - before, t, w);
    } else {
      std::printf("%4td %7.2f %8.4f %8.6f %8.4f %8.6f %8.5f %8.5f\n", t, g, m, v, m_hat, v_hat,
                  w - before, w);
    }
  }
}

void print_rates(bool values) {
  const Schedule base{512, 4000, 1}, big{1024, 4000, 1};
  if (!values) std::printf("  step        base         big\n");
  for (const Index step : {1, 100, 1000, 4000, 16000, 100000, 300000}) {
    if (values) {
      std::printf("base.%td = %.7g\nbig.%td = %.7g\n", step, base.rate(step), step, big.rate(step));
    } else {
      std::printf("%6td   %.3e   %.3e\n", step, base.rate(step), big.rate(step));
    }
  }
}

// 6400 weights whose gradients are independent normal numbers of mean 0: there is nothing to learn.
// By how much of the learning rate do they move, as a root of the mean square?
void print_noise(bool values) {
  OneModel one;
  const Index n = one.E().value.elements();
  if (!values) std::printf("step   moved/rate\n");
  for (Index t = 1; t <= 200; ++t) {
    const RandomStream random{7, static_cast<std::uint64_t>(t)};
    for (Index i = 0; i < n; ++i) {
      one.E().gradient[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
    }
    const Tensor before = one.E().value;
    one.adam.update(one.model, t, 1);
    if (t != 1 && t != 2 && t != 5 && t != 10 && t != 20 && t != 50 && t != 200) continue;
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      const double moved = real(one.E().value[i]) - real(before[i]);
      sum += moved * moved;
    }
    const double root = std::sqrt(sum / static_cast<double>(n));
    std::printf(values ? "noise.%td = %.4f\n" : "%4td   %10.2f\n", t, root);
  }
}

// By what leaving out both corrections would multiply a step: (1 − β₁ᵗ)/√(1 − β₂ᵗ).
void print_corrections() {
  for (const int t : {1, 2, 5, 10, 14, 20, 50, 100}) {
    const double first = 1 - std::pow(Adam::kBeta1, t), second = 1 - std::pow(Adam::kBeta2, t);
    std::printf("uncorrected.%d = %.4f\n", t, first / std::sqrt(second));
  }
  std::printf("without_first.1 = %.4f\n", 1 - Adam::kBeta1);
  std::printf("without_second.1 = %.4f\n", 1 / std::sqrt(1 - Adam::kBeta2));
}

// What share of its learning rate the first step is, for a very small gradient: as in Adam, and
// with ε under the root.
void print_epsilon() {
  for (const double g : {1e-6, 1e-8, 1e-9, 1e-10}) {
    OneModel one;
    one.E().value[0] = 0;
    one.E().gradient[0] = static_cast<Real>(g);
    one.adam.update(one.model, 1, 1);
    std::printf("epsilon.%.0e = %.4g\n", g, -real(one.E().value[0]));
    std::printf("epsilon_inside.%.0e = %.4g\n", g, g / std::sqrt(g * g + Adam::kEpsilon));
  }
}

void print_memory() {
  for (const double beta : {0.9, 0.98, 0.999}) {
    std::printf("mean_age.%g = %.1f\n", beta, beta / (1 - beta));
    std::printf("half_life.%g = %.1f\n", beta, std::log(0.5) / std::log(beta));
    std::printf("terms.%g = %.1f\n", beta, (1 + beta) / (1 - beta));
    std::printf("older_than_50.%g = %.4f\n", beta, std::pow(beta, 50));
  }
  const double share = std::sqrt((1 - Adam::kBeta1) / (1 + Adam::kBeta1));
  std::printf("noise_by_formula = %.4f\n", share);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "steps") {
    print_steps(false);
  } else if (what == "rates") {
    print_rates(false);
  } else if (what == "noise") {
    print_noise(false);
  } else if (what == "values") {
    print_steps(true);
    print_rates(true);
    print_noise(true);
    print_corrections();
    print_epsilon();
    print_memory();
  } else {
    std::fprintf(stderr, "usage: example-5.3 steps|rates|noise|values\n");
    return 2;
  }
  return 0;
}
