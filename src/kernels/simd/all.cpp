// All kernels, compiled with the flags of one instruction set (ATTENTION_ISA_NAME) into a namespace
// of that name, and the table of them. The build compiles this file once for each set.
//
// The sources of this folder include only headers whose functions are all static. The linker keeps
// one copy of an inline function; if that copy held AVX-512 instructions, every path through the
// program would run them. The table is a constant for the same reason: code that fills it before
// main would run on processors that cannot execute it.
#include "kernels/kernels.h"

// The declarations come first, so that a call or the table cannot mean a function of another
// namespace: if a definition is missing, or has other parameters, the program does not link.
namespace attn::ATTENTION_ISA_NAME {
#define ATTN_KERNEL(result, name, parameters) result name parameters
#include "kernels/every_kernel.inc"
}  // namespace attn::ATTENTION_ISA_NAME

#include "kernels/simd/matmul_blocked.cpp"
#include "kernels/simd/matmul_naive.cpp"
#include "kernels/simd/matmul_packed.cpp"
#include "kernels/simd/matmul_reordered.cpp"
#include "kernels/simd/matmul_simd.cpp"
#include "kernels/simd/peak.cpp"
#include "kernels/simd/rows.cpp"
#include "kernels/simd/vector.cpp"

namespace attn::ATTENTION_ISA_NAME {

static constexpr Kernels make_table() {
  Kernels table{};
#define ATTN_KERNEL(result, name, parameters) table.name = name
#include "kernels/every_kernel.inc"
  return table;
}

extern const Kernels table;  // for kernels/isa.cpp
constexpr Kernels table = make_table();

}  // namespace attn::ATTENTION_ISA_NAME
