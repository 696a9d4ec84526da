// attention attend: where a model looks while it translates a sentence.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "base/platform.h"
#include "lab/figures/attention_page.h"
#include "lab/trace/attention_maps.h"
#include "storage/atomic_file.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

TraceSubject asked_about(const Arguments& arguments) {
  const std::vector<std::string>& given = arguments.operands();
  if (given.empty()) fail_usage("attend needs a \"source\" sentence");
  if (given.size() > 2) {
    fail_usage("'", given[2], "' is one sentence too many; write a sentence in quotes");
  }
  TrainedModel trained = load_trained_model(arguments.value("model"));
  UnknownWords unknown(trained.tokenizer);
  return trace_subject(std::move(trained.model), std::move(trained.tokenizer), given,
                       [&](std::string_view word) { unknown.tell(word, ""); });
}

int run_attend(const Arguments& arguments) {
  constexpr Index kMost = 1 << 20;
  const Index layer = arguments.number_or("layer", -1, 0, kMost);
  const Index head = arguments.number_or("head", -1, 0, kMost);
  const TraceSubject subject = asked_about(arguments);
  std::vector<AttentionMaps> attentions = attention_maps(*subject.model, subject.batch);
  try {
    attentions = selected(std::move(attentions), layer, head);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.has("svg")) {
    write_file(arguments.value("svg"), document(attention_page(subject, attentions)));
  }
  if (arguments.has("json")) {
    put(to_json(attention_json(subject, attentions)) + '\n');
  } else if (!arguments.has("svg")) {
    using namespace platform;
    const int columns = is_terminal(standard_output) ? std::max(20, terminal_columns()) : 80;
    put(attention_text(subject, attentions, static_cast<std::size_t>(columns),
                       shows_colour(standard_output)));
  }
  return 0;
}

}  // namespace

Command attend_command() {
  Command command;
  command.name = "attend";
  command.summary = "show where a model looks while it translates";
  command.usage = {"attend --model DIR [options] \"source\" [\"target\"]"};
  command.description =
      "Draws the weights of every attention (3.2.3): where the words of the source look among "
      "themselves, where those of the translation do, and where in the source the decoder looks "
      "for the next word. A row is a word that looks, a column one that is looked at; the weights "
      "of a row add up to 1. In colour, the largest of each row stands out.\n\n"
      "Any model that attends will do: a Transformer, a recurrent one with attention, ConvS2S. "
      "Without a target, the model translates first, greedily. Layers and heads count from 0. "
      "Dropout is off.\n\n"
      "--svg draws a picture instead, for a browser. --json prints the weights, under the names "
      "that trace gives them; in that object rows are the words that are read and, of a decoder, "
      "writes those that follow.";
  command.examples = {
      "attention attend --model runs/copy \"h e l l o\"",
      "attention attend --model data/phrasebook --layer 1 \"un avocat mange un avocat\"",
      "attention attend --model data/phrasebook --svg heads.svg \"la vache blanche\"",
  };
  command.groups = {
      {"Options",
       {{"model", "DIR", "the directory of the run, or a .safetensors file in it", "", true},
        {"layer", "N", "only layer N of encoder and decoder"},
        {"head", "N", "only head N of each attention"},
        {"svg", "F", "draw into the file F instead"},
        {"json", "", "print one JSON object instead"}}}};
  command.operands = "\"source\" [\"target\"]";
  command.run = run_attend;
  return command;
}

}  // namespace attn::app
