// The library's attention answers.
#include "layers/attention.h"
#include "support/checks.h"

static const exercises::Exercise one_query("3.2.1-one-query", [](exercises::Answers& answers) {
  using namespace exercises;
  const Tensor Q = tensor_of({1, 4}, {2, 0, 0, 2}), V = tensor_of({3, 2}, {4, 0, 0, 4, 4, 8});
  const Tensor K = tensor_of({3, 4}, {1, 0, 0, 1, 0, 3, 1, 0, 0, 1, 0, 1});
  const Tensor S = product(Q, transposed(K));
  Tensor P = Tensor::zeros({1, 3}), O = Tensor::zeros({1, 2});
  attention_forward(Q, K, V, {}, {}, P, O);
  Tensor unscaled = S, causal = Tensor::zeros({1, 2}), ignored = O;
  attn::softmax(unscaled, 1, attn::Mask::none);
  attention_forward(Q, rows_of(K, 0, 2), rows_of(V, 0, 2), {}, {}, causal, ignored);
  Tensor dQ = Q, dK = K, dV = V;
  attention_backward(tensor_of({1, 2}, {1, 0}), Q, K, V, P, {}, {}, dQ, dK, dV);

  std::vector<Index> scores;
  for (Index j = 0; j < 3; ++j) scores.push_back(static_cast<Index>(S[j]));
  answers.list("a", scores, "q·k is the sum of the products, number by number.");
  answers.number("b", P[0], "Divide the scores by √d_k, raise e to them, divide by the sum.",
                 {{unscaled[0], "That is without dividing by √d_k = 2."}});
  answers.number("c", O[0], "The weighted mean of 4, 0 and 4.");
  answers.number("d", O[1], "The weighted mean of 0, 4 and 8.");
  answers.number("e", unscaled[0], "e⁴/(e⁴ + e⁰ + e²).");
  answers.number("f", causal[0], "The query does not see k³: two keys share the weight 1.",
                 {{P[0], "k³ is in the future."}});
  answers.number("g", dV(2, 0), "dV = Pᵀ dO: how much was v³ looked at?");
  // dK = dSᵀ Q: the row of k¹ is ds₁ (2, 0, 0, 2).
  const double ds = dK(0, 0) / 2;
  answers.number("h", ds, "dp_j = do·v^j, da = p ⊙ (dp − Σ p ⊙ dp), ds = da/√d_k.",
                 {{2 * ds, "That is da₁. The score was divided by √d_k; so is its gradient."}},
                 0.02);
});
