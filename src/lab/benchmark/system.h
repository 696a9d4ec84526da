// What the system knows of the machine and of this process.
#pragma once

#include <cstddef>
#include <string>

namespace attn {

// The processor's name for itself; "unknown" if it has none.
std::string processor_name();
// The most memory this process has held at once, in bytes; 0 if unknown.
std::size_t peak_memory();

}  // namespace attn
