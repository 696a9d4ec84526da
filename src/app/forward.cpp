// attention forward: logits, loss and gradients of given ids, for comparison with other programs.
// Ids are checked where they are read: a model takes whatever it is given.
#include <algorithm>

#include "app/options.h"
#include "base/number.h"
#include "storage/safetensors.h"
#include "text/lines.h"

namespace attn::app {

// A file of ids, one sentence per line, of which the model reads all but the last `unread`.
static std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t unread,
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
    ATTN_CHECK(ids.size() > unread, where, ": ", counted(ids.size(), "id"), ", expected at least ",
               unread + 1);
    const Index read = ids.size() - unread;
    ATTN_CHECK(read <= longest, where, ": ", read, " ids to read, but the model reads at most ",
               longest);
    sentences.push_back(std::move(ids));
  }
  return sentences;
}

// Of a target, the decoder reads all ids but the last and predicts all but the first.
static Batch read_id_pairs(const std::string& source_path, const std::string& target_path,
                           const SequenceModel& model) {
  const Index longest = model.facts.longest_sentence;
  const auto sources = read_ids(source_path, 0, model.facts.source_vocabulary, longest);
  const auto targets = read_ids(target_path, 1, model.facts.target_vocabulary, longest);
  check_same_lines(source_path, sources.size(), target_path, targets.size());
  Batch batch;
  for (std::size_t n = 0; n < sources.size(); ++n) batch.append(sources[n], targets[n]);
  return batch;
}

// Of a model that reads a pair as one sequence: a sequence per line, as long as both sides may be.
static Batch read_id_sequences(const std::string& path, const SequenceModel& model, Index context) {
  const Settings& s = model.facts.settings;
  const bool learned = s.at("positions") == "learned";
  Index longest =
      learned ? parse_number<Index>(s.at("max_positions"), "a whole number") : kAnyLength;
  if (context > 0) longest = std::min(longest, context);
  Batch batch;
  for (const std::vector<int>& ids : read_ids(path, 1, model.facts.target_vocabulary, longest)) {
    batch.append({}, ids);
  }
  return batch;
}

int run_forward(const Arguments& arguments) {
  const std::string& out = arguments.output("out");
  Metadata metadata;
  const auto model = load_model(arguments, &metadata);
  const bool one_sequence = model->facts.one_sequence;
  const bool has_targets = arguments.has("target-ids");
  check_usage(!one_sequence || !has_targets,
              "a decoder-only model reads one sequence: --source-ids, without --target-ids");
  check_usage(one_sequence || has_targets, "forward needs --target-ids F: what is predicted");
  const std::string& source = arguments.value("source-ids");
  const Index context = one_sequence ? context_of(metadata, arguments.value("model")) : 0;
  const Batch batch = one_sequence ? read_id_sequences(source, *model, context)
                                   : read_id_pairs(source, arguments.value("target-ids"), *model);

  // The model shows its logits some rows at a time.
  Tensor logits =
      Tensor::uninitialised({predicted_tokens(*model, batch), model->facts.target_vocabulary});
  Real* next = logits.data();
  const Observer keep_logits = [&](const std::string& name, const ConstMatrixView& rows) {
    if (name == "logits") next = std::copy_n(rows.data, rows.rows * rows.cols, next);
  };
  Tensor loss = Tensor::zeros({1});
  loss[0] = static_cast<Real>(model->loss(batch, Pass(keep_logits)).mean_loss());
  std::vector<NamedTensor> tensors{{"logits", &logits}, {"loss", &loss}};
  if (arguments.has("gradients")) {
    zero_gradients(*model);
    const Real scale = static_cast<Real>(1 / to_double(logits.rows()));
    model->loss_and_gradients(batch, DropoutMasks(), scale);
    model->visit_parameters([&](const std::string& name, Parameter& parameter) {
      tensors.push_back({"grad." + name, &parameter.gradient});
    });
  }
  write_safetensors(out, tensors);
  return 0;
}

}  // namespace attn::app
