// The last rung: the same tiles on all threads. One core is at its limit now, but the others are
// idle. Threads share a packed block of B and take panels of A's rows in turn, each packing those
// it takes. If A has too few rows, the columns of C are divided: each task is a whole product with
// fewer columns. Every element of C is still computed by one thread in one chain.
#include "kernels/matmul.h"

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "kernels/kernels.h"
#include "kernels/simd/matmul_block.h"

namespace attn {
namespace {

// Products with fewer multiplications than kWorthSharing are not worth waking a thread for, unless
// they read kWorthReadingTogether numbers of B: with few rows, reading takes most of the time.
constexpr Index kWorthSharing = Index{1} << 18, kWorthReadingTogether = Index{1} << 17;
// Packing a B of at most this many numbers takes less time than synchronising threads.
constexpr Index kSmallB = Index{1} << 15;
// Fewer panels of rows than this are too few to share out.
constexpr Index kEnoughPanels = 12;
constexpr Index kColumnsOfTask = 32, kMostColumnsOfTask = 1024;

// Memory for packing. Each thread takes its own at its first product and keeps it.
struct alignas(64) Workspace {
  Real a[kWorkspaceA], b[kWorkspaceB];
};

Workspace& workspace() {
#ifdef __MINGW32__
  // MinGW frees a thread's variables before it destroys them (GCC bug 80816), so this one is never
  // destroyed, and leaks when its thread ends.
  thread_local Workspace* const memory = new Workspace;
#else
  thread_local const std::unique_ptr<Workspace> memory(new Workspace);
#endif
  return *memory;
}

// How many panels a task takes: few enough that all threads end together, even if one is slower.
Index panels_of_task(Index panels, const MatmulBlock& block) {
  return std::clamp<Index>(panels / (8 * threads()), 1, block.together);
}

void share_rows(const MatmulProblem& problem) {
  const Kernels& isa = kernels();
  Workspace& shared = workspace();
  const Index blocks = isa.matmul_blocks(problem);
  for (Index number = 0; number < blocks; ++number) {
    const MatmulBlock block = isa.matmul_block(problem, number, shared.b);
    const Index of_b = panels_of_task(block.panels_of_b, block);
    parallel_ranges(block.panels_of_b, of_b, [&](Index begin, Index end) {
      isa.matmul_pack(problem, block, begin, end, shared.b);
    });
    const bool alone = block.first && block.last;
    const Index of_a = panels_of_task(block.panels_of_a, block);
    parallel_ranges(block.panels_of_a, of_a, [&](Index begin, Index end) {
      isa.matmul_rows(problem, block, begin, end, alone ? workspace().a : shared.a);
    });
  }
}

// Each thread multiplies a share of the rows and packs all of B, so B must be small.
void share_rows_whole(const MatmulProblem& problem) {
  const Index grain = (problem.m + threads() - 1) / threads();
  parallel_ranges(problem.m, grain, [&](Index begin, Index end) {
    MatmulProblem part = problem;
    part.m = end - begin;
    part.a.data += begin * part.a.row_stride;
    part.c += begin * part.c_stride;
    matmul_simd(part);
  });
}

void share_columns(const MatmulProblem& problem) {
  // Each task packs its own A, so there are no more tasks than needed.
  const Index even = (problem.n / threads() + kColumnsOfTask - 1) / kColumnsOfTask * kColumnsOfTask;
  const Index grain = std::clamp(even, kColumnsOfTask, kMostColumnsOfTask);
  parallel_ranges(problem.n, grain, [&](Index begin, Index end) {
    MatmulProblem part = problem;
    part.n = end - begin;
    part.b.data += begin * part.b.col_stride;
    part.c += begin;
    if (part.bias != nullptr) part.bias += begin;
    matmul_simd(part);
  });
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
  kernels().matmul_packed(problem, workspace().a, workspace().b);
}
void matmul_simd(const MatmulProblem& problem) {
  kernels().matmul_simd(problem, workspace().a, workspace().b);
}

void matmul(const MatmulProblem& problem) {
  const Index read = problem.n * problem.k, multiplications = problem.m * read;
  const bool worth =
      multiplications >= kWorthSharing || (multiplications > 0 && read >= kWorthReadingTogether);
  if (threads_here() == 1 || !worth) return matmul_simd(problem);
  const Index panels = kernels().matmul_block(problem, 0, nullptr).panels_of_a;
  if (panels >= kEnoughPanels && read <= kSmallB) {
    share_rows_whole(problem);
  } else if (panels >= kEnoughPanels) {
    share_rows(problem);
  } else {
    share_columns(problem);
  }
}

}  // namespace attn
