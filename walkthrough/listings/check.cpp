#include "check.h"

#include <algorithm>
#include <functional>
#include <set>

#include "links.h"
#include "once.h"
#include "values.h"

namespace listings {
namespace {

bool is_shell(const Block& block) {
  return is_one_of(block.language, {"sh", "bash", "shell", "console"});
}

// Lines without blanks at their ends, and without empty lines at the end.
Lines tidy(Lines lines) {
  for (std::string& line : lines) line.erase(line.find_last_not_of(" \t\r") + 1);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

class Chapter {
 public:
  Chapter(const Setup& setup, Sources& sources, Programs& programs, Document& document, bool update)
      : setup_(setup),
        sources_(sources),
        programs_(programs),
        document_(document),
        update_(update) {
    for (const Mark& mark : document_.marks) {
      if (mark.word == "command") guarded(mark.line, [&] { name_command(mark); });
    }
  }

  int checked() const { return checked_; }
  const std::vector<Edit>& edits() const { return edits_; }
  const std::vector<Printed>& printed_listings() const { return printed_listings_; }

  // Every block says what keeps it true, and every mark has what it speaks of.
  void check_marks() {
    std::set<int> above_blocks;
    for (const Block& block : document_.blocks) {
      if (!block.mark.word.empty()) above_blocks.insert(block.mark.line);
      const std::string problem = problem_with_mark(block);
      if (!problem.empty()) document_.complain(block.line, problem);
    }
    for (const Mark& mark : document_.marks) {
      if (is_one_of(mark.word, {"listing", "output", "run", "takes", "sketch"}) &&
          above_blocks.count(mark.line) == 0) {
        document_.complain(mark.line, "no block begins in the line below '" + mark.word + "'");
      }
      if (is_one_of(mark.word, {"number", "measured", "minutes"}) && mark.alone) {
        document_.complain(mark.line, "'" + mark.word + "' stands in a sentence, before a number");
      }
    }
  }

  void check_listings() {
    for (const Block& block : document_.blocks) {
      if (block.mark.word != "listing") continue;
      guarded(block.mark.line, [&] {
        const Selection selection = sources_.select(block.mark.rest);
        printed_listings_.push_back(printed_lines(document_.name, block.mark.line, selection));
        compare(block, selection.lines, "stale listing of " + block.mark.rest,
                selection.path + ":" + std::to_string(selection.ranges[0].first));
      });
    }
  }

  void check_outputs() {
    const Block* typed = nullptr;  // the last block of commands
    for (const Block& block : document_.blocks) {
      if (is_shell(block)) typed = &block;
      if (block.mark.word != "output") continue;
      guarded(block.mark.line, [&] {
        std::string command = block.mark.rest;
        if (command.empty()) {
          if (typed == nullptr || typed->lines.size() != 1) {
            throw Error("'output' without a command needs a block of one command above it");
          }
          command = typed->lines[0];
        }
        compare(block, lines_of(programs_.output(command_of(command))),
                "stale output of " + command, "what it prints now");
      });
    }
  }

  void check_numbers() {
    for (const Mark& mark : document_.marks) {
      if (mark.alone || !is_one_of(mark.word, {"number", "measured", "minutes"})) continue;
      guarded(mark.line, [&] {
        if (mark.word != "measured") {
          const std::string value = mark.word == "number" ? printed(mark.rest) : minutes(mark.rest);
          check_number(mark, mark.end, mark.rest, value);
          return;
        }
        std::size_t at = mark.end;
        for (const std::string& what : cells_named(mark.rest)) {
          if (at != mark.end) at = next_cell(at);
          at = check_number(mark, at, what, measured(what));
        }
      });
    }
  }

  // Whether the number at a byte of the text is the value of its source. Returns where it ends.
  std::size_t check_number(const Mark& mark, std::size_t at, const std::string& source,
                           const std::string& value) {
    const Shown shown = shown_at(document_.text, at);
    ++checked_;
    if (agrees(shown.text, value)) return shown.end;
    const std::string fresh = written_like(shown.text, value);
    if (update_) {
      edits_.push_back({shown.begin, shown.end, fresh});
    } else {
      document_.complain(mark.line,
                         "stale number: the text says " + shown.text + ", " + source + " is " +
                             value + (fresh == value ? "" : ", i.e. " + fresh),
                         true);
    }
    return shown.end;
  }

  void run_commands() {
    bool fresh = true;
    std::string folder = document_.name;
    std::replace(folder.begin(), folder.end(), '/', '_');
    for (const Block& block : document_.blocks) {
      if (block.mark.word != "run") continue;
      guarded(block.mark.line, [&] {
        ++checked_;
        programs_.run_block(block.lines, "run_" + folder, fresh);
      });
      fresh = false;
    }
  }

 private:
  // Turns an error into a finding at a line.
  void guarded(int line, const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      document_.complain(line, error.what());
    }
  }

  static std::string problem_with_mark(const Block& block) {
    const std::string& word = block.mark.word;
    if (is_shell(block) && !is_one_of(word, {"run", "takes", "listing"})) {
      return "a block of commands needs <!-- run --> or <!-- takes: how long --> in the line above";
    }
    if (word == "run" && !is_shell(block)) return "'run' is for ```sh blocks";
    if (word == "takes" && block.mark.rest.empty())
      return "'takes' says how long: takes: 2 minutes";
    if (word == "listing" && block.mark.rest.empty()) return "'listing' says what is listed";
    if (is_one_of(block.language, {"math", "mermaid"})) return "";
    if (is_one_of(word, {"listing", "output", "run", "takes", "sketch", "paper"})) return "";
    return "a block needs a mark in the line above: <!-- listing: … -->, <!-- output: … -->, "
           "<!-- paper --> if quoted, <!-- sketch --> if nothing keeps it true";
  }

  // NAME = COMMAND
  void name_command(const Mark& mark) {
    const std::size_t equals = mark.rest.find('=');
    const std::string name = trimmed(mark.rest.substr(0, equals));
    if (equals == npos || name.empty() || name.find(' ') != npos) {
      throw Error("expected command: NAME = COMMAND");
    }
    if (!commands_.emplace(name, trimmed(mark.rest.substr(equals + 1))).second) {
      throw Error("the command '" + name + "' has been named already");
    }
  }

  std::string command_of(const std::string& text) const {
    const auto named = commands_.find(text);
    return named == commands_.end() ? text : named->second;
  }

  void compare(const Block& block, const Lines& lines, const std::string& what,
               const std::string& source) {
    ++checked_;
    const Lines old_lines = tidy(block.lines), new_lines = tidy(lines);
    if (old_lines == new_lines) return;
    const Edit edit = replace_lines(document_, block, new_lines);
    if (update_) return edits_.push_back(edit);
    document_.complain(block.mark.line,
                       what + "\n    --- " + document_.name + ":" + std::to_string(block.line) +
                           "\n    +++ " + source + "\n" + diff(old_lines, new_lines),
                       true);
  }

  // The value of `NAME KEY`: what the command of that name prints for the key.
  std::string printed(const std::string& text) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const auto command = commands_.find(text.substr(0, blank));
    if (command == commands_.end()) {
      throw Error("no <!-- command: " + text.substr(0, blank) + " = … --> in this file");
    }
    const std::string key = trimmed(text.substr(blank));
    const Values values = values_of(programs_.output(command->second));
    const auto found = values.find(key);
    if (found == values.end()) {
      std::string keys;
      for (const auto& [other, value] : values) {
        if (keys.size() < 200) keys += (keys.empty() ? "" : ", ") + other;
      }
      throw Error(command->second + " prints no '" + key + "' but " + keys);
    }
    if (found->second.size() > 1) throw Error(command->second + " prints '" + key + "' twice");
    return found->second[0];
  }

  // `FILE row… column,column` as one `FILE row… column` after the other.
  static Lines cells_named(const std::string& text) {
    const std::size_t last = text.rfind(' ') + 1;
    Lines sources;
    for (std::size_t begin = last, end = 0; end != npos; begin = end + 1) {
      end = text.find(',', begin);
      sources.push_back(text.substr(0, last) + text.substr(begin, end - begin));
    }
    return sources;
  }

  // Where the next cell of a table's row begins.
  std::size_t next_cell(std::size_t at) const {
    const std::string& text = document_.text;
    at = text.find_first_of("|\n", at);
    if (at != npos && text[at] == '|') at = text.find_first_not_of(' ', at + 1);
    if (at == npos || text[at] == '\n') throw Error("expected a cell for each column of the mark");
    return at;
  }

  // The cell of `FILE row… column`.
  std::string measured(const std::string& text) const {
    const std::vector<std::string> words = words_of(text);
    if (words.size() < 3 || !starts_with(words[0], "data/measurements/")) {
      throw Error("expected measured: data/measurements/FILE.tsv ROW COLUMN");
    }
    return cell(read_file(setup_.root / words[0]), {words.begin() + 1, words.end() - 1},
                words.back());
  }

  // How long a file takes to read, by its path from this one's folder.
  std::string minutes(const std::string& file) const {
    const std::string path = (fs::path(document_.name).parent_path() / file).generic_string();
    return std::to_string(reading_minutes(parse_document(path, read_file(setup_.root / path))));
  }

  const Setup& setup_;
  Sources& sources_;
  Programs& programs_;
  Document& document_;
  bool update_;
  std::map<std::string, std::string> commands_;
  std::vector<Edit> edits_;
  std::vector<Printed> printed_listings_;
  int checked_ = 0;
};

}  // namespace

std::vector<std::string> markdown_files(const fs::path& root) {
  std::vector<std::string> files;
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file() && entry.path().extension() == ".md") {
      files.push_back(entry.path().lexically_relative(root).generic_string());
    }
  };
  for (const auto& entry : fs::directory_iterator(root)) add(entry);
  for (const char* folder : {"data", "src", "tests", "walkthrough"}) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add(entry);
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result check(const Setup& setup, const std::vector<std::string>& files, const Kinds& kinds,
             bool update) {
  Result result;
  Sources sources(setup.root);
  Programs programs(setup);
  Links links(setup.root);
  std::vector<Printed> listings;
  for (const std::string& file : files) {
    Document document = parse_document(file, read_file(setup.root / file));
    Chapter chapter(setup, sources, programs, document, update);
    chapter.check_marks();
    if (kinds.listings) chapter.check_listings();
    if (kinds.numbers) chapter.check_outputs();
    if (kinds.numbers) chapter.check_numbers();
    if (kinds.links) links.check(document);
    if (kinds.commands) chapter.run_commands();
    if (!chapter.edits().empty()) {
      write_file(setup.root / file, edited(document.text, chapter.edits()));
      result.updated.push_back(file);
    }
    listings.insert(listings.end(), chapter.printed_listings().begin(),
                    chapter.printed_listings().end());
    result.checked += chapter.checked();
    std::stable_sort(document.findings.begin(), document.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.line < b.line; });
    result.findings.insert(result.findings.end(), document.findings.begin(),
                           document.findings.end());
  }
  const std::vector<Finding> twice = printed_twice(listings);
  result.findings.insert(result.findings.end(), twice.begin(), twice.end());
  return result;
}

}  // namespace listings
