// share = Σ_t |x_t − mean|² / Σ_t |x_t|², the means being those of the sentences
#include "trace/warning_signs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "model/transformer.h"
#include "trace/attention_maps.h"
#include "trace/names.h"

namespace attn {

// Perplexity is e to the loss, so ten times as much of it is ln 10 more.
bool ExplosionWatch::sees_explosion(double loss) {
  best = std::min(best, loss);
  const bool is = loss > 2 * guessing || loss > best + std::log(10);
  return is && !std::exchange(exploded, true);
}

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
  const auto* const transformer = dynamic_cast<const Transformer*>(&model);
  if (transformer == nullptr) return result;
  // With post-norm, z is the last layer's output.
  const bool post = transformer->config().norm == NormPlacement::post;
  const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
    if (!fits(post ? "e|encoder.*.output" : "e|encoder.*.output|z", name)) return;
    result.push_back(token_variation(value, batch.source.offsets));
  };
  model.loss(batch, Pass(observer));
  return result;
}

bool CollapseWatch::sees_collapse(double variation) {
  return variation < kCollapsed && !std::exchange(collapsed, true);
}

HeadsSeen heads_seen(const SequenceModel& model, const std::vector<Batch>& batches) {
  struct Queries {
    double all = 0, most = 0;
    std::map<Index, double> of_position;  // those that attend there
  };
  std::map<std::string, Queries> heads;
  const Observer observer = [&](const std::string& name, const ConstMatrixView& P) {
    if (!is_attention_weights(name)) return;
    Queries& queries = heads[part_of(name)];
    const bool causal = fits("decoder.*.self_attention.heads.*.P", name);
    for (Index i = 0; i < P.rows; ++i) {
      const Index keys = causal ? i + 1 : P.cols;
      if (keys < 2) continue;
      ++queries.all;
      for (Index j = 0; j < keys; ++j) {
        if (static_cast<double>(P(i, j)) < kSaturated) continue;
        queries.most = std::max(queries.most, ++queries.of_position[j]);
      }
    }
  };
  for (const Batch& batch : batches) model.loss(batch, Pass(observer));

  HeadsSeen result;
  result.heads = static_cast<Index>(heads.size());
  for (const auto& [name, queries] : heads) {
    if (queries.all > 0 && queries.most >= kSaturated * queries.all)
      result.saturated.push_back(name);
  }
  return result;
}

}  // namespace attn
