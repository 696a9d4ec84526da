// What PyTorch computed, computed again: what comes out of every sub-layer, logits, loss, every
// gradient, and the weights after ten steps of Adam.
#include <functional>

#include "support/pytorch_check.h"

using namespace attn;
using namespace attn::test;

namespace {

void for_each_golden(const std::function<void(const GoldenModel&)>& check) {
  for (const std::string name : {"post_tied", "pre_untied", "post_untied", "pre_tied", "rotary"}) {
    CAPTURE(name);
    check(read_golden("pytorch_" + name));
  }
}

Values values_of(const Transformer::Cache& cache, const Tensor& h) {
  Values values;
  add_stack(values, "encoder", cache.encoder);
  values["encoder.output"] = &cache.z;
  for (std::size_t i = 0; i < cache.decoder.size(); ++i) {
    const std::string name = "decoder." + std::to_string(i);
    const DecoderLayer::Cache& layer = cache.decoder[i];
    values[name + ".input"] = input_of(layer.self_residual);
    add_attention(values, name + ".self_attention", layer.self_attention);
    values[name + ".attended"] = input_of(layer.cross_residual);
    add_attention(values, name + ".cross_attention", layer.cross_attention);
    values[name + ".informed"] = input_of(layer.ffn_residual);
    values[name + ".feed_forward.hidden"] = &layer.feed_forward.hidden;
  }
  values["decoder.output"] = &h;
  return values;
}

}  // namespace

TEST_SUITE("3.1 stacks") {
  TEST_CASE("PyTorch computes the same values in every sub-layer, and the same logits") {
    for_each_golden([](const GoldenModel& golden) {
      const std::unique_ptr<SequenceModel> model = golden.model();
      const auto& transformer = dynamic_cast<const Transformer&>(*model);
      Transformer::Cache cache;
      const Tensor h = transformer.forward(golden.batch, DropoutMasks(), cache);
      check_values(golden, values_of(cache, h), transformer.logits(golden.batch));
    });
  }

  TEST_CASE("PyTorch's autograd finds the same gradient for every parameter") {
    for_each_golden([](const GoldenModel& golden) { check_gradients(golden, *golden.model()); });
  }
}

TEST_SUITE("5.3 optimizer") {
  TEST_CASE("PyTorch's Adam and the paper's schedule lead to the same weights, step by step") {
    for_each_golden([](const GoldenModel& golden) { check_steps(golden, *golden.model()); });
  }
}
