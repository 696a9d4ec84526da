// attention-lab forward: as attention's, and of a decoder-only model.
#include "app/commands.h"
#include "lab/commands/commands.h"
#include "lab/language/decoder_only.h"

namespace attn::app {

// One text per line.
static Batch read_id_texts(const std::string& path, const DecoderOnly& model) {
  const DecoderOnlyConfig& c = model.config();
  const Index longest = c.positions == Positions::learned ? c.max_positions : kAnyLength;
  Batch batch;
  for (const std::vector<int>& ids : read_ids(path, 1, c.target_vocabulary, longest)) {
    batch.append({}, ids);
  }
  return batch;
}

int run_any_forward(const Arguments& arguments) {
  arguments.output("out");
  const auto model = load_model(arguments);
  const auto* const decoder_only = dynamic_cast<const DecoderOnly*>(model.get());
  if (decoder_only == nullptr) {
    forward_pairs(arguments, *model);
    return 0;
  }
  if (arguments.has("target-ids")) {
    fail_usage("a decoder-only model reads one sequence: --source-ids, without --target-ids");
  }
  const Batch batch = read_id_texts(arguments.value("source-ids"), *decoder_only);
  write_forward(arguments, *model, batch, decoder_only->logits(batch));
  return 0;
}

}  // namespace attn::app
