// What a trace says around a value's numbers: where it belongs in the model, in the paper and in
// the source.
#pragma once

#include <string>

#include "base/real.h"

namespace attn {

// The heading of the values of a part of a pass: "Encoder, layer 0, self-attention".
std::string heading_of(const std::string& part, bool backward);
// Where the paper defines what a source file computes: "§3.2.1, eq. (1)".
std::string section_of(const std::string& file);
// "LayerNorm::forward" in .../layer_norm.cpp; functions that are nobody's member keep their name.
std::string function_of(const std::string& file, const std::string& function, bool backward);
// Another word that people know a value by, from its symbol: "scores"; or empty.
std::string word_for(const std::string& symbol);

// The number of the layer that a name or a part is in, and of the head: 3 and 1 for
// "encoder.3.self_attention.heads.1.S"; −1 if it is in none.
Index layer_of(const std::string& name);
Index head_of(const std::string& name);

}  // namespace attn
