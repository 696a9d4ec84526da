// attention benchmark matmul: the ladder of products, then the products of training steps.
#include <algorithm>

#include "app/benchmark.h"
#include "app/train_options.h"
#include "benchmark/products.h"
#include "benchmark/workload.h"
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

// A row for each rung, two columns for each size.
std::string to_text(const std::vector<RungSpeed>& ladder, const std::vector<Index>& sizes) {
  std::vector<std::vector<std::string>> rows{{"GFLOP/s and share of the peak"}};
  for (const Index size : sizes) {
    rows[0].insert(rows[0].end(), {text(size), ""});
    std::size_t row = 0;
    for (const RungSpeed& s : ladder) {
      if (s.size != size) continue;
      if (++row == rows.size()) {
        rows.push_back({text(s.rung, s.threads > 1 ? text(", ", s.threads, " threads") : "")});
      }
      rows[row].insert(rows[row].end(), {giga(s.speed.rate), share_text(s.speed.share)});
    }
  }
  return table(rows);
}

// A line for each rung: what slowed the one before.
std::string rungs_explained() {
  std::vector<std::vector<std::string>> rows;
  for (const Rung& rung : kRungs) rows.push_back({rung.name, rung.removes});
  return table(rows, {0, 1});
}

Json to_json(const std::vector<RungSpeed>& ladder) {
  Json result = Json::array();
  for (const RungSpeed& s : ladder) {
    result.add(Json::object({{"rung", s.rung},
                             {"size", s.size},
                             {"threads", s.threads},
                             {"gflops", s.speed.rate / 1e9},
                             {"share", s.speed.share},
                             {"rows", s.rows}}));
  }
  return result;
}

// A row for each product; its speeds on one thread and on all.
std::string to_text(const std::vector<ShapeSpeed>& shapes) {
  const bool both = shapes.back().threads > 1;
  const std::size_t count = both ? shapes.size() / 2 : shapes.size();
  std::vector<std::vector<std::string>> rows{
      {"product", "", "m", "n", "k", "1 thread, GFLOP/s", "share"}};
  if (both) rows[0].insert(rows[0].end(), {text(shapes.back().threads, " threads"), "share"});
  for (std::size_t i = 0; i < count; ++i) {
    const Product& p = shapes[i].product;
    rows.push_back({p.what, to_string(p.kind), text(p.m), text(p.n), text(p.k)});
    for (std::size_t at = i; at < shapes.size(); at += count) {
      rows.back().insert(rows.back().end(),
                         {giga(shapes[at].speed.rate), share_text(shapes[at].speed.share)});
    }
  }
  return table(rows);
}

Json to_json(const std::string& model, const ShapeSpeed& s) {
  return Json::object({{"model", model},
                       {"what", s.product.what},
                       {"kind", to_string(s.product.kind)},
                       {"m", s.product.m},
                       {"n", s.product.n},
                       {"k", s.product.k},
                       {"threads", s.threads},
                       {"gflops", s.speed.rate / 1e9},
                       {"share", s.speed.share},
                       {"count", s.product.count}});
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
  print_part(arguments, to_text(ladder, sizes) + '\n' + rungs_explained() + '\n');
  Json shapes = Json::array();
  for (const StepShape& step : steps) {
    const std::vector<ShapeSpeed> speeds =
        measure_shapes(measured_preset(step.model), step.sentences, step.length, patience,
                       [&](const std::string& what) { show_doing(text(step.model, ": ", what)); });
    print_part(arguments, text(step.model, ", ", step.sentences, " sentence pairs of ", step.length,
                               " tokens\n", to_text(speeds), '\n'));
    for (const ShapeSpeed& speed : speeds) shapes.add(to_json(step.model, speed));
  }
  print_json(arguments, Json::object({{"machine", machine_json(machine)},
                                      {"ladder", to_json(ladder)},
                                      {"shapes", shapes}}));
  return 0;
}

}  // namespace attn::app
