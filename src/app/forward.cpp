// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/console.h"
#include "base/settings.h"
#include "model/transformer.h"
#include "storage/safetensors.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

// One sentence of ids a line, each of at least `least` ids below `vocabulary`.
std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t least,
                                       Index vocabulary) {
  std::vector<std::vector<int>> sentences;
  for (const std::string& line : read_lines(path)) {
    const std::string where = text(path, ", line ", sentences.size() + 1);
    std::vector<int> ids;
    for (const std::string_view word : words(line)) {
      int id = -1;
      try {
        id = parse_number<int>(std::string(word), "an id");
      } catch (const Error&) {
      }
      ATTN_CHECK(id >= 0 && id < vocabulary, where, ": expected ids from 0 to ", vocabulary - 1,
                 ", not '", word, "'");
      ids.push_back(id);
    }
    ATTN_CHECK(ids.size() >= least, where, ": ", ids.size(), ids.size() == 1 ? " id" : " ids",
               ", expected at least ", least);
    sentences.push_back(std::move(ids));
  }
  ATTN_CHECK(!sentences.empty(), path, " is empty, expected one sentence of ids a line");
  return sentences;
}

// Throws unless the model can read each sentence, less the ids that it does not read.
void check_lengths(const SequenceModel& model, const std::vector<std::vector<int>>& sentences,
                   std::size_t unread, const std::string& path) {
  for (std::size_t n = 0; n < sentences.size(); ++n) {
    const Index read = static_cast<Index>(sentences[n].size() - unread);
    ATTN_CHECK(read <= model.longest_sentence(), path, ", line ", n + 1, ": ", read,
               " ids to read, but the model has learned ", model.longest_sentence(), " positions");
  }
}

Batch read_batch(const Arguments& arguments, const SequenceModel& model) {
  const std::string& source_path = arguments.value("source-ids");
  const std::string& target_path = arguments.value("target-ids");
  const auto sources = read_ids(source_path, 1, model.source_vocabulary());
  const auto targets = read_ids(target_path, 2, model.target_vocabulary());
  ATTN_CHECK(sources.size() == targets.size(), source_path, " has ", sources.size(), " lines and ",
             target_path, " has ", targets.size(), ": line n of the one goes with line n of the ",
             "other");
  check_lengths(model, sources, 0, source_path);
  check_lengths(model, targets, 1, target_path);
  Batch batch;
  for (std::size_t n = 0; n < sources.size(); ++n) batch.append(sources[n], targets[n]);
  return batch;
}

int run_forward(const Arguments& arguments) {
  const auto model = load_model(arguments.value("model"));
  const auto* transformer = dynamic_cast<const Transformer*>(model.get());
  ATTN_CHECK(transformer != nullptr, arguments.value("model"), ": not a Transformer");
  const Batch batch = read_batch(arguments, *model);

  const Tensor logits = transformer->logits(batch);
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
      "have one sentence of token ids a line. The encoder reads source lines as they are; of a "
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
  command.groups = {{"Options",
                     {{"model", "DIR", "the directory of the run", "", true},
                      {"source-ids", "F", "what the encoder reads", "", true},
                      {"target-ids", "F", "what the decoder reads and predicts", "", true},
                      {"out", "F", "the file to write; one that is there is replaced", "", true},
                      {"gradients", "", "also the gradient of the loss for every parameter"}}}};
  command.run = run_forward;
  return command;
}

}  // namespace attn::app
