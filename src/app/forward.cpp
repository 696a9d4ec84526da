// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
#include "app/forward.h"

#include <string>
#include <vector>

#include "app/commands.h"
#include "app/id_files.h"
#include "model/transformer.h"
#include "storage/safetensors.h"

namespace attn::app {

const std::string& forward_output(const Arguments& arguments) {
  return arguments.output("out", {"model", "source-ids", "target-ids"});
}

void forward_pairs(const Arguments& arguments, SequenceModel& model) {
  const auto* const transformer = dynamic_cast<const Transformer*>(&model);
  ATTN_CHECK(transformer != nullptr, arguments.value("model"), ": not a Transformer, but ",
             model.settings().at("architecture"));
  if (!arguments.has("target-ids")) fail_usage("forward needs --target-ids F: what is predicted");
  const Batch batch =
      read_id_batch(arguments.value("source-ids"), arguments.value("target-ids"), model);
  write_forward(arguments, model, batch, transformer->logits(batch));
}

void write_forward(const Arguments& arguments, SequenceModel& model, const Batch& batch,
                   const Tensor& logits) {
  Tensor loss = Tensor::zeros({1});
  std::vector<NamedTensor> tensors{{"logits", &logits}, {"loss", &loss}};
  if (arguments.has("gradients")) {
    zero_gradients(model);
    const Real scale = static_cast<Real>(1 / static_cast<double>(logits.rows()));
    const LossSums sums = model.loss_and_gradients(batch, DropoutMasks(), scale);
    loss[0] = static_cast<Real>(sums.mean_loss());
    model.visit_parameters([&](const std::string& name, Parameter& parameter) {
      tensors.push_back({"grad." + name, &parameter.gradient});
    });
  } else {
    loss[0] = static_cast<Real>(model.loss(batch).mean_loss());
  }
  write_safetensors(forward_output(arguments), tensors);
}

int run_forward(const Arguments& arguments) {
  forward_output(arguments);
  forward_pairs(arguments, *load_model(arguments));
  return 0;
}

}  // namespace attn::app
