// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
#include <string>
#include <vector>

#include "app/commands.h"
#include "lab/peers/id_files.h"
#include "storage/safetensors.h"
#include "training/run_directory.h"

namespace attn::app {

int run_forward(const Arguments& arguments) {
  const std::string& out = arguments.output("out", {"model", "source-ids", "target-ids"});
  const auto model = load_transformer(arguments.value("model"));
  const Batch batch =
      read_id_batch(arguments.value("source-ids"), arguments.value("target-ids"), *model);

  const Tensor logits = model->logits(batch);
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
