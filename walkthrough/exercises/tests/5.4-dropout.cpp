#include "base/random.h"
#include "support/checks.h"

static const exercises::Exercise dropout_exercise("5.4-dropout", [](exercises::Checks& check) {
  using namespace exercises;
  const auto ones = [](Index n) {
    Tensor x = Tensor::zeros({n});
    x.fill(1);
    return x;
  };
  check.claim("p = 0 changes nothing");
  Tensor x = random_tensor({5, 10}, 1), y = x;
  dropout_forward(1, 0, y);
  check.tensor("y", y, x, "");
  check.claim("p = ¼: every element is 0 or 4/3 of what it was");
  y = ones(20000);
  dropout_forward(1, 0.25, y);
  const attn::RandomStream stream{1, 0};
  double dropped = 0, sum = 0;
  for (Index i = 0; i < y.elements(); ++i) {
    check.that(
        y[i] == 0 || std::fabs(y[i] - 4.0 / 3) < 1e-12,
        "element " + std::to_string(i) + " was 1 and is " + show(y[i]) + ": divide by 1 − p.");
    check.that((y[i] == 0) == (stream.uniform(static_cast<std::uint64_t>(i)) < 0.25),
               "element " + std::to_string(i) + " is " + show(y[i]) +
                   ". Is it dropped if uniform(i) of stream {seed, 0} is less than p?");
    dropped += y[i] == 0;
    sum += y[i];
  }
  check.claim("about a quarter is dropped, and the mean stays");
  check.number("the share of zeros", dropped / 20000, 0.25,
               "p is the probability to drop, not to keep.", 0.02);
  check.number("the mean", sum / 20000, 1, "", 0.02);
  check.claim("the same seed drops the same elements, another seed others");
  Tensor again = ones(20000), other = ones(20000);
  dropout_forward(1, 0.25, again);
  dropout_forward(2, 0.25, other);
  check.tensor("the second time, y", again, y, "Does it depend on more than seed and i?");
  check.that(!attn::test::same(other, y), "seed 2 drops what seed 1 drops.");
  check.claim("2 rows of 5 are dropped as the first 10 elements of a longer tensor");
  Tensor shorter = Tensor::zeros({2, 5}), first = shorter;
  shorter.fill(1);
  dropout_forward(1, 0.25, shorter);
  std::copy_n(y.data(), 10, first.data());
  check.tensor("y", shorter, first, "Only an element's number i counts; that of (1, 0) is 5.");
  check.claim("an element whose uniform(i) is p itself is kept");
  for (Index i = 0; i < 10; ++i) {
    Tensor edge = ones(10);
    dropout_forward(1, stream.uniform(static_cast<std::uint64_t>(i)), edge);
    check.that(edge[i] != 0, "with p = uniform(" + std::to_string(i) + "), element " +
                                 std::to_string(i) + " is dropped: p is not less than p.");
  }
  check.claim("backward agrees with finite differences");
  const Tensor dy = random_tensor({5, 10}, 2);
  Tensor dx = dy;
  dropout_backward(7, 0.4, dx);
  check.gradient(
      "dx", dx, x,
      [&] {
        Tensor z = x;
        dropout_forward(7, 0.4, z);
        return weighted_sum(dy, z);
      },
      "With the mask fixed, y_i is x_i times 0 or times 1/(1 − p).");
});
