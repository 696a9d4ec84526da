#include "markdown.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace listings {
namespace {

// Whether there is such a mark: five of blocks, five in sentences.
bool is_known(std::string_view word) {
  return is_one_of(word, {"listing", "output", "run", "takes", "sketch", "command", "number",
                          "measured", "minutes", "paper"});
}

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The line's indentation and run of backticks or tildes; empty if it opens or closes no block.
std::string fence_of(std::string_view line) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  const char c = start < line.size() ? line[start] : ' ';
  const std::size_t end = std::min(line.find_first_not_of(c, start), line.size());
  if ((c != '`' && c != '~') || end - start < 3) return "";
  if (c == '`' && line.find('`', end) != npos) return "";
  return std::string(line.substr(0, end));
}

bool closes(std::string_view line, const std::string& opening) {
  const std::string fence = trimmed(fence_of(line));
  const std::string wanted = trimmed(opening);
  return !fence.empty() && starts_with(fence, wanted) && trimmed(line) == fence;
}

class Scanner {
 public:
  explicit Scanner(Document& document) : document_(document), text_(document.text) {
    for (std::size_t at = 0; at < text_.size();) at = step(at);
  }

 private:
  // Deals with what begins at a byte; returns where to go on.
  std::size_t step(std::size_t at) {
    if (at == 0 || text_[at - 1] == '\n') {
      if (!fence_of(line_at(at)).empty()) return block(at);
    }
    const char c = text_[at];
    if (c == '\\') return at + 2;
    if (c == '`') return code_span(at);
    if (c == '$') return formula(at);
    if (text_.compare(at, 4, "<!--") == 0) return comment(at);
    return at + 1;
  }

  std::string_view line_at(std::size_t begin) const {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::size_t carriage = end > begin && text_[end - 1] == '\r' ? 1 : 0;
    return std::string_view(text_).substr(begin, end - carriage - begin);
  }

  std::size_t next_line(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size() - 1) + 1;
  }

  std::size_t blank(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      char& c = document_.prose[i];
      if (c != '\n' && c != '\r') c = ' ';
    }
    return end;
  }

  std::size_t block(std::size_t at) {
    Block block;
    block.fence = fence_of(line_at(at));
    block.line = document_.line_at(at);
    const std::string info = trimmed(line_at(at).substr(block.fence.size()));
    block.language = info.substr(0, info.find_first_of(" {"));
    const std::vector<Mark>& marks = document_.marks;
    if (!marks.empty() && marks.back().alone && marks.back().line == block.line - 1) {
      block.mark = marks.back();
    }
    const std::size_t indent = block.fence.find_first_not_of(' ');
    block.begin = next_line(at);
    for (block.end = block.begin; block.end < text_.size(); block.end = next_line(block.end)) {
      const std::string_view line = line_at(block.end);
      if (closes(line, block.fence)) {
        const std::size_t end = next_line(block.end);
        document_.blocks.push_back(block);
        return blank(at, end);
      }
      const std::size_t spaces = std::min(line.find_first_not_of(' '), line.size());
      block.lines.emplace_back(line.substr(std::min(spaces, indent)));
    }
    document_.complain(block.line, "the block that begins here is not closed");
    return blank(at, text_.size());
  }

  std::size_t code_span(std::size_t at) {
    const std::size_t after = std::min(text_.find_first_not_of('`', at), text_.size());
    const std::string ticks = text_.substr(at, after - at);
    const std::size_t limit = end_of_paragraph(after);
    for (std::size_t i = text_.find(ticks, after); i < limit; i = text_.find(ticks, i)) {
      const std::size_t end = std::min(text_.find_first_not_of('`', i), text_.size());
      if (end - i == ticks.size()) return blank(at, end);
      i = end;
    }
    return after;
  }

  // $…$ within a line (as GitHub has it: no blank just inside), $$…$$ within a paragraph.
  std::size_t formula(std::size_t at) {
    const std::string sign = text_.compare(at, 2, "$$") == 0 ? "$$" : "$";
    const std::size_t begin = at + sign.size();
    const std::size_t limit = sign == "$$" ? end_of_paragraph(begin) : next_line(at);
    const std::size_t close = text_.find(sign, begin);
    if (close >= limit || close == begin) return begin;
    if (sign == "$" && (text_[begin] == ' ' || text_[close - 1] == ' ')) return begin;
    if (text_.substr(begin, close - begin).find("<!--") != npos) {
      document_.complain(document_.line_at(at), "a mark inside a formula would be shown");
    }
    return blank(at, close + sign.size());
  }

  std::size_t end_of_paragraph(std::size_t at) const {
    return std::min({text_.find("\n\n", at), text_.find("\n\r\n", at), text_.size()});
  }

  std::size_t comment(std::size_t at) {
    const std::size_t close = text_.find("-->", at + 4);
    if (close == npos) {
      document_.complain(document_.line_at(at), "the comment that begins here is not closed");
      return blank(at, text_.size());
    }
    add_mark(at, close + 3);
    return blank(at, close + 3);
  }

  void add_mark(std::size_t begin, std::size_t end) {
    const std::string content = trimmed(text_.substr(begin + 4, end - begin - 7));
    const std::size_t length = static_cast<std::size_t>(
        std::find_if_not(content.begin(), content.end(), is_ascii_letter) - content.begin());
    Mark mark;
    mark.word = content.substr(0, length);
    mark.begin = begin;
    mark.end = end;
    mark.line = document_.line_at(begin);
    const bool colon = length < content.size() && content[length] == ':';
    if (!colon && !is_known(mark.word)) return;  // a comment like any other
    if (!is_known(mark.word)) {
      return document_.complain(mark.line, "unknown mark '" + mark.word + ":'");
    }
    if (!colon && length < content.size()) {
      return document_.complain(mark.line, "write '" + mark.word + ": …' with a colon");
    }
    mark.rest = trimmed(content.substr(std::min(length + 1, content.size())));
    const std::size_t line_begin = begin == 0 ? 0 : text_.rfind('\n', begin - 1) + 1;
    const std::string before = trimmed(text_.substr(line_begin, begin - line_begin));
    const std::string after =
        trimmed(text_.substr(end, next_line(begin) - std::min(end, next_line(begin))));
    mark.alone = before.empty() && after.empty();
    if (!mark.alone) check_inline(mark, before);
    document_.marks.push_back(mark);
  }

  // GitHub's Markdown shows a comment with -- in a sentence, splits a table's cell at |, and ends
  // the paragraph at a line that begins with a comment.
  void check_inline(const Mark& mark, const std::string& before) {
    const std::string content = text_.substr(mark.begin + 4, mark.end - mark.begin - 7);
    if (content.find("--") != npos || content.find('|') != npos) {
      document_.complain(mark.line, "a mark in a sentence must not contain -- or | (use command:)");
    }
    if (before.find_first_not_of("-+*>0123456789. ") == npos) {
      document_.complain(mark.line,
                         "a mark at the beginning of a line ends the paragraph: "
                         "put words of the sentence before it");
    }
  }

  Document& document_;
  const std::string& text_;
};

}  // namespace

int Document::line_at(std::size_t byte) const {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n'));
}

void Document::complain(int line, const std::string& message, bool repairable) {
  findings.push_back({name, line, message, repairable});
}

Document parse_document(const std::string& name, const std::string& text) {
  Document document;
  document.name = name;
  document.text = text;
  document.prose = text;
  const Scanner scanner(document);
  return document;
}

int reading_minutes(const Document& document) {
  std::istringstream prose(document.prose);
  const auto words = std::distance(std::istream_iterator<std::string>(prose), {});
  double minutes = static_cast<double>(words) / 200;
  for (const Block& block : document.blocks) {
    minutes += static_cast<double>(block.lines.size()) / 12;
  }
  return std::max(1, static_cast<int>(std::lround(minutes / 5))) * 5;
}

std::string edited(const std::string& text, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  std::string result = text;
  for (const Edit& edit : edits) result.replace(edit.begin, edit.end - edit.begin, edit.text);
  return result;
}

Edit replace_lines(const Document& document, const Block& block, const Lines& lines) {
  const bool carriage = document.text.compare(block.begin - 2, 2, "\r\n") == 0;
  const std::string indent = block.fence.substr(0, block.fence.find_first_not_of(' '));
  Edit edit{block.begin, block.end, ""};
  for (const std::string& line : lines) {
    if (closes(line, block.fence)) {
      throw Error("the text contains the line '" + line + "': give the block a longer fence");
    }
    edit.text += (line.empty() ? "" : indent) + line + (carriage ? "\r\n" : "\n");
  }
  return edit;
}

}  // namespace listings
