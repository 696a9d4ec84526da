// attention export: a model's weights for PyTorch.
#include "app/commands.h"
#include "model/pytorch.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

int run_export(const Arguments& arguments) {
  arguments.check_output("pytorch", {"model"});
  const auto model = load_transformer(arguments.value("model"));
  write_pytorch(arguments.value("pytorch"), *model);
  return 0;
}

}  // namespace

Command export_command() {
  Command command;
  command.name = "export";
  command.summary = "write a model's weights for PyTorch";
  command.usage = {"export --model DIR --pytorch F.safetensors"};
  command.description =
      "Writes the weights under the names and in the layouts of torch.nn: those in encoder.* load "
      "into torch.nn.TransformerEncoder, those in decoder.* into TransformerDecoder, made with "
      "norm=None for a post-norm model, and norm_first=True and a LayerNorm for a pre-norm model. "
      "Attention biases, which the paper's model does not have, are zeros. Next to them are "
      "embedding.weight or, untied, source_embedding.weight, target_embedding.weight and "
      "projection.weight, and the tables of learned positions. The metadata hold the "
      "configuration.\n\n"
      "PyTorch has no d_k or d_v other than d_model/h; such models are refused.";
  command.examples = {"attention export --model runs/copy --pytorch copy.safetensors"};
  command.groups = {
      {"Options",
       {{"model", "DIR", "the directory of the run, or a .safetensors file in it", "", true},
        {"pytorch", "F", "the file to write; one that is there is replaced", "", true}}}};
  command.run = run_export;
  return command;
}

}  // namespace attn::app
