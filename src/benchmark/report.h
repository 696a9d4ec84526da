// What the benchmarks measured, as tables for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "benchmark/decoding.h"
#include "benchmark/ladder.h"
#include "benchmark/layers.h"
#include "benchmark/machine.h"
#include "benchmark/shapes.h"
#include "benchmark/steps.h"
#include "storage/json.h"

namespace attn {

std::string to_text(const Machine& machine);
Json to_json(const Machine& machine);

// A row for each rung, two columns for each size.
std::string to_text(const std::vector<RungSpeed>& ladder, const std::vector<Index>& sizes);
Json to_json(const std::vector<RungSpeed>& ladder);
// A line for each rung: what slowed the one before.
std::string rungs_explained();

// A row for each product; its speeds on one thread and on all.
std::string to_text(const std::vector<ShapeSpeed>& shapes);
Json to_json(const std::string& model, const ShapeSpeed& shape);

// The times of each kind of layer, with its speeds; or, briefly, as shares of the step.
std::string to_text(const LayerTimes& times);
std::string step_shares(const LayerTimes& times);
Json to_json(const std::vector<LayerTime>& layers);

std::string to_text(const StepTimes& times);
Json to_json(const StepTimes& times);

std::string to_text(const std::vector<DecodingSpeed>& speeds);
Json to_json(const DecodingSpeed& speed);

}  // namespace attn
