// The last rung on one thread: tiles of C in vector registers.
//
// The packed product finds its numbers next to each other, but it still loads and stores a vector
// of C for each vector of fused multiply-adds. A core with AVX-512 can start two of those in a
// cycle, and store one vector. So a tile of C stays in registers while k runs (tile.h), and the
// loops around it arrange what each cache holds:
//
//   for each block of B, kBlockDepth rows by kBlockColumns columns      1 MiB, in L2
//     for each panel of A, kTileRows rows by kBlockDepth columns        28 KiB, packed, in L1
//       for each panel of the block of B, a few vectors wide            streams from L2
//         a tile of C, in registers, while k runs                       tile.h
//
// Packing costs a fixed time for each number packed, so it pays only where the copy is used often.
// A is read where it is if B has few columns, and B if its rows are contiguous and close to each
// other or A has few rows.
#include <utility>

#include "kernels/simd/functions.h"
#include "kernels/simd/pack.h"
#include "kernels/simd/tile.h"

namespace attn::ATTENTION_ISA_NAME {
namespace {

constexpr Index kMostColumnsUnpackedA = 96;
constexpr Index kMostRowsUnpackedB = 128;
constexpr Index kGroup = 4;  // panels of A that are packed together
constexpr Index kPackedRows = (kTileRows + kWidth - 1) / kWidth * kWidth;  // between k and k + 1
static_assert(kGroup * kPackedRows * kBlockDepth <= kWorkspaceA);
static_assert(kBlockColumns % (8 * kWidth) == 0);

// Rows of B so many bytes apart, or less, leave a block in different sets of the cache; at larger
// distances, mostly powers of two, they push each other out.
constexpr Index kCloseRows = 3072, kFarRows = 16384;

// All tile functions for so many rows: with 1, 2, 4 or 8 vectors, and with B transposed.
struct TilesOfRows {
  TileFunction vectors[4];
  TileFunction transposed;
};
template <bool rows_adjacent, int... row>
struct Tiles {
  static constexpr TilesOfRows of_rows[kTileRows] = {
      {{tile_function<row + 1, 1, rows_adjacent>(), tile_function<row + 1, 2, rows_adjacent>(),
        tile_function<row + 1, 4, rows_adjacent>(), tile_function<row + 1, 8, rows_adjacent>()},
       multiply_tile_transposed<row + 1, rows_adjacent>}...};
};
template <bool rows_adjacent, int... row>
constexpr auto& all_tiles(std::integer_sequence<int, row...>) {
  return Tiles<rows_adjacent, row...>::of_rows;
}
constexpr auto& kTilesRowsAdjacent = all_tiles<true>(std::make_integer_sequence<int, kTileRows>{});
constexpr auto& kTilesRowsApart = all_tiles<false>(std::make_integer_sequence<int, kTileRows>{});

Index smaller(Index a, Index b) {
  return a < b ? a : b;
}
Index quotient_up(Index a, Index b) {
  return (a + b - 1) / b;
}
// Where part i begins when n things are shared out evenly: 15 rows are 7 and 8, not 14 and 1.
Index share(Index n, Index i, Index parts) {
  return parts == 1 ? n * i : n * i / parts;
}

Index panels_of_a(const MatmulProblem& p) {
  return quotient_up(p.m, kTileRows);
}

// How many vectors a panel of B is wide: the fewer rows a tile has, the wider it is.
Index panel_vectors(const MatmulProblem& p) {
  const Index most_rows = quotient_up(p.m, panels_of_a(p));
  Index vectors = 2;
  while (vectors < 8 && most_rows * vectors * 2 <= kTileVectors) vectors *= 2;
  return vectors;
}

// How B is cut into blocks: `down` times `across` of them, and, if it is read where it is, `down`
// more for the columns that do not fill a vector, which are always packed.
struct Cut {
  bool in_place, transposed;
  Index down, across, whole;  // the first `whole` columns are those across
};

Cut cut_b(const MatmulProblem& p) {
  const Index row_bytes = p.b.row_stride * static_cast<Index>(sizeof(Real));
  const bool close = row_bytes <= kCloseRows;
  Cut cut;
  cut.transposed = p.b.row_stride == 1 && p.b.col_stride != 1 && p.m <= kTileRows;
  cut.in_place =
      cut.transposed ||
      (p.b.col_stride == 1 && (close || (p.m <= kMostRowsUnpackedB && row_bytes <= kFarRows)));
  const Index depth = cut.in_place && !close ? kBlockDepth / 2 : kBlockDepth;
  cut.whole = cut.in_place && !cut.transposed ? p.n / kWidth * kWidth : p.n;
  cut.down = p.k <= depth ? 1 : quotient_up(p.k, depth);
  cut.across = quotient_up(cut.whole, kBlockColumns);
  return cut;
}

// One panel of A by all columns of the block. `tile` says where A is.
void multiply_panel(const MatmulProblem& p, const MatmulBlock& block, Index i,
                    const TilesOfRows& tiles, Tile tile) {
  const bool last = block.k + block.depth == p.k;
  const Index panel_columns = panel_vectors(p) * kWidth;
  tile.depth = block.depth;
  tile.b_k = block.b_k;
  tile.c_stride = p.c_stride;
  tile.start = block.k == 0 && !p.accumulate;
  tile.relu = last && p.relu;
  const auto multiply = [&](TileFunction function, const Real* b, Index j, Index columns) {
    tile.columns = columns;
    tile.b = b;
    tile.c = p.c + i * p.c_stride + block.j + j;
    tile.bias = last && p.bias != nullptr ? p.bias + block.j + j : nullptr;
    function(tile);
  };

  if (block.transposed) {
    tile.b_column = p.b.col_stride;
    for (Index j = 0; j < block.columns; j += kWidth) {
      multiply(tiles.transposed, block.b + j * p.b.col_stride, j,
               smaller(block.columns - j, kWidth));
    }
    return;
  }
  const Real* panel = block.b;
  for (Index j0 = 0; j0 < block.columns; j0 += panel_columns, panel += block.b_panel) {
    const Index columns = smaller(block.columns - j0, panel_columns);
    for (Index j = 0; j < columns; j += tile.columns) {
      // The widest tile that does not have a whole vector too many.
      int log2 = 3;
      while (tiles.vectors[log2] == nullptr ||
             (log2 > 0 && (kWidth << log2) - kWidth >= columns - j)) {
        --log2;
      }
      multiply(tiles.vectors[log2], panel + j, j0 + j, smaller(columns - j, kWidth << log2));
    }
  }
}

}  // namespace

Index matmul_blocks(const MatmulProblem& p) {
  if (p.m == 0 || p.n == 0) return 0;
  const Cut cut = cut_b(p);
  return cut.down * (cut.across + (cut.whole < p.n));
}

// Blocks that lie above each other have consecutive numbers, so k ascends.
MatmulBlock matmul_block(const MatmulProblem& p, Index number, const Real* b) {
  const Cut cut = cut_b(p);
  const Index across = number / cut.down, down = number % cut.down;
  const Index panel_columns = panel_vectors(p) * kWidth;
  MatmulBlock block;
  block.groups = quotient_up(panels_of_a(p), kGroup);
  block.transposed = cut.transposed;
  block.k = share(p.k, down, cut.down);
  block.depth = share(p.k, down + 1, cut.down) - block.k;
  block.j = cut.whole;
  block.columns = p.n - cut.whole;
  if (across < cut.across) {
    const Index panels = quotient_up(cut.whole, panel_columns);
    block.j = share(panels, across, cut.across) * panel_columns;
    block.columns =
        smaller(cut.whole, share(panels, across + 1, cut.across) * panel_columns) - block.j;
  }
  if (cut.in_place && across < cut.across) {
    block.b = p.b.data + block.k * p.b.row_stride + block.j * p.b.col_stride;
    block.b_k = p.b.row_stride;
    block.b_panel = panel_columns;
    block.panels = 0;
  } else {
    block.b = b;
    block.b_k = panel_columns;
    block.b_panel = block.depth * panel_columns;
    block.panels = quotient_up(block.columns, panel_columns);
  }
  return block;
}

void matmul_pack(const MatmulProblem& p, const MatmulBlock& block, Index panel, Real* b) {
  const Index j = panel * block.b_k;
  const Real* from = p.b.data + block.k * p.b.row_stride + (block.j + j) * p.b.col_stride;
  pack(block.depth, smaller(block.columns - j, block.b_k), from, p.b.col_stride, p.b.row_stride,
       b + panel * block.b_panel, block.b_k);
}

void matmul_rows(const MatmulProblem& p, const MatmulBlock& block, Index group, Real* a) {
  const Index panels = panels_of_a(p);
  const Index first = group * kGroup, end = smaller(panels, first + kGroup);
  const Real* from = p.a.data + block.k * p.a.col_stride;
  const bool strides_fit = p.a.row_stride == 1 || p.a.col_stride == 1;
  const bool packed = block.columns > kMostColumnsUnpackedA || !strides_fit;
  for (Index panel = first; packed && panel < end; ++panel) {
    const Index i = share(p.m, panel, panels), rows = share(p.m, panel + 1, panels) - i;
    pack(block.depth, rows, from + i * p.a.row_stride, p.a.row_stride, p.a.col_stride,
         a + (panel - first) * kPackedRows * block.depth, kPackedRows);
  }
  for (Index panel = first; panel < end; ++panel) {
    const Index i = share(p.m, panel, panels), rows = share(p.m, panel + 1, panels) - i;
    Tile tile;
    tile.a = packed ? a + (panel - first) * kPackedRows * block.depth : from + i * p.a.row_stride;
    tile.a_row = packed ? 1 : p.a.row_stride;
    tile.a_k = packed ? kPackedRows : p.a.col_stride;
    const auto& tiles = tile.a_row == 1 ? kTilesRowsAdjacent : kTilesRowsApart;
    multiply_panel(p, block, i, tiles[rows - 1], tile);
  }
}

void matmul_simd(const MatmulProblem& p, Real* a, Real* b) {
  const Index blocks = ATTENTION_ISA_NAME::matmul_blocks(p);
  for (Index number = 0; number < blocks; ++number) {
    const MatmulBlock block = ATTENTION_ISA_NAME::matmul_block(p, number, b);
    for (Index panel = 0; panel < block.panels; ++panel) {
      ATTENTION_ISA_NAME::matmul_pack(p, block, panel, b);
    }
    for (Index group = 0; group < block.groups; ++group) {
      ATTENTION_ISA_NAME::matmul_rows(p, block, group, a);
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
