// attention trace: every intermediate value of one sentence pair, forward or backward.
#include "lab/trace/trace.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "lab/trace/example.h"
#include "lab/trace/subject.h"
#include "lab/trace/trace_text.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

TraceSubject subject_of(const Arguments& arguments) {
  const std::vector<std::string>& given = arguments.operands();
  if (given.size() > 2) {
    fail_usage("'", given[2], "' is one sentence too many; write a sentence in quotes");
  }
  const bool trained = arguments.has("model");
  if (trained && given.empty()) fail_usage("a trained model needs a \"source\" sentence");
  std::unique_ptr<SequenceModel> model;
  Tokenizer tokenizer;
  if (trained) {
    model = load_model(arguments.value("model"));
    tokenizer = load_tokenizer(arguments.value("model"), *model);
  } else {
    TraceExample example = trace_example();
    model = std::move(example.model);
    tokenizer = std::move(example.tokenizer);
  }
  UnknownWords unknown(tokenizer);
  return trace_subject(std::move(model), std::move(tokenizer), given,
                       [&](std::string_view word) { unknown.tell(word, ""); });
}

// With --only the values alone, whole: what one quotes.
void put_only(const std::vector<TraceValue>& values) {
  const char* between = "";
  for (const TraceValue& value : values) {
    put(std::exchange(between, "\n") + value_text(value, true));
  }
}

void put_all(const TraceSubject& subject, const std::vector<TraceValue>& values,
             const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  const bool trained = arguments.has("model");
  put(opening_text(subject,
                   trained ? "Model " + arguments.value("model") : "The walkthrough's model"));
  put("To see less: --layer N, --head N, --only NAME (as printed, or its last part, such as ");
  put(backward ? "dS).\n" : "S).\n");
  if (!backward) put("The weights as well: --weights. The gradients instead: --backward.\n");
  std::string stage;
  for (const TraceValue& value : values) {
    if (value.stage != stage) put(stage_heading(stage = value.stage));
    put("\n" + value_text(value, false));
  }
}

TraceSelection selection_of(const Arguments& arguments, const Settings& settings) {
  const auto last = [&](const char* name) {
    const auto found = settings.find(name);
    return found == settings.end() ? 0 : parse_number<Index>(found->second, "a whole number") - 1;
  };
  TraceSelection selection;
  selection.layer = arguments.number_or("layer", -1, 0, last("layers"));
  selection.head = arguments.number_or("head", -1, 0, last("heads"));
  selection.weights = arguments.has("weights");
  if (arguments.has("only")) selection.names = split(arguments.value("only"), ',');
  return selection;
}

int run_trace(const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  if (backward && arguments.has("weights")) {
    fail_usage("--weights goes with the forward pass; --backward shows the weights' gradients");
  }
  const TraceSubject subject = subject_of(arguments);
  const TraceSelection selection = selection_of(arguments, subject.model->settings());
  std::vector<TraceValue> values =
      (backward ? trace_backward : trace_forward)(*subject.model, subject.batch, subject.tokens);
  try {
    values = selected(std::move(values), selection);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.has("json")) {
    put(to_json(trace_json(subject, values)) + '\n');
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
      "(after cross_attention) and output. Outside the layers: x, source.embedding, "
      "source.position, e, z; y_shifted, target.embedding, target.position, g, h; logits, p, y, "
      "q, losses, loss. A gradient's name has a d before the last part: dz, "
      "encoder.0.self_attention.heads.0.dS; --backward --only S finds it too. The parts of the "
      "gradient of a tied E are dE.logits, "
      "dE.target, dE.source; the paths back through an attention are du_Q, du_K, du_V (dz_K, dz_V "
      "to the encoder).\n\n"
      "--only takes a name, some consecutive parts of it (S, heads.1, encoder.0), or a "
      "word for it (queries, keys, values, scores, masked, weights, outputs, ids); several with "
      "commas between. In the JSON object element (2, 1) of e is e.data[2][1], counted from 0, and "
      "null is minus infinity, a masked score.";
  command.examples = {
      "attention trace",
      "attention trace --only S,A,P --layer 0 --head 0",
      "attention trace --backward --only cross_attention",
      "attention trace --weights --json",
      "attention trace --model runs/copy --only cross_attention.heads.0.P \"h e l l o\"",
  };
  command.groups = {{"Options",
                     {{"model", "DIR", "the directory of the run, or a .safetensors file in it"},
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
