// Nothing in a header is trusted: every size is checked against the file before memory is taken.
#include "storage/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
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
constexpr const char* kChecksum = "checksum";
constexpr std::string_view kDtypeOfReal = sizeof(Real) == 4 ? "F32" : "F64";

// What the header says about one tensor.
struct Entry {
  std::string name;
  Shape shape;
  std::uint64_t number_size;  // 4 or 8
  std::uint64_t begin, end;   // bytes of the data
};

// "model.safetensors: tensor "w": ". The name is quoted so that it cannot disturb a terminal.
std::string place(const std::string& path, const std::string& name) {
  return text(path, name == kMetadata ? ": " : ": tensor ", to_json(name), ": ");
}

Metadata metadata_of(const Json& json) {
  Metadata metadata;
  for (const Json::Member& member : json.members()) {
    metadata.emplace(member.key, member.value.string());
  }
  return metadata;
}

std::uint64_t size_of_dtype(const std::string& dtype) {
  if (dtype == "F32") return 4;
  if (dtype == "F64") return 8;
  fail("dtype ", to_json(dtype), " is not supported; F32 and F64 are");
}

Shape read_shape(const std::vector<Json>& sizes) {
  ATTN_CHECK(sizes.size() <= Shape::kMaxRank, "the shape has ", sizes.size(), " axes, more than ",
             Shape::kMaxRank);
  if (sizes.empty()) return {1};
  Index size[Shape::kMaxRank] = {};
  std::transform(sizes.begin(), sizes.end(), size, [](const Json& n) {
    const Index rounded = static_cast<Index>(n.integer());
    ATTN_CHECK(rounded == n.integer(), "a size of ", n.integer(), " is more than ",
               std::numeric_limits<Index>::max());
    return rounded;
  });
  return Shape(size, static_cast<int>(sizes.size()));
}

// {"dtype": …, "shape": …, "data_offsets": …} and nothing else.
Entry read_entry(const std::string& name, const Json& json) {
  for (const Json::Member& member : json.members()) {
    ATTN_CHECK(member.key == "dtype" || member.key == "shape" || member.key == "data_offsets",
               "unknown key ", to_json(member.key), "; dtype, shape and data_offsets are known");
  }
  const std::vector<Json>& offsets = json.at("data_offsets").items();
  ATTN_CHECK_EQ(offsets.size(), std::size_t{2}, "data_offsets must be [begin, end]");
  Entry entry{name, read_shape(json.at("shape").items()), size_of_dtype(json.at("dtype").string()),
              offsets[0].natural(), offsets[1].natural()};
  ATTN_CHECK(entry.begin <= entry.end, "data_offsets [", entry.begin, ", ", entry.end,
             "] must not descend");
  const std::uint64_t bytes = entry.end - entry.begin;
  // Divided, not multiplied: the product could be more than 64 bits.
  ATTN_CHECK(bytes % entry.number_size == 0 &&
                 bytes / entry.number_size == static_cast<std::uint64_t>(entry.shape.elements()),
             "data_offsets [", entry.begin, ", ", entry.end, "] are ", bytes,
             " bytes, which do not fit shape ", to_string(entry.shape), " of ", entry.number_size,
             "-byte numbers");
  return entry;
}

// The tensors must follow each other from byte 0 to the end of the data, whatever the order of
// their names in the header.
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

std::size_t bytes_of(const Tensor& tensor) {
  return static_cast<std::size_t>(tensor.elements()) * sizeof(Real);
}

// Continues a checksum with these bytes, eight at a time. Every step is one-to-one in what it is
// given, so a change within eight bytes is always noticed.
std::uint64_t checksum_of(const void* data, std::size_t bytes, std::uint64_t sum) {
  for (std::size_t at = 0; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(data) + at, std::min<std::size_t>(8, bytes - at));
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 32;
  }
  return sum;
}

std::uint64_t checksum_of(const Metadata& metadata) {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : metadata) {
    if (key != kChecksum) sum += mix(hash(key), hash(value));
  }
  return sum;
}

// Adds the tensor's checksum, as it is in the file, to `sum`.
Tensor read_tensor(InputFile& file, const Entry& entry, std::uint64_t& sum) {
  Tensor tensor = Tensor::uninitialised(entry.shape);
  std::uint64_t its_sum = hash(entry.name + to_string(entry.shape));
  if (entry.number_size == sizeof(Real)) {
    read_exactly(file, tensor.data(), bytes_of(tensor));
    sum += checksum_of(tensor.data(), bytes_of(tensor), its_sum);
    return tensor;
  }
  // Numbers of the other precision, converted block by block.
  std::conditional_t<sizeof(Real) == sizeof(float), double, float> numbers[4096];
  for (Index begin = 0; begin < tensor.elements(); begin += 4096) {
    const Index count = std::min<Index>(4096, tensor.elements() - begin);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof numbers[0];
    read_exactly(file, numbers, bytes);
    its_sum = checksum_of(numbers, bytes, its_sum);
    for (Index i = 0; i < count; ++i) {
      const Real value = static_cast<Real>(numbers[i]);
      ATTN_CHECK(std::isfinite(value) || !std::isfinite(numbers[i]), place(file.path(), entry.name),
                 "element ", begin + i, " is too large for ", kDtypeOfReal);
      tensor[begin + i] = value;
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
      if (member.key == kMetadata) {
        metadata = metadata_of(member.value);
      } else {
        entries.push_back(read_entry(member.key, member.value));
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

static TensorFile read_tensors(InputFile& file) {
  TensorFile result;
  const std::vector<Entry> entries = read_header(file, result.metadata);
  double bytes = 0;
  for (const Entry& entry : entries) {
    bytes += static_cast<double>(entry.shape.elements()) * sizeof(Real);
  }
  check_memory(bytes, file.path(), "close other programs, or use a machine with more memory");

  std::uint64_t sum = checksum_of(result.metadata);
  for (const Entry& entry : entries) {
    result.tensors.emplace(entry.name, read_tensor(file, entry, sum));
  }
  // Other programs may call something else a checksum; ours is a number.
  const auto said = result.metadata.find(kChecksum);
  const bool ours = said != result.metadata.end() &&
                    said->second.find_first_not_of("0123456789") == std::string::npos;
  ATTN_CHECK(!ours || said->second == std::to_string(sum), file.path(),
             ": the file is damaged: it is not what was written (its checksum is ",
             "another); use a copy of it");
  return result;
}

TensorFile read_safetensors(const std::string& path) {
  InputFile file(path);
  return read_tensors(file);
}

TensorFile parse_safetensors(std::string_view contents, const std::string& name) {
  InputFile file(name, contents);
  return read_tensors(file);
}

Metadata read_metadata(const std::string& path) {
  InputFile file(path);
  Metadata metadata;
  read_header(file, metadata);
  return metadata;
}

void write_safetensors(const std::string& path, const std::vector<NamedTensor>& tensors,
                       const Metadata& metadata) {
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
    const std::size_t end = position + bytes_of(tensor);
    members.push_back({named.name, Json::object({{"dtype", kDtypeOfReal},
                                                 {"shape", sizes_json(shape)},
                                                 {"data_offsets", Json::array({position, end})}})});
    position = end;
  }
  std::string header = to_json(Json::object(std::move(members)));
  header.resize((header.size() + 7) / 8 * 8, ' ');
  ATTN_CHECK(header.size() <= kMaxHeader, "cannot write ", path, ": names and metadata take ",
             header.size(), " bytes, the most allowed is ", kMaxHeader);

  AtomicFile file(path);
  const std::uint64_t header_bytes = header.size();
  file.write(&header_bytes, sizeof header_bytes);
  file.write(header);
  for (const NamedTensor& named : tensors) {
    file.write(named.tensor->data(), bytes_of(*named.tensor));
  }
  file.commit();
}

void write_with_checksum(const std::string& path, const std::vector<NamedTensor>& tensors,
                         Metadata metadata) {
  std::uint64_t sum = checksum_of(metadata);
  for (const NamedTensor& named : tensors) {
    const Tensor& tensor = *named.tensor;
    sum +=
        checksum_of(tensor.data(), bytes_of(tensor), hash(named.name + to_string(tensor.shape())));
  }
  metadata[kChecksum] = std::to_string(sum);
  write_safetensors(path, tensors, metadata);
}

}  // namespace attn
