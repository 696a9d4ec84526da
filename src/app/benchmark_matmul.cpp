// attention benchmark matmul: the ladder of products, then the products of training steps.
#include <algorithm>

#include "app/benchmark.h"
#include "app/benchmark_ladder.h"
#include "app/benchmark_shapes.h"
#include "app/console.h"
#include "app/train_options.h"
#include "text/lines.h"

namespace attn::app {

namespace {

constexpr StepShape kSteps[] = {{"base", 32, 32}, {"small", 50, 30}, {"tiny", 16, 32}};

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

Json to_json(const std::vector<ShapeSpeed>& shapes) {
  Json result = Json::array();
  for (const ShapeSpeed& s : shapes) {
    result.add(Json::object({{"model", s.model},
                             {"what", s.product.what},
                             {"kind", to_string(s.product.kind)},
                             {"m", s.product.m},
                             {"n", s.product.n},
                             {"k", s.product.k},
                             {"threads", s.threads},
                             {"gflops", s.speed.rate / 1e9},
                             {"share", s.speed.share},
                             {"count", s.product.count}}));
  }
  return result;
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
        rows.push_back({s.rung + (s.threads > 1 ? text(", ", s.threads, " threads") : "")});
      }
      rows[row].insert(rows[row].end(), {giga(s.speed.rate), share_text(s.speed.share)});
    }
  }
  return table(rows);
}

// A row for each shape; its speeds on one thread and on all, which come in the same order.
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

constexpr const char *kSizes = "256,512,1024,2048", *kModels = "base,small,tiny";

std::vector<Index> sizes_of(const Arguments& arguments) {
  std::vector<Index> sizes;
  for (const std::string& word : split(arguments.value_or("sizes", kSizes), ',')) {
    Index size = 0;
    try {
      size = parse_number<Index>(word, "a whole number");
    } catch (const Error&) {
    }
    if (size < 1 || size > 16384) {
      fail_usage("--sizes must be whole numbers from 1 to 16384 with commas between, not '",
                 arguments.value("sizes"), "'");
    }
    sizes.push_back(size);
  }
  return sizes;
}

std::vector<StepShape> steps_of(const Arguments& arguments) {
  std::vector<StepShape> steps;
  const std::string models = arguments.value_or("models", kModels);
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

int run_matmul(const Arguments& arguments) {
  const std::vector<Index> sizes = sizes_of(arguments);
  const std::vector<StepShape> steps = steps_of(arguments);
  const Patience patience = patience_of(arguments);
  const bool json = arguments.has("json");
  use_threads(arguments);

  // What is known is printed before the next is measured.
  const auto print = [&](const std::string& part) {
    clear_doing();
    if (json) return;
    put(part + '\n');
    flush_output();
  };
  const Machine machine = measure_machine();
  print(to_text(machine));
  const std::vector<RungSpeed> ladder = measure_ladder(sizes, patience);
  print(to_text(ladder, sizes) + '\n' + rungs_explained());
  std::vector<ShapeSpeed> shapes;
  for (const StepShape& step : steps) {
    const std::vector<ShapeSpeed> speeds = measure_shapes(step, patience);
    print(text(step.model, ", ", step.sentences, " sentence pairs of ", step.length, " tokens\n",
               to_text(speeds)));
    shapes.insert(shapes.end(), speeds.begin(), speeds.end());
  }
  if (json) {
    put(attn::to_json(Json::object({{"machine", to_json(machine)},
                                    {"ladder", to_json(ladder)},
                                    {"shapes", to_json(shapes)}})) +
        '\n');
  }
  return 0;
}

}  // namespace

Benchmark matmul_benchmark() {
  Benchmark benchmark;
  benchmark.name = "matmul";
  benchmark.usage = "[--sizes LIST] [--models LIST]";
  benchmark.explanation =
      "matmul: products of square matrices by each rung of the ladder in src/kernels/matmul.h, "
      "from three loops to all threads; then the products of a training step in the shapes in "
      "which the models have them, forward and backward. NN: both matrices as they are in memory; "
      "NT: the second transposed; TN: the first. A call that would take more than half a second "
      "computes fewer rows.";
  benchmark.groups = {
      {"Products (matmul)",
       {{"sizes", "LIST", "sizes of the square matrices", kSizes},
        {"models", "LIST", "models whose products are measured, or none", kModels}}},
      patience_options(),
      common_benchmark_options()};
  benchmark.run = run_matmul;
  return benchmark;
}

}  // namespace attn::app
