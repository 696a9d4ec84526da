// Safetensors files, whole: what is read and written again reads as the same. The input is the file
// without the eight bytes of the header's size, which no chance would get right: they are those of
// the first line. A file that begins with '!' is taken as it is after that.
#include "storage/safetensors.h"

#include <cstring>

#include "fuzz/fuzz.h"

using namespace attn;

namespace {

std::string with_header_size(std::string_view input) {
  if (!input.empty() && input[0] == '!') return std::string(input.substr(1));
  const std::size_t end = input.find('\n');
  const std::uint64_t size = end == input.npos ? input.size() : end;
  std::string file(sizeof size, '\0');
  std::memcpy(file.data(), &size, sizeof size);
  file += input.substr(0, end);
  if (end != input.npos) file += input.substr(end + 1);
  return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = fuzz::directory().path("a"), again = fuzz::directory().path("b");
  fuzz::put(path, with_header_size(fuzz::view(data, size)));
  TensorFile file;
  if (!fuzz::accepts([&] { file = read_safetensors(path); })) return 0;

  std::vector<NamedTensor> tensors;
  for (const auto& [name, tensor] : file.tensors) tensors.push_back({name, &tensor});
  write_safetensors(again, tensors, file.metadata);
  const TensorFile copy = read_safetensors(again);
  fuzz::require(copy.metadata == file.metadata, "metadata come back");
  fuzz::require(copy.tensors.size() == file.tensors.size(), "no tensor is lost");
  for (const auto& [name, tensor] : file.tensors) {
    const Tensor& other = copy.tensors.at(name);
    fuzz::require(other.shape() == tensor.shape(), "shapes come back");
    if (tensor.elements() == 0) continue;  // of which there may be no address
    fuzz::require(std::memcmp(other.data(), tensor.data(),
                              static_cast<std::size_t>(tensor.elements()) * sizeof(Real)) == 0,
                  "numbers come back");
  }
  return 0;
}
