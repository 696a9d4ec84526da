// One pair by hand, what scores depend on, and finite differences.
#include "support/checks.h"

static const exercises::Exercise rotary_exercise("7-rotary", [](exercises::Checks& check) {
  using namespace exercises;
  const auto score = [](const Tensor& q, Index s, const Tensor& k, Index t) {
    return product(turned(q, s), transposed(turned(k, t)))[0];
  };
  check.claim("position 0 turns nothing");
  const Tensor row = random_tensor({1, 6}, 1);
  check.tensor("y", turned(row, 0), row, "cos 0 = 1, sin 0 = 0.");
  check.claim("d = 2, position 2: (1, 0) becomes (cos 2, sin 2)");
  check.tensor("y", turned(tensor_of({1, 2}, {1, 0}), 2),
               tensor_of({1, 2}, {std::cos(2.0), std::sin(2.0)}),
               "θ_0 = 1, whatever d is. (−sin 2: it was turned the other way.)");
  check.claim("d = 4: the second pair turns 100 times more slowly");
  check.tensor("y", turned(tensor_of({1, 4}, {0, 0, 1, 0}), 3000),
               tensor_of({1, 4}, {0, 0, std::cos(30.0), std::sin(30.0)}),
               "10000^(−2/4) = 1/100, in double. Pairs are columns 2i and 2i + 1.");
  check.claim("d = 8: each pair turns 10 times more slowly than the one before");
  check.tensor(
      "y", turned(tensor_of({1, 8}, {1, 0, 1, 0, 1, 0, 1, 0}), 3000),
      tensor_of({1, 8}, {std::cos(3000.0), std::sin(3000.0), std::cos(300.0), std::sin(300.0),
                         std::cos(30.0), std::sin(30.0), std::cos(3.0), std::sin(3.0)}),
      "10000^(−2i/8) is 1, 1/10, 1/100, 1/1000.");
  check.claim("a matrix: row t is at position first + t");
  Tensor x = random_tensor({4, 6}, 2);
  const Tensor y = turned(x, 5);
  for (Index t = 0; t < 4; ++t) {
    const Tensor alone = attn::copy_of(attn::rows_of(x, t, t + 1));
    check.tensor("row " + std::to_string(t), attn::copy_of(attn::rows_of(y, t, t + 1)),
                 turned(alone, 5 + t), "Its position is 5 + " + std::to_string(t) + ".");
  }
  check.claim("a score depends only on distance: positions 3 and 1 score like 103 and 101");
  const Tensor q = random_tensor({1, 6}, 3), k = random_tensor({1, 6}, 4);
  check.number("q · k", score(q, 103, k, 101), score(q, 3, k, 1),
               "Queries and keys turn by the same angles.");
  check.that(std::abs(score(q, 3, k, 1) - score(q, 1, k, 3)) > 1e-6,
             "A score should tell the word before from the word after.");
  const Tensor dy = random_tensor({4, 6}, 5);
  check.claim("dx agrees with finite differences");
  check.gradient(
      "dx", turned_backward(dy, 5), x, [&] { return weighted_sum(dy, turned(x, 5)); },
      "The transpose of a rotation is the rotation back.");
});
