// Files of the safetensors format made by hand, good ones and broken ones.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "storage/safetensors.h"

namespace attn::test {

// Eight bytes, the lowest first.
inline std::string little_endian(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

inline std::string file_of(const std::string& header, std::size_t data_bytes) {
  return little_endian(header.size()) + header + std::string(data_bytes, '\0');
}

// Not atomically: thousands of these files are written, and syncing each takes long.
inline void put(const std::string& path, const std::string& contents) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << contents;
  REQUIRE(file.flush());
}

// Rewrites a file after a change of what it says; its checksum fits.
template <class Change>
void alter(const std::string& path, const Change& change) {
  TensorFile file = read_safetensors(path);
  change(file);
  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : file.tensors) tensors.push_back({name, &tensor});
  write_with_checksum(path, tensors, file.metadata);
}

}  // namespace attn::test
