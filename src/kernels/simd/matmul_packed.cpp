#include "kernels/simd/functions.h"

namespace attn::ATTENTION_ISA_NAME {

void matmul_packed(const MatmulProblem& p) {
  ATTENTION_ISA_NAME::matmul_naive(p);
}

}  // namespace attn::ATTENTION_ISA_NAME
