// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
#include <string>
#include <vector>

#include "app/commands.h"
#include "storage/safetensors.h"
#include "text/corpus.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

int run_forward(const Arguments& arguments) {
  arguments.check_output("out", {"model", "source-ids", "target-ids"});
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
  write_safetensors(arguments.value("out"), tensors);
  return 0;
}

}  // namespace

Command forward_command() {
  Command command;
  command.name = "forward";
  command.summary = "write logits, loss and gradients of given ids to a file";
  command.usage = {
      "forward --model DIR --source-ids F --target-ids F --out F.safetensors [--gradients]"};
  command.description =
      "Runs a model once, so that its numbers can be compared with another program's. The files "
      "have one sentence of token ids per line. The encoder reads source lines as they are; of a "
      "target line of n ids the decoder reads the first n-1 and is scored on the last n-1.\n\n"
      "The file that it writes, in the safetensors format, has logits [sum of n-1, vocabulary], "
      "loss [1], the mean over tokens with the model's label smoothing and no dropout, and with "
      "--gradients grad.NAME for each parameter: the gradient of that loss.";
  command.examples = {
      "echo \"7 4 11 11 14 2\" > source.ids",
      "echo \"1 7 4 11 11 14 2\" > target.ids",
      "attention forward --model runs/copy --source-ids source.ids \\",
      "  --target-ids target.ids --out forward.safetensors --gradients",
  };
  command.groups = {
      {"Options",
       {{"model", "DIR", "the directory of the run, or a .safetensors file in it", "", true},
        {"source-ids", "F", "what the encoder reads", "", true},
        {"target-ids", "F", "what the decoder reads and predicts", "", true},
        {"out", "F", "the file to write; one that is there is replaced", "", true},
        {"gradients", "", "also the gradient of the loss for every parameter"}}}};
  command.run = run_forward;
  return command;
}

}  // namespace attn::app
