// safetensors_rewrite IN OUT: reads a file with this library and writes what it holds, for
// safetensors_peer.py. Exits 1 if the file is refused.
#include <cstdio>
#include <vector>

#include "storage/safetensors.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    const attn::TensorFile file = attn::read_safetensors(argv[1]);
    std::vector<attn::NamedTensor> tensors;
    for (const auto& [name, tensor] : file.tensors) tensors.push_back({name, &tensor});
    attn::write_safetensors(argv[2], tensors, file.metadata);
  } catch (const attn::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
