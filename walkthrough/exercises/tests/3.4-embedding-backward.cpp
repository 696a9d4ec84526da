#include "layers/embedding.h"
#include "support/checks.h"

static const exercises::Exercise embedding_backward_exercise(
    "3.4-embedding-backward", [](exercises::Checks& check) {
      using namespace exercises;
      check.claim("one token, d_model = 4: its row gets 2 de, the others nothing");
      Tensor dE = Tensor::zeros({3, 4});
      embedding_backward(tensor_of({1, 4}, {1, 2, 3, 4}), {1}, dE);
      check.tensor("dE", dE, tensor_of({3, 4}, {0, 0, 0, 0, 2, 4, 6, 8, 0, 0, 0, 0}), "√4 = 2.");
      check.claim("a token that occurs twice collects both gradients");
      dE = Tensor::zeros({2, 4});
      embedding_backward(tensor_of({3, 4}, {1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400}),
                         {1, 0, 1}, dE);
      check.tensor("dE", dE, tensor_of({2, 4}, {20, 40, 60, 80, 202, 404, 606, 808}),
                   "+=, not =; and multiply only what you add by √d_model.");
      check.claim("what was in dE before stays: another part of the model may have added it");
      embedding_backward(tensor_of({1, 4}, {1000, 0, 0, 0}), {0}, dE);
      check.tensor("dE", dE, tensor_of({2, 4}, {2020, 40, 60, 80, 202, 404, 606, 808}),
                   "Add to it, and multiply only what you add by √d_model.");
      check.claim("it agrees with finite differences of the library's embedding");
      attn::Embedding library(4, 3);
      attn::test::randomise(library, 1);
      const std::vector<int> ids = {2, 0, 2, 3};
      const Tensor de = random_tensor({4, 3}, 2);
      dE = Tensor::zeros({4, 3});
      embedding_backward(de, ids, dE);
      check.gradient(
          "dE", dE, library.weight.value, [&] { return weighted_sum(de, library.forward(ids)); },
          "");
    });
