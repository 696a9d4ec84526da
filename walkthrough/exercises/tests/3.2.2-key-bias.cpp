// From the library's attention; biases are added to its inputs.
#include "layers/attention.h"
#include "support/checks.h"

static const exercises::Exercise key_bias_exercise(
    "3.2.2-key-bias", [](exercises::Answers& answers) {
      using namespace exercises;
      const Tensor V = tensor_of({2, 1}, {10, 20});
      Tensor P = Tensor::zeros({1, 2}), O = Tensor::zeros({1, 1});
      const auto second_weight = [&](double b_q, double b_k) {
        attention_forward(tensor_of({1, 1}, {2 + b_q}), tensor_of({2, 1}, {1 + b_k, 1.5 + b_k}), V,
                          {}, {}, P, O);
        return P[1];
      };
      answers.number("a", second_weight(0, 0), "Scores 2·1 and 2·1.5.");
      answers.number("b", second_weight(0, 5),
                     "What is added to both scores, and what does softmax do with it?");
      answers.number("c", second_weight(1, 0), "The query is 3 now.");
      second_weight(0, 0);
      Tensor dQ = Tensor::zeros({1, 1}), dK = Tensor::zeros({2, 1}), dV = Tensor::zeros({2, 1});
      attention_backward(tensor_of({1, 1}, {1}), tensor_of({1, 1}, {2}),
                         tensor_of({2, 1}, {1, 1.5}), V, P, {}, {}, dQ, dK, dV);
      answers.number("d", dK[1] / 2, "dp = (10, 20); ds = p (dp − Σ p dp).");
      answers.number("e", std::fabs(dK[0] + dK[1]) < 1e-12 ? 0 : 1,
                     "dk_j = ds_j q. What do the ds_j of a row add up to?");
      answers.number("f", dQ[0], "dq = Σ_j ds_j k_j.");
      answers.word("g", "no", {"yes", "no"},
                   "What is m̂/(√v̂ + ε) if every gradient is 1e-8 and ε = 1e-9?");
    });
