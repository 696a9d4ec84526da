// What the targets share. A target is a function that libFuzzer calls with bytes of its invention;
// whatever they are, the program may do no more than throw attn::Error. Everything else that leaves
// a target (another exception, abort, what a sanitizer finds) is a finding, and libFuzzer keeps the
// bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "support/temporary_directory.h"
#include "tensor/tensor.h"
#include "text/lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace attn::fuzz {

inline std::string_view view(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// What must hold, whatever the input.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// Whether `read` took its input; false if it refused it, which must be done with a message.
template <class Read>
bool accepts(const Read& read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    require(*error.what() != '\0', "an error says what was wrong");
    return false;
  }
}

// Not atomically: syncing thousands of files takes long.
inline void put(const std::string& path, std::string_view contents) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << contents;
  require(static_cast<bool>(file.flush()), "the temporary directory has room");
}

// [2, 3] for "2,3"; only what a hostile file of some kilobytes can really hold.
inline Tensor tensor_of(const std::string& sizes) {
  std::vector<Index> axes;
  Index product = 1;
  for (const std::string& size : split(sizes, ',')) {
    axes.push_back(std::clamp(std::atoll(size.c_str()), 0LL, 4096LL));
    if (axes.size() == 4 || (product *= axes.back()) > 4096) break;
  }
  if (product > 4096) axes = {1};
  return Tensor::zeros(Shape(axes.data(), static_cast<int>(axes.size())));
}

// A directory for the whole process.
inline const test::TemporaryDirectory& directory() {
  static const test::TemporaryDirectory instance;
  return instance;
}

}  // namespace attn::fuzz
