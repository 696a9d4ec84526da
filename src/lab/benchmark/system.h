// What the system knows of this process.
#pragma once

#include <cstddef>

namespace attn {

// The most memory it has held at once, in bytes; 0 if unknown.
std::size_t peak_memory();

}  // namespace attn
