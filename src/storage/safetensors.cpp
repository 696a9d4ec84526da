// Nothing in a header is trusted: every size is checked against the file before memory is taken.
#include "storage/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/memory.h"
#include "base/random.h"
#include "storage/atomic_file.h"

namespace attn {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "safetensors files are little-endian");
static_assert(std::numeric_limits<Real>::is_iec559, "safetensors files hold IEEE numbers");

constexpr std::uint64_t kMaxHeader = 100'000'000;  // as in the Python package
constexpr std::string_view kMetadata = "__metadata__";
constexpr const char* kChecksum = "attention.checksum";

// A format of numbers: its name, its size in bytes, and the number that begins there.
struct Dtype {
  std::string_view name;
  std::uint64_t size;
  double (*number)(const char* bytes);
};

template <class Number>
double number_at(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// The upper half of a float.
double bfloat16_at(const char* bytes) {
  const char whole[4] = {0, 0, bytes[0], bytes[1]};
  return number_at<float>(whole);
}

// A sign, five bits of exponent, ten of the fraction.
double float16_at(const char* bytes) {
  const int bits = static_cast<int>(number_at<std::uint16_t>(bytes));
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 0   ? std::ldexp(fraction, -24)
                      : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                      : fraction == 0 ? std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::quiet_NaN();
  return bits >> 15 == 0 ? size : -size;
}

constexpr Dtype kDtypes[] = {{"F32", 4, number_at<float>},
                             {"F64", 8, number_at<double>},
                             {"F16", 2, float16_at},
                             {"BF16", 2, bfloat16_at}};
constexpr const Dtype& kReal = kDtypes[sizeof(Real) == 4 ? 0 : 1];

// What the header says about one tensor.
struct Entry {
  std::string name;
  Shape shape;
  const Dtype* dtype;
  std::uint64_t begin, end;  // bytes of the data
};

// "model.safetensors: tensor "w": ". The name is quoted so that it cannot disturb a terminal.
std::string place(const std::string& path, const std::string& name) {
  return text(path, name == kMetadata ? ": " : ": tensor ", to_json(name), ": ");
}

const Dtype* dtype_of(const std::string& name) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == name) return &dtype;
  }
  fail("dtype ", to_json(name), " is not supported; F32, F64, F16 and BF16 are; ",
       "if it is a buffer and no weight, remove it from the file");
}

Shape read_shape(const std::vector<Json>& sizes) {
  ATTN_CHECK(sizes.size() <= Shape::kMaxRank, "the shape has ", sizes.size(), " axes, more than ",
             Shape::kMaxRank);
  if (sizes.empty()) return {1};
  Index size[Shape::kMaxRank] = {};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const std::int64_t said = sizes[axis].integer();
    size[axis] = static_cast<Index>(said);
    ATTN_CHECK(size[axis] == said, "a size of ", said, " is more than ",
               std::numeric_limits<Index>::max());
  }
  return Shape(size, static_cast<int>(sizes.size()));
}

// {"dtype": …, "shape": …, "data_offsets": …} and nothing else.
Entry read_entry(const std::string& name, const Json& json) {
  for (const Json::Member& member : json.members()) {
    ATTN_CHECK(member.key == "dtype" || member.key == "shape" || member.key == "data_offsets",
               "unknown key ", to_json(member.key), "; dtype, shape and data_offsets are known");
  }
  const std::vector<Json>& offsets = json.at("data_offsets").items();
  ATTN_CHECK(offsets.size() == 2, "data_offsets must be [begin, end]");
  Entry entry{name, read_shape(json.at("shape").items()), dtype_of(json.at("dtype").string()),
              offsets[0].natural(), offsets[1].natural()};
  ATTN_CHECK(entry.begin <= entry.end, "data_offsets [", entry.begin, ", ", entry.end,
             "] must not descend");
  const std::uint64_t bytes = entry.end - entry.begin;
  // Divided, not multiplied: the product could be more than 64 bits.
  const std::uint64_t size = entry.dtype->size;
  ATTN_CHECK(
      bytes % size == 0 && bytes / size == static_cast<std::uint64_t>(entry.shape.elements()),
      "data_offsets [", entry.begin, ", ", entry.end, "] are ", bytes,
      " bytes, which do not fit shape ", to_string(entry.shape), " of ", size, "-byte numbers");
  return entry;
}

// The tensors must fill the data from byte 0 to its end, whatever their order in the header.
void check_layout(const std::string& path, std::vector<Entry>& entries, std::uint64_t data_bytes) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t position = 0;
  for (const Entry& entry : entries) {
    ATTN_CHECK(entry.begin == position, place(path, entry.name), "its data begin at byte ",
               entry.begin, ", expected ", position, ", where the tensor before it ends");
    position = entry.end;
  }
  ATTN_CHECK(position == data_bytes, path, ": the header describes ", position,
             " bytes of data, the file has ", data_bytes);
}

// Reads exactly `bytes` bytes; the size of the file was checked, but it may have changed since.
void read_exactly(InputFile& file, void* to, std::size_t bytes) {
  ATTN_CHECK(file.read(to, bytes) == bytes, file.path(), ": the file ends early");
}

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()),
          static_cast<std::size_t>(tensor.elements()) * sizeof(Real)};
}

// Continues a checksum, eight bytes at a time; a tensor's begins with the hash of its name and
// shape. Every step is one-to-one, so a change within eight bytes is always noticed.
std::uint64_t checksum_of(std::string_view bytes, std::uint64_t sum) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(8, bytes.size()))) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), std::min<std::size_t>(8, bytes.size()));
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 32;
  }
  return sum;
}

std::uint64_t checksum_of(const Metadata& metadata) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : metadata) sum += mix(hash(key), hash(value));
  return sum;
}

// Adds the tensor's checksum, as it is in the file, to `sum`.
Tensor read_tensor(InputFile& file, const Entry& entry, std::uint64_t& sum) {
  Tensor tensor = Tensor::uninitialised(entry.shape);
  std::uint64_t its_sum = hash(entry.name + to_string(entry.shape));
  if (entry.dtype == &kReal) {
    read_exactly(file, tensor.data(), bytes_of(tensor).size());
    sum += checksum_of(bytes_of(tensor), its_sum);
    return tensor;
  }
  // Numbers of another precision, converted block by block.
  char bytes[1 << 15];
  const Index size = static_cast<Index>(entry.dtype->size), most = sizeof bytes / entry.dtype->size;
  for (Index begin = 0; begin < tensor.elements(); begin += most) {
    const Index count = std::min(most, tensor.elements() - begin);
    const std::string_view block(bytes, count * size);
    read_exactly(file, bytes, block.size());
    its_sum = checksum_of(block, its_sum);
    for (Index i = 0; i < count; ++i) {
      const double number = entry.dtype->number(bytes + i * size);
      const Real value = tensor[begin + i] = static_cast<Real>(number);
      ATTN_CHECK(std::isfinite(value) || !std::isfinite(number), place(file.path(), entry.name),
                 "element ", begin + i, " is too large for ", kReal.name);
    }
  }
  sum += its_sum;
  return tensor;
}

// What the header says of the tensors, in the order of their data, which follow.
std::vector<Entry> read_header(InputFile& file, Metadata& metadata) {
  const std::string& path = file.path();
  const std::uint64_t file_bytes = file.size();
  std::uint64_t header_bytes = 0;
  ATTN_CHECK(file_bytes >= sizeof header_bytes, path, ": ", file_bytes,
             " bytes are too few for a safetensors file");
  read_exactly(file, &header_bytes, sizeof header_bytes);
  ATTN_CHECK(header_bytes <= kMaxHeader && header_bytes <= file_bytes - sizeof header_bytes, path,
             ": not a safetensors file: its header would have ", header_bytes,
             " bytes, the file has ", file_bytes, " and the most allowed is ", kMaxHeader);
  std::string json(static_cast<std::size_t>(header_bytes), '\0');
  read_exactly(file, json.data(), json.size());
  ATTN_CHECK(!json.empty() && json[0] == '{', path,
             ": not a safetensors file: its header must begin with '{'");

  std::vector<Entry> entries;
  const Json members = parse_json(json, path + ": header");
  for (const Json::Member& member : members.members()) {
    try {
      if (member.key != kMetadata) {
        entries.push_back(read_entry(member.key, member.value));
      } else if (member.value.type() != Json::Type::null) {
        for (const auto& [key, value] : member.value.members()) metadata[key] = value.string();
      }
    } catch (const Error& error) {
      fail(place(path, member.key), error.what());
    }
  }
  check_layout(path, entries, file_bytes - sizeof header_bytes - header_bytes);
  return entries;
}

}  // namespace

Json sizes_json(const Shape& shape) {
  Json sizes = Json::array();
  for (int axis = 0; axis < shape.rank; ++axis) sizes.add(shape.size[axis]);
  return sizes;
}

static TensorFile read_tensors(InputFile file) {
  TensorFile result;
  const std::vector<Entry> entries = read_header(file, result.metadata);
  double bytes = 0;
  for (const Entry& entry : entries) {
    bytes += static_cast<double>(entry.shape.elements()) * sizeof(Real);
  }
  check_memory(bytes, file.path(), "close other programs, or use a machine with more memory");

  std::uint64_t sum = 0;
  for (const Entry& entry : entries) {
    result.tensors.emplace(entry.name, read_tensor(file, entry, sum));
  }
  Metadata others = result.metadata;
  if (const auto said = others.extract(kChecksum)) {
    ATTN_CHECK(said.mapped() == std::to_string(sum + checksum_of(others)), file.path(),
               ": the file is damaged, use a copy of it; or another program has saved it with ",
               "changes, then remove \"", kChecksum, "\" from its metadata");
  }
  return result;
}

TensorFile read_safetensors(const std::string& path) {
  return read_tensors(InputFile(path));
}

TensorFile parse_safetensors(std::string_view contents, const std::string& name) {
  return read_tensors(InputFile(name, contents));
}

void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata, const std::function<void()>& check) {
  std::vector<Json::Member> members;
  if (!metadata.empty()) {
    Json texts = Json::object();
    for (const auto& [key, value] : metadata) texts.add(key, value);
    members.push_back({std::string(kMetadata), std::move(texts)});
  }
  std::size_t position = 0;
  for (const NamedTensor& named : tensors) {
    const Tensor& tensor = *named.tensor;
    const Shape& shape = tensor.shape();
    ATTN_CHECK(named.name != kMetadata, "no tensor can be named ", kMetadata);
    ATTN_CHECK(shape.rank > 0, "cannot write ", path, ": tensor ", to_json(named.name),
               " has no shape");
    const std::size_t end = position + bytes_of(tensor).size();
    members.push_back({named.name, Json::object({{"dtype", kReal.name},
                                                 {"shape", sizes_json(shape)},
                                                 {"data_offsets", Json::array({position, end})}})});
    position = end;
  }
  std::string header = to_json(Json::object(std::move(members)));
  header.resize((header.size() + 7) / 8 * 8, ' ');
  ATTN_CHECK(header.size() <= kMaxHeader, "cannot write ", path, ": names and metadata take ",
             header.size(), " bytes, the most allowed is ", kMaxHeader);

  const std::uint64_t header_bytes = header.size();
  std::vector<std::string_view> parts{
      {reinterpret_cast<const char*>(&header_bytes), sizeof header_bytes}, header};
  for (const NamedTensor& named : tensors) parts.push_back(bytes_of(*named.tensor));
  write_file(path, parts, check);
}

void write_with_checksum(const std::string& path, const std::vector<NamedTensor>& tensors,
                         Metadata metadata, const std::function<void()>& check) {
  metadata.erase(kChecksum);
  std::uint64_t sum = checksum_of(metadata);
  for (const auto& [name, tensor] : tensors) {
    sum += checksum_of(bytes_of(*tensor), hash(name + to_string(tensor->shape())));
  }
  metadata[kChecksum] = std::to_string(sum);
  write_safetensors(path, tensors, metadata, check);
}

}  // namespace attn
