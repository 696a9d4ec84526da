// share = Σ_t |x_t − mean|² / Σ_t |x_t|², the means being those of the sentences
#include "app/train_warnings.h"

#include <algorithm>
#include <cmath>

#include "app/terminal/console.h"
#include "model/transformer.h"
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

Warnings::Warnings(const Run& run, Progress& progress) : run_(run), progress_(progress) {
  // Without validation data, the first batch of training shows as much.
  const std::vector<Batch>& validation = run.data.validation.batches;
  sample_ = validation.empty() ? run.data.batches(0) : validation.front();
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
  if (collapsed_) return;
  const std::vector<double> variations = encoder_variations(*run_.model, sample_);
  if (variations.empty() || variations.back() >= kCollapsed) return;
  collapsed_ = true;
  progress_.clear();
  warn("the encoder's output has collapsed at step ", run_.trainer.step,
       ": the tokens of a sentence differ in only ", fixed(100 * variations.back(), 2),
       " % of its squares, so the decoder can hardly tell one word from another. Unless ",
       "validation still improves, begin again with --norm pre or fewer --layers");
}

}  // namespace attn::app
