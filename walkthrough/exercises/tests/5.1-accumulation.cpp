// By hand, then a model's gradients of three unequal batches against that of all at once.
#include "support/checks.h"
#include "support/small_models.h"

static const exercises::Exercise accumulation_exercise("5.1-accumulation", [](exercises::Checks&
                                                                                  check) {
  using namespace exercises;
  check.claim("equal sizes: the mean of the means, 3 for 2 and 4");
  check.tensor("the gradient", accumulated({tensor_of({1}, {2}), tensor_of({1}, {4})}, {5, 5}),
               tensor_of({1}, {3}), "6 is the sum.");
  check.claim("1 token with gradient 8, 3 tokens with mean 4: (8 + 12)/4 = 5");
  check.tensor("the gradient", accumulated({tensor_of({1}, {8}), tensor_of({1}, {4})}, {1, 3}),
               tensor_of({1}, {5}),
               "6 is the mean of the means: it counts the small batch's only token three times.");
  check.claim("and 4 more tokens with mean 7: (8 + 12 + 28)/8 = 6");
  const Tensor eight = tensor_of({1}, {8}), four = tensor_of({1}, {4}), seven = tensor_of({1}, {7});
  check.tensor("the gradient", accumulated({eight, four, seven}, {1, 3, 4}), tensor_of({1}, {6}),
               "Weight each batch by its own number of tokens, and divide only once, by all 8.");
  check.claim("one batch alone: its own mean");
  check.tensor("the gradient", accumulated({eight}, {5}), eight, "");
  check.claim("a model's three batches of 1, 5 and 3 tokens, as one batch of 9");
  attn::Transformer model = attn::test::random_model(attn::test::small_config());
  attn::Batch first, second, third, all;
  first.append({5, 2}, {1, 2});
  second.append({7, 2}, {1, 3, 8, 8, 4, 2});
  third.append({5, 3, 2}, {1, 4, 9, 2});
  all.append({5, 2}, {1, 2});
  all.append({7, 2}, {1, 3, 8, 8, 4, 2});
  all.append({5, 3, 2}, {1, 4, 9, 2});
  const auto gradient = [&](const attn::Batch& batch) {
    attn::zero_gradients(model);
    model.loss_and_gradients(batch, {}, 1 / static_cast<double>(batch.target_input.tokens()));
    return model.source_embedding.weight.gradient;
  };
  const std::vector<Tensor> means = {gradient(first), gradient(second), gradient(third)};
  check.tensor("dE", accumulated(means, {1, 5, 3}), gradient(all), "");
});
