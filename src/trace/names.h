// What the names of values say: "encoder.0.self_attention.heads.1.S".
#pragma once

#include <string>

#include "tensor/tensor.h"

namespace attn {

// "encoder.0.self_attention.heads.1"; and "S".
std::string part_of(const std::string& name);
std::string last_of(const std::string& name);

// The number of the layer, and of the head: 0 and 1; −1 if it is in none.
Index layer_of(const std::string& name);
Index head_of(const std::string& name);
// "encoder" or "decoder"; "self_attention", also of the norm around it, or empty.
std::string stack_of(const std::string& name);
std::string sublayer_of(const std::string& name);

// Whether its rows are tokens of the source.
bool is_of_source(const std::string& name);

// The name of a value's gradient: a d before the last part; whether it is such a name.
std::string gradient_name(const std::string& name);
bool is_gradient(const std::string& name);

// The heading of a value: "Encoder, layer 0, self attention"; empty: that of the value before.
std::string heading_of(const std::string& name);

}  // namespace attn
