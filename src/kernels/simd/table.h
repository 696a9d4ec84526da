// The functions that are compiled once for each instruction set, as a table of pointers. Sources in
// this folder are compiled with the flags of one set (ATTENTION_ISA_NAME) into a namespace of that
// name. They include only headers whose functions are all static: the linker keeps one copy of an
// inline function, and if that copy held AVX-512 instructions, every program path would.
#pragma once

#include "kernels/matmul.h"
#include "kernels/rows.h"
#include "kernels/vector.h"

namespace attn {

struct KernelTable {
  decltype(softmax_row)* softmax_row;
};

}  // namespace attn
