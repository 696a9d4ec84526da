#include "training/adam.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "support/compare.h"
#include "support/random_tensors.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// Kingma & Ba's algorithm 1 as it is printed, one weight, in double.
struct PlainAdam {
  double m = 0, v = 0;
  double update(double w, double g, int t, double rate) {
    const double beta1 = 0.9, beta2 = 0.98, epsilon = 1e-9;
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g * g;
    const double m_hat = m / (1 - std::pow(beta1, t)), v_hat = v / (1 - std::pow(beta2, t));
    return w - rate * m_hat / (std::sqrt(v_hat) + epsilon);
  }
};

void set_gradients(SequenceModel& model, std::uint64_t step) {
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    p.gradient = random_tensor(p.value.shape(), mix(step, hash(name)), 0.1);
  });
}

}  // namespace

TEST_SUITE("5.3 optimizer") {
  TEST_CASE("ten steps equal the published algorithm, weight by weight") {
    Transformer model = random_model(small_config());
    std::map<std::string, std::vector<double>> expected;
    std::map<std::string, std::vector<PlainAdam>> plain;
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      expected[name].assign(p.value.data(), p.value.data() + p.value.elements());
      plain[name].resize(p.value.elements());
    });
    Adam adam;
    for (int step = 1; step <= 10; ++step) {
      const double rate = 1e-3 * step;
      set_gradients(model, static_cast<std::uint64_t>(step));
      model.visit_parameters([&](const std::string& name, Parameter& p) {
        for (std::size_t i = 0; i < expected[name].size(); ++i) {
          const double g = static_cast<double>(p.gradient.data()[i]);
          expected[name][i] = plain[name][i].update(expected[name][i], g, step, rate);
        }
      });
      adam.update(model, step, rate);
    }
    const double tolerance = sizeof(Real) == 4 ? 1e-6 : 1e-14;
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      CAPTURE(name);
      CHECK(relative_error(p.value.elements(), p.value.data(), expected[name].data()) <= tolerance);
    });
  }

  TEST_CASE("the first step moves every weight by the rate, against its gradient's sign") {
    // m̂ = g and v̂ = g² after one step, so m̂/√v̂ is ±1: this is what the bias corrections are for.
    Transformer model = random_model(small_config());
    set_gradients(model, 5);
    std::map<std::string, Tensor> before;
    model.visit_parameters([&](const std::string& name, Parameter& p) { before[name] = p.value; });
    Adam().update(model, 1, 0.01);
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      for (Index i = 0; i < p.value.elements(); ++i) {
        const double moved = static_cast<double>(p.value[i]) - static_cast<double>(before[name][i]);
        CHECK(moved / 0.01 == doctest::Approx(p.gradient[i] > 0 ? -1 : 1).epsilon(1e-4));
      }
    });
  }

  TEST_CASE("a matrix of several threads' pieces is updated to its end, each weight by its own") {
    TransformerConfig config = small_config();
    config.source_vocabulary = config.target_vocabulary = 3000;  // E has 18000 weights
    Transformer model = random_model(config);
    set_gradients(model, 5);
    const Parameter& E = model.source_embedding.weight;
    const Tensor before = E.value;
    Adam().update(model, 1, 0.01);
    Index wrong = 0;
    for (Index i = 0; i < before.elements(); ++i) {
      const double moved = static_cast<double>(E.value[i]) - static_cast<double>(before[i]);
      const double g = static_cast<double>(E.gradient[i]);
      const double expected = -0.01 * g / (std::abs(g) + 1e-9);
      if (!(std::abs(moved / expected - 1) <= 1e-4)) ++wrong;
    }
    CHECK(wrong == 0);
  }

  TEST_CASE("a gradient scale acts as if the gradients had been multiplied before") {
    Transformer scaled = random_model(small_config()), multiplied = random_model(small_config());
    set_gradients(scaled, 3);
    set_gradients(multiplied, 3);
    multiplied.visit_parameters([](const std::string&, Parameter& p) {
      for (Index i = 0; i < p.gradient.elements(); ++i) p.gradient[i] *= Real(0.25);
    });
    Adam a, b;
    a.update(scaled, 1, 0.1, 0.25);
    b.update(multiplied, 1, 0.1);
    // Adam's weights do not show a constant factor, so the moments are compared too.
    for (const auto& [name, moments] : a.moments) {
      CHECK(same_bits(moments.m, b.moments.at(name).m));
      CHECK(same_bits(moments.v, b.moments.at(name).v));
    }
  }
}
