// x ← x ⊙ mask/(1 − p)
#include "layers/dropout.h"

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

void dropout(const DropoutMask& mask, Tensor& x) {
  if (mask.p == 0) return;
  parallel_ranges(x.elements(), 1 << 13, [&](Index begin, Index end) {
    dropout(mask, begin, end - begin, x.data() + begin);
  });
}

void dropout(const DropoutMask& mask, Index first, Index n, Real* x) {
  if (mask.p == 0) return;
  kernels().vector_dropout(n, mask.p, mask.random.seed, mask.random.stream,
                           static_cast<std::uint64_t>(first), x);
}

}  // namespace attn
