// attention trace: every intermediate value of one sentence pair, forward or backward.
#include "trace/trace.h"

#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/model_options.h"
#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "text/lines.h"
#include "trace/example.h"
#include "trace/subject.h"
#include "trace/trace_text.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

TraceSubject subject_of(const Arguments& arguments) {
  const std::vector<std::string>& given = arguments.operands();
  if (!arguments.has("model")) {
    TraceExample example = trace_example();
    return trace_subject(std::move(example.model), std::move(example.tokenizer), given);
  }
  if (given.empty()) fail_usage("a trained model needs a \"source\" sentence");
  return trace_subject(load_trained_model(arguments), given);
}

// With --only the values alone, whole: what one quotes.
void put_only(const std::vector<TraceValue>& values) {
  const char* between = "";
  for (const TraceValue& value : values) {
    put(std::exchange(between, "\n") + printable(value_text(value, true)));
  }
}

void put_all(const TraceSubject& subject, const std::vector<TraceValue>& values,
             const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  const bool trained = arguments.has("model");
  put(printable(opening_text(
      subject, trained ? "Model " + arguments.value("model") : "The walkthrough's model")));
  put("To see less: --layer N, --head N, --only NAME (as printed, or its last part, such as ");
  put(backward ? "dS).\n" : "S).\n");
  if (!backward) put("The weights as well: --weights. The gradients instead: --backward.\n");
  std::string stage;
  for (const TraceValue& value : values) {
    if (value.stage != stage) put(stage_heading(stage = value.stage));
    put("\n" + printable(value_text(value, false)));
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
  selection.backward = arguments.has("backward");
  selection.weights = arguments.has("weights");
  if (arguments.has("only")) selection.names = split(arguments.value("only"), ',');
  return selection;
}

}  // namespace

int run_trace(const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  if (backward) {
    arguments.refuse({"weights"},
                     "goes with the forward pass; --backward shows the weights' gradients");
  }
  const TraceSubject subject = subject_of(arguments);
  UnknownWords unknown(subject.tokenizer);
  for (const std::string& word : subject.unknown) unknown.tell(word, "");
  const TraceSelection selection = selection_of(arguments, subject.model->facts.settings);
  Trace trace = trace_of(*subject.model, subject.batch, subject.tokens, backward);
  std::vector<TraceValue> values;
  as_usage_error(arguments, [&] { values = selected(std::move(trace.values), selection); });
  if (arguments.has("json")) {
    put(to_json(trace_json(subject, values)) + '\n');
  } else if (arguments.has("only")) {
    put_only(values);
  } else {
    put_all(subject, values, arguments);
  }
  return 0;
}

}  // namespace attn::app
