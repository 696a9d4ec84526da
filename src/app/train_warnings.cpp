// share = Σ_t |x_t − mean|² / Σ_t |x_t|², the means being those of the sentences
#include "app/train_warnings.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/terminal/console.h"
#include "model/transformer.h"
#include "trace/attention_maps.h"
#include "trace/table.h"

namespace attn::app {

// Perplexity is e to the loss, so ten times as much of it is ln 10 more.
bool has_exploded(double loss, double guessing, double best) {
  return loss > 2 * guessing || loss > best + std::log(10);
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

Warnings::Warnings(const Run& run, Progress& progress) : run_(run), progress_(progress) {
  // Sentences of a file may be in the order of their lengths. Without validation data, the first
  // batch of training shows as much.
  const std::vector<Batch>& validation = run.data.validation.batches;
  samples_ = {validation.empty() ? run.data.batches(0) : validation.front()};
  if (validation.size() > 1) samples_.push_back(validation.back());
}

void Warnings::look_at_loss(double loss) {
  const double guessing = std::log(run_.tokenizer.size());
  best_loss_ = std::min(best_loss_, loss);
  if (exploded_ || !has_exploded(loss, guessing, best_loss_)) return;
  exploded_ = true;
  progress_.clear();
  const bool above = loss > 2 * guessing;
  warn("the loss is ", fixed(loss, 2), " at step ", run_.trainer.step,
       above ? "; guessing gives " : " and was ", fixed(above ? guessing : best_loss_, 2),
       above ? "" : " at best", ". If it stays high, training has diverged: begin again with ",
       "a lower --learning-rate-scale, a longer --warmup or --clip 1");
}

void Warnings::look_inside() {
  progress_.clear();
  const std::vector<double> variations = encoder_variations(*run_.model, samples_[0]);
  if (!collapsed_ && !variations.empty() && variations.back() < kCollapsed) {
    collapsed_ = true;
    warn("the encoder's output has collapsed at step ", run_.trainer.step,
         ": the tokens of a sentence differ in only ", fixed(100 * variations.back(), 2),
         " % of its squares, so the decoder can hardly tell one word from another. Unless ",
         "validation still improves, begin again with --norm pre or fewer --layers");
  }
  if (saturated_) return;
  const HeadsSeen seen = heads_seen(*run_.model, samples_);
  if (seen.saturated.empty()) return;
  saturated_ = true;
  warn("heads that always look at the same position: ", seen.saturated.size(), " of ", seen.heads,
       " at step ", run_.trainer.step, ", the first of them ", seen.saturated[0],
       ". Softmax passes them hardly any gradient, so they may never look elsewhere. Unless ",
       "validation still improves, begin again with --norm pre or a lower --learning-rate-scale");
}

}  // namespace attn::app
