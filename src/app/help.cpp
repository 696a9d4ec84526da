#include "app/help.h"

#include <algorithm>
#include <utility>

#include "app/console.h"
#include "text/lines.h"

namespace attn::app {

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kOptionWidth = 26;  // where meanings begin

// The words of a text in lines of at most kColumns, each line but the first indented. The first
// continues a line that `column` columns are taken of.
std::string wrapped(const std::string& paragraph, std::size_t column, std::size_t indent) {
  std::string result;
  const std::size_t start = column;
  for (const std::string_view word : words(paragraph)) {
    const std::size_t width = display_width(word);
    const bool first = column == (result.empty() ? start : indent);
    if (!first && column + 1 + width > kColumns) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
  }
  return result + '\n';
}

// A name on the left, its meaning beside it, or below it if the name is too long.
std::string entry(const std::string& left, const std::string& right, std::size_t width) {
  std::string result = "  " + left;
  if (display_width(result) + 2 > width) {
    result += '\n' + std::string(width, ' ');
  } else {
    result = padded(result, width);
  }
  return result + wrapped(right, width, width);
}

std::string paragraphs(const std::string& description) {
  std::string result;
  for (std::size_t begin = 0; begin < description.size();) {
    const std::size_t end = std::min(description.find("\n\n", begin), description.size());
    result += wrapped(description.substr(begin, end - begin), 0, 0) + '\n';
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
  help += "\nBegin with these; the first takes about a minute:\n";
  help += "  attention train copy\n";
  help += "  echo \"h e l l o\" | attention translate --model runs/copy\n";
  help += "\nMore:\n";
  help += entry("attention COMMAND --help", "a command's options, with examples", 28);
  help += entry("attention --version", "which version this is", 28);
  return help;
}

std::string command_help(const Command& command) {
  std::string help = paragraphs(command.description);
  help += "Usage:\n";
  for (const std::string& usage : command.usage) {
    help += "  " + wrapped("attention " + usage, 2, 6);
  }
  help += "\nExamples:\n";
  for (const std::string& example : command.examples) help += "  " + example + '\n';
  for (const OptionGroup& group : command.groups) {
    help += '\n' + group.title + ":\n";
    for (const Option& option : group.options) {
      std::string left = "--" + option.name;
      if (!option.placeholder.empty()) left += ' ' + option.placeholder;
      std::string right = option.meaning;
      if (!option.standard.empty()) right += " [" + option.standard + "]";
      if (option.required) right += " (required)";
      help += entry(left, right, kOptionWidth);
    }
  }
  help += "\n";
  help += entry("--help", "this text", kOptionWidth);
  return help;
}

}  // namespace attn::app
