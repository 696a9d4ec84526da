// The library's Adam is run on a model of one weight that counts.
#include "support/checks.h"
#include "support/stub_model.h"
#include "training/adam.h"
#include "training/schedule.h"

static const exercises::Exercise first_steps_exercise(
    "5.3-first-steps", [](exercises::Answers& answers) {
      // A model that is one weight.
      struct OneWeight final : attn::test::StubModel {
        attn::Parameter w{{1}, attn::Parameter::Start::zeros};
        OneWeight() : StubModel(0, {}) {}
        void visit_parameters(const attn::ParameterVisitor& visitor) override { visitor("w", w); }
      };
      // How far the weight moves at each step with rate 1: −m̂/√v̂.
      attn::Adam adam;
      const auto steps = [&](const std::vector<double>& gradients) {
        OneWeight model;
        adam = {};
        attn::zero_gradients(model);
        double before = 0;
        for (std::size_t i = 0; i < gradients.size(); ++i) {
          before = model.w.value[0];
          model.w.gradient[0] = gradients[i];
          adam.update(model, static_cast<Index>(i) + 1, 1);
        }
        return before - model.w.value[0];
      };
      const double small = steps({0.0004}), first = steps({4});
      const double m1 = adam.moments.at("w").m[0], v1 = adam.moments.at("w").v[0];
      const double second = steps({4, -2});
      const double m2 = adam.moments.at("w").m[0], v2 = adam.moments.at("w").v[0];
      answers.number("a", m1, "m ← 0.9·0 + 0.1·4.");
      answers.number("b", first, "m̂ = m/(1 − 0.9) and v̂ = v/(1 − 0.98).",
                     {{m1 / std::sqrt(v1), "That is without the corrections."}});
      answers.number("c", small, "As b. What cancels?");
      answers.number(
          "d", m2 / (1 - 0.81), "m = 0.9·0.4 + 0.1·(−2), divided by 1 − 0.9².",
          {{m2, "That is m: divide by 1 − 0.9²."}, {m2 / 0.1, "β₁ᵗ: at step 2 it is 0.9²."}});
      answers.number("e", v2 / (1 - 0.9604), "v = 0.98·0.32 + 0.02·4, divided by 1 − 0.98².",
                     {{v2, "That is v: divide by 1 − 0.98²."}});
      answers.number("f", second, "d divided by the root of e.");
      answers.number("g", m1 / std::sqrt(v1), "0.4 divided by the root of 0.02·16.");
      answers.number("h", attn::Schedule{}.rate(1), "512^−½ · 1 · 4000^−1.5.");
      answers.number("i", attn::Schedule{}.rate(4000), "512^−½ · 4000^−½.");
    });
