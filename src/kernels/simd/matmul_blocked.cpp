#include "kernels/simd/functions.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_blocked(const MatmulProblem& p) {
  ATTENTION_ISA_NAME::matmul_naive(p);
}

}  // namespace attn::ATTENTION_ISA_NAME
