// attention trace: every intermediate value of one sentence pair, forward or backward.
#include "trace/trace.h"

#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/console.h"
#include "app/trained_model.h"
#include "base/utf8.h"
#include "decoding/greedy.h"
#include "model/transformer.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "trace/example.h"
#include "trace/select.h"
#include "trace/trace_text.h"

namespace attn::app {

namespace {

// What is traced: a model, and a sentence pair for it.
struct Subject {
  std::unique_ptr<SequenceModel> model;
  Vocabulary vocabulary;
  std::string source, target;
  bool translated = false;  // the target is the model's own
  Batch batch;
  TraceTokens tokens;
};

const Config& config_of(const Subject& subject) {
  return dynamic_cast<const Transformer&>(*subject.model).config();
}

void say_unknown(const Vocabulary& vocabulary, const std::string& sentence) {
  for (const std::string_view word : words(sentence)) {
    if (vocabulary.id(word) == kUnknown) say(text(word, " is not in the vocabulary: <unk>"));
  }
}

// A trace keeps S, A and P of every head at once. Source and target with <eos> or <bos>.
void check_room(const Config& config, Index source, Index target) {
  constexpr Index kMostScores = Index{1} << 26;  // about a gigabyte in all
  const Index scores =
      config.layers * config.heads * (source * source + target * target + target * source);
  ATTN_CHECK(scores <= kMostScores, grouped(source - 1), " and ", grouped(target - 1),
             " words have ", grouped(scores),
             " attention scores in this model; a trace has room for ", grouped(kMostScores),
             ": take shorter sentences");
}

Subject subject_of(const Arguments& arguments) {
  const std::vector<std::string>& given = arguments.operands();
  if (given.size() > 2) {
    fail_usage("'", given[2], "' is one sentence too many; write a sentence in quotes");
  }
  Subject subject;
  const bool trained = arguments.has("model");
  if (trained && given.empty()) fail_usage("a trained model needs a \"source\" sentence");
  if (trained) {
    TrainedModel loaded = load_trained_model(arguments.value("model"));
    subject.model = std::move(loaded.model);
    subject.vocabulary = std::move(loaded.vocabulary);
    ATTN_CHECK(dynamic_cast<Transformer*>(subject.model.get()) != nullptr, arguments.value("model"),
               ": not a Transformer");
  } else {
    TraceExample example = trace_example();
    subject.model = std::move(example.model);
    subject.vocabulary = std::move(example.vocabulary);
  }

  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::size_t valid = first_invalid_utf8(given[i]);
    ATTN_CHECK(valid == given[i].size(), "the ", i == 0 ? "source" : "target",
               " sentence is not UTF-8 at byte ", valid + 1);
  }
  const Vocabulary& vocabulary = subject.vocabulary;
  subject.source = given.empty() ? kExampleSource : given[0];
  const std::vector<int> source = encode_source(vocabulary, subject.source);
  ATTN_CHECK(source.size() > 1, "the source sentence has no words");
  const Index source_tokens = static_cast<Index>(source.size());
  check_length(*subject.model, source_tokens, "source");
  say_unknown(vocabulary, subject.source);

  // Without a target, the model's own; the fixed model's sentence has one.
  if (given.size() == 2) {
    subject.target = given[1];
    say_unknown(vocabulary, subject.target);
  } else if (given.empty()) {
    subject.target = kExampleTarget;
  } else {
    PackedIds packed;
    packed.append(source);
    subject.target = vocabulary.decode(decode_greedily(*subject.model, packed).front());
    subject.translated = true;
  }
  const std::vector<int> target = encode_target(vocabulary, subject.target);
  const Index target_tokens = static_cast<Index>(target.size()) - 1;
  check_length(*subject.model, target_tokens, "target");
  check_room(config_of(subject), source_tokens, target_tokens);
  subject.batch.append(source, target);
  subject.tokens = trace_tokens(subject.batch, vocabulary);
  return subject;
}

std::string joined(const Labels& words_) {
  std::string line;
  for (const std::string& word : words_) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::string opening_text(const Subject& subject, const Arguments& arguments) {
  const Config& c = config_of(subject);
  std::string result = arguments.has("model") ? "Model " + arguments.value("model")
                                              : std::string("The walkthrough's model");
  result +=
      text("\n  N = ", c.layers, ", d_model = ", c.d_model, ", h = ", c.heads, ", d_k = ", c.d_k,
           ", d_v = ", c.d_v, ", d_ff = ", c.d_ff, ", V = ", c.target_vocabulary, ", ",
           c.norm == NormPlacement::post ? "post" : "pre",
           "-norm, ε_ls = ", shortest(c.label_smoothing), "\n\n");
  result += "The encoder reads     " + joined(subject.tokens.source) + '\n';
  result += "The decoder reads     " + joined(subject.tokens.target_input) + '\n';
  result += "and is to predict     " + joined(subject.tokens.target_output);
  result += subject.translated ? "    (the model's own translation)\n" : "\n";
  return result;
}

// With --only the values alone, whole: what one quotes.
void put_only(const std::vector<TraceValue>& values) {
  const char* between = "";
  for (const TraceValue& value : values) {
    put(std::exchange(between, "\n") + value_text(value, true));
  }
}

void put_all(const Subject& subject, const std::vector<TraceValue>& values,
             const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  put(opening_text(subject, arguments));
  put("To see less: --layer N, --head N, --only NAME (as printed, or its last part, such as ");
  put(backward ? "dS).\n" : "S).\n");
  if (!backward) put("The weights as well: --weights. The gradients instead: --backward.\n");
  std::string stage;
  for (const TraceValue& value : values) {
    if (value.stage != stage) {
      stage = value.stage;
      std::string line = "── " + stage + " ";
      while (display_width(line) < 100) line += "─";
      put("\n" + line + "\n");
    }
    put("\n" + value_text(value, false));
  }
}

void put_json(const Subject& subject, const std::vector<TraceValue>& values) {
  Json result = Json::object(
      {{"trace", Json::object({{"source", subject.source},
                               {"target", subject.target},
                               {"translated", subject.translated},
                               {"configuration", settings_json(subject.model->settings())}})}});
  for (const TraceValue& value : values) result.add(value.name, value_json(value));
  put(to_json(result) + '\n');
}

TraceSelection selection_of(const Arguments& arguments, const Config& config) {
  TraceSelection selection;
  selection.layer = arguments.number_or("layer", -1, 0, config.layers - 1);
  selection.head = arguments.number_or("head", -1, 0, config.heads - 1);
  selection.weights = arguments.has("weights");
  if (arguments.has("only")) selection.names = split(arguments.value("only"), ',');
  return selection;
}

int run_trace(const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  if (backward && arguments.has("weights")) {
    fail_usage("--weights goes with the forward pass; --backward shows the weights' gradients");
  }
  const Subject subject = subject_of(arguments);
  const TraceSelection selection = selection_of(arguments, config_of(subject));
  std::vector<TraceValue> values =
      (backward ? trace_backward : trace_forward)(*subject.model, subject.batch, subject.tokens);
  try {
    values = selected(std::move(values), selection);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.has("json")) {
    put_json(subject, values);
  } else if (arguments.has("only")) {
    put_only(values);
  } else {
    put_all(subject, values, arguments);
  }
  return 0;
}

}  // namespace

Command trace_command() {
  Command command;
  command.name = "trace";
  command.summary = "show every intermediate value, named as in the paper";
  command.usage = {"trace [options] [\"source\" [\"target\"]]"};
  command.description =
      "Prints every value on the way from a sentence to the loss, in order, with its shape, its "
      "formula, the section of the paper that defines it and the function that makes it. Dropout "
      "is off. With "
      "--backward, every gradient on the way back.\n\n"
      "Without --model it shows the walkthrough's model: one layer, d_model 4, two heads, weights "
      "that are short decimals, small enough to check with a pencil. Its sentence pair is Jane "
      "visite l'Afrique en septembre, Jane visits Africa in September. With a source and no "
      "target, the target is what the model makes of the source.\n\n"
      "Names have parts with dots between. Layers and heads count from 0. encoder.0 and decoder.0 "
      "have self_attention, feed_forward, and for the sum and norm around them "
      "self_attention_norm, feed_forward_norm; a decoder also cross_attention. In an attention "
      "there are heads.0.Q K V S A P O, then concat and output; in a feed_forward inner, hidden, "
      "output; in a norm sum, mean, inv_std, x_hat. Between the sub-layers are attended, informed "
      "(after cross_attention) and output. Outside of layers: x, source.embedding, "
      "source.position, e, z; y_shifted, target.embedding, target.position, g, h; logits, p, y, "
      "q, losses, loss. A gradient's name has a d before the last part: dz, "
      "encoder.0.self_attention.heads.0.dS; --backward --only S finds it too. The parts of the "
      "gradient of a tied E are dE.logits, "
      "dE.target, dE.source; the paths back through an attention are du_Q, du_K, du_V (dz_K, dz_V "
      "to the encoder).\n\n"
      "--only takes a name, some parts of it that stand together (S, heads.1, encoder.0), or a "
      "word for it (queries, keys, values, scores, masked, weights, outputs, ids); several with "
      "commas between. In the JSON object element (2, 1) of e is e.data[2][1], counted from 0, and "
      "null is minus infinity, a score behind the mask.";
  command.examples = {
      "attention trace",
      "attention trace --only S,A,P --layer 0 --head 0",
      "attention trace --backward --only cross_attention",
      "attention trace --weights --json",
      "attention trace --model runs/copy --only cross_attention.heads.0.P \"h e l l o\"",
  };
  command.groups = {{"Options",
                     {{"model", "DIR", "the directory of the run"},
                      {"backward", "", "the gradients instead, from the loss back"},
                      {"weights", "", "also the weights, before the values they make"},
                      {"layer", "N", "only layer N of encoder and decoder"},
                      {"head", "N", "only head N of each attention"},
                      {"only", "NAME", "only values of this name, with nothing left out of them"},
                      {"json", "", "print one JSON object instead"}}}};
  command.operands = "[\"source\" [\"target\"]]";
  command.run = run_trace;
  return command;
}

}  // namespace attn::app
