// attention import: a model from PyTorch's weights.
#include <optional>
#include <string>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "model/pytorch.h"
#include "storage/atomic_file.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

NormPlacement norm_of(const Arguments& arguments) {
  const std::string norm = arguments.value_or("norm", "post");
  if (norm != "post" && norm != "pre") fail_usage("--norm: expected post or pre, not '", norm, "'");
  return norm == "pre" ? NormPlacement::pre : NormPlacement::post;
}

// None if sources and targets have different ones, which a run cannot hold.
std::optional<Tokenizer> tokenizer_of(const Arguments& arguments, const TransformerConfig& config) {
  const Index size = config.source_vocabulary;
  const bool shared = size == config.target_vocabulary;
  if (!arguments.has("tokenizer")) {
    return shared ? std::optional(ids_as_words(size)) : std::nullopt;
  }
  const std::string& path = arguments.value("tokenizer");
  Tokenizer tokenizer = Tokenizer::parse(read_file(path), path);
  ATTN_CHECK(shared && tokenizer.size() == size, path, ": ", tokenizer.size(),
             " tokens, but the model has ", size, " source and ", config.target_vocabulary,
             " target tokens");
  return tokenizer;
}

int run_import(const Arguments& arguments) {
  const Index heads = arguments.number_or("heads", 0, 1, 1 << 20);
  const NormPlacement norm = norm_of(arguments);
  const auto model = read_pytorch(arguments.value("pytorch"), heads, norm);
  const std::optional<Tokenizer> tokenizer = tokenizer_of(arguments, model->config());
  create_model(arguments.value("out"), *model, tokenizer);
  if (!tokenizer) {
    say(text("attention: warning: the model has ", model->source_vocabulary(), " source and ",
             model->target_vocabulary(),
             " target tokens, and a tokenizer has one number of them: forward and inspect can read "
             "it, translate and evaluate cannot"));
  }
  return 0;
}

}  // namespace

Command import_command() {
  Command command;
  command.name = "import";
  command.summary = "turn PyTorch's weights into a model";
  command.usage = {
      "import --pytorch F.safetensors --heads N [--norm pre] [--tokenizer F] --out DIR"};
  command.description =
      "Reads weights under the names and in the layouts that export writes, those of "
      "torch.nn.TransformerEncoder and TransformerDecoder, in float32 or float64, and makes a "
      "directory of them that inspect, forward, translate and evaluate read. Sizes, layers, tied "
      "embeddings, learned positions and attention biases (none if absent or all zero) are those "
      "of the tensors. Dropout and label smoothing, which weights do not tell, are the paper's "
      "0.1. Post-norm models have no norm after the stacks; torch.nn.Transformer adds some.\n\n"
      "Without a tokenizer, the words of the model are its ids: the tokens are <unk>, <bos>, "
      "<eos>, 3, 4, 5 and so on. A model with more source than target tokens, or fewer, gets no "
      "tokenizer: forward and inspect can read it, translate and evaluate cannot.";
  command.examples = {
      "attention import --pytorch copy.safetensors --heads 4 --out runs/imported",
      "attention translate --model runs/imported",
  };
  command.groups = {
      {"Options",
       {{"pytorch", "F", "the file to read", "", true},
        {"heads", "N", "how many heads each attention has", "", true},
        {"norm", "post|pre", "LayerNorm after each sub-layer, or before", "post"},
        {"tokenizer", "F", "a tokenizer.txt with the words of the model", "ids as words"},
        {"out", "DIR", "the directory to make", "", true}}}};
  command.run = run_import;
  return command;
}

}  // namespace attn::app
