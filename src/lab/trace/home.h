// Where a value belongs: its section of the paper, its functions, its layer and head.
#pragma once

#include <string>

#include "base/real.h"

namespace attn {

// Where the paper defines the values of a file, and the functions that compute them.
struct Home {
  std::string section, owner, forward = "::forward", backward = "::backward";
};

// By the file's name without its ending: "layer_norm". Throws Error for a file that has no values.
const Home& home_of(const std::string& file);

// The number of the encoder or decoder layer that a value is in, and of the head: 3 and 1 for
// "encoder.3.self_attention.heads.1.S"; −1 if it is in none.
Index layer_of(const std::string& name);
Index head_of(const std::string& name);

}  // namespace attn
