// A Transformer in a safetensors file for PyTorch: the tensors of pytorch_names.h and, in the
// metadata, the configuration, which the tensors do not tell in full.
#pragma once

#include <memory>
#include <string>

#include "model/pytorch_names.h"

namespace attn {

// Throws Error as to_pytorch does, and if the file cannot be written.
void write_pytorch(const std::string& path, Transformer& model);

// Throws Error, naming the file, as from_pytorch does, and if the metadata speak of other heads or
// another norm placement; a file that write_pytorch did not write has no such metadata.
std::unique_ptr<Transformer> read_pytorch(const std::string& path, Index heads, NormPlacement norm);

}  // namespace attn
