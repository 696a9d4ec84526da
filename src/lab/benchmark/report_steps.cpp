#include <cmath>

#include "base/format.h"
#include "lab/benchmark/report.h"

namespace attn {

namespace {

// The time; "148.3 GFLOP/s", or GB/s if that is the limit; and the share.
std::vector<std::string> columns(const Speed& s) {
  if (s.seconds == 0) return {"", "", ""};
  if (s.share == 0) return {short_time(s.seconds), "", ""};  // nothing is counted
  return {short_time(s.seconds),
          s.bound_by_memory ? giga(s.bandwidth) + "   GB/s" : giga(s.rate) + " GFLOP/s",
          share_text(s.share)};
}

Json speed_json(const Speed& s) {
  if (s.share == 0) return {};
  return Json::object({{"gflops", s.rate / 1e9},
                       {"gbytes_per_second", s.bandwidth / 1e9},
                       {"limit", s.bound_by_memory ? "memory" : "fma"},
                       {"share", s.share}});
}

}  // namespace

std::string layers_text(const LayerTimes& times) {
  std::vector<std::vector<std::string>> rows{
      {"layer", "count", "forward", "", "share", "backward", "", "share"}};
  for (const LayerTime& layer : times.layers) {
    rows.push_back({(layer.part ? "  " : "") + layer.name, text(layer.count)});
    for (const Speed& speed : {layer.forward, layer.backward}) {
      for (const std::string& column : columns(speed)) rows.back().push_back(column);
    }
  }
  rows.push_back({"a whole step", "", short_time(times.step)});
  return table(rows);
}

std::string layer_shares_text(const LayerTimes& times) {
  std::vector<std::vector<std::string>> rows{
      {"where the time goes", "count", "forward", "backward", "of the step"}};
  for (const LayerTime& layer : times.layers) {
    if (layer.part) continue;
    rows.push_back({layer.name, text(layer.count), columns(layer.forward)[0],
                    columns(layer.backward)[0], share_text(layer.seconds() / times.step)});
  }
  rows.push_back({"a whole step", "", "", "", short_time(times.step)});
  return table(rows);
}

Json layers_json(const std::vector<LayerTime>& layers) {
  Json result = Json::array();
  for (const LayerTime& layer : layers) {
    result.add(Json::object({{"name", layer.name},
                             {"count", layer.count},
                             {"part_of_the_layer_before", layer.part},
                             {"forward_seconds", layer.forward.seconds},
                             {"backward_seconds", layer.backward.seconds},
                             {"forward", speed_json(layer.forward)},
                             {"backward", speed_json(layer.backward)}}));
  }
  return result;
}

std::string steps_text(const StepTimes& times) {
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

Json steps_json(const StepTimes& times) {
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

std::string decoding_text(const std::vector<DecodingSpeed>& speeds) {
  std::vector<std::vector<std::string>> rows{
      {"", "beam", "tokens/s", "per step", "GFLOP/s", "GB/s", "of the limit", "which is"}};
  for (const DecodingSpeed& s : speeds) {
    rows.push_back({counted(s.decoding.batch, "sentence"), text(s.decoding.beam),
                    fixed(s.tokens_per_second(), 1),
                    short_time(s.speed.seconds / static_cast<double>(s.decoding.tokens)),
                    giga(s.speed.rate), giga(s.speed.bandwidth), share_text(s.speed.share),
                    s.limit()});
  }
  return table(rows);
}

Json decoding_json(const std::vector<DecodingSpeed>& speeds) {
  Json result = Json::array();
  for (const DecodingSpeed& s : speeds) {
    result.add(Json::object({{"batch", s.decoding.batch},
                             {"beam", s.decoding.beam},
                             {"source_length", s.decoding.source_length},
                             {"tokens", s.decoding.tokens},
                             {"seconds", s.speed.seconds},
                             {"tokens_per_second", s.tokens_per_second()},
                             {"gflops", s.speed.rate / 1e9},
                             {"weights_gbytes_per_second", s.speed.bandwidth / 1e9},
                             {"limit", s.limit()},
                             {"share_of_limit", s.speed.share}}));
  }
  return result;
}

}  // namespace attn
