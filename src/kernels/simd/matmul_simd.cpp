// The last rung on one thread: tiles of C in vector registers.
//
// The packed product finds its numbers next to each other, but it still loads and stores an element
// of C for each fused multiply-add, and a core can do 32 of those (AVX-512: two vectors of 16) in a
// cycle and store one vector. So a tile of C stays in registers while k runs (tile.h), and the
// loops around it arrange what each cache holds:
//
//   for each block of B, kBlockDepth rows by kBlockColumns columns      packed: 1 MiB, in L2
//     for each panel of A, kTileRows rows by kBlockDepth columns        packed: 28 KiB, in L1
//       for each panel of the block of B, a few vectors wide            streams from L2
//         a tile of C, in registers, while k runs                       tile.h
//
// Packing costs a fixed time for each number packed, so it pays only where the copy is used often:
// A is read where it is if B has few columns, and B if A has few rows and B's rows are contiguous.
#include <utility>

#include "kernels/simd/functions.h"
#include "kernels/simd/pack.h"
#include "kernels/simd/tile.h"

namespace attn::ATTENTION_ISA_NAME {
namespace {

constexpr Index kMostRowsUnpackedB = 48, kMostColumnsUnpackedA = 96;
constexpr Index kGroup = 4;  // panels of A that are packed together
constexpr Index kPackedRows = (kTileRows + kWidth - 1) / kWidth * kWidth;  // between k and k + 1
static_assert(kGroup * kPackedRows * kBlockDepth <= kWorkspaceA);

Index smaller(Index a, Index b) {
  return a < b ? a : b;
}
Index quotient_up(Index a, Index b) {
  return (a + b - 1) / b;
}
// Where part i begins when n things are shared out evenly over `parts`.
Index share(Index n, Index i, Index parts) {
  return n * i / parts;
}

// All tile functions: [rows - 1][log2(vectors)].
template <bool rows_adjacent, int... row>
struct Tiles {
  static constexpr TileFunction functions[kTileRows][4] = {
      {tile_function<row + 1, 1, rows_adjacent>(), tile_function<row + 1, 2, rows_adjacent>(),
       tile_function<row + 1, 4, rows_adjacent>(), tile_function<row + 1, 8, rows_adjacent>()}...};
};
template <bool rows_adjacent, int... row>
constexpr auto& all_tiles(std::integer_sequence<int, row...>) {
  return Tiles<rows_adjacent, row...>::functions;
}
constexpr auto& kTilesRowsAdjacent = all_tiles<true>(std::make_integer_sequence<int, kTileRows>{});
constexpr auto& kTilesRowsApart = all_tiles<false>(std::make_integer_sequence<int, kTileRows>{});

// Rows are shared out evenly over the panels of A: 15 are 7 and 8, not 14 and 1.
Index panels_of_a(Index m) {
  return quotient_up(m, kTileRows);
}

// How many vectors a panel of B is wide: the fewer rows a tile has, the wider it is.
Index panel_vectors(Index m) {
  const Index most_rows = quotient_up(m, panels_of_a(m));
  Index vectors = 2;
  while (vectors < 8 && most_rows * vectors * 2 <= kTileVectors) vectors *= 2;
  return vectors;
}

bool b_stays_where_it_is(const MatmulProblem& p) {
  return p.b.col_stride == 1 && p.m <= kMostRowsUnpackedB;
}

// One panel of A by all columns of the block; `tile` holds where A is and the depth.
void multiply_panel(const MatmulProblem& p, const MatmulBlock& block, Index i, Index rows,
                    const TileFunction (&functions)[4], Tile tile) {
  const Index panel_columns = panel_vectors(p.m) * kWidth;
  tile.depth = block.depth;
  tile.b_k = block.b_k;
  tile.c_stride = p.c_stride;
  tile.start = block.k == 0 && !p.accumulate;
  const bool last = block.k + block.depth == p.k;
  tile.relu = last && p.relu;
  for (Index j = 0; j < block.columns;) {
    // The widest tile that fits into what is left of the panel.
    const Index panel = j / panel_columns, inside = j % panel_columns;
    const Index left = smaller(block.columns - j, panel_columns - inside);
    int log2 = 3;
    while (functions[log2] == nullptr || (log2 > 0 && (kWidth << log2) - kWidth >= left)) --log2;
    tile.columns = smaller(left, kWidth << log2);
    tile.b = block.b + panel * block.b_panel + inside;
    tile.c = p.c + i * p.c_stride + block.j + j;
    tile.bias = last && p.bias != nullptr ? p.bias + block.j + j : nullptr;
    functions[log2](tile);
    j += tile.columns;
  }
  (void)rows;
}

}  // namespace

Index matmul_blocks(const MatmulProblem& p) {
  if (p.m == 0 || p.n == 0) return 0;
  const Index in_depth = p.k <= kBlockDepth ? 1 : quotient_up(p.k, kBlockDepth);
  if (b_stays_where_it_is(p)) return in_depth * ((p.n >= kWidth) + (p.n % kWidth > 0));
  return in_depth * quotient_up(p.n, kBlockColumns);
}

MatmulBlock matmul_block(const MatmulProblem& p, Index number, Real* b) {
  const Index in_depth = p.k <= kBlockDepth ? 1 : quotient_up(p.k, kBlockDepth);
  const Index across = number / in_depth, down = number % in_depth;
  const Index panel_columns = panel_vectors(p.m) * kWidth;
  MatmulBlock block;
  block.k = share(p.k, down, in_depth);
  block.depth = share(p.k, down + 1, in_depth) - block.k;
  block.groups = quotient_up(panels_of_a(p.m), kGroup);

  // Whole vectors are read where they are; columns left over are packed, and so filled up.
  if (b_stays_where_it_is(p)) {
    const Index rest = p.n % kWidth, whole = p.n - rest;
    if (across == 0 && whole > 0) {
      block.j = 0;
      block.columns = whole;
      block.b = p.b.data + block.k * p.b.row_stride;
      block.b_k = p.b.row_stride;
      block.b_panel = panel_columns;
      block.panels = 0;
      return block;
    }
    block.j = whole;
    block.columns = rest;
  } else {
    const Index panels = quotient_up(p.n, panel_columns);
    const Index parts = quotient_up(p.n, kBlockColumns);
    block.j = share(panels, across, parts) * panel_columns;
    block.columns = smaller(p.n, share(panels, across + 1, parts) * panel_columns) - block.j;
  }
  block.b = b;
  block.b_k = panel_columns;
  block.b_panel = block.depth * panel_columns;
  block.panels = quotient_up(block.columns, panel_columns);
  return block;
}

void matmul_pack(const MatmulProblem& p, const MatmulBlock& block, Index panel, Real* b) {
  const Index j = panel * block.b_k;
  pack(block.depth, smaller(block.columns - j, block.b_k),
       p.b.data + block.k * p.b.row_stride + (block.j + j) * p.b.col_stride, p.b.col_stride,
       p.b.row_stride, b + panel * block.b_panel, block.b_k);
}

void matmul_rows(const MatmulProblem& p, const MatmulBlock& block, Index group, Real* a) {
  const Index panels = panels_of_a(p.m);
  const Index first = group * kGroup, end = smaller(panels, first + kGroup);
  const Index packed_panel = kPackedRows * block.depth;
  const Real* from = p.a.data + block.k * p.a.col_stride;
  const bool packed =
      block.columns > kMostColumnsUnpackedA || (p.a.row_stride != 1 && p.a.col_stride != 1);
  if (packed) {
    for (Index panel = first; panel < end; ++panel) {
      const Index i = share(p.m, panel, panels), rows = share(p.m, panel + 1, panels) - i;
      pack(block.depth, rows, from + i * p.a.row_stride, p.a.row_stride, p.a.col_stride,
           a + (panel - first) * packed_panel, kPackedRows);
    }
  }
  for (Index panel = first; panel < end; ++panel) {
    const Index i = share(p.m, panel, panels), rows = share(p.m, panel + 1, panels) - i;
    Tile tile;
    if (packed) {
      tile.a = a + (panel - first) * packed_panel;
      tile.a_row = 1;
      tile.a_k = kPackedRows;
    } else {
      tile.a = from + i * p.a.row_stride;
      tile.a_row = p.a.row_stride;
      tile.a_k = p.a.col_stride;
    }
    const auto& tiles = tile.a_row == 1 ? kTilesRowsAdjacent : kTilesRowsApart;
    multiply_panel(p, block, i, rows, tiles[rows - 1], tile);
  }
}

void matmul_simd(const MatmulProblem& p, Real* a, Real* b) {
  const Index blocks = ATTENTION_ISA_NAME::matmul_blocks(p);
  for (Index number = 0; number < blocks; ++number) {
    const MatmulBlock block = matmul_block(p, number, b);
    for (Index panel = 0; panel < block.panels; ++panel) matmul_pack(p, block, panel, b);
    for (Index group = 0; group < block.groups; ++group) matmul_rows(p, block, group, a);
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
