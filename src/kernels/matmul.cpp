#include "kernels/matmul.h"

#include <new>

#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/simd/table.h"

namespace attn {
namespace {

// Products with fewer multiplications than this are not worth waking a thread for; with few rows, a
// smaller B is not, since then reading it is what takes the time.
constexpr Index kParallel = Index{1} << 20, kParallelB = Index{1} << 16;

// Up to so many rows, threads share out the columns: groups of rows are too few.
constexpr Index kFewRows = 256;
constexpr Index kFewestColumns = 128;

// Memory for packing. Each thread takes its own at the first product and keeps it.
struct Workspace {
  Real* a = allocate(kWorkspaceA);
  Real* b = allocate(kWorkspaceB);

  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    ::operator delete(a, kCacheLine);
    ::operator delete(b, kCacheLine);
  }

  static constexpr std::align_val_t kCacheLine{64};
  static Real* allocate(Index count) {
    return static_cast<Real*>(
        ::operator new(static_cast<std::size_t>(count) * sizeof(Real), kCacheLine));
  }
};

const Workspace& workspace() {
  thread_local const Workspace memory;
  return memory;
}

}  // namespace

void matmul_naive(const MatmulProblem& problem) {
  kernels().matmul_naive(problem);
}
void matmul_reordered(const MatmulProblem& problem) {
  kernels().matmul_reordered(problem);
}
void matmul_blocked(const MatmulProblem& problem) {
  kernels().matmul_blocked(problem);
}
void matmul_packed(const MatmulProblem& problem) {
  const Workspace& memory = workspace();
  kernels().matmul_packed(problem, memory.a, memory.b);
}
void matmul_simd(const MatmulProblem& problem) {
  const Workspace& memory = workspace();
  kernels().matmul_simd(problem, memory.a, memory.b);
}

namespace {

// Each thread makes some columns of C, from the same columns of B.
void matmul_by_columns(const MatmulProblem& problem) {
  Index columns = kBlockColumns;
  while (columns > kFewestColumns && problem.n < 16 * columns) columns /= 2;
  parallel_ranges(problem.n, columns, [&](Index begin, Index end) {
    MatmulProblem part = problem;
    part.n = end - begin;
    part.b.data += begin * problem.b.col_stride;
    part.c += begin;
    if (part.bias != nullptr) part.bias += begin;
    matmul_simd(part);
  });
}

}  // namespace

void matmul(const MatmulProblem& problem) {
  if (problem.m <= kFewRows && problem.n > kFewestColumns && problem.n * problem.k >= kParallelB) {
    return matmul_by_columns(problem);
  }
  if (problem.m * problem.n * problem.k < kParallel) return matmul_simd(problem);
  const KernelTable& isa = kernels();
  Real* const b = workspace().b;
  const Index blocks = isa.matmul_blocks(problem);
  for (Index number = 0; number < blocks; ++number) {
    const MatmulBlock block = isa.matmul_block(problem, number, b);
    parallel_for(block.panels, [&](Index panel) { isa.matmul_pack(problem, block, panel, b); });
    parallel_for(block.groups,
                 [&](Index group) { isa.matmul_rows(problem, block, group, workspace().a); });
  }
}

}  // namespace attn
