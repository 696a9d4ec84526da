// draw-figures MEASUREMENTS FOLDER [COMMITTED]
//
// Writes every figure of the walkthrough into FOLDER; what was measured is read from the tables in
// MEASUREMENTS. With a third folder, fails unless that one holds the same figures, byte by byte.
#include <cstdio>
#include <functional>
#include <map>

#include "base/check.h"
#include "figures.h"
#include "storage/atomic_file.h"

using namespace attn;
using namespace attn::walkthrough;

namespace {

// From the folder of the tables that it is drawn from to a figure.
using Draw = std::function<Svg(const std::string& measurements)>;

Draw from_nothing(Svg (*draw)()) {
  return [draw](const std::string&) { return draw(); };
}

Draw rung(int number) {
  return [number](const std::string& measurements) { return matmul_rung(measurements, number); };
}

const std::map<std::string, Draw> kFigures{
    {"figure-1", from_nothing(figure_1)},
    {"figure-2", from_nothing(figure_2)},
    {"masks", from_nothing(masks)},
    {"packed-batches", from_nothing(packed_batches)},
    {"beam-search", from_nothing(beam_search_tree)},
    {"bleu", from_nothing(bleu_counted)},
    {"recurrence", from_nothing(recurrence)},
    {"cells", from_nothing(cells)},
    {"what-waits", from_nothing(what_waits)},
    {"two-attentions", from_nothing(two_attentions)},
    {"later-layer", from_nothing(later_layer)},
    {"tensor-memory", from_nothing(tensor_memory)},
    {"tensor-sizes", from_nothing(tensor_sizes)},
    {"backward-chain", from_nothing(backward_chain)},
    {"backward-fork", from_nothing(backward_fork)},
    {"matmul-caches", from_nothing(matmul_caches)},
    {"positional-encoding", from_nothing(positional_encoding)},
    {"position-dot-products", from_nothing(position_dot_products)},
    {"turning-clocks", from_nothing(turning_clocks)},
    {"residual-bus", from_nothing(residual_bus)},
    {"residual-paths", from_nothing(residual_paths)},
    {"rank-collapse", from_nothing(rank_collapse)},
    {"multi-head-blocks", from_nothing(multi_head_blocks)},
    {"attention-graph", from_nothing(attention_graph)},
    {"shift-and-mask", from_nothing(shift_and_mask)},
    {"key-value-cache", from_nothing(key_value_cache)},
    {"one-query", from_nothing(one_query)},
    {"softmax-sharpness", from_nothing(softmax_sharpness)},
    {"softmax-backward", from_nothing(softmax_backward_bars)},
    {"softmax-scaling", from_nothing(softmax_scaling)},
    {"norm-placement", from_nothing(norm_placement)},
    {"layer-and-batch-norm", from_nothing(layer_and_batch_norm)},
    {"layer-norm-gradient", from_nothing(layer_norm_gradient)},
    {"tied-embedding", from_nothing(tied_embedding)},
    {"relu-hinges", from_nothing(relu_hinges)},
    {"feed-forward-gates", from_nothing(feed_forward_gates)},
    {"surprise", from_nothing(surprise)},
    {"learning-rate", from_nothing(learning_rate)},
    {"adam-moments", from_nothing(adam_moments)},
    {"label-smoothing", from_nothing(label_smoothing)},
    {"table1-work", from_nothing(table1_work)},
    {"diagnosis-tree", from_nothing(diagnosis_tree)},
    {"diagnosis-curves", diagnosis_curves},
    {"learning-curves", learning_curves},
    {"attention-copy-reverse", attention_copy_reverse},
    {"attention-translation", attention_translation},
    {"attention-article", attention_article},
    {"attention-heads", attention_heads},
    {"attention-three-uses", attention_three_uses},
    {"decoding-loop", decoding_loop},
    {"learning-maps", learning_maps},
    {"phrasebook-heads", phrasebook_heads},
    {"finite-differences", from_nothing(finite_differences)},
    {"recurrent-gradients", recurrent_gradients},
    {"matmul-rung-1", rung(1)},
    {"matmul-rung-2", rung(2)},
    {"matmul-rung-3", rung(3)},
    {"matmul-rung-4", rung(4)},
    {"matmul-rung-5", rung(5)},
    {"matmul-rung-6", rung(6)},
    {"dropout-curves", dropout_curves},
    {"step-time", step_time},
    {"token-budget", token_budget},
    {"translation-log", translation_log},
    {"grow-mean", from_nothing(grow_mean)},
    {"grow-attention", from_nothing(grow_attention)},
    {"grow-positions", from_nothing(grow_positions)},
    {"grow-labels", from_nothing(grow_labels)},
    {"grow-wire", from_nothing(grow_wire)},
    {"grow-feed-forward", from_nothing(grow_feed_forward)},
    {"grow-norm", from_nothing(grow_norm)},
    {"grow-heads", from_nothing(grow_heads)},
    {"grow-mask", from_nothing(grow_mask)},
    {"grow-layers", from_nothing(grow_layers)},
    {"grow-stairs", grow_stairs},
    {"query-gradients", from_nothing(query_gradients)},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fprintf(stderr, "usage: draw-figures MEASUREMENTS FOLDER [COMMITTED]\n");
    return 2;
  }
  try {
    const std::string folder = argv[2];
    make_directories(folder);
    int stale = 0;
    for (const auto& [name, draw] : kFigures) {
      const std::string file = "/" + name + ".svg", picture = document(draw(argv[1]));
      write_file(folder + file, picture);
      if (argc == 4 && read_file(argv[3] + file) != picture) {
        std::fprintf(stderr, "stale: %s%s (cmake --build build --target figures)\n", argv[3],
                     file.c_str());
        ++stale;
      }
    }
    return stale > 0 ? 1 : 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "draw-figures: error: %s\n", error.what());
    return 1;
  }
}
