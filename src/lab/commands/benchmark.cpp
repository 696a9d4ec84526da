// attention-lab benchmark matmul, layers, step, decode: src/lab/benchmark/ measures, this prints.
#include <algorithm>
#include <map>
#include <memory>

#include "app/terminal/console.h"
#include "app/train.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "lab/benchmark/decoding.h"
#include "lab/benchmark/ladder.h"
#include "lab/benchmark/machine.h"
#include "lab/benchmark/report.h"
#include "lab/benchmark/steps.h"
#include "lab/benchmark/table1.h"
#include "lab/benchmark/workload.h"
#include "lab/commands/commands.h"
#include "text/lines.h"
#include "training/trained_model.h"

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
  void add(const std::string& name, const Json& value, const std::string& as_text) {
    all_.add(name, value);
    line_.clear();
    if (json_) return;
    put(as_text);
    flush_output();
  }
  void measure_machine(bool briefly) {
    const Json machine = attn::measure_machine(announce(), briefly);
    add("machine", machine, machine_text(machine) + '\n');
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

// Whole numbers from 1 with commas between them.
std::vector<Index> numbers(const Arguments& arguments, const std::string& name, Index most) {
  std::vector<Index> all;
  for (const std::string& part : split(arguments.value(name), ',')) {
    all.push_back(number_in<Index>(part).value_or(0));
    check_usage(all.back() >= 1 && all.back() <= most, "--", name,
                " must be whole numbers from 1 to ", most, " with commas between, not '",
                arguments.value(name), "'");
  }
  return all;
}

void benchmark_matmul(const Arguments& arguments, Report& report) {
  const std::vector<Index> sizes = numbers(arguments, "sizes", 16384);
  const Patience patience = patience_of(arguments);
  report.measure_machine(false);
  const Json ladder = measure_ladder(sizes, patience, report.announce());
  report.add("ladder", ladder, ladder_text(ladder));
}

constexpr Index kMostTokens = 4096;

void benchmark_layers(const Arguments& arguments, Report& report) {
  LayerSize size;
  size.n = arguments.number("n", 2, kMostTokens);
  size.d = arguments.number("d", kTable1Heads, kMostTokens);
  size.k = arguments.number("k", 3, kMostTokens);
  size.r = arguments.number("r", 3, kMostTokens);
  const Patience patience = patience_of(arguments);
  std::vector<ComparedLayer> compared;
  as_usage_error(arguments, [&] { compared = compared_layers(size); });

  Json layers = Json::array();
  const Tensor x = random_input(size.n, size.d);
  for (const ComparedLayer& layer : compared) {
    report.announce()("measuring " + layer.name);
    layers.add(Json::object({{"layer", layer.name},
                             {"complexity", layer.complexity},
                             {"multiply_adds", multiply_adds(layer)},
                             {"seconds", seconds_of([&] { layer.forward(x); }, patience)},
                             {"longest_path", layer.longest_path()}}));
  }
  report.add("layers", layers, table1_text(layers));
}

TransformerConfig config_of(const Arguments& arguments) {
  const std::string& preset_name = arguments.value("preset");
  return from_settings<TransformerConfig>(
      sized_settings(arguments, preset_name, usual_vocabulary(preset_name)), kTheOptions);
}

void benchmark_step(const Arguments& arguments, Report& report) {
  const TransformerConfig config = config_of(arguments);
  const Index source = arguments.number("source-length", 1, 1 << 16);
  const Index target = arguments.number("target-length", 1, 1 << 16);
  const Index sentences = arguments.number("sentences", 1, 1 << 20);
  const Index steps = arguments.number_or("steps", 0, 1, 1000000);
  const Patience patience = patience_of(arguments);
  const bool brief = arguments.has("brief");
  const Index longest = std::max(source, target);
  check_memory(training_memory(facts_of(config), sentences * longest, longest, 0),
               "a step of this model with these batches",
               "choose fewer --sentences, shorter ones, or a smaller model");
  Transformer model(config);
  initialise_parameters(model, 1);
  const Batch batch = random_batch(config.target_vocabulary, sentences, source, target);

  // The steps come first: after the rest, the memory they take could no longer be told apart.
  const Json step = measure_steps(model, batch, steps, brief ? 3 : 10, report.announce());
  report.measure_machine(true);
  report.add("step", step, steps_text(step));
  if (brief) return;
  const Json parts =
      measure_parts(model, batch, step.at("seconds").number(), patience, report.announce());
  report.add("parts", parts, '\n' + parts_text(parts));
}

std::unique_ptr<SequenceModel> model_of(const Arguments& arguments) {
  if (!arguments.has("model")) {
    auto model = std::make_unique<Transformer>(config_of(arguments));
    initialise_parameters(*model, 1);
    return model;
  }
  std::vector<std::string> excluded{"preset", "vocabulary"};
  for (const auto& [name, value] : to_settings(TransformerConfig())) {
    excluded.push_back(option_of(name));
  }
  arguments.refuse(excluded, "and --model exclude each other");
  return load_model(arguments);
}

// Decodes once for each line of standard input and answers with the seconds it took.
void answer_lines(const SequenceModel& model, const Decoding& d) {
  const PackedIds sources =
      random_batch(model.facts.source_vocabulary, d.batch, d.source_length, 1).source;
  LineReader reader;
  while (reader.next()) {
    const double start = now();
    decode(model, d, sources);
    put(fixed(now() - start, 6) + '\n');
    flush_output();
  }
}

void benchmark_decode(const Arguments& arguments, Report& report) {
  const std::vector<Index> batches = numbers(arguments, "batch", kMostTokens);
  Decoding d;
  d.beam = arguments.number("beam", 1, 1000);
  d.source_length = arguments.number("source-length", 1, kMostTokens);
  d.tokens = arguments.number("tokens", 1, kMostTokens);
  const Patience patience = patience_of(arguments);
  const auto model = model_of(arguments);
  const Index longest = model->facts.longest_sentence;
  ATTN_CHECK(std::max(d.source_length, d.tokens) <= longest,
             "a sentence of this model has at most ", longest,
             " tokens; --source-length and --tokens may not be larger");
  if (arguments.has("each-line")) {
    check_usage(batches.size() == 1, "--each-line needs a single size: --batch N");
    d.batch = batches[0];
    return answer_lines(*model, d);
  }

  Json speeds = Json::array();
  for (const Index batch : batches) {
    d.batch = batch;
    report.announce()("decoding " + counted(batch, "sentence"));
    speeds.add(measure_decoding(*model, d, patience));
  }
  report.add("decode", speeds, decoding_text(speeds));
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
