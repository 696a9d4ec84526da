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

const std::map<std::string, Draw> kFigures{
    {"figure-1", from_nothing(figure_1)},
    {"figure-2", from_nothing(figure_2)},
    {"masks", from_nothing(masks)},
    {"packed-batches", from_nothing(packed_batches)},
    {"beam-search", from_nothing(beam_search_tree)},
    {"recurrence", from_nothing(recurrence)},
    {"cells", from_nothing(cells)},
    {"what-waits", from_nothing(what_waits)},
    {"two-attentions", from_nothing(two_attentions)},
    {"later-layer", from_nothing(later_layer)},
    {"positional-encoding", from_nothing(positional_encoding)},
    {"position-dot-products", from_nothing(position_dot_products)},
    {"softmax-scaling", from_nothing(softmax_scaling)},
    {"learning-rate", from_nothing(learning_rate)},
    {"label-smoothing", from_nothing(label_smoothing)},
    {"learning-curves", learning_curves},
    {"attention-copy-reverse", attention_copy_reverse},
    {"learning-maps", learning_maps},
    {"phrasebook-heads", phrasebook_heads},
    {"phrasebook-silenced", phrasebook_silenced},
    {"gradient-norms", gradient_norms},
    {"finite-differences", finite_differences},
    {"recurrent-gradients", recurrent_gradients},
    {"matmul-roofline", matmul_roofline},
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
