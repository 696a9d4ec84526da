// By hand, then a model's gradient of two unequal batches against that of both at once.
#include "support/checks.h"
#include "support/small_models.h"

static const exercises::Exercise accumulation_exercise("5.1-accumulation", [](exercises::Checks&
                                                                                  check) {
  using namespace exercises;
  check.claim("equal sizes: the mean of the means, 3 of 2 and 4");
  check.tensor("the gradient", accumulated({tensor_of({1}, {2}), tensor_of({1}, {4})}, {5, 5}),
               tensor_of({1}, {3}), "6 is the sum.");
  check.claim("1 token with gradient 8, 3 tokens with mean 4: (8 + 12)/4 = 5");
  check.tensor("the gradient", accumulated({tensor_of({1}, {8}), tensor_of({1}, {4})}, {1, 3}),
               tensor_of({1}, {5}),
               "6 is the mean of the means: then a token of the small batch counts three times.");
  check.claim("a model's two batches of 1 and 8 tokens, as one batch of 9");
  attn::Transformer model = attn::test::random_model(attn::test::small_config());
  attn::Batch first, second, both;
  first.append({5, 2}, {1, 2});
  second.append({5, 3, 2}, {1, 4, 9, 2});
  second.append({7, 2}, {1, 3, 8, 8, 4, 2});
  both.append({5, 2}, {1, 2});
  both.append({5, 3, 2}, {1, 4, 9, 2});
  both.append({7, 2}, {1, 3, 8, 8, 4, 2});
  const auto gradient = [&](const attn::Batch& batch) {
    attn::zero_gradients(model);
    model.loss_and_gradients(batch, {}, 1 / static_cast<double>(batch.target_input.tokens()));
    return model.source_embedding.weight.gradient;
  };
  check.tensor("dE", accumulated({gradient(first), gradient(second)}, {1, 8}), gradient(both), "");
});
