#include "layers/multi_head_attention.h"
#include "support/checks.h"

static const exercises::Exercise heads_at_once_exercise(
    "3.2.2-heads-at-once", [](exercises::Checks& check) {
      using namespace exercises;
      check.claim("(1 2; 3 4) and (5 6; 7 8) side by side are (1 2 5 6; 3 4 7 8)");
      const Tensor wide =
          side_by_side({tensor_of({2, 2}, {1, 2, 3, 4}), tensor_of({2, 2}, {5, 6, 7, 8})});
      check.tensor("W", wide, tensor_of({2, 4}, {1, 2, 5, 6, 3, 4, 7, 8}),
                   "Side by side, not one below the other, and not element by element.");
      check.claim("x W of the large matrix is all the small products side by side");
      const std::vector<Tensor> W = {random_tensor({5, 2}, 1), random_tensor({5, 2}, 2),
                                     random_tensor({5, 2}, 3)};
      const Tensor x = random_tensor({3, 5}, 4), Q = product(x, side_by_side(W));
      for (Index i = 0; i < 3; ++i) {
        Tensor part = Tensor::zeros({3, 2});
        for (Index t = 0; t < 3; ++t) {
          for (Index c = 0; c < 2; ++c) part(t, c) = Q(t, 2 * i + c);
        }
        check.tensor("head " + std::to_string(i) + "'s queries", part, product(x, W[i]), "");
      }
      check.claim("Concat is that of the library, with h = 3, d_k = 2, d_v = 4");
      attn::MultiHeadAttention library(5, 3, 2, 4, false, 0);
      attn::test::randomise(library, 1);
      const Tensor z = random_tensor({4, 5}, 5);
      const Offsets q = {0, 3}, m = {0, 4};
      attn::MultiHeadAttention::Cache cache;
      library.forward(x, z, attn::sentence_by_sentence(q, m, attn::Mask::none), attn::Pass(),
                      cache);
      const Tensor allocated = attend_all(cache.Q, cache.projected.K, cache.projected.V, 3);
      check.tensor("Concat", allocated, cache.concat,
                   "Head i has columns i·d_k of Q and K, and i·d_v of V and Concat.");
    });
