// attention benchmark matmul, layers, step, decode: src/lab/benchmark/ measures, this prints.
#include <algorithm>
#include <map>
#include <memory>

#include "app/commands.h"
#include "app/model_options.h"
#include "app/terminal/console.h"
#include "app/terminal/status_line.h"
#include "base/clock.h"
#include "base/memory.h"
#include "lab/benchmark/decoding.h"
#include "lab/benchmark/machine.h"
#include "lab/benchmark/products.h"
#include "lab/benchmark/report.h"
#include "lab/benchmark/steps.h"
#include "lab/benchmark/workload.h"
#include "model/architectures.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

// What a benchmark found, printed as text part by part as soon as it is known or, with --json, as
// one object at the end. Until then, a terminal shows what is being measured.
class Report {
 public:
  explicit Report(const Arguments& arguments) : json_(arguments.has("json")), line_(can_redraw()) {}

  Announce announce() {
    return [this](const std::string& what) {
      line_.draw(what.substr(0, StatusLine::columns() - 2) + " …");
    };
  }
  void put_text(const std::string& part) {
    line_.clear();
    if (json_) return;
    put(part);
    flush_output();
  }
  void add(const std::string& name, const Json& value) { all_.add(name, value); }
  void measure_machine(bool briefly = false) {
    const Json machine = attn::measure_machine(announce(), briefly);
    put_text(machine_text(machine) + '\n');
    add("machine", machine);
  }
  // With --each-line there was nothing to report.
  void end() {
    line_.clear();
    if (json_ && !all_.members().empty()) put(to_json(all_) + '\n');
  }

 private:
  bool json_;
  Json all_ = Json::object();
  StatusLine line_;
};

Patience patience_of(const Arguments& arguments) {
  Patience patience;
  patience.total_seconds = arguments.positive_or("seconds", patience.total_seconds, 3600);
  patience.run_seconds = std::min(patience.run_seconds, patience.total_seconds / 4);
  return patience;
}

std::vector<PairLengths> lengths_of(const Arguments& arguments) {
  if (arguments.has("lengths")) {
    arguments.refuse({"source-length", "target-length"}, "and --lengths exclude each other");
    return read_lengths(arguments.value("lengths"));
  }
  const bool plain_text = arguments.value("architecture") == "decoder";
  return {{arguments.number("source-length", plain_text ? 0 : 1, kLongestLength),
           arguments.number("target-length", 1, kLongestLength)}};
}

// The model of the options.
ModelPlan benchmark_plan(const Arguments& arguments) {
  arguments.choice("architecture", {"transformer", "decoder"});
  const std::string& preset_name = arguments.value("preset");
  return plan_model(sized_settings(arguments, preset_name, usual_vocabulary(preset_name)),
                    "the options");
}

std::unique_ptr<SequenceModel> fresh_model(const ModelPlan& plan) {
  auto model = plan.make();
  initialise_parameters(*model, 1);
  return model;
}

// A model that is to be trained, and its batches, if there is memory for both.
struct Workload {
  std::unique_ptr<SequenceModel> model;
  BatchSource batches;
};
Workload workload_of(const Arguments& arguments) {
  const ModelPlan plan = benchmark_plan(arguments);
  const std::vector<PairLengths> lengths = lengths_of(arguments);
  const Index sentences = arguments.number("sentences", 1, 1 << 20);
  Index longest = 0;
  for (const PairLengths& pair : lengths) longest = std::max({longest, pair.source, pair.target});
  check_memory(plan.training_memory(sentences * longest, longest, 0),
               "a step of this model with these batches",
               "choose fewer --sentences, shorter ones, or a smaller model");
  Workload workload{fresh_model(plan), nullptr};
  workload.batches = [=, vocabulary = workload.model->target_vocabulary()](std::uint64_t index) {
    return random_batch(vocabulary, lengths, sentences, index);
  };
  return workload;
}

// How many sentence pairs a measured step of a preset has, and how long they all are.
const std::map<std::string, std::pair<Index, Index>> kSteps{
    {"base", {32, 32}}, {"small", {50, 30}}, {"tiny", {16, 32}}};

std::vector<std::string> models_of(const Arguments& arguments) {
  const std::string& given = arguments.value("models");
  if (given == "none") return {};
  const std::vector<std::string> models = split(given, ',');
  for (const std::string& model : models) {
    if (kSteps.count(model) > 0) continue;
    fail_usage("--models must be some of base, small and tiny with commas between, or none, ",
               "not '", given, "'");
  }
  return models;
}

void benchmark_matmul(const Arguments& arguments, Report& report) {
  const std::vector<Index> sizes = arguments.numbers("sizes", 1, 16384);
  const std::vector<std::string> models = models_of(arguments);
  const Patience patience = patience_of(arguments);

  report.measure_machine();
  const Json ladder = measure_ladder(sizes, patience, report.announce());
  report.put_text(ladder_text(ladder) + '\n' + rungs_explained() + '\n');
  Json all_shapes = Json::array();
  for (const std::string& model : models) {
    const auto [sentences, length] = kSteps.at(model);
    const Json shapes = measure_shapes(model, sentences, length, patience, report.announce());
    report.put_text(text(model, ", ", sentences, " sentence pairs of ", length, " tokens\n",
                         shapes_text(shapes), '\n'));
    for (const Json& shape : shapes.items()) all_shapes.add(shape);
  }
  report.add("ladder", ladder);
  report.add("shapes", all_shapes);
}

constexpr double kSeconds = 10, kBriefSeconds = 3;  // of steps, unless --steps says how many

void benchmark_layers(const Arguments& arguments, Report& report) {
  const auto [model, batches] = workload_of(arguments);
  const Batch batch = batches(0);
  const Patience patience = patience_of(arguments);

  report.measure_machine();
  Trainer trainer;
  const Json times = measure_layers(*model, trainer, batch, patience, report.announce());
  report.put_text(layers_text(times));
  report.add("layers", times.at("layers"));
}

void benchmark_step(const Arguments& arguments, Report& report) {
  const auto [model, batches] = workload_of(arguments);
  const Index steps = arguments.number_or("steps", 0, 1, 1000000);
  const Patience patience = patience_of(arguments);
  const bool brief = arguments.has("brief");

  Trainer trainer;
  // The steps come first: after the rest, the memory they take could no longer be told apart.
  const Json step = measure_steps(*model, trainer, batches, steps, brief ? kBriefSeconds : kSeconds,
                                  report.announce());
  report.measure_machine(brief);
  report.put_text(steps_text(step));
  report.add("step", step);
  if (brief) return;
  const Json times = measure_layers(*model, trainer, batches(0), patience, report.announce());
  report.put_text('\n' + layer_shares_text(times));
  for (const Json::Member& member : times.members()) report.add(member.key, member.value);
}

constexpr Index kMostTokens = 4096;

std::unique_ptr<SequenceModel> model_of(const Arguments& arguments) {
  if (arguments.has("model")) {
    std::vector<std::string> excluded{"preset", "vocabulary", "architecture"};
    for (const auto& [name, value] : to_settings(TransformerConfig())) {
      excluded.push_back(option_of(name));
    }
    arguments.refuse(excluded, "and --model exclude each other");
    return load_model(arguments.value("model"));
  }
  return fresh_model(benchmark_plan(arguments));
}

// Decodes once for each line of standard input and answers with the seconds it took.
void answer_lines(const SequenceModel& model, const Decoding& d) {
  const PackedIds sources = random_sources(model.source_vocabulary(), d.batch, d.source_length);
  LineReader reader;
  while (reader.next()) {
    const double start = now();
    decode(model, d, sources);
    put(fixed(now() - start, 6) + '\n');
    flush_output();
  }
}

void benchmark_decode(const Arguments& arguments, Report& report) {
  const std::vector<Index> batches = arguments.numbers("batch", 1, kMostTokens);
  Decoding d;
  d.beam = arguments.number("beam", 1, 1000);
  d.source_length = arguments.number("source-length", 1, kMostTokens);
  d.tokens = arguments.number("tokens", 1, kMostTokens);
  const Patience patience = patience_of(arguments);
  const auto model = model_of(arguments);
  const Index longest = model->longest_sentence();
  ATTN_CHECK(std::max(d.source_length, d.tokens) <= longest,
             "a sentence of this model has at most ", longest,
             " tokens; --source-length and --tokens may not be larger");
  if (arguments.has("each-line")) {
    if (batches.size() != 1) fail_usage("--each-line needs a single size: --batch N");
    d.batch = batches[0];
    return answer_lines(*model, d);
  }

  report.measure_machine();
  Json speeds = Json::array();
  for (const Index batch : batches) {
    d.batch = batch;
    report.announce()("decoding " + counted(batch, "sentence"));
    speeds.add(measure_decoding(*model, d, patience));
  }
  report.put_text(decoding_text(speeds));
  report.add("decode", speeds);
}

}  // namespace

int run_benchmark(const Arguments& arguments) {
  const std::map<std::string, void (*)(const Arguments&, Report&)> benchmarks{
      {"matmul", benchmark_matmul},
      {"layers", benchmark_layers},
      {"step", benchmark_step},
      {"decode", benchmark_decode}};
  const auto benchmark = benchmarks.at(arguments.subject());
  Report report(arguments);
  benchmark(arguments, report);
  report.end();
  return 0;
}

}  // namespace attn::app
