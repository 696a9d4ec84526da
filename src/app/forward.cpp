// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/id_files.h"
#include "lab/language/decoder_only.h"
#include "model/transformer.h"
#include "storage/safetensors.h"
#include "training/run_directory.h"

namespace attn::app {

// One text per line, for a decoder-only model.
static Batch read_id_texts(const std::string& path, const DecoderOnly& model) {
  const DecoderOnlyConfig& c = model.config();
  const Index longest = c.positions == Positions::learned ? c.max_positions : kAnyLength;
  Batch batch;
  for (const std::vector<int>& ids : read_ids(path, 1, c.target_vocabulary, longest)) {
    batch.append({}, ids);
  }
  return batch;
}

// A batch for the model, and the logits of what it predicts there.
static std::pair<Batch, Tensor> batch_and_logits(const Arguments& arguments,
                                                 const SequenceModel& model) {
  const std::string& source = arguments.value("source-ids");
  if (const auto* decoder_only = dynamic_cast<const DecoderOnly*>(&model)) {
    if (arguments.has("target-ids")) {
      fail_usage("a decoder-only model reads one sequence: --source-ids, without --target-ids");
    }
    Batch batch = read_id_texts(source, *decoder_only);
    return {batch, decoder_only->logits(batch)};
  }
  const auto* const transformer = dynamic_cast<const Transformer*>(&model);
  ATTN_CHECK(transformer != nullptr, arguments.value("model"), ": not a Transformer, but ",
             model.settings().at("architecture"));
  if (!arguments.has("target-ids")) fail_usage("forward needs --target-ids F: what is predicted");
  Batch batch = read_id_batch(source, arguments.value("target-ids"), model);
  return {batch, transformer->logits(batch)};
}

int run_forward(const Arguments& arguments) {
  const std::string& out = arguments.output("out", {"model", "source-ids", "target-ids"});
  const auto model = load_model(arguments.value("model"));
  const auto [batch, logits] = batch_and_logits(arguments, *model);
  Tensor loss = Tensor::zeros({1});
  std::vector<NamedTensor> tensors{{"logits", &logits}, {"loss", &loss}};
  if (arguments.has("gradients")) {
    zero_gradients(*model);
    const Real scale = static_cast<Real>(1 / static_cast<double>(logits.rows()));
    const LossSums sums = model->loss_and_gradients(batch, DropoutMasks(), scale);
    loss[0] = static_cast<Real>(sums.mean_loss());
    model->visit_parameters([&](const std::string& name, Parameter& parameter) {
      tensors.push_back({"grad." + name, &parameter.gradient});
    });
  } else {
    loss[0] = static_cast<Real>(model->loss(batch).mean_loss());
  }
  write_safetensors(out, tensors);
  return 0;
}

}  // namespace attn::app
