#include "layers/attention.h"
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
      const Tensor queries = random_tensor({5, 6}, 5), keys = random_tensor({7, 6}, 6),
                   values = random_tensor({7, 12}, 7);
      for (const Index h : {3, 2}) {
        const Index d_k = 6 / h, d_v = 12 / h;
        check.claim("h = " + std::to_string(h) + ", d_k = " + std::to_string(d_k) +
                    ", d_v = " + std::to_string(d_v) + ": Concat holds each head's output");
        // Whether a view is a block of the whole, not of a copy.
        const auto is_of = [](const ConstMatrixView& view, const Tensor& whole) {
          return view.data >= whole.data() && view.data < whole.data() + whole.cols() &&
                 view.row_stride == whole.cols();
        };
        Index copies = 0;
        std::vector<ConstMatrixView> outputs;
        const Attend attend = [&](const ConstMatrixView& q, const ConstMatrixView& k,
                                  const ConstMatrixView& v, const MatrixView& P,
                                  const MatrixView& O) {
          attn::attention_forward(q, k, v, {}, {}, P, O);
          copies += !is_of(q, queries) + !is_of(k, keys) + !is_of(v, values);
          outputs.push_back(O);
        };
        const Tensor concat = attend_all(queries, keys, values, h, attend);
        Tensor want = Tensor::zeros({5, 12}), P = Tensor::zeros({5, 7});
        for (Index i = 0; i < h; ++i) {
          attn::attention_forward(
              block(queries, 0, 5, i * d_k, d_k), block(keys, 0, 7, i * d_k, d_k),
              block(values, 0, 7, i * d_v, d_v), {}, {}, P, block(want, 0, 5, i * d_v, d_v));
        }
        check.tensor("Concat", concat, want,
                     "Head i has columns i·d_k of Q and K, and i·d_v of V and Concat.");
        check.claim("attend was called once for each head, and nothing was copied");
        check.that(
            static_cast<Index>(outputs.size()) == h,
            "Calls: " + std::to_string(outputs.size()) + ", should be " + std::to_string(h) + ".");
        check.that(copies == 0, "Give attend views of Q, K and V: block(…) itself, no tensor.");
        for (const ConstMatrixView& output : outputs) {
          check.that(is_of(output, concat),
                     "attend should write to a block of the Concat that you return.");
        }
      }
    });
