// attention benchmark matmul: the ladder of products, then the products of training steps.
#include <algorithm>

#include "app/benchmark.h"
#include "app/train_options.h"
#include "lab/benchmark/products.h"
#include "lab/benchmark/workload.h"
#include "text/lines.h"

namespace attn::app {

namespace {

// A training step: that of a preset, with sentences that are all of one length.
struct StepShape {
  const char* model;
  Index sentences, length;
};
constexpr StepShape kSteps[] = {{"base", 32, 32}, {"small", 50, 30}, {"tiny", 16, 32}};

std::vector<StepShape> steps_of(const Arguments& arguments) {
  std::vector<StepShape> steps;
  const std::string models = arguments.value_or("models", "base,small,tiny");
  if (models == "none") return steps;
  for (const std::string& model : split(models, ',')) {
    const auto step = std::find_if(std::begin(kSteps), std::end(kSteps),
                                   [&](const StepShape& s) { return s.model == model; });
    if (step == std::end(kSteps)) {
      fail_usage("--models must be some of base, small and tiny with commas between, or none, ",
                 "not '", models, "'");
    }
    steps.push_back(*step);
  }
  return steps;
}

}  // namespace

int benchmark_matmul(const Arguments& arguments) {
  const std::vector<Index> sizes = arguments.numbers_or("sizes", {256, 512, 1024, 2048}, 1, 16384);
  const std::vector<StepShape> steps = steps_of(arguments);
  const Patience patience = patience_of(arguments);
  use_threads(arguments);

  const Machine machine = measure_machine(show_doing);
  print_part(arguments, machine_text(machine) + '\n');
  const std::vector<RungSpeed> ladder = measure_ladder(sizes, patience, show_doing);
  print_part(arguments, ladder_text(ladder, sizes) + '\n' + rungs_explained() + '\n');
  Json shapes = Json::array();
  for (const StepShape& step : steps) {
    const std::vector<ShapeSpeed> speeds =
        measure_shapes(measured_preset(step.model), step.sentences, step.length, patience,
                       [&](const std::string& what) { show_doing(text(step.model, ": ", what)); });
    print_part(arguments, text(step.model, ", ", step.sentences, " sentence pairs of ", step.length,
                               " tokens\n", shapes_text(speeds), '\n'));
    for (const ShapeSpeed& speed : speeds) shapes.add(shape_json(step.model, speed));
  }
  print_json(arguments, Json::object({{"machine", machine_json(machine)},
                                      {"ladder", ladder_json(ladder)},
                                      {"shapes", shapes}}));
  return 0;
}

}  // namespace attn::app
