// What the benchmarks found, as tables for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "lab/benchmark/decoding.h"
#include "lab/benchmark/machine.h"
#include "lab/benchmark/products.h"
#include "lab/benchmark/steps.h"
#include "storage/json.h"

namespace attn {

std::string machine_text(const Machine& machine);
Json machine_json(const Machine& machine);

// A row for each rung, two columns for each size.
std::string ladder_text(const std::vector<RungSpeed>& ladder, const std::vector<Index>& sizes);
// A line for each rung: what slowed the one before.
std::string rungs_explained();
Json ladder_json(const std::vector<RungSpeed>& ladder);
// A row for each product; its speeds on one thread and on all.
std::string shapes_text(const std::vector<ShapeSpeed>& shapes);
Json shape_json(const std::string& model, const ShapeSpeed& shape);

// The times of each kind of layer, with its speeds.
std::string layers_text(const LayerTimes& times);
// The same, briefly, as shares of the step.
std::string layer_shares_text(const LayerTimes& times);
Json layers_json(const std::vector<LayerTime>& layers);

std::string steps_text(const StepTimes& times);
Json steps_json(const StepTimes& times);

struct DecodingSpeed {
  Decoding decoding;
  Speed speed;
  double tokens_per_second() const {
    return static_cast<double>(decoding.batch * decoding.tokens) / speed.seconds;
  }
  const char* limit() const { return speed.bound_by_memory ? "memory" : "arithmetic"; }
};
std::string decoding_text(const std::vector<DecodingSpeed>& speeds);
Json decoding_json(const std::vector<DecodingSpeed>& speeds);

}  // namespace attn
