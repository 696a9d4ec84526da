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

const std::map<std::string, std::function<Svg()>> kFigures{
    {"figure-1", figure_1},
    {"figure-2", figure_2},
    {"masks", masks},
    {"positional-encoding", positional_encoding},
    {"position-dot-products", position_dot_products},
    {"softmax-scaling", softmax_scaling},
    {"learning-rate", learning_rate},
    {"label-smoothing", label_smoothing},
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
      const std::string file = "/" + name + ".svg", picture = document(draw());
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
