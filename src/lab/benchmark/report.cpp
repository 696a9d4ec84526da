// Records of JSON → rows of a table.
#include "lab/benchmark/report.h"

#include <cmath>

#include "base/printing.h"
#include "lab/benchmark/products.h"

namespace attn {

std::string giga(double per_second) {
  return fixed(per_second / 1e9, per_second < 9.995e9 ? 2 : 1);
}

std::string short_time(double seconds) {
  if (seconds >= 1) return fixed(seconds, 3) + " s";
  if (seconds >= 1e-3) return fixed(1e3 * seconds, seconds < 0.1 ? 2 : 1) + " ms";
  return fixed(1e6 * seconds, 1) + " µs";
}

namespace {

using Row = std::vector<std::string>;

double number(const Json& record, const char* key) {
  return record.at(key).number();
}

std::string count(const Json& record, const char* key) {
  return text(record.at(key).integer());
}

std::string time(const Json& record, const char* key) {
  return short_time(number(record, key));
}

std::string share(const Json& record, const char* key) {
  return share_text(number(record, key));
}

// In units of 10⁹, as the record has it.
std::string billions(const Json& record, const char* key) {
  return giga(1e9 * number(record, key));
}

std::string threads_text(const Json& record) {
  return counted(record.at("threads").integer(), "thread");
}

void append(Row& row, const Row& cells) {
  row.insert(row.end(), cells.begin(), cells.end());
}

// Speeds side by side: records that agree in `key` are one below the other, and the next ones, for
// the same rows, are to their right.
std::string side_by_side(const Json& records, const char* key, const Row& heading,
                         Row (*label)(const Json&), Row (*heading_of_speeds)(const Json&)) {
  std::vector<Row> rows{heading};
  const Json* group = nullptr;
  std::size_t row = 0;
  for (const Json& record : records.items()) {
    if (group == nullptr || number(*group, key) != number(record, key)) {
      group = &record;
      row = 0;
      append(rows[0], heading_of_speeds(record));
    }
    if (++row == rows.size()) rows.push_back(label(record));
    append(rows[row], {billions(record, "gflops"), share(record, "share")});
  }
  return table(rows);
}

// The time of a pass; "148.3 GFLOP/s", or GB/s if that is the limit; and the share.
Row pass_cells(const Json& layer, const std::string& pass) {
  const std::string seconds = pass + "_seconds";
  if (number(layer, seconds.c_str()) == 0) return {"", "", ""};
  const Json& speed = layer.at(pass);
  if (speed.type() == Json::Type::null) return {time(layer, seconds.c_str()), "", ""};
  const bool memory = speed.at("limit").string() == "memory";
  return {time(layer, seconds.c_str()),
          memory ? billions(speed, "gbytes_per_second") + "   GB/s"
                 : billions(speed, "gflops") + " GFLOP/s",
          share(speed, "share")};
}

}  // namespace

std::string machine_text(const Json& machine) {
  const bool one = machine.at("threads").integer() == 1;
  std::vector<Row> rows{{"", "1 thread"}};
  if (!one) rows[0].push_back(threads_text(machine));
  const std::pair<const char*, std::string> limits[] = {
      {"multiply-adds, GFLOP/s", "fma_peak_gflops"},
      {"memory, two read and one written, GB/s", "bandwidth_gbytes_per_second"},
      {"memory, read, GB/s", "read_gbytes_per_second"}};
  for (const auto& [meaning, key] : limits) {
    if (machine.at(key).type() == Json::Type::null) continue;
    rows.push_back({meaning, billions(machine, (key + "_1").c_str())});
    if (!one) rows.back().push_back(billions(machine, key.c_str()));
  }
  return text(machine.at("cpu").string(), ", ", machine.at("isa").string(), ", ",
              machine.at("compiler").string(), "\n\n", table(rows));
}

std::string ladder_text(const Json& ladder) {
  return side_by_side(
      ladder, "size", {"GFLOP/s and share of the peak"},
      [](const Json& speed) -> Row {
        const bool several = speed.at("threads").integer() > 1;
        return {speed.at("rung").string() + (several ? ", " + threads_text(speed) : "")};
      },
      [](const Json& speed) -> Row {
        return {count(speed, "size"), ""};
      });
}

std::string rungs_explained() {
  std::vector<Row> rows;
  for (const Rung& rung : kRungs) rows.push_back({rung.name, rung.removes});
  return table(rows, {0, 1});
}

std::string shapes_text(const Json& shapes) {
  return side_by_side(
      shapes, "threads", {"product", "", "m", "n", "k"},
      [](const Json& speed) -> Row {
        return {speed.at("what").string(), speed.at("kind").string(), count(speed, "m"),
                count(speed, "n"), count(speed, "k")};
      },
      [](const Json& speed) -> Row {
        const bool one = speed.at("threads").integer() == 1;
        return {threads_text(speed) + (one ? ", GFLOP/s" : ""), "share"};
      });
}

std::string layers_text(const Json& times) {
  std::vector<Row> rows{{"layer", "count", "forward", "", "share", "backward", "", "share"}};
  for (const Json& layer : times.at("layers").items()) {
    const bool part = layer.at("part_of_the_layer_before").boolean();
    rows.push_back({(part ? "  " : "") + layer.at("name").string(), count(layer, "count")});
    append(rows.back(), pass_cells(layer, "forward"));
    append(rows.back(), pass_cells(layer, "backward"));
  }
  rows.push_back({"a whole step", "", time(times, "seconds_of_a_step_between_layers")});
  return table(rows);
}

std::string layer_shares_text(const Json& times) {
  std::vector<Row> rows{{"where the time goes", "count", "forward", "backward", "of the step"}};
  const double step = number(times, "seconds_of_a_step_between_layers");
  for (const Json& layer : times.at("layers").items()) {
    if (layer.at("part_of_the_layer_before").boolean()) continue;
    const double one = number(layer, "forward_seconds") + number(layer, "backward_seconds");
    rows.push_back({layer.at("name").string(), count(layer, "count"),
                    pass_cells(layer, "forward")[0], pass_cells(layer, "backward")[0],
                    share_text(number(layer, "count") * one / step)});
  }
  rows.push_back({"a whole step", "", "", "", short_time(step)});
  return table(rows);
}

std::string steps_text(const Json& s) {
  return table(
      {{"a step", time(s, "seconds"), text("median of ", s.at("seconds_all").items().size())},
       {"tokens per second", grouped(std::llround(number(s, "tokens_per_second"))),
        text("source and target; ", grouped(std::llround(number(s, "tokens"))), " per step")},
       {"operations per step", fixed(number(s, "flops") / 1e9, 2) + " G",
        "sum of 2 m n k over all matrix products"},
       {"model FLOP/s", billions(s, "gflops") + " G", "operations per step / seconds per step"},
       {"share of the peak", share(s, "share_of_peak"),
        "of " + billions(s, "peak_gflops_between_steps") +
            " G multiply-adds, measured between the steps"},
       {"share of matmul", share(s, "share_of_matmul"),
        "of " + billions(s, "matmul_1024_gflops") + " G, the best product of 1024 x 1024 x 1024"},
       {"peak memory", fixed(number(s, "peak_memory_bytes") / (1 << 20), 1) + " MiB",
        "resident, of the whole process"},
       {"loss", fixed(number(s, "loss"), 4), "of the last step, on random tokens"}},
      {0, 2});
}

std::string decoding_text(const Json& speeds) {
  std::vector<Row> rows{
      {"", "beam", "tokens/s", "per step", "GFLOP/s", "GB/s", "of the limit", "which is"}};
  for (const Json& s : speeds.items()) {
    rows.push_back({counted(s.at("batch").integer(), "sentence"), count(s, "beam"),
                    fixed(number(s, "tokens_per_second"), 1),
                    short_time(number(s, "seconds") / number(s, "tokens")), billions(s, "gflops"),
                    billions(s, "weights_gbytes_per_second"), share(s, "share_of_limit"),
                    s.at("limit").string()});
  }
  return table(rows);
}

}  // namespace attn
