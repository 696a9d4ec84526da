// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
// Ids are checked where they are read: a model takes whatever it is given.
#include "app/commands.h"
#include "base/format.h"
#include "base/number.h"
#include "model/transformer.h"
#include "storage/safetensors.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn::app {

std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t unread,
                                       Index vocabulary, Index longest) {
  std::vector<std::vector<int>> sentences;
  for (const std::string& line : read_text(path)) {
    const std::string where = text(path, ", line ", sentences.size() + 1);
    std::vector<int> ids;
    for (const std::string_view word : words(line)) {
      const int id = number_in<int>(word).value_or(-1);
      ATTN_CHECK(id >= 0 && id < vocabulary, where, ": expected ids from 0 to ", vocabulary - 1,
                 ", not '", word, "'");
      ids.push_back(id);
    }
    ATTN_CHECK(ids.size() > unread, where, ": ", counted(static_cast<Index>(ids.size()), "id"),
               ", expected at least ", unread + 1);
    const Index read = static_cast<Index>(ids.size() - unread);
    ATTN_CHECK(read <= longest, where, ": ", read, " ids to read, but the model has learned ",
               longest, " positions");
    sentences.push_back(std::move(ids));
  }
  return sentences;
}

Batch read_id_pairs(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model) {
  const Index longest = model.facts.longest_sentence;
  const auto sources = read_ids(source_path, 0, model.facts.source_vocabulary, longest);
  const auto targets = read_ids(target_path, 1, model.facts.target_vocabulary, longest);
  check_same_lines(source_path, sources.size(), target_path, targets.size());
  Batch batch;
  for (std::size_t n = 0; n < sources.size(); ++n) batch.append(sources[n], targets[n]);
  return batch;
}

void forward_pairs(const Arguments& arguments, SequenceModel& model) {
  const auto* const transformer = dynamic_cast<const Transformer*>(&model);
  ATTN_CHECK(transformer != nullptr, arguments.value("model"), ": not a Transformer, but ",
             model.facts.settings.at("architecture"));
  if (!arguments.has("target-ids")) fail_usage("forward needs --target-ids F: what is predicted");
  const Batch batch =
      read_id_pairs(arguments.value("source-ids"), arguments.value("target-ids"), model);
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
  write_safetensors(arguments.output("out"), tensors);
}

int run_forward(const Arguments& arguments) {
  arguments.output("out");
  forward_pairs(arguments, *load_model(arguments));
  return 0;
}

}  // namespace attn::app
