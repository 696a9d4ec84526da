// With the library's encodings.
#include "layers/positional_encoding.h"
#include "support/checks.h"

static const exercises::Exercise rotation_exercise("3.5-rotation", [](exercises::Checks& check) {
  using namespace exercises;
  const auto encoding = [](Index pos, Index d) {
    Tensor row = Tensor::zeros({1, d});
    attn::sinusoidal_encoding(pos, d, row.data());
    return row;
  };
  check.claim("R_0 changes nothing");
  check.tensor("PE(3) R_0", product(encoding(3, 6), rotation(0, 6)), encoding(3, 6),
               "cos 0 = 1, sin 0 = 0.");
  check.claim("d = 2: PE(0) R_1 = (sin 1, cos 1)");
  check.tensor("PE(0) R_1", product(encoding(0, 2), rotation(1, 2)),
               tensor_of({1, 2}, {std::sin(1.0), std::cos(1.0)}),
               "PE(0) = (0, 1) picks the second row of R_1: row vectors multiply from the left.");
  check.claim("d = 6: PE(pos) R_k = PE(pos + k) for many pos and k");
  for (const Index pos : {0, 1, 7, 100}) {
    for (const Index k : {1, 2, 13, 50}) {
      check.tensor("PE(" + std::to_string(pos) + ") R_" + std::to_string(k),
                   product(encoding(pos, 6), rotation(k, 6)), encoding(pos + k, 6),
                   "Each pair of numbers has its own angle, k · 10000^(−2i/d).");
    }
  }
  check.claim("the transpose turns back by k: turning keeps lengths and angles");
  check.tensor("R_5ᵀ", product(rotation(5, 8), transposed(rotation(5, 8))), rotation(0, 8), "");
});
