#include "app/commands.h"

#include <algorithm>
#include <string_view>

#include "app/terminal/console.h"
#include "text/lines.h"

namespace attn::app {

std::vector<Command> all_commands() {
  return {train_command(),   translate_command(), evaluate_command(),   average_command(),
          bleu_command(),    chrf_command(),      bracket_f1_command(), tokenizer_command(),
          inspect_command(), forward_command(),   trace_command(),      attend_command(),
          export_command(),  import_command(),    benchmark_command(),  experiment_command()};
}

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kOptionWidth = 26;  // where meanings begin

// Spaces that no line is broken at, until all lines are.
std::string unbroken(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == ' ' ? std::string("\u00A0") : std::string(1, c);
  return result;
}

// Spaces again where lines have been broken.
std::string with_spaces(std::string text) {
  for (std::size_t at; (at = text.find("\u00A0")) != std::string::npos;) {
    text.replace(at, std::string_view("\u00A0").size(), " ");
  }
  return text;
}

// A usage line that is not broken between an option and its value, or inside brackets.
std::string usage_lines(const std::string& usage) {
  std::string kept;
  int brackets = 0;
  bool option = false;  // whether the last word is one
  for (const std::string& word : split("attention " + usage, ' ')) {
    const bool value = option && word[0] != '[' && word[0] != '-';
    if (!kept.empty()) kept += brackets > 0 || value ? "\u00A0" : " ";
    kept += word;
    brackets += static_cast<int>(std::count(word.begin(), word.end(), '[') -
                                 std::count(word.begin(), word.end(), ']'));
    option = word.substr(0, 2) == "--";
  }
  return "  " + with_spaces(wrapped(kept, 2, 6, kColumns)) + '\n';
}

// A name on the left, its meaning next to it, or below it if the name is too long.
std::string entry(const std::string& left, const std::string& right, std::size_t width) {
  std::string result = "  " + left;
  if (display_width(result) + 2 > width) {
    result += '\n' + std::string(width, ' ');
  } else {
    result = padded(result, width);
  }
  return result + with_spaces(wrapped(right, width, width, kColumns)) + '\n';
}

std::string paragraphs(const std::string& description) {
  std::string result;
  for (std::size_t begin = 0; begin < description.size();) {
    const std::size_t end = std::min(description.find("\n\n", begin), description.size());
    result += wrapped(description.substr(begin, end - begin), 0, 0, kColumns) + "\n\n";
    begin = end + 2;
  }
  return result;
}

}  // namespace

std::string program_help(const std::vector<Command>& commands) {
  std::string help = paragraphs(
      "attention trains and runs the Transformer of the paper \"Attention Is All You Need\" "
      "(Vaswani et al., 2017, arXiv 1706.03762).");
  help += "Usage:\n  attention COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) help += entry(command.name, command.summary, 14);
  help += "\nBegin with these; the first trains a small model:\n";
  help += "  attention train copy\n";
  help += "  echo \"h e l l o\" | attention translate --model runs/copy\n";
  help += "\nMore:\n";
  help += entry("attention help COMMAND", "a command's options, with examples", 28);
  help += entry("attention --version", "which version this is", 28);
  return help;
}

std::string command_help(const Command& command) {
  std::string help = paragraphs(command.description);
  help += "Usage:\n";
  for (const std::string& usage : command.usage) help += usage_lines(usage);
  help += "\nExamples:\n";
  for (const std::string& example : command.examples) help += "  " + example + '\n';
  for (const OptionGroup& group : command.groups) {
    help += '\n' + group.title + ":\n";
    for (const Option& option : group.options) {
      std::string left = "--" + option.name;
      if (!option.placeholder.empty()) left += ' ' + option.placeholder;
      std::string right = option.meaning;
      if (!option.standard.empty()) right += ' ' + unbroken("[" + option.standard + "]");
      if (option.required) right += " (required)";
      help += entry(left, right, kOptionWidth);
    }
  }
  help += "\n";
  help += entry("--help", "this text", kOptionWidth);
  return help;
}

}  // namespace attn::app
