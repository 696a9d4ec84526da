// Records of JSON → rows of a table.
#include "lab/benchmark/report.h"

#include <cmath>

#include "app/terminal/printing.h"
#include "base/check.h"
#include "lab/benchmark/ladder.h"

namespace attn {

namespace {

using Row = std::vector<std::string>;

double number(const Json& record, const char* key) {
  return record.at(key).number();
}

std::string count(const Json& record, const char* key) {
  return grouped(record.at(key).integer());
}

std::string milliseconds(double seconds) {
  return fixed(1000 * seconds, seconds < 0.001 ? 4 : seconds < 0.1 ? 2 : 0) + " ms";
}

std::string share(const Json& record, const char* key) {
  return share_text(number(record, key));
}

// Billions per second.
std::string giga(const Json& record, const char* key) {
  const double value = number(record, key);
  return fixed(value, value < 9.995 ? 2 : 1);
}

std::string threads_text(const Json& record) {
  return counted(record.at("threads").integer(), "thread");
}

}  // namespace

std::string machine_text(const Json& machine) {
  const bool one = machine.at("threads").integer() == 1;
  std::vector<Row> rows{{"", "1 thread"}};
  if (!one) rows[0].push_back(threads_text(machine));
  const std::pair<const char*, std::string> limits[] = {
      {"multiply-adds, GFLOP/s", "fma_peak_gflops"}, {"memory, GB/s", "read_gbytes_per_second"}};
  for (const auto& [meaning, key] : limits) {
    if (machine.at(key).type() == Json::Type::null) continue;
    rows.push_back({meaning, giga(machine, (key + "_1").c_str())});
    if (!one) rows.back().push_back(giga(machine, key.c_str()));
  }
  return text(machine.at("isa").string(), ", ", machine.at("compiler").string(), "\n\n",
              table(rows));
}

std::string ladder_text(const Json& ladder) {
  const std::size_t rungs = kRungs.size(), sizes = ladder.items().size() / rungs;
  std::vector<Row> rows{{"GFLOP/s and share of the peak"}}, explained;
  for (std::size_t i = 0; i < rungs; ++i) {
    const bool last = i + 1 == rungs;
    rows.push_back({kRungs[i].name + (last ? ", " + threads_text(ladder.items()[i]) : "")});
    for (std::size_t size = 0; size < sizes; ++size) {
      const Json& speed = ladder.items()[size * rungs + i];
      if (i == 0) rows[0].insert(rows[0].end(), {text(speed.at("size").integer()), ""});
      rows.back().insert(rows.back().end(), {giga(speed, "gflops"), share(speed, "share")});
    }
    explained.push_back({kRungs[i].name, kRungs[i].removes});
  }
  return table(rows) + '\n' + table(explained, {0, 1});
}

std::string steps_text(const Json& s) {
  return table(
      {{"a step", milliseconds(number(s, "seconds")),
        text("median of ", s.at("seconds_all").items().size())},
       {"tokens per second", grouped(std::llround(number(s, "tokens_per_second"))),
        text("source and target; ", count(s, "tokens"), " per step")},
       {"operations per step", fixed(number(s, "flops") / 1e9, 2) + " G",
        "sum of 2 m n k over all matrix products"},
       {"model FLOP/s", giga(s, "gflops") + " G", "operations per step / seconds per step"},
       {"share of matmul", share(s, "share_of_matmul"),
        "of " + giga(s, "matmul_1024_gflops") + " G, the best product of 1024 x 1024 x 1024"},
       {"peak memory", fixed(number(s, "peak_memory_bytes") / (1 << 20), 1) + " MiB",
        "resident, of the whole process"},
       {"loss", fixed(number(s, "loss"), 4), "of the last step, on random tokens"}},
      {0, 2});
}

std::string parts_text(const Json& parts) {
  double step = 0;
  for (const Json& part : parts.items()) {
    step += number(part, "forward_seconds") + number(part, "backward_seconds");
  }
  std::vector<Row> rows{{"where the time goes", "forward", "backward", "of the step"}};
  for (const Json& part : parts.items()) {
    const double forward = number(part, "forward_seconds"),
                 backward = number(part, "backward_seconds");
    rows.push_back({part.at("name").string(), milliseconds(forward),
                    backward > 0 ? milliseconds(backward) : "",
                    share_text((forward + backward) / step)});
  }
  return table(rows);
}

std::string decoding_text(const Json& speeds) {
  std::vector<Row> rows{{"", "beam", "tokens/s", "per step"}};
  for (const Json& s : speeds.items()) {
    rows.push_back({counted(s.at("batch").integer(), "sentence"), count(s, "beam"),
                    fixed(number(s, "tokens_per_second"), 1),
                    milliseconds(number(s, "seconds") / number(s, "tokens"))});
  }
  return table(rows);
}

std::string table1_text(const Json& layers) {
  std::vector<Row> rows{{"layer", "Table 1", "multiply-adds", "time", "per ns", "longest path"}};
  for (const Json& layer : layers.items()) {
    const double seconds = number(layer, "seconds");
    rows.push_back({layer.at("layer").string(), layer.at("complexity").string(),
                    count(layer, "multiply_adds"), milliseconds(seconds),
                    fixed(1e-9 * number(layer, "multiply_adds") / seconds, 1),
                    count(layer, "longest_path")});
  }
  return table(rows, {0, 1});
}

}  // namespace attn
