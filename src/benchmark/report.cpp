#include "benchmark/report.h"

#include <cmath>

#include "base/check.h"
#include "base/format.h"

namespace attn {

std::string to_text(const Machine& m) {
  std::vector<std::vector<std::string>> rows{
      {"", "1 thread", text(m.threads, " threads")},
      {"multiply-adds, GFLOP/s", giga(m.peak_1), giga(m.peak)},
  };
  if (m.bandwidth.triad > 0) {
    const Bandwidth &one = m.bandwidth_1, &all = m.bandwidth;
    rows.push_back({"memory, two read and one written, GB/s", giga(one.triad), giga(all.triad)});
    rows.push_back({"memory, read, GB/s", giga(one.read), giga(all.read)});
  }
  if (m.threads == 1) {
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return text(m.cpu, ", ", m.isa, ", ", m.compiler, "\n\n", table(rows));
}

Json to_json(const Machine& machine) {
  const auto bandwidth = [](double b) { return b > 0 ? Json(b / 1e9) : Json(); };
  return Json::object({{"cpu", machine.cpu},
                       {"isa", machine.isa},
                       {"compiler", machine.compiler},
                       {"threads", machine.threads},
                       {"fma_peak_gflops_1", machine.peak_1 / 1e9},
                       {"fma_peak_gflops", machine.peak / 1e9},
                       {"bandwidth_gbytes_per_second_1", bandwidth(machine.bandwidth_1.triad)},
                       {"bandwidth_gbytes_per_second", bandwidth(machine.bandwidth.triad)},
                       {"read_gbytes_per_second_1", bandwidth(machine.bandwidth_1.read)},
                       {"read_gbytes_per_second", bandwidth(machine.bandwidth.read)}});
}

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

namespace {

// The time; "148.3 GFLOP/s", or GB/s if that is the limit; and the share.
std::vector<std::string> columns(const PassSpeed& pass) {
  if (pass.speed.seconds == 0) return {"", "", ""};
  const std::string time = short_time(pass.speed.seconds);
  if (!pass.has_limit()) return {time, "", ""};
  const bool memory = pass.speed.bound_by_memory;
  return {
      time,
      giga(memory ? pass.bytes_per_second() : pass.speed.rate) + (memory ? "   GB/s" : " GFLOP/s"),
      share_text(pass.speed.share)};
}

Json speed_json(const PassSpeed& pass) {
  if (!pass.has_limit()) return {};
  return Json::object({{"gflops", pass.speed.rate / 1e9},
                       {"gbytes_per_second", pass.bytes_per_second() / 1e9},
                       {"limit", pass.speed.bound_by_memory ? "memory" : "fma"},
                       {"share", pass.speed.share}});
}

}  // namespace

std::string to_text(const LayerTimes& times) {
  std::vector<std::vector<std::string>> rows{
      {"layer", "count", "forward", "", "share", "backward", "", "share"}};
  for (const LayerTime& layer : times.layers) {
    rows.push_back({(layer.part ? "  " : "") + layer.name, text(layer.count)});
    for (const PassSpeed* pass : {&layer.forward, &layer.backward}) {
      for (const std::string& column : columns(*pass)) rows.back().push_back(column);
    }
  }
  rows.push_back({"a whole step", "", short_time(times.step)});
  return table(rows);
}

// The share of each kind of layer.
std::string step_shares(const LayerTimes& times) {
  std::vector<std::vector<std::string>> rows{
      {"where the time goes", "count", "forward", "backward", "of the step"}};
  for (const LayerTime& layer : times.layers) {
    if (layer.part) continue;
    const double forward = layer.forward.speed.seconds, backward = layer.backward.speed.seconds;
    rows.push_back({layer.name, text(layer.count), short_time(forward),
                    backward > 0 ? short_time(backward) : "",
                    share_text(layer.seconds() / times.step)});
  }
  rows.push_back({"a whole step", "", "", "", short_time(times.step)});
  return table(rows);
}

Json to_json(const std::vector<LayerTime>& layers) {
  Json result = Json::array();
  for (const LayerTime& layer : layers) {
    result.add(Json::object({{"name", layer.name},
                             {"count", layer.count},
                             {"part_of_the_layer_before", layer.part},
                             {"forward_seconds", layer.forward.speed.seconds},
                             {"backward_seconds", layer.backward.speed.seconds},
                             {"forward", speed_json(layer.forward)},
                             {"backward", speed_json(layer.backward)}}));
  }
  return result;
}

std::string to_text(const StepTimes& times) {
  const double peak = times.middle(&StepTime::peak);
  std::vector<std::vector<std::string>> rows{
      {"a step", short_time(times.middle(&StepTime::seconds)),
       text("median of ", times.steps.size())},
      {"tokens per second", grouped(std::llround(times.middle(&StepTime::tokens_per_second))),
       text("source and target; ", grouped(std::llround(times.middle(&StepTime::tokens))),
            " per step")},
      {"operations per step", fixed(times.middle(&StepTime::operations) / 1e9, 2) + " G",
       "sum of 2 m n k over all matrix products"},
      {"model FLOP/s", giga(times.middle(&StepTime::rate)) + " G",
       "operations per step / seconds per step"},
      {"share of the peak", share_text(times.middle(&StepTime::share)),
       "of " + giga(peak) + " G multiply-adds, measured between the steps"},
      {"share of matmul", share_text(times.share_of_matmul()),
       "of " + giga(times.matmul_rate) + " G, the best product of 1024 x 1024 x 1024"},
      {"peak memory", fixed(static_cast<double>(times.memory) / (1 << 20), 1) + " MiB",
       "resident, of the whole process"},
      {"loss", fixed(times.loss, 4), "of the last step, on random tokens"},
  };
  return table(rows, {0, 2});
}

Json to_json(const StepTimes& times) {
  Json seconds = Json::array(), tokens = Json::array(), flops = Json::array();
  for (const StepTime& step : times.steps) {
    seconds.add(step.seconds);
    tokens.add(static_cast<Index>(step.tokens));
    flops.add(step.operations);
  }
  return Json::object({{"seconds", times.middle(&StepTime::seconds)},
                       {"seconds_all", seconds},
                       {"tokens", times.middle(&StepTime::tokens)},
                       {"tokens_all", tokens},
                       {"tokens_per_second", times.middle(&StepTime::tokens_per_second)},
                       {"flops", times.middle(&StepTime::operations)},
                       {"flops_all", flops},
                       {"gflops", times.middle(&StepTime::rate) / 1e9},
                       {"peak_gflops_between_steps", times.middle(&StepTime::peak) / 1e9},
                       {"share_of_peak", times.middle(&StepTime::share)},
                       {"matmul_1024_gflops", times.matmul_rate / 1e9},
                       {"share_of_matmul", times.share_of_matmul()},
                       {"peak_memory_bytes", times.memory},
                       {"loss", times.loss}});
}

std::string to_text(const std::vector<DecodingSpeed>& speeds) {
  std::vector<std::vector<std::string>> rows{
      {"", "beam", "tokens/s", "per step", "GFLOP/s", "GB/s", "of the limit", "which is"}};
  for (const DecodingSpeed& d : speeds) {
    const Index batch = d.decoding.batch;
    rows.push_back({text(batch, batch == 1 ? " sentence" : " sentences"), text(d.decoding.beam),
                    fixed(d.tokens_per_second(), 1),
                    short_time(d.speed.seconds / static_cast<double>(d.decoding.tokens)),
                    giga(d.speed.rate), giga(d.bytes_per_second()), share_text(d.speed.share),
                    d.speed.bound_by_memory ? "memory" : "arithmetic"});
  }
  return table(rows);
}

Json to_json(const DecodingSpeed& d) {
  return Json::object({{"batch", d.decoding.batch},
                       {"beam", d.decoding.beam},
                       {"source_length", d.decoding.source_length},
                       {"tokens", d.decoding.tokens},
                       {"seconds", d.speed.seconds},
                       {"tokens_per_second", d.tokens_per_second()},
                       {"gflops", d.speed.rate / 1e9},
                       {"weights_gbytes_per_second", d.bytes_per_second() / 1e9},
                       {"limit", d.speed.bound_by_memory ? "memory" : "arithmetic"},
                       {"share_of_limit", d.speed.share}});
}

}  // namespace attn
