// attention-lab export, import: a model's weights for PyTorch, and a model from such weights.
#include <memory>
#include <optional>
#include <string>

#include "app/terminal/console.h"
#include "lab/commands/commands.h"
#include "lab/peers/pytorch.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "text/corpus.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

std::unique_ptr<SequenceModel> model_of(const Arguments& arguments, TensorFile& file, Index heads,
                                        NormPlacement norm) {
  const std::string& path = arguments.value("pytorch");
  const std::string& name = arguments.choice("architecture", {"transformer", "decoder"});
  if (name == "decoder") return take_pytorch<DecoderOnly>(file, path, heads, norm);
  return take_pytorch(file, path, heads, norm);
}

// None if sources and targets have different ones, which a run cannot hold.
std::optional<Tokenizer> tokenizer_of(const Arguments& arguments, const Metadata& metadata,
                                      const SequenceModel& model) {
  const Index size = model.facts.source_vocabulary;
  const bool shared = size == model.facts.target_vocabulary;
  if (!arguments.has("tokenizer")) {
    return shared ? std::optional(ids_as_words(size)) : std::nullopt;
  }
  const std::string& path = arguments.value("tokenizer");
  Tokenizer tokenizer = Tokenizer::parse(read_file(path), path);
  ATTN_CHECK(shared && tokenizer.size() == size, path, ": ", tokenizer.size(),
             " tokens, but the model has ", size, " source and ", model.facts.target_vocabulary,
             " target tokens");
  const std::string& weights = arguments.value("pytorch");
  ATTN_CHECK(may_go_with(tokenizer, metadata), path, " is not the tokenizer that ", weights,
             " was trained with; name that one");
  return tokenizer;
}

// Of a language model, the tokens that it reads at a time; 0 if it is of pairs of sentences.
Index context_of(const Arguments& arguments, const Metadata& metadata) {
  if (arguments.has("context")) return arguments.number("context", 2, kLongestSentence);
  if (arguments.value("architecture") != "decoder") return 0;
  return attn::context_of(metadata, arguments.value("pytorch"));
}

}  // namespace

int run_export(const Arguments& arguments) {
  const std::string& path = arguments.output("pytorch");
  Metadata metadata, more;
  const auto model = load_model(arguments, &metadata);
  for (const char* name : {"context", "tokenizer_hash"}) {
    if (metadata.count(name) > 0) more[name] = metadata.at(name);
  }
  write_pytorch(path, *model, more);
  say(text("wrote ", counted(model->facts.weights, "weight"), " to ", path));
  return 0;
}

int run_import(const Arguments& arguments) {
  const Index heads = arguments.number("heads", 1, 1 << 20);
  const bool pre = arguments.choice("norm", {"post", "pre"}) == "pre";
  if (arguments.value("architecture") != "decoder") {
    arguments.refuse({"context"}, "is for a language model: --architecture decoder");
  }
  TensorFile file = read_safetensors(arguments.value("pytorch"));
  const Index context = context_of(arguments, file.metadata);
  const std::unique_ptr<SequenceModel> model =
      model_of(arguments, file, heads, pre ? NormPlacement::pre : NormPlacement::post);
  check_context(*model, context, arguments.value("pytorch"));
  const std::optional<Tokenizer> tokenizer = tokenizer_of(arguments, file.metadata, *model);
  create_model(arguments.value("out"), *model, tokenizer, context);
  const Settings settings = model->facts.settings;
  say(text("made ", arguments.value("out"), ": ", settings.at("architecture"), ", layers ",
           settings.at("layers"), ", d_model ", settings.at("d_model"), ", ",
           counted(model->facts.weights, "weight"),
           arguments.has("tokenizer") || !tokenizer ? "" : "; its words are ids"));
  const bool tied = settings.at("tie_embeddings") == "yes";
  if (!tied && file.metadata.count("config.tie_embeddings") == 0) {
    say("the embeddings and the projection are different matrices: the model is untied");
  }
  if (!tokenizer) {
    warn("the model has ", model->facts.source_vocabulary, " source and ",
         model->facts.target_vocabulary,
         " target tokens, and a tokenizer has one number of them: forward and inspect can read ",
         "it, translate and evaluate cannot");
  }
  return 0;
}

}  // namespace attn::app
