// attention translate: sentences from standard input, translations to standard output.
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/console.h"
#include "app/line_reader.h"
#include "app/trained_model.h"
#include "decoding/greedy.h"
#include "storage/json.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn::app {

namespace {

// Tells of each word that the model does not know once, and of no more than a few.
class UnknownWords {
 public:
  void look_at(const Vocabulary& vocabulary, std::string_view line, std::int64_t number) {
    constexpr std::size_t kMost = 5;
    for (const std::string_view word : words(line)) {
      if (told_.size() > kMost) return;
      if (vocabulary.id(word) != kUnknown || !told_.emplace(word).second) continue;
      if (told_.size() > kMost) {
        say("attention: warning: there are more unknown words; no more is said about them");
      } else {
        // Quoted as in JSON, so that no control character reaches the terminal.
        say(text("attention: warning: line ", number, ": the model does not know the word ",
                 to_json(std::string(word)), ", and reads <unk>"));
      }
    }
  }

 private:
  std::set<std::string> told_;
};

// Lines that are translated together; an empty line stays one.
struct Lines {
  std::vector<std::vector<int>> ids;  // without <eos>
  Index tokens = 0;
};

void answer(const TrainedModel& trained, const Lines& lines, Index max_extra) {
  PackedIds source;
  for (std::vector<int> ids : lines.ids) {
    if (ids.empty()) continue;
    ids.push_back(kEos);
    source.append(ids);
  }
  const auto outputs = decode_greedily(*trained.model, source, {max_extra});
  std::size_t next = 0;
  for (const std::vector<int>& ids : lines.ids) {
    put(ids.empty() ? "\n" : trained.vocabulary.decode(outputs[next++]) + '\n');
  }
  flush_output();
}

int run_translate(const Arguments& arguments) {
  const Index max_extra = arguments.number_or("max-extra", 50, 0, 100000);
  const TrainedModel trained = load_trained_model(arguments.value("model"));
  LineReader reader;
  UnknownWords unknown;

  for (bool at_end = false; !at_end;) {
    // Collect lines while there are some at hand. If one is wrong, those before it are answered
    // first.
    Lines lines;
    std::exception_ptr error;
    try {
      do {
        const std::optional<std::string> line = reader.next();
        at_end = !line;
        if (at_end) break;
        std::vector<int> ids = trained.vocabulary.encode(*line);
        check_length(*trained.model, static_cast<Index>(ids.size()) + 1,
                     text("standard input, line ", reader.line()));
        unknown.look_at(trained.vocabulary, *line, reader.line());
        lines.tokens += static_cast<Index>(ids.size()) + 1;
        lines.ids.push_back(std::move(ids));
      } while (reader.ready() && lines.tokens < kTokensAtOnce);
    } catch (const Error&) {
      error = std::current_exception();
    }
    answer(trained, lines, max_extra);
    if (error) std::rethrow_exception(error);
  }
  return 0;
}

}  // namespace

Command translate_command() {
  Command command;
  command.name = "translate";
  command.summary = "translate the lines of standard input";
  command.usage = {"translate --model DIR [--max-extra N] < sentences > translations"};
  command.description =
      "Writes one line for each line it reads: at each step the most probable token, until the end "
      "of the sentence. Words are separated by spaces; words that the model has not seen in "
      "training are read as <unk>. A line's translation does not depend on the lines around it, "
      "and comes as soon as the line has been read. An empty line stays empty.";
  command.examples = {
      "echo \"h e l l o\" | attention translate --model runs/reverse",
      "attention translate --model runs/text < test.fr > test.en",
  };
  command.groups = {{"Options",
                     {{"model", "DIR", "the directory of the run", "", true},
                      {"max-extra", "N",
                       "a translation has at most so many words more than the line (6.1)", "50"}}}};
  command.run = run_translate;
  return command;
}

}  // namespace attn::app
