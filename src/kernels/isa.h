// The instruction set that the kernels run on. The program contains all those that the compiler
// could build; the first call chooses the best one that this processor has, or the one that the
// environment variable ATTENTION_ISA names (portable, avx2, avx512, neon).
#pragma once

#include <string>
#include <vector>

namespace attn {

// The name of the chosen set, and the names of all sets that this program can run on this
// processor.
std::string isa_name();
std::vector<std::string> available_isas();
// Chooses another set, for tests. Throws if it is not available.
void set_isa(const std::string& name);

}  // namespace attn
