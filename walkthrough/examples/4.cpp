// The numbers of chapter 4: Table 1 counted, without times. Prints tables, then KEY = VALUE.
//
//     example-4 work | depth | crossings      one table
//     example-4                               the numbers of the running example
#include <cstdio>
#include <string>

#include "lab/experiments/compared_layers.h"
#include "lab/experiments/table1.h"

namespace {

using namespace attn;

void print(const std::string& key, Index value) {
  std::printf("%s = %lld\n", key.c_str(), static_cast<long long>(value));
}

// Each kind at n = 6, d = 512: the running example in a layer as wide as the paper's.
void print_example() {
  const Tensor x = random_input(6, 512), long_x = random_input(1024, 512);
  for (const ComparedLayer& kind : compared_layers()) {
    print(kind.name, work_of(kind.make({512, x.rows(), kind.window}), x).multiply_adds);
    const Work work = work_of(kind.make({512, long_x.rows(), kind.window}), long_x);
    print(kind.name + ".1024", work.multiply_adds);
    print(kind.name + ".kept.1024", work.kept);
    print(kind.name + ".exponentials.1024", work.exponentials);
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  const Table1Grid grid = table1_grid(false);
  std::string text;
  if (what == "work") text = table1_work_text(grid, run_in_memory(table1_work(grid, false)));
  if (what == "depth") text = table1_depth_text(grid, run_in_memory(table1_depth(grid)));
  if (what == "crossings") text = table1_crossings_text(run_in_memory(table1_crossings(grid)));
  std::fputs(text.c_str(), stdout);
  if (what.empty()) print_example();
}
