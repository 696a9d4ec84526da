#include "storage/safetensors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "storage/atomic_file.h"
#include "support/random_tensors.h"
#include "support/safetensors_bytes.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace std::string_literals;
using namespace attn::test;

namespace {

constexpr bool kSingle = sizeof(Real) == 4;

template <class Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// The tensor of a file that has one of these numbers.
Tensor values_of(const std::string& dtype, const std::string& numbers, std::size_t count) {
  const std::string header = text(R"({"w":{"dtype":")", dtype, R"(","shape":[)", count,
                                  R"(],"data_offsets":[0,)", numbers.size(), "]}}");
  return parse_safetensors(file_of(header, 0) + numbers, "x").tensors.at("w");
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() &&
         (a.empty() || std::memcmp(a.data(), b.data(),
                                   static_cast<std::size_t>(a.elements()) * sizeof(Real)) == 0);
}

}  // namespace

TEST_SUITE("storage: safetensors") {
  TEST_CASE("tensors and metadata come back, with every bit of every number") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    const Real infinity = std::numeric_limits<Real>::infinity();
    Tensor special = tensor_of(
        {2, 4}, {-Real{0}, infinity, -infinity, 0, std::numeric_limits<Real>::denorm_min(),
                 std::numeric_limits<Real>::max(), std::numeric_limits<Real>::quiet_NaN(), 1});
    // A NaN with a payload of its own.
    reinterpret_cast<unsigned char*>(special.data() + 6)[0] = 0x5A;
    Tensor random = Tensor::uninitialised({3, 1, 7, 5});
    for (Index i = 0; i < random.elements(); ++i) {
      const std::uint64_t bits = mix(3, static_cast<std::uint64_t>(i));
      std::memcpy(random.data() + i, &bits, sizeof(Real));
    }
    const Tensor none = Tensor::zeros({0, 4}), one = tensor_of({1}, {-2.5});
    const Metadata metadata = {{"", ""}, {"key", "{\"a\": \"b\\n\"}\n\x01"}, {"ö", "𝄞"}};

    const std::vector<NamedTensor> written{
        {"special", &special}, {"random", &random}, {"none", &none},
        {"1", &one},           {"", &one},          {"tab\t\"ö\"", &one}};
    write_safetensors(path, written, metadata);
    const TensorFile file = read_safetensors(path);
    CHECK(file.metadata == metadata);
    CHECK(file.tensors.size() == written.size());
    for (const NamedTensor& each : written) {
      CAPTURE(each.name);
      CHECK(same_bytes(file.tensors.at(each.name), *each.tensor));
    }
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a file without tensors, and one without metadata, are files") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    write_safetensors(path, {});
    CHECK(read_file(path) == little_endian(8) + "{}      ");
    CHECK(read_safetensors(path).tensors.empty());
    CHECK(read_safetensors(path).metadata.empty());
    write_safetensors(path, {}, {{"a", "b"}});
    CHECK(read_file(path) == little_endian(32) + R"({"__metadata__":{"a":"b"}}      )");
    CHECK(read_safetensors(path).metadata == Metadata{{"a", "b"}});
    write_safetensors(path, {}, {{"a", "to fill"}});  // up to a multiple of 8, so no padding
    CHECK(read_file(path) == little_endian(32) + R"({"__metadata__":{"a":"to fill"}})");
  }

  TEST_CASE("a file is, byte for byte, what the format's definition says") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    const Tensor b = tensor_of({2, 1}, {1, -2}), a = tensor_of({1}, {0.5});
    write_safetensors(path, {{"b", &b}, {"a", &a}}, {{"k", "v"}});
    // The header has 135 characters for F32, padded to 136 = 0x88; and 137, padded to 144, for F64.
    const std::string single =
        "\x88\0\0\0\0\0\0\0"
        R"({"__metadata__":{"k":"v"},"b":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
        R"("a":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}} )"
        "\0\0\x80\x3F\0\0\0\xC0\0\0\0\x3F"s;
    const std::string twice =
        "\x90\0\0\0\0\0\0\0"
        R"({"__metadata__":{"k":"v"},"b":{"dtype":"F64","shape":[2,1],"data_offsets":[0,16]},)"
        R"("a":{"dtype":"F64","shape":[1],"data_offsets":[16,24]}}       )"
        "\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\xC0\0\0\0\0\0\0\xE0\x3F"s;
    CHECK(read_file(path) == (kSingle ? single : twice));
  }

  TEST_CASE("a file of the Python package is read: both dtypes, scalars, no rows, metadata") {
    const TensorFile file =
        read_safetensors(ATTENTION_SOURCE_DIR "/tests/golden/example.safetensors");
    CHECK(file.metadata == Metadata{{"configuration", "{\"name\": \"größe\",\n\t\"layers\": 2}"}});
    REQUIRE(file.tensors.size() == 8);
    const auto is = [&](const char* name, const Shape& shape, const std::vector<double>& numbers) {
      CAPTURE(name);
      CHECK(same_bytes(file.tensors.at(name), tensor_of(shape, numbers)));
    };
    is("encoder.0.weight", {2, 3}, {0, 0.25, 0.5, 0.75, 1, 1.25});
    is("double", {2, 2}, {1.5, -2.25, 1e-300, 0.1});
    is("scalar", {1}, {3.5});
    is("double scalar", {1}, {-7});
    is("no rows", {0, 4}, {});
    is("schräg \"\\ 𝄞", {1}, {1});
    const Tensor& rank4 = file.tensors.at("rank 4");
    CHECK(rank4.shape() == Shape{1, 2, 3, 4});
    for (Index i = 0; i < 24; ++i) CHECK(rank4[i] == static_cast<Real>(i));

    const Tensor& special = file.tensors.at("special");
    CHECK(special.shape() == Shape{6});
    CHECK((special[0] == 0 && std::signbit(special[0])));
    CHECK(special[1] == std::numeric_limits<Real>::infinity());
    CHECK(special[2] == -std::numeric_limits<Real>::infinity());
    CHECK(std::isnan(special[3]));
    CHECK(special[4] == static_cast<Real>(std::numeric_limits<float>::denorm_min()));
    CHECK(special[5] == static_cast<Real>(std::numeric_limits<float>::max()));
    if constexpr (kSingle) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, special.data() + 3, 4);
      CHECK(bits == 0x7FC12345);
    }
  }

  TEST_CASE("the order of the names in the header need not be that of the data") {
    const std::string numbers = "\0\0\x80\x3F\0\0\0\x40"s;  // 1, 2
    const std::string contents =
        file_of(R"({"z":{"data_offsets":[4,8],"dtype":"F32","shape":[1]},"__metadata__":null,)"
                R"("a":{"shape":[0],"dtype":"F32","data_offsets":[4,4]},)"
                R"("b":{"shape":[],"dtype":"F32","data_offsets":[0,4]}})",
                0) +
        numbers;
    const TensorFile file = parse_safetensors(contents, "x");
    CHECK(file.metadata.empty());
    CHECK(file.tensors.at("z")[0] == 2);
    CHECK(file.tensors.at("b")[0] == 1);
    CHECK(file.tensors.at("a").empty());
  }

  TEST_CASE("converted tensors may have any size around a block of the conversion") {
    // 32 KB are converted at once: 4096 numbers of 8 bytes, 8192 of 4, 16384 of 2.
    const std::string other = kSingle ? "F64" : "F32";
    for (const std::size_t count : {1u, 4095u, 4096u, 4097u, 8192u, 8193u, 16384u, 16385u}) {
      std::string numbers, halves;
      for (std::size_t i = 0; i < count; ++i) {
        // The type that Real is not.
        const std::conditional_t<kSingle, double, float> number = static_cast<float>(i) / 4;
        numbers += bytes_of(number);
        const float top = static_cast<float>(i % 256);  // eight bits are what bfloat16 has
        halves += bytes_of(top).substr(2);
      }
      const Tensor x = values_of(other, numbers, count), half = values_of("BF16", halves, count);
      bool same = true;
      for (Index i = 0; i < x.elements(); ++i) {
        same &= x[i] == static_cast<Real>(i) / 4 && half[i] == static_cast<Real>(i % 256);
      }
      CHECK(same);
    }
  }

  TEST_CASE("numbers of 16 bits are widened exactly: every one of them") {
    std::string all;
    for (unsigned bits = 0; bits < 65536; ++bits) all += bytes_of(static_cast<std::uint16_t>(bits));
    const Tensor half = values_of("F16", all, 65536), brain = values_of("BF16", all, 65536);
    Index wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
      // By the formats' definitions: (−1)^s · 2^(e − bias) · 1.f, 2^(1 − bias) · 0.f where e is 0.
      const auto expected = [&](unsigned fraction_bits, unsigned bias) {
        const unsigned f = bits & ((1u << fraction_bits) - 1), e = (bits & 0x7FFF) >> fraction_bits;
        double value = f / std::pow(2, fraction_bits) + (e > 0 ? 1 : 0);
        value *= std::pow(2.0, static_cast<double>(e > 0 ? e : 1) - bias);
        if (e == 2 * bias + 1) value = f > 0 ? std::nan("") : HUGE_VAL;
        return static_cast<Real>(bits < 32768 ? value : -value);
      };
      const auto same = [](Real a, Real b) {
        return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
      };
      const Index i = bits;
      wrong += !same(half[i], expected(10, 15)) + !same(brain[i], expected(7, 127));
    }
    CHECK(wrong == 0);
    CHECK(half[0x3555] == Real(0.333251953125));  // the nearest to 1/3
    CHECK(half[0x7BFF] == 65504);                 // the largest
    CHECK(brain[0x3EAB] == Real(0.333984375));
  }

  TEST_CASE("a double that float cannot hold is an error, not an infinity; infinities are kept") {
    const auto tensor = [](double a, double b) {
      return values_of("F64", bytes_of(a) + bytes_of(b), 2);
    };
    if constexpr (kSingle) {
      CHECK_ERROR(tensor(1, -1e39), Contains("tensor \"w\": element 1 is too large for F32"));
    } else {
      CHECK(tensor(1, -1e39)[1] == Real(-1e39));
    }
    const Tensor w = tensor(std::nan(""), -HUGE_VAL);
    CHECK(std::isnan(w[0]));
    CHECK(w[1] == -std::numeric_limits<Real>::infinity());
  }

  TEST_CASE(
      "no bit of a file with a checksum changes unnoticed, and without one every file is read") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    const Tensor a = tensor_of({3}, {0.5, 0, -3}), b = tensor_of({2, 1}, {1, -2});
    write_with_checksum(path, {{"b", &b}, {"a", &a}}, {{"k", "v"}});
    const TensorFile whole = read_safetensors(path);
    CHECK(whole.metadata.at("k") == "v");
    CHECK(whole.metadata.count("attention.checksum") == 1);

    std::string contents = read_file(path);
    const std::size_t data = contents.size() - 5 * sizeof(Real);
    for (std::size_t byte = 0; byte < contents.size(); ++byte) {
      for (int bit = 0; bit < 9; ++bit) {
        const char good = contents[byte];
        contents[byte] = bit < 8 ? static_cast<char>(good ^ (1 << bit)) : '\0';
        CAPTURE(byte);
        CAPTURE(bit);
        if (contents[byte] != good && byte >= data) {
          CHECK_ERROR(parse_safetensors(contents, path),
                      Contains((path + ": the file is damaged, use a copy").c_str()));
        } else if (contents[byte] != good) {
          try {  // refused as no such file, or damaged, or the same: but for its checksum's name
            const TensorFile file = parse_safetensors(contents, path);
            CHECK(file.metadata.at("k") == "v");
            for (const auto& [name, tensor] : whole.tensors) {
              CHECK(same_bytes(file.tensors.at(name), tensor));
            }
          } catch (const Error&) {
          }
        }
        contents[byte] = good;
      }
    }
    const auto refuses = [&](const std::string& from, const std::string& to) {
      std::string changed = contents;
      REQUIRE(changed.find(from) != changed.npos);
      changed.replace(changed.find(from), from.size(), to);
      CAPTURE(to);
      CHECK_ERROR(parse_safetensors(changed, path),
                  Contains("another program has saved it with changes, then remove "
                           "\"attention.checksum\" from its metadata"));
    };
    refuses(R"("k":"v")", R"("k":"w")");
    refuses(R"("k":"v")", R"("l":"v")");
    refuses(R"("shape":[2,1])", R"("shape":[1,2])");
    refuses(R"("a":{)", R"("c":{)");
    // Another order of the same tensors, and a program that knows nothing of checksums.
    write_safetensors(path, {{"a", &a}, {"b", &b}}, whole.metadata);
    CHECK(read_safetensors(path).metadata == whole.metadata);
    write_safetensors(path, {{"a", &b}, {"b", &a}}, whole.metadata);
    CHECK_THROWS_AS(read_safetensors(path), Error);
    write_safetensors(path, {{"a", &b}, {"b", &a}});
    CHECK(read_safetensors(path).tensors.size() == 2);
  }

  TEST_CASE("what cannot be written is an error, and the target is untouched") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("x.safetensors");
    write_file(path, "old");
    const Tensor x = Tensor::zeros({2}), no_shape;
    CHECK_ERROR(write_safetensors(path, {{"x", &x}, {"y", &x}, {"x", &x}}),
                Contains("\"x\" appears twice"));
    CHECK_ERROR(write_safetensors(path, {{"__metadata__", &x}}), Contains("__metadata__"));
    CHECK_ERROR(write_safetensors(path, {{"x", &no_shape}}), Contains("\"x\" has no shape"));
    CHECK_ERROR(write_safetensors(path, {{"a\xFF", &x}}), Contains("not UTF-8"));
    CHECK_ERROR(write_safetensors(path, {}, {{"k", "\x80"}}), Contains("not UTF-8"));
    CHECK_THROWS_AS(write_safetensors(directory.path("none/x"), {{"x", &x}}), Error);
    CHECK(read_file(path) == "old");
    CHECK(directory.entries() == 1);
  }
}
