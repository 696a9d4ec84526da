// share = Σ_t |x_t − mean|² / Σ_t |x_t|², the means being those of the sentences
#include "trace/rank_collapse.h"

#include <string_view>

#include "model/transformer.h"

namespace attn {

double token_variation(const ConstMatrixView& x, const Offsets& offsets) {
  check_offsets(offsets, x.rows);
  double different = 0, all = 0;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const Index begin = offsets[b], end = offsets[b + 1];
    for (Index j = 0; j < x.cols; ++j) {
      double mean = 0;
      for (Index t = begin; t < end; ++t) mean += static_cast<double>(x(t, j));
      if (begin < end) mean /= static_cast<double>(end - begin);
      for (Index t = begin; t < end; ++t) {
        const double value = static_cast<double>(x(t, j));
        different += (value - mean) * (value - mean);
        all += value * value;
      }
    }
  }
  return all > 0 ? different / all : 0;
}

std::vector<double> encoder_variations(const SequenceModel& model, const Batch& batch) {
  std::vector<double> result;
  if (dynamic_cast<const Transformer*>(&model) == nullptr) return result;
  Watcher watcher;
  watcher.depth = kDepthOfLayers;
  watcher.value = [&](const SeenValue& seen) {
    const std::string_view name = seen.called.name;
    if (name != "e" && name != "output" && name != "z") return;
    // A layer's output is in the part "encoder.0"; e and z are in the whole model.
    const std::string part = seen.where.name();
    if (name == "output" ? part.compare(0, 8, "encoder.") != 0 : !part.empty()) return;
    result.push_back(token_variation(seen.numbers, batch.source.offsets));
  };
  model.loss(batch, Pass(watcher));
  return result;
}

bool CollapseWatch::sees_collapse(double variation) {
  if (collapsed) return false;
  collapsed = variation < kCollapsed;
  return collapsed;
}

}  // namespace attn
