// The first step takes memory from the system and wakes the threads, so it is not counted.
#include "lab/benchmark/steps.h"

#include <algorithm>
#include <cmath>

#include "base/platform.h"
#include "lab/benchmark/ladder.h"
#include "lab/benchmark/table1.h"

namespace attn {

namespace {

// Σ m n over the sentences: the scores of one head.
double pairs(const Offsets& queries, const Offsets& keys) {
  double sum = 0;
  for (std::size_t b = 0; b + 1 < queries.size(); ++b) {
    sum += to_double(queries[b + 1] - queries[b]) * to_double(keys[b + 1] - keys[b]);
  }
  return sum;
}

}  // namespace

double step_operations(const TransformerConfig& c, const Batch& batch) {
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  const double S = to_double(source.back()), T = to_double(target.back());
  const double d = to_double(c.d_model), heads = to_double(c.heads * (c.d_k + c.d_v));
  // Self-attention has four projections of each side's tokens, attention over the source two.
  const double projections = d * heads * (2 * (S + T) + S + T);
  const double attention =
      heads * (pairs(source, source) + pairs(target, target) + pairs(target, source));
  const double feed_forward = 2 * d * to_double(c.d_ff) * (S + T);
  const double output = T * d * to_double(c.target_vocabulary);
  const double forward =
      2 * (to_double(c.layers) * (projections + attention + feed_forward) + output);
  return 3 * forward;
}

Json measure_steps(Transformer& model, const Batch& batch, Index steps, double seconds,
                   const Announce& announce) {
  Trainer trainer;
  const BatchSource batches = [&](std::uint64_t) { return batch; };
  announce("the first step");
  const StepReport first = trainer.take_step(model, batches);
  if (steps == 0) {
    steps = static_cast<Index>(std::clamp(std::ceil(seconds / first.seconds), 3.0, 1000.0));
  }

  const double operations = step_operations(model.config(), batch);
  std::vector<double> times;
  double loss = 0;
  while (trainer.step <= steps) {
    announce(text("step ", trainer.step, " of ", steps));
    const StepReport report = trainer.take_step(model, batches);
    times.push_back(report.seconds);
    loss = report.sums.mean_loss();
  }
  announce("measuring matmul");
  const std::size_t memory = platform::peak_memory();
  const double matmul_rate = matmul_1024_rate(), middle = median(times);
  return Json::object({{"seconds", middle},
                       {"seconds_all", Json::array({times.begin(), times.end()})},
                       {"tokens", first.tokens},
                       {"tokens_per_second", to_double(first.tokens) / middle},
                       {"flops", operations},
                       {"gflops", operations / middle / 1e9},
                       {"matmul_1024_gflops", matmul_rate / 1e9},
                       {"share_of_matmul", operations / middle / matmul_rate},
                       {"peak_memory_bytes", memory},
                       {"loss", loss}});
}

Json measure_parts(Transformer& model, const Batch& batch, double step_seconds,
                   const Patience& patience, const Announce& announce) {
  const TransformerConfig& config = model.config();
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  const Tensor z = random_input(source.back(), config.d_model),
               h = random_input(target.back(), config.d_model);
  const DropoutMasks masks(1, 0);
  const Pass one_pass(masks), pass = one_pass.keeping();
  Json parts = Json::array();
  double rest = step_seconds;
  const auto add = [&](const std::string& name, double forward, double backward) {
    parts.add(Json::object(
        {{"name", name}, {"forward_seconds", forward}, {"backward_seconds", backward}}));
    rest -= forward + backward;
  };
  const auto add_layers = [&](const std::string& name, const std::function<void()>& forward,
                              const std::function<void()>& backward) {
    announce("measuring " + name);
    const double layers = to_double(config.layers), seconds = seconds_of(forward, patience);
    add(name, layers * seconds, layers * seconds_of(backward, patience));
  };
  const auto add_attention = [&](const std::string& name, MultiHeadAttention& layer,
                                 const Tensor& x, const Tensor& memory,
                                 const AttentionPattern& pattern) {
    MultiHeadAttention::Cache cache;
    Tensor dx = Tensor::zeros(x.shape()), dmemory = Tensor::zeros(memory.shape());
    add_layers(
        name, [&] { layer.forward(x, memory, pattern, pass, cache); },
        [&] { layer.backward(x, x, memory, pattern, pass, cache, dx, dmemory); });
  };
  const auto add_feed_forward = [&](const std::string& name, FeedForward& layer, const Tensor& x) {
    FeedForward::Cache cache;
    add_layers(
        name, [&] { layer.forward(x, pass, cache); }, [&] { layer.backward(x, x, pass, cache); });
  };

  zero_gradients(model);
  EncoderLayer& encoder = model.encoder[0];
  DecoderLayer& decoder = model.decoder[0];
  add_attention("encoder self_attention", encoder.self_attention, z, z,
                sentence_by_sentence(source, source, Mask::none));
  add_feed_forward("encoder feed_forward", encoder.feed_forward, z);
  add_attention("decoder self_attention", decoder.self_attention, h, h,
                sentence_by_sentence(target, target, Mask::causal));
  add_attention("decoder cross_attention", decoder.cross_attention, h, z,
                sentence_by_sentence(target, source, Mask::none));
  add_feed_forward("decoder feed_forward", decoder.feed_forward, h);

  announce("measuring the output");
  Tensor dh;
  const auto output = [&] {
    model.projection.loss_and_gradients(h, model.target_embedding_used(), batch.target_output,
                                        config.label_smoothing, 1, pass, dh);
  };
  add("output", seconds_of(output, patience), 0);

  announce("measuring adam");
  Adam adam;
  const auto update = [&] {
    zero_gradients(model);
    adam.update(model, 1, 0);
  };
  add("adam", seconds_of(update, patience), 0);
  add("the rest", rest, 0);
  return parts;
}

}  // namespace attn
