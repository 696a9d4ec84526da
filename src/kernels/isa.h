// Which instruction set the kernels run on. The program contains every set that its compiler could
// build. At the first call the processor's best is chosen, or the one that the environment variable
// ATTENTION_ISA names (portable, avx2, avx512, neon).
#pragma once

#include <string>
#include <vector>

namespace attn {

// The name of the chosen set, and of all that this program can run on this processor.
std::string isa_name();
std::vector<std::string> available_isas();
// Chooses another one, for tests. Throws if it is not available.
void set_isa(const std::string& name);

}  // namespace attn
