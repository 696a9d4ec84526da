// A tensor's memory comes from a list of freed blocks of its size; only when that is empty does the
// system give a new one, and when it has few, it gets back the freed blocks of all other sizes.
#include "tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "base/parallel.h"
#include "base/platform.h"

namespace attn {

Shape::Shape(std::initializer_list<Index> sizes)
    : Shape(sizes.begin(), static_cast<int>(sizes.size())) {}

Shape::Shape(const Index* sizes, int count) : rank(count) {
  ATTN_CHECK(count <= kMaxRank, "a tensor has at most ", kMaxRank, " axes, not ", count);
  Index product = 1;
  constexpr Index most = std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(Real));
  for (int axis = 0; axis < count; ++axis) {
    const Index n = sizes[axis];
    ATTN_CHECK(n >= 0, "axis ", axis, " of a tensor has the negative size ", n);
    ATTN_CHECK(n == 0 || product <= most / n, "a tensor of ", product, " x ", n, " is too large");
    product *= n;
    size[axis] = n;
  }
}

Index Shape::elements() const {
  if (rank == 0) return 0;
  Index product = 1;
  for (int axis = 0; axis < rank; ++axis) product *= size[axis];
  return product;
}

bool Shape::operator==(const Shape& other) const {
  return rank == other.rank && std::equal(size, size + rank, other.size);
}

std::string to_string(const Shape& shape) {
  std::string result = "[";
  for (int axis = 0; axis < shape.rank; ++axis) {
    if (axis > 0) result += ", ";
    result += std::to_string(shape.size[axis]);
  }
  return result + "]";
}

namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and the widest vector
// A large block begins where a huge page of the processor's can: products read it down its columns,
// and with ordinary pages each row would be on another one.
constexpr std::size_t kHuge = std::size_t{1} << 21;

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t{bytes >= kHuge ? kHuge : kAlignment};
}

// Freed blocks, kept for the next tensor of their size.
struct FreeBlocks {
  std::mutex mutex;
  std::map<std::size_t, void*> first;  // by size; a free block begins with the address of the next
  Index allocations = 0;
};

// Never destroyed: tensors in other static objects may be freed after it.
FreeBlocks& free_blocks() {
  static FreeBlocks& blocks = *new FreeBlocks;
  return blocks;
}

// Takes the first block out of its list.
void* unlinked(void*& first) {
  void* block = first;
  std::memcpy(&first, block, sizeof first);
  return block;
}

// The bytes of the block of a tensor: rounded up to one of four sizes in each power of two.
std::size_t block_bytes(Index elements) {
  const std::size_t wanted = static_cast<std::size_t>(elements) * sizeof(Real);
  std::size_t step = kAlignment;
  while (8 * step < wanted) step *= 2;
  return (wanted + step - 1) / step * step;
}

// Gives all freed blocks to the system.
void give_back() {
  FreeBlocks& free = free_blocks();
  const std::lock_guard<std::mutex> lock(free.mutex);
  for (auto& [bytes, first] : free.first) {
    while (first != nullptr) ::operator delete(unlinked(first), alignment_of(bytes));
  }
}

Real* allocate(Index elements) {
  if (elements == 0) return nullptr;
  const std::size_t bytes = block_bytes(elements);
  {
    FreeBlocks& free = free_blocks();
    const std::lock_guard<std::mutex> lock(free.mutex);
    void*& first = free.first[bytes];
    if (first != nullptr) return static_cast<Real*>(unlinked(first));
    ++free.allocations;
  }
  // Some systems promise memory that they do not have, and end the process that takes it.
  const double wanted = static_cast<double>(bytes);
  if (bytes >= kHuge && platform::available_memory() < 4 * wanted) give_back();
  void* block = ::operator new(bytes, alignment_of(bytes), std::nothrow);
  if (block == nullptr) {
    give_back();
    block = ::operator new(bytes, alignment_of(bytes), std::nothrow);
  }
  ATTN_CHECK(block != nullptr, "out of memory: a tensor of ", elements, " numbers needs ", bytes,
             " bytes");
  if (bytes >= kHuge) platform::prefer_huge_pages(block, bytes);
  return static_cast<Real*>(block);
}

void release(Real* data, Index elements) noexcept {
  if (data == nullptr) return;
  const std::size_t bytes = block_bytes(elements);
#ifdef ATTENTION_SANITIZED  // the sanitizers are to see every use of memory that is gone
  ::operator delete(data, alignment_of(bytes));
#else
  FreeBlocks& free = free_blocks();
  const std::lock_guard<std::mutex> lock(free.mutex);
  void*& first = free.first[bytes];
  std::memcpy(data, &first, sizeof first);
  first = data;
#endif
}

// Elements of an elementwise task: few, so that each thread takes the rows that are in its cache.
constexpr Index kTask = 1 << 13;
}  // namespace

Index tensor_allocations() {
  FreeBlocks& free = free_blocks();
  const std::lock_guard<std::mutex> lock(free.mutex);
  return free.allocations;
}

Tensor::Tensor(const Shape& shape)
    : shape_(shape), elements_(shape.elements()), data_(allocate(shape.elements())) {}

Tensor Tensor::zeros(const Shape& shape) {
  Tensor result(shape);
  result.fill(0);
  return result;
}

Tensor Tensor::uninitialised(const Shape& shape) {
  Tensor result(shape);
#ifdef ATTENTION_CHECKED
  result.fill(std::numeric_limits<Real>::quiet_NaN());
#endif
  return result;
}

Tensor::Tensor(const Tensor& other) : Tensor(other.shape_) {
  parallel_ranges(elements_, kTask, [&](Index begin, Index end) {
    std::copy(other.data_ + begin, other.data_ + end, data_ + begin);
  });
}

Tensor::Tensor(Tensor&& other) noexcept {
  *this = std::move(other);
}

Tensor& Tensor::operator=(const Tensor& other) {
  return *this = Tensor(other);
}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  std::swap(shape_, other.shape_);
  std::swap(elements_, other.elements_);
  std::swap(data_, other.data_);
  return *this;
}

Tensor::~Tensor() {
  release(data_, elements_);
}

void Tensor::fill(Real value) {
  parallel_ranges(elements_, kTask,
                  [&](Index begin, Index end) { std::fill(data_ + begin, data_ + end, value); });
}

Tensor Tensor::reshaped(const Shape& shape) && {
  ATTN_CHECK(shape.elements() == elements_, "cannot see ", to_string(shape_), " as ",
             to_string(shape));
  shape_ = shape;
  return std::move(*this);
}

}  // namespace attn
