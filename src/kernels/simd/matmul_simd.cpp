// The last rung on one thread: tiles of C in vector registers.
//
// The packed product finds its numbers next to each other, but it still loads and stores a vector
// of C for each vector FMA. A core with AVX-512 can start two FMAs per cycle, but only one store.
// So a tile of C stays in registers while k runs (tile.h), and the loops around it decide what each
// cache holds:
//
//   for each kBlockDepth of k
//     for each block of B, kBlockDepth rows by kBlockColumns columns    1 MiB, in L2
//       for each panel of A, kTileRows rows by kBlockDepth columns      28 KiB, packed, from L2
//         for each panel of the block of B, a few vectors wide          streams from L2
//           a tile of C, in registers, while k runs                     tile.h
//
// Packing costs a fixed time per number, so it pays only if the copy is used often. A is packed at
// the first block of B and reused by the blocks next to it; it is read in place if B has few
// columns. B is read in place if its rows are contiguous and either it stays in the cache without
// packing or A has few rows.
#include <utility>

#include "kernels/simd/matmul_block.h"
#include "kernels/simd/pack.h"
#include "kernels/simd/tile.h"

namespace attn::ATTENTION_ISA_NAME {
namespace {

constexpr Index kMostColumnsUnpackedA = 96;
// A packed A takes kPackedRows numbers for each k, however few rows it has: with AVX-512, 32 KiB of
// L1 where 4 rows of 512 take 8. In place, their product by a transposed B takes a fifth less time.
constexpr Index kFewRows = 4;
constexpr Index kMostRowsUnpackedB = 128;
constexpr Index kPackedRows = (kTileRows + kWidth - 1) / kWidth * kWidth;  // between k and k + 1
constexpr Index kMostPanels = kWorkspaceA / (kPackedRows * kBlockDepth);   // of A, packed at once
static_assert(kBlockColumns % (8 * kWidth) == 0);

// A block's rows fall into different sets of the cache if they are at most this many bytes apart in
// B; at larger distances, mostly powers of two, they evict each other.
constexpr Index kCloseRows = 3072, kFarRows = 16384;
// Rows a multiple of this many bytes apart meet in a few of L1's 64 sets, which hurts if a panel of
// B would otherwise fit: with 256 columns, an AVX2 core reaches 62 % of its peak in place, 82 %
// packed. With AVX-512 a panel comes from L2 either way.
//
// A transposed A is read across its panels. AVX2's panels are narrow: if they are packed only four
// at a time, a product such as dW takes a tenth longer.
#ifdef ATTENTION_ISA_AVX512
constexpr Index kMeetingRows = 0, kPanelsTogether = 4;
#else
constexpr Index kMeetingRows = 1024, kPanelsTogether = kMostPanelsTogether;
#endif
constexpr Index kMostRowsOfMeetingB = 24;  // of A: with so few, packing costs more than it saves
constexpr Index kSmallB = 1 << 20;         // bytes of a B that stays in L2

// All tile functions for a given number of rows: with 1, 2, 4 or 8 vectors, and with B transposed.
struct TilesOfRows {
  TileFunction vectors[4];
  TileFunction transposed;
};
struct Tiles {
  TilesOfRows of_rows[kTileRows];
};
template <bool rows_adjacent, int... row>
constexpr Tiles all_tiles(std::integer_sequence<int, row...>) {
  return {
      {{{tile_function<row + 1, 1, rows_adjacent>(), tile_function<row + 1, 2, rows_adjacent>(),
         tile_function<row + 1, 4, rows_adjacent>(), tile_function<row + 1, 8, rows_adjacent>()},
        multiply_tile_transposed<row + 1, rows_adjacent>}...}};
}
constexpr Tiles kTilesRowsAdjacent = all_tiles<true>(std::make_integer_sequence<int, kTileRows>{});
constexpr Tiles kTilesRowsApart = all_tiles<false>(std::make_integer_sequence<int, kTileRows>{});

Index smaller(Index a, Index b) {
  return a < b ? a : b;
}
Index quotient_up(Index a, Index b) {
  return (a + b - 1) / b;
}
// Where a part begins if n things are divided evenly: 15 rows into 8 and 7, not 14 and 1. (One
// part is a special case because in a tiny product divisions would take most of the time.)
Index share_begin(Index n, Index parts, Index part) {
  return parts == 1 ? n * part : n * part / parts;
}

Index row_panels(const MatmulProblem& p) {
  return quotient_up(p.m, kTileRows);
}

// The width of a panel of B: the fewer rows a tile has, the wider its panel.
Index panel_columns(const MatmulProblem& p) {
  const Index most_rows = p.m <= kTileRows ? p.m : quotient_up(p.m, row_panels(p));
  Index vectors = 2;
  while (vectors < 8 && most_rows * vectors * 2 <= kTileVectors) vectors *= 2;
  return vectors * kWidth;
}

// How a product is cut into blocks: A's rows into `chunks`, k into `down`, and the columns into
// `across`, the first `whole` of them evenly. If B is read in place, the last columns, which do not
// fill a vector, are a block of their own, which is packed.
struct Cut {
  bool in_place, transposed;
  Index chunks, down, across, whole;
};

Cut cut_up(const MatmulProblem& p) {
  const Index row_bytes = p.b.row_stride * static_cast<Index>(sizeof(Real));
  const bool meeting = kMeetingRows > 0 && row_bytes % kMeetingRows == 0;
  const bool close = row_bytes <= kCloseRows && !meeting;
  const bool small = p.k * row_bytes <= kSmallB;
  const Index few = meeting ? kMostRowsOfMeetingB : kMostRowsUnpackedB;
  Cut cut;
  cut.transposed = p.b.row_stride == 1 && p.b.col_stride != 1 && p.m <= kTileRows;
  cut.in_place = cut.transposed || (p.b.col_stride == 1 &&
                                    ((close && small) || (p.m <= few && row_bytes <= kFarRows)));
  const Index depth = cut.in_place && !close ? kBlockDepth / 2 : kBlockDepth;
  cut.whole = cut.in_place && !cut.transposed ? p.n / kWidth * kWidth : p.n;
  cut.down = p.k <= depth ? 1 : quotient_up(p.k, depth);
  cut.across = quotient_up(cut.whole, kBlockColumns) + (cut.whole < p.n);
  cut.chunks = quotient_up(row_panels(p), kMostPanels);
  return cut;
}

// Multiplies rows i to next_i - 1 of A, to which `tile` points, by all columns of the block.
void multiply_panel(const MatmulProblem& p, const MatmulBlock& block, Index i, Index next_i,
                    const TilesOfRows& tiles, Tile tile) {
  const bool last = block.k + block.depth == p.k;
  tile.depth = block.depth;
  tile.b_k = block.b_k;
  tile.c_stride = p.c_stride;
  tile.start = block.k == 0 && !p.accumulate;
  tile.relu = last && p.relu;
  tile.next_a_step = block.next_a_step;
  const auto multiply = [&](TileFunction function, const Real* b, Index j, Index columns) {
    tile.columns = columns;
    tile.b = b;
    tile.c = p.c + i * p.c_stride + block.j + j;
    const bool end = j + columns == block.columns;
    tile.next_c = end ? p.c + next_i * p.c_stride + block.j : tile.c + columns;
    tile.bias = last && p.bias != nullptr ? p.bias + block.j + j : nullptr;
    function(tile);
    tile.next_a += tile.depth * tile.next_a_step;
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
  for (Index j0 = 0; j0 < block.columns; j0 += block.panel_columns, panel += block.b_panel) {
    const Index columns = smaller(block.columns - j0, block.panel_columns);
    for (Index j = 0; j < columns; j += tile.columns) {
      // The widest tile without a vector that would be all padding.
      int log2 = 3;
      while (tiles.vectors[log2] == nullptr ||
             (log2 > 0 && (kWidth << log2) - kWidth >= columns - j)) {
        --log2;
      }
      multiply(tiles.vectors[log2], panel + j, j0 + j, smaller(columns - j, kWidth << log2));
    }
  }
}

// Blocks are numbered across first, then down, so that k ascends and packed panels of A are reused
// before others overwrite them.
MatmulBlock block_of(const MatmulProblem& p, const Cut& cut, Index number, const Real* b) {
  Index across = 0, down = 0, chunk = 0;
  if (number > 0) {
    across = number % cut.across;
    down = number / cut.across % cut.down;
    chunk = number / cut.across / cut.down;
  }
  const Index panels = row_panels(p);
  MatmulBlock block;
  block.first_panel_of_a = share_begin(panels, cut.chunks, chunk);
  block.panels_of_a = share_begin(panels, cut.chunks, chunk + 1) - block.first_panel_of_a;
  block.together = kPanelsTogether;
  block.first = across == 0;
  block.last = across + 1 == cut.across;
  block.transposed = cut.transposed;
  block.k = share_begin(p.k, cut.down, down);
  block.depth = share_begin(p.k, cut.down, down + 1) - block.k;
  block.panel_columns = panel_columns(p);

  const Index even = cut.across - (cut.whole < p.n);
  if (across == even) {
    block.j = cut.whole;
    block.columns = p.n - cut.whole;
  } else {
    const Index wide = quotient_up(cut.whole, block.panel_columns);
    block.j = share_begin(wide, even, across) * block.panel_columns;
    const Index end = share_begin(wide, even, across + 1) * block.panel_columns;
    block.columns = smaller(cut.whole, end) - block.j;
  }
  const Index panels_of_b = quotient_up(block.columns, block.panel_columns);
  block.next_a_step = panels_of_b == 1 ? kPackedRows : quotient_up(kPackedRows, panels_of_b);
  if (cut.in_place && across < even) {
    block.b = p.b.data + block.k * p.b.row_stride + block.j * p.b.col_stride;
    block.b_k = p.b.row_stride;
    block.b_panel = block.panel_columns;
    block.panels_of_b = 0;
  } else {
    block.b = b;
    block.b_k = block.panel_columns;
    block.b_panel = block.depth * block.panel_columns;
    block.panels_of_b = panels_of_b;
  }
  return block;
}

}  // namespace

Index matmul_blocks(const MatmulProblem& p) {
  if (p.m == 0 || p.n == 0) return 0;
  const Cut cut = cut_up(p);
  return cut.chunks * cut.down * cut.across;
}

MatmulBlock matmul_block(const MatmulProblem& p, Index number, const Real* b) {
  return block_of(p, cut_up(p), number, b);
}

void matmul_pack(const MatmulProblem& p, const MatmulBlock& block, Index begin, Index end,
                 Real* b) {
  const Real* from = p.b.data + block.k * p.b.row_stride + block.j * p.b.col_stride;
  const Packing packing{block.depth, from, p.b.col_stride, p.b.row_stride, b, block.b_k};
  pack(packing, begin, end, [&](Index panel) { return smaller(panel * block.b_k, block.columns); });
}

void matmul_rows(const MatmulProblem& p, const MatmulBlock& block, Index begin, Index end,
                 Real* a) {
  const Index panels = row_panels(p);
  const auto first_row = [&](Index panel) {
    return share_begin(p.m, panels, block.first_panel_of_a + panel);
  };
  const bool strides_fit = p.a.row_stride == 1 || p.a.col_stride == 1;
  const bool few = block.transposed && p.m <= kFewRows;
  const bool packed = (p.n > kMostColumnsUnpackedA && !few) || !strides_fit;

  const Real* from = p.a.data + block.k * p.a.col_stride;
  Packing packing{block.depth, from, p.a.row_stride, p.a.col_stride, a, kPackedRows};
  // Panels that no other block needs take turns in the same memory, which is still in the cache.
  if (block.first && block.last) packing.first_panel = begin;
  if (packed && block.first) pack(packing, begin, end, first_row);

  Tile tile;
  tile.a_row = packed ? 1 : p.a.row_stride;
  tile.a_k = packed ? kPackedRows : p.a.col_stride;
  const Tiles& tiles = tile.a_row == 1 ? kTilesRowsAdjacent : kTilesRowsApart;
  for (Index panel = begin; panel < end; ++panel) {
    const Index i = first_row(panel), rows = first_row(panel + 1) - i;
    tile.a = packed ? a + (panel - packing.first_panel) * kPackedRows * block.depth
                    : from + i * p.a.row_stride;
    // The next panel, to be prefetched; rows that are not packed are often close together.
    tile.next_a = tile.a + (packed ? kPackedRows * block.depth : rows * p.a.row_stride);
    multiply_panel(p, block, i, i + rows, tiles.of_rows[rows - 1], tile);
  }
}

void matmul_simd(const MatmulProblem& p, Real* a, Real* b) {
  if (p.m == 0 || p.n == 0) return;
  const Cut cut = cut_up(p);
  for (Index number = 0; number < cut.chunks * cut.down * cut.across; ++number) {
    const MatmulBlock block = block_of(p, cut, number, b);
    for (Index begin = 0; begin < block.panels_of_b; begin += kPanelsTogether) {
      matmul_pack(p, block, begin, smaller(block.panels_of_b, begin + kPanelsTogether), b);
    }
    for (Index begin = 0; begin < block.panels_of_a; begin += kPanelsTogether) {
      matmul_rows(p, block, begin, smaller(block.panels_of_a, begin + kPanelsTogether), a);
    }
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
