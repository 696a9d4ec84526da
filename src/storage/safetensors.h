// Tensors in files of the safetensors format, as the Python package of that name reads and writes
// it: https://github.com/huggingface/safetensors. A file is
//
//   8 bytes   N, the size of the header, little-endian
//   N bytes   JSON {"__metadata__": {"key": "text", …},
//                   "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
//             padded with spaces to a multiple of 8
//   the rest  the numbers of all tensors, little-endian, back to back
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "storage/json.h"
#include "tensor/tensor.h"

namespace attn {

using Metadata = std::map<std::string, std::string>;

struct NamedTensor {
  std::string name;
  const Tensor* tensor;
};

struct TensorFile {
  std::map<std::string, Tensor> tensors;
  Metadata metadata;
};

// Writes the tensors in the given order, without copying them: F32, or F64 where Real is double.
// As write_file does: all or nothing, and `check` last. Throws if a name appears twice, is
// "__metadata__" or not UTF-8, or if a tensor has rank 0.
void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata = {}, const std::function<void()>& check = {});
// The same, with "attention.checksum" among the metadata: a 64-bit sum, in any order, of a checksum
// of each tensor's name, shape and bytes and of each other metadata entry.
void write_with_checksum(const std::string& path, const std::vector<NamedTensor>& tensors,
                         Metadata metadata, const std::function<void()>& check = {});

// Reads F32, F64, F16 and BF16 as Real, of rank up to 4; shape [] as [1]. Throws attn::Error for
// any other file, before taking memory for its tensors; for a number too large for Real; and for a
// checksum in the metadata that does not match.
TensorFile read_safetensors(const std::string& path);
// The same of a file that is in memory; messages call it by that name.
TensorFile parse_safetensors(std::string_view contents, const std::string& name);

// The sizes of a shape, [2, 3].
Json sizes_json(const Shape& shape);

}  // namespace attn
