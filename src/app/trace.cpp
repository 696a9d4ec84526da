// attention trace: every intermediate value of one sentence pair, forward or backward.
#include <set>

#include "app/drawing/value_text.h"
#include "app/options.h"
#include "app/terminal/console.h"
#include "app/terminal/printing.h"
#include "app/terminal/unknown_words.h"
#include "text/lines.h"
#include "trace/trace_json.h"

namespace attn::app {

namespace {

TraceSubject subject_of(const Arguments& arguments) {
  const std::vector<std::string>& given = arguments.operands;
  const bool trained = arguments.has("model");
  check_usage(!trained || !given.empty(), "a trained model needs a \"source\" sentence");
  if (given.empty()) return trace_subject(trace_example(), {kExampleSource, kExampleTarget});
  return trace_subject(trained ? load_trained_model(arguments) : trace_example(), given);
}

// Whether the value, or the one it is a gradient of, has this name, or one with these parts.
bool is_named(const TraceValue& value, const std::string& wanted) {
  const std::string name = '.' + value.name + '.';
  return name.find('.' + wanted + '.') != name.npos ||
         name.find('.' + gradient_name(wanted) + '.') != name.npos;
}

// The values that the options select, in their order.
std::vector<TraceValue> selected(const Arguments& arguments, Trace trace) {
  const auto number = [&](const char* option, const char* setting) {
    const auto found = trace.settings.find(setting);
    const bool has = found != trace.settings.end();
    const Index count = has ? parse_number<Index>(found->second, "a whole number") : 1;
    return arguments.number_or(option, -1, 0, count - 1);
  };
  const Index layer = number("layer", "layers"), head = number("head", "heads");
  const std::vector<std::string> names =
      arguments.has("only") ? split(arguments.value("only"), ',') : std::vector<std::string>{};
  std::vector<TraceValue> result;
  std::vector<std::string> there;
  std::set<std::string> missing(names.begin(), names.end());
  for (TraceValue& value : trace.values) {
    if (value.backward != arguments.has("backward")) continue;
    if (value.weight && !arguments.has("weights")) continue;
    if (layer >= 0 && layer_of(value.name) != layer) continue;
    if (head >= 0 && head_of(value.name) != head) continue;
    const std::string last = last_of(value.name);
    if (!contains(there, last)) there.push_back(last);
    bool wanted = names.empty();
    for (const std::string& name : names) {
      if (!is_named(value, name)) continue;
      missing.erase(name);
      wanted = true;
    }
    if (wanted) result.push_back(std::move(value));
  }
  if (!missing.empty()) {
    fail_usage("nothing here is named '", *missing.begin(), "'; there are: ", comma_list(there));
  }
  return result;
}

// With --only the values alone, whole: what one quotes.
void put_only(const std::vector<TraceValue>& values) {
  const char* between = "";
  for (const TraceValue& value : values) {
    put(std::exchange(between, "\n") + printable(value_text(value, true)));
  }
}

// As many tokens as there is room for.
std::string fitted(const Labels& tokens, std::size_t room) {
  std::string line;
  for (const std::string& token : tokens) {
    const std::string more = line + (line.empty() ? "" : " ") + token;
    if (display_width(more) + 2 > room) return line + " …";
    line = more;
  }
  return line;
}

// What comes before the values: the sizes of the model, and the tokens.
std::string opening_text(const TraceSubject& subject) {
  const Settings settings = subject.model->facts.settings;
  // What an architecture has of these, under the paper's symbols.
  constexpr const char* kSizes[][3] = {{"architecture", "", ""},
                                       {"attention", "attention ", ""},
                                       {"layers", "N = ", ""},
                                       {"d_model", "d_model = ", ""},
                                       {"heads", "h = ", ""},
                                       {"d_k", "d_k = ", ""},
                                       {"d_v", "d_v = ", ""},
                                       {"d_ff", "d_ff = ", ""},
                                       {"target_vocabulary", "V = ", ""},
                                       {"norm", "", "-norm"},
                                       {"label_smoothing", "ε_ls = ", ""}};
  std::vector<std::string> sizes;
  for (const auto& [name, before, after] : kSizes) {
    const auto found = settings.find(name);
    if (found == settings.end() || found->second == "transformer") continue;
    sizes.push_back(before + found->second + after);
  }
  const TraceTokens& tokens = subject.tokens;
  const std::string note = subject.translated ? "    (the model's own translation)" : "";
  const std::size_t room = kTextColumns - 22;
  std::string result = "  " + comma_list(sizes) + "\n\n";
  if (subject.model->facts.one_sequence) {
    result += "The model reads       " + fitted(tokens.sequence, room) + '\n';
  } else {
    result += "The encoder reads     " + fitted(tokens.source, room) + '\n';
    result += "The decoder reads     " + fitted(tokens.target_input, room) + '\n';
  }
  const bool all = settings.count("loss") > 0 && settings.at("loss") == "all";
  result += "and is to predict     " +
            fitted(all ? tokens.following : tokens.target_output, room - note.size());
  return result + note + '\n';
}

void put_all(const TraceSubject& subject, const std::vector<TraceValue>& values,
             const Arguments& arguments) {
  const bool backward = arguments.has("backward"), trained = arguments.has("model");
  const std::string model =
      trained ? "Model " + arguments.value("model") : "The walkthrough's model";
  put(printable(model + '\n' + opening_text(subject)));
  put("To see less: --layer N, --head N, --only NAME (as printed, or its last part, such as ");
  put(backward ? "dS).\n" : "S).\n");
  if (!backward) put("The weights as well: --weights. The gradients instead: --backward.\n");
  std::string stage;
  for (const TraceValue& value : values) {
    if (value.stage != stage) {
      stage = value.stage;
      std::string line = "── " + stage + " ";
      while (display_width(line) < kTextColumns) line += "─";
      put("\n" + line + "\n");
    }
    put("\n" + printable(value_text(value, false)));
  }
}

}  // namespace

int run_trace(const Arguments& arguments) {
  const bool backward = arguments.has("backward");
  if (backward) {
    arguments.refuse({"weights"},
                     "goes with the forward pass; --backward shows the weights' gradients");
  }
  const TraceSubject subject = subject_of(arguments);
  tell_of_unknown_words(subject);
  const std::vector<TraceValue> values =
      selected(arguments, trace_of(*subject.model, subject.batch, subject.tokens, backward));
  if (arguments.has("json")) {
    Json json = Json::object({{"trace", subject_json(subject)}});
    for (const TraceValue& value : values) json.add(value.name, value_json(value));
    put(to_json(json) + '\n');
  } else if (arguments.has("only")) {
    put_only(values);
  } else {
    put_all(subject, values, arguments);
  }
  return 0;
}

}  // namespace attn::app
