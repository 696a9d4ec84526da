// The chapter's example, then the library.
#include "layers/attention.h"
#include "support/checks.h"

static const exercises::Exercise attention_forward_exercise(
    "3.2.1-attention-forward", [](exercises::Checks& check) {
      using namespace exercises;
      Tensor P = Tensor::zeros({1, 2});
      check.claim("d_k = 4 and scores 2 ln 3 and 0: weights ¾ and ¼");
      const double ln3 = std::log(3.0);
      Tensor O =
          attend(tensor_of({1, 4}, {1, 0, 0, 0}), tensor_of({2, 4}, {2 * ln3, 9, 9, 9, 0, 1, 2, 3}),
                 tensor_of({2, 1}, {8, 4}), P);
      check.tensor("P", P, tensor_of({1, 2}, {0.75, 0.25}),
                   "Without 1/√d_k the weights are 0.9 and 0.1. d_k is the number of Q's columns.");
      check.claim("and the output ¾·8 + ¼·4 = 7");
      check.tensor("O", O, tensor_of({1, 1}, {7}), "O = P V.");
      check.claim("m = 3 queries, n = 5 keys, d_k = 2, d_v = 4, as the library computes them");
      const Tensor Q = random_tensor({3, 2}, 1), K = random_tensor({5, 2}, 2),
                   V = random_tensor({5, 4}, 3);
      Tensor want_P = Tensor::zeros({3, 5}), want = Tensor::zeros({3, 4});
      attention_forward(Q, K, V, {}, {}, want_P, want);
      P = random_tensor({3, 5}, 4);  // what was there does not matter
      O = attend(Q, K, V, P);
      check.tensor("P", P, want_P, "Does each query's row add up to 1?");
      check.tensor("O", O, want, "");
    });
