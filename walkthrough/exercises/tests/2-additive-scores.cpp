// One pair by hand; then the library's network on every pair, and the rows that were multiplied.
#include "support/checks.h"
#include "support/plain_attention.h"

static const exercises::Exercise additive_scores_exercise(
    "2-additive-scores", [](exercises::Checks& check) {
      using namespace exercises;
      Index multiplied = 0;
      const Multiply multiply = [&](const Tensor& A, const Tensor& B) {
        multiplied += A.rows();
        return product(A, B);
      };
      check.claim("q = 1, k = 2, W = (3; −1), v = 5: S = 5 tanh 1");
      check.tensor("S",
                   concat_scores(tensor_of({1, 1}, {1}), tensor_of({1, 1}, {2}),
                                 tensor_of({2, 1}, {3, -1}), tensor_of({1}, {5}), multiply),
                   tensor_of({1, 1}, {5 * std::tanh(1.0)}), "1·3 + 2·(−1) = 1, then tanh, then v.");
      const Tensor q = random_tensor({6, 3}, 1), k = random_tensor({7, 2}, 2);
      const Tensor W = random_tensor({5, 4}, 3), v = random_tensor({4}, 4);
      multiplied = 0;
      const Tensor S = concat_scores(q, k, W, v, multiply);
      check.claim("6 queries and 7 keys of other widths: the scores are those of the network");
      check.tensor("S", S, attn::test::mlp_scores(q, k, W, v),
                   "The first d_q rows of W multiply q, the others k.");
      check.claim("13 rows were multiplied by a matrix, not 42");
      check.that(multiplied == 13, "Rows multiplied: " + std::to_string(multiplied) +
                                       ". Multiply each query and key by its part of W once; "
                                       "for v, a sum will do.");
    });
