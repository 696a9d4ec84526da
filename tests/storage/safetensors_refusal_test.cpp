// Files that must be refused: nothing in them is trusted.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/safetensors_bytes.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace attn::test;
using namespace std::string_literals;

namespace {

// A file with all there is to go wrong in a header, as small as possible.
std::string small_file() {
  return file_of(R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2,1],)"
                 R"("data_offsets":[0,8]},"b":{"dtype":"F64","shape":[],"data_offsets":[8,16]}})",
                 16);
}

}  // namespace

TEST_SUITE("storage: safetensors") {
  TEST_CASE("every file that was cut short or has more at its end is refused") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    const std::string whole = small_file();
    put(path, whole);
    CHECK(read_safetensors(path).tensors.size() == 2);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      CAPTURE(size);
      put(path, whole.substr(0, size));
      CHECK_ERROR(read_safetensors(path), Contains("x.safetensors: "));
    }
    put(path, "1234567");
    CHECK_ERROR(read_safetensors(path), Contains("7 bytes are too few for a safetensors file"));
    put(path, whole + '\0');
    CHECK_ERROR(read_safetensors(path),
                Contains("the header describes 16 bytes of data, the file has 17"));
  }

  TEST_CASE("whichever byte of the header is changed, the file is refused or still a whole one") {
    std::string contents = small_file();
    int refused = 0, accepted = 0;
    for (std::size_t i = 0; i < contents.size() - 16; ++i) {
      const char good = contents[i];
      for (int change = 1; change < 256; ++change) {
        contents[i] = static_cast<char>(good ^ change);
        try {
          const TensorFile file = parse_safetensors(contents, "x");
          // A name or the metadata may read differently, but shapes and sizes cannot.
          Index elements = 0;
          for (const auto& [name, tensor] : file.tensors) elements += tensor.elements();
          REQUIRE(elements == 3);
          ++accepted;
        } catch (const Error&) {
          ++refused;
        }
      }
      contents[i] = good;
    }
    // Letters in two names, a key and a value: 94 printable ASCII characters each, and a few more.
    CHECK(accepted > 4 * 80);
    CHECK(accepted < 4 * 256);
    CHECK(refused > 30000);
  }

  TEST_CASE("a hostile header is refused before it takes memory, with file, tensor and reason") {
    const auto tensor = [](const std::string& shape, const std::string& offsets) {
      return R"({"w":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
    };
    const auto two = [](const std::string& first, const std::string& second) {
      return R"({"v":{"dtype":"F32","shape":[1],"data_offsets":)" + first +
             R"(},"w":{"dtype":"F32","shape":[1],"data_offsets":)" + second + "}}";
    };
    struct Case {
      std::string header;
      std::size_t data_bytes;
      std::string message;
    };
    const Case hostile[] = {
        {"[]", 0, "must begin with '{'"},
        {"", 0, "must begin with '{'"},
        {" {}", 0, "must begin with '{'"},
        {"{}{}", 0, "header, byte 2: expected nothing more"},
        {"{", 0, "header, byte 1: expected a key"},
        {"{} \0"s, 0, "header, byte 3"},
        {"{\"\xFF\":1}", 0, "header, byte 2: expected UTF-8"},
        {R"({"w":1})", 0, "tensor \"w\": expected an object, found a number"},
        {R"({"w":[]})", 0, "tensor \"w\": expected an object, found an array"},
        {R"({"w":{}})", 0, "tensor \"w\": the key \"data_offsets\" is missing"},
        {R"({"w":{"shape":[1],"data_offsets":[0,4]}})", 4, "the key \"dtype\" is missing"},
        {R"({"w":{"dtype":"F32","data_offsets":[0,4]}})", 4, "the key \"shape\" is missing"},
        {R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":0}})", 4,
         "tensor \"w\": unknown key \"x\""},
        {R"({"w":{"dtype":32,"shape":[1],"data_offsets":[0,4]}})", 4, "expected a string"},
        {R"({"w":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", 8,
         "tensor \"w\": dtype \"I64\" is not supported; F32, F64, F16 and BF16 are; "
         "if it is a buffer and no weight, remove it from the file"},
        {R"({"w":{"dtype":"BF16","shape":[1],"data_offsets":[0,4]}})", 4, "of 2-byte numbers"},
        {R"({"w":{"dtype":"f32","shape":[1],"data_offsets":[0,4]}})", 4, "\"f32\""},
        {R"({"w":{"dtype":"F3\u001b[2J","shape":[1],"data_offsets":[0,4]}})", 4,
         "\"F3\\u001b[2J\""},
        {R"({"\u001b[2J":1})", 0, "tensor \"\\u001b[2J\": expected an object"},

        {tensor("1", "[0,4]"), 4, "expected an array, found a number"},
        {tensor("[\"1\"]", "[0,4]"), 4, "expected an integer of 64 bits, found a string"},
        {tensor("[1.0]", "[0,4]"), 4,
         "expected an integer of 64 bits, found 1 written with a point or an exponent"},
        {tensor("[-1]", "[0,4]"), 4, "negative size -1"},
        {tensor("[-1,-1]", "[0,4]"), 4, "negative size -1"},
        {tensor("[1,1,1,1,1]", "[0,4]"), 4, "the shape has 5 axes, more than 4"},
        {tensor("[2]", "[0,4]"), 4, "[0, 4] are 4 bytes, which do not fit shape [2]"},
        {tensor("[0]", "[0,4]"), 4, "do not fit shape [0]"},
        {tensor("[1]", "[0,0]"), 0, "do not fit shape [1]"},
        {tensor("[1]", "[0,5]"), 5, "[0, 5] are 5 bytes"},
        {tensor("[4611686018427387904]", "[0,0]"), 0, "too large"},
        {tensor("[4294967296,4294967296]", "[0,0]"), 0, "too large"},
        {tensor("[4294967296,2147483648,2]", "[0,0]"), 0, "too large"},
        {tensor("[9223372036854775808]", "[0,0]"), 0, "expected an integer of 64 bits"},
        {tensor("[18446744073709551617]", "[0,4]"), 4, "expected an integer of 64 bits"},
        {tensor("[1073741824]", "[0,4294967296]"), 4,
         "the header describes 4294967296 bytes of data, the file has 4"},
        {tensor("[288230376151711744]", "[0,1152921504606846976]"), 0, "the file has 0"},

        {tensor("[1]", "4"), 4, "expected an array"},
        {tensor("[1]", "[]"), 4, "data_offsets must be [begin, end]"},
        {tensor("[1]", "[4]"), 4, "data_offsets must be [begin, end]"},
        {tensor("[1]", "[0,4,4]"), 4, "data_offsets must be [begin, end]"},
        {tensor("[1]", "[0,\"4\"]"), 4, "expected an integer that is not negative"},
        {tensor("[1]", "[-4,0]"), 4, "expected an integer that is not negative, found -4"},
        {tensor("[1]", "[-0,4]"), 4, "expected an integer that is not negative"},
        {tensor("[1]", "[4,0]"), 4, "data_offsets [4, 0] must not descend"},
        {tensor("[1]", "[18446744073709551615,3]"), 4, "must not descend"},
        {tensor("[1]", "[18446744073709551612,18446744073709551616]"), 4, "not negative"},
        {tensor("[0]", "[18446744073709551615,18446744073709551615]"), 0,
         "begin at byte 18446744073709551615, expected 0"},
        {tensor("[1]", "[4,8]"), 8, "tensor \"w\": its data begin at byte 4, expected 0"},
        {two("[0,4]", "[0,4]"), 8, "tensor \"w\": its data begin at byte 0, expected 4"},
        {two("[0,4]", "[2,6]"), 8, "tensor \"w\": its data begin at byte 2, expected 4"},
        {two("[0,4]", "[8,12]"), 12, "tensor \"w\": its data begin at byte 8, expected 4"},
        {two("[0,4]", "[4,8]"), 12, "the header describes 8 bytes of data, the file has 12"},
        {two("[0,4]", "[4,8]"), 4, "the header describes 8 bytes of data, the file has 4"},

        {R"({"w":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4,
         "\"dtype\" appears twice"},
        {R"({"w":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
         R"("\u0077":{"dtype":"F32","shape":[],"data_offsets":[4,8]}})",
         8, "\"w\" appears twice"},
        {R"({"__metadata__":{},"__metadata__":{}})", 0, "\"__metadata__\" appears twice"},
        {R"({"__metadata__":1})", 0, "\"__metadata__\": expected an object, found a number"},
        {R"({"__metadata__":{"k":1}})", 0, "\"__metadata__\": expected a string, found a number"},
        {R"({"__metadata__":{"k":"1","k":"2"}})", 0, "\"k\" appears twice"},
        {"{\"w\":" + std::string(1000000, '['), 0, "more than 64 values inside one another"},
    };
    const Index allocations = tensor_allocations();
    for (const Case& c : hostile) {
      const std::string header = c.header.substr(0, 200);
      CAPTURE(header);
      const std::string contents = file_of(c.header, c.data_bytes);
      CHECK_ERROR(parse_safetensors(contents, "here"), Contains(c.message.c_str()));
      CHECK_ERROR(parse_safetensors(contents, "here"), Contains("here: "));
    }
    CHECK(tensor_allocations() == allocations);
  }

  TEST_CASE("a header larger than the file, or than 100 MB, is refused before it takes memory") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    for (const std::uint64_t size :
         {std::uint64_t{3}, std::uint64_t{1} << 31, std::uint64_t{1} << 63,
          std::numeric_limits<std::uint64_t>::max(),
          std::numeric_limits<std::uint64_t>::max() - 7}) {
      CAPTURE(size);
      put(path, little_endian(size) + "{}");
      CHECK_ERROR(read_safetensors(path), Contains(": not a safetensors file: its header "));
    }
    // 100 MB are allowed, one byte more is not: a file that is all hole, so it takes no place.
    put(path, little_endian(100'000'000) + "{}");
    std::filesystem::resize_file(path, 8 + 100'000'001);
    CHECK_ERROR(read_safetensors(path), Contains("header, byte 2"));
    put(path, little_endian(100'000'001) + "{}");
    std::filesystem::resize_file(path, 8 + 100'000'001);
    CHECK_ERROR(read_safetensors(path), Contains("the most allowed is 100000000"));
  }

  TEST_CASE("a file shorter than the system says is refused") {
    // A file of this kind has 4096 bytes to stat and a few to read.
    const std::string path = "/sys/devices/system/cpu/online";
    if (!std::filesystem::exists(path) || read_file(path).size() >= 8) return;
    CHECK_ERROR(read_safetensors(path), Contains("the file ends early"));
  }
}
