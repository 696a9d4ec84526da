// Two heads that can be told apart, then the library, whose heads share one matrix.
#include "layers/multi_head_attention.h"
#include "support/checks.h"

static const exercises::Exercise heads_loop_exercise("3.2.2-heads-loop", [](exercises::Checks&
                                                                                check) {
  using namespace exercises;
  check.claim(
      "one key only: head 1 returns its value 2 z, head 2 its value 3 z, and W^O weights them by "
      "(1, 10)");
  const Tensor x = tensor_of({1, 1}, {7}), z = tensor_of({1, 1}, {1}), one = tensor_of({1, 1}, {1});
  const Tensor y =
      multi_head_loop(x, z, {one, one}, {one, one},
                      {tensor_of({1, 1}, {2}), tensor_of({1, 1}, {3})}, tensor_of({2, 1}, {1, 10}));
  check.tensor("the output", y, tensor_of({1, 1}, {32}),
               "2·1 + 3·10. (23: the heads are exchanged; 224: the values come from x.)");
  check.claim("h = 3, d_model = 5, d_k = 2, d_v = 4, as the library computes it");
  attn::MultiHeadAttention library(5, 3, 2, 4, false, 0);
  attn::test::randomise(library, 1);
  const Tensor queries = random_tensor({3, 5}, 2), memory = random_tensor({6, 5}, 3);
  const Offsets q = {0, 3}, m = {0, 6};
  attn::MultiHeadAttention::Cache unused;
  const Tensor want = library.forward(
      queries, memory, attn::sentence_by_sentence(q, m, attn::Mask::none), attn::Pass(), unused);
  const auto matrices = [](const Tensor& W, Index width) {
    std::vector<Tensor> parts;
    for (Index i = 0; i < 3; ++i) {
      Tensor part = Tensor::zeros({5, width});
      for (Index r = 0; r < 5; ++r) {
        for (Index c = 0; c < width; ++c) part(r, c) = W(r, i * width + c);
      }
      parts.push_back(part);
    }
    return parts;
  };
  check.tensor(
      "the output",
      multi_head_loop(queries, memory, matrices(library.query.weight.value, 2),
                      matrices(library.key.weight.value, 2),
                      matrices(library.value.weight.value, 4), library.output.weight.value),
      want, "Queries come from x; keys and values from z. Head i begins at column i·d_v.");
});
