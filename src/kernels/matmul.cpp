#include "kernels/matmul.h"

#include <new>

#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/simd/table.h"

namespace attn {
namespace {

// Products with fewer multiplications than this are not worth waking a thread for.
constexpr Index kParallel = Index{1} << 20;

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

void matmul(const MatmulProblem& problem) {
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
