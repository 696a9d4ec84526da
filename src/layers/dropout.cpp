// x ← x ⊙ mask/(1 − p)
#include "layers/dropout.h"

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

void dropout(const DropoutMask& mask, Tensor& x) {
  if (mask.p == 0) return;
  parallel_ranges(x.elements(), 1 << 13, [&](Index begin, Index end) {
    const auto first = static_cast<std::uint64_t>(mask.first + begin);
    kernels().vector_dropout(end - begin, mask.p, mask.random.seed, mask.random.stream, first,
                             x.data() + begin);
  });
}

}  // namespace attn
