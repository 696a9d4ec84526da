// What PyTorch computed for a decoder-only model, computed again.
#include "lab/language/decoder_only.h"
#include "lab/models.h"
#include "support/pytorch_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// What a decoder-only model reads: source and target as one sequence.
PackedIds sequences_of(const Batch& batch) {
  PackedIds x;
  for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b) {
    std::vector<int> ids = sentence(batch.source, b);
    const std::vector<int> target = sentence(batch.target_input, b);
    ids.insert(ids.end(), target.begin(), target.end());
    x.append(ids);
  }
  return x;
}

}  // namespace

TEST_SUITE("7 conclusion") {
  TEST_CASE("PyTorch computes a decoder-only model's values, gradients and steps") {
    const GoldenModel golden = read_golden("pytorch_decoder");
    const std::unique_ptr<SequenceModel> model = golden.model(plan_any_model);
    const auto& decoder = dynamic_cast<const DecoderOnly&>(*model);
    DecoderOnly::Cache cache;
    const Tensor h = decoder.forward(sequences_of(golden.batch), DropoutMasks(), cache);
    Values values;
    add_stack(values, "decoder", cache.decoder);
    values["decoder.output"] = &h;
    check_values(golden, values, decoder.logits(golden.batch));
    check_gradients(golden, *model);
    check_steps(golden, *golden.model(plan_any_model));
  }
}
