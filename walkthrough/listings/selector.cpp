#include "selector.h"

#include <algorithm>
#include <set>

namespace listings {
namespace {

using Range = std::pair<int, int>;

// Where a name in a selector ends: at a blank, at its parameters, or at the end. The first ( or
// blank after `operator` is a part of the name.
std::size_t name_end(const std::string& text) {
  std::size_t from = 0;
  const std::size_t keyword = text.find("operator"), blank = text.find(' ');
  if (keyword < blank) {
    from = keyword + 8;
    if (text.compare(from, 2, "()") == 0) from += 2;
    if (from < text.size() && text[from] == ' ') ++from;
  }
  return std::min(text.find_first_of(" (", from), text.size());
}

std::size_t closing_parenthesis(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i;
  }
  throw Error("the ( in '" + text + "' is not closed");
}

Lines quoted_strings(std::string text) {
  Lines result;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t close = text.find('"', 1);
    if (text[0] != '"' || close == npos) {
      throw Error("expected \"the first words of a paragraph\", not " + text);
    }
    result.push_back(one_spaced(text.substr(1, close - 1)));
    if (result.back().empty()) throw Error("a paragraph is named by its first words, not by \"\"");
    text.erase(0, close + 1);
  }
  return result;
}

// The part of a comment that is read: without // and /* */.
std::string words_of_comment(std::string_view comment) {
  std::string text(comment.substr(2));
  if (starts_with(comment, "/*")) text.erase(text.size() - 2);
  return trimmed(text);
}

bool is_opening(const std::vector<Token>& tokens, std::size_t i) {
  const bool comment = tokens[i].kind == TokenKind::comment && tokens[i].first;
  if (!comment || i == 0) return comment;
  const Token& before = tokens[i - 1];
  return before.kind != TokenKind::comment || !before.first ||
         before.last_line < tokens[i].line - 1;
}

// The comment that begins with token i, all its lines together.
std::string whole_comment(const std::vector<Token>& tokens, std::size_t i) {
  std::string text = words_of_comment(tokens[i].text);
  while (++i < tokens.size() && tokens[i].kind == TokenKind::comment &&
         tokens[i].line == tokens[i - 1].last_line + 1) {
    text += ' ' + words_of_comment(tokens[i].text);
  }
  return one_spaced(text);
}

// From a comment to the next blank line that is not inside of a bracket opened on the way, or to
// the end of the block that it stands in.
Range paragraph_at(const std::vector<Token>& tokens, std::size_t i) {
  Range range{tokens[i].line, tokens[i].last_line};
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (depth == 0 && token.line > range.second + 1) break;
    if (token.kind == TokenKind::punctuation) {
      if (std::string_view("([{").find(token.text) != npos) ++depth;
      if (std::string_view(")]}").find(token.text) != npos && --depth < 0) break;
    }
    range.second = token.last_line;
  }
  return range;
}

Range the_only(const std::vector<Range>& found, const std::string& words) {
  if (found.empty()) throw Error("no paragraph begins with \"" + words + "\"");
  if (found.size() > 1) {
    std::string where;
    for (const Range& range : found) where += ' ' + std::to_string(range.first);
    throw Error("more than one paragraph begins with \"" + words + "\": lines" + where);
  }
  return found[0];
}

Range cpp_paragraph(const CppSource& source, const Range& within, const std::string& words) {
  std::vector<Range> found;
  for (std::size_t i = 0; i < source.tokens.size(); ++i) {
    const int line = source.tokens[i].line;
    if (line < within.first || line > within.second || !is_opening(source.tokens, i)) continue;
    if (starts_with(whole_comment(source.tokens, i), words)) {
      found.push_back(paragraph_at(source.tokens, i));
    }
  }
  return the_only(found, words);
}

// In other languages: from a line that begins with the words, whatever marks a comment there.
Range plain_paragraph(const Lines& lines, const std::string& words) {
  std::vector<Range> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = one_spaced(lines[i]);
    const std::size_t first = std::min(line.find_first_not_of("#/-; "), line.size());
    if (!starts_with(line, words) && !starts_with(line.substr(first), words)) continue;
    std::size_t last = i;
    while (last + 1 < lines.size() && !trimmed(lines[last + 1]).empty()) ++last;
    found.emplace_back(static_cast<int>(i) + 1, static_cast<int>(last) + 1);
  }
  return the_only(found, words);
}

Range opening_comment(const CppSource& source) {
  if (source.tokens.empty() || source.tokens[0].kind != TokenKind::comment) {
    throw Error("it does not open with a comment");
  }
  Range range{source.tokens[0].line, source.tokens[0].last_line};
  for (const Token& token : source.tokens) {
    if (token.kind != TokenKind::comment || token.line > range.second + 1) break;
    range.second = token.last_line;
  }
  return range;
}

bool is_cpp(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".cpp" || extension == ".h";
}

Lines components(const std::string& name) {
  Lines result;
  std::size_t begin = 0;
  for (std::size_t at; (at = name.find("::", begin)) != npos; begin = at + 2) {
    result.push_back(name.substr(begin, at - begin));
  }
  result.push_back(name.substr(begin));
  return result;
}

std::string titles(const std::vector<const Definition*>& list) {
  std::set<std::string> result;
  for (const Definition* definition : list) {
    result.insert(definition->title() + " in line " + std::to_string(definition->line));
  }
  return join({result.begin(), result.end()}, "\n      ");
}

// Whether a definition is meant by a name that may be qualified as far as needed.
bool is_named(const Definition& definition, const Lines& wanted) {
  if (wanted.size() > definition.name.size()) return false;
  // The name of a type is the type; its constructors are Type::Type.
  if (wanted.size() == 1 && definition.is_constructor()) return false;
  return std::equal(wanted.rbegin(), wanted.rend(), definition.name.rbegin());
}

const Definition& find_definition(const CppSource& source, const Selector& selector) {
  std::vector<const Definition*> found, similar, exact;
  const Lines wanted = components(selector.name);
  for (const Definition& definition : source.definitions) {
    if (is_named(definition, wanted)) found.push_back(&definition);
    if (definition.name.back() == wanted.back()) similar.push_back(&definition);
  }
  const auto is_declaration = [](const Definition* definition) {
    return definition->kind == Definition::Kind::declaration;
  };
  if (!std::all_of(found.begin(), found.end(), is_declaration)) {
    found.erase(std::remove_if(found.begin(), found.end(), is_declaration), found.end());
  }
  if (selector.has_parameters) {
    similar = found;
    const auto has_others = [&](const Definition* definition) {
      const bool none = selector.parameters.empty() && !definition->parameters.empty();
      return none || definition->parameters.find(selector.parameters) == npos;
    };
    found.erase(std::remove_if(found.begin(), found.end(), has_others), found.end());
    for (const Definition* definition : found) {
      if (definition->parameters == selector.parameters) exact.push_back(definition);
    }
    if (exact.size() == 1) found = exact;
  }
  if (found.size() == 1) return *found[0];
  if (!found.empty()) {
    throw Error("'" + selector.name + "' is ambiguous; give a part of the parameter list:\n      " +
                titles(found));
  }
  const std::string hint = similar.empty() ? "" : "; there is\n      " + titles(similar);
  throw Error("it defines no '" + selector.name +
              (selector.has_parameters ? "(" + selector.parameters + ")'" : "'") + hint);
}

// Directives stay where they are, unless the listing begins with one.
Lines without_indentation(const Lines& lines) {
  const auto is_directive = [](const std::string& line) { return line[0] == '#'; };
  if (lines.empty() || is_directive(lines[0])) return lines;
  std::size_t common = npos;
  for (const std::string& line : lines) {
    if (!line.empty() && !is_directive(line)) {
      common = std::min(common, line.find_first_not_of(' '));
    }
  }
  Lines result;
  for (const std::string& line : lines) {
    const bool indented = common != npos && !line.empty() && !is_directive(line);
    result.push_back(indented ? line.substr(common) : line);
  }
  return result;
}

}  // namespace

Selector parse_selector(const std::string& text) {
  Selector selector;
  const std::size_t path_end = std::min(text.find(' '), text.size());
  selector.path = text.substr(0, path_end);
  const fs::path path = selector.path;
  if (selector.path.empty() || path.is_absolute() || path.lexically_normal() != path ||
      *path.begin() == "..") {
    throw Error("expected a path from the repository's root, not '" + selector.path + "'");
  }
  std::string rest = trimmed(text.substr(path_end));
  selector.opening_comment = rest == "opening-comment";
  if (selector.opening_comment) return selector;
  if (!rest.empty() && rest[0] != '"') {
    std::size_t end = name_end(rest);
    selector.name = rest.substr(0, end);
    selector.has_parameters = end < rest.size() && rest[end] == '(';
    if (selector.has_parameters) {
      const std::size_t close = closing_parenthesis(rest, end);
      selector.parameters = one_spaced(rest.substr(end + 1, close - end - 1));
      end = close + 1;
    }
    rest.erase(0, end);
  }
  selector.paragraphs = quoted_strings(rest);
  return selector;
}

Selection Sources::select(const std::string& text) {
  const Selector selector = parse_selector(text);
  const std::string& path = selector.path;
  Selection selection{path, {}, {}};
  const Lines& all = lines(path);
  try {
    if (!is_cpp(path) && (selector.opening_comment || !selector.name.empty())) {
      throw Error("it is not C++: list the whole file or a \"paragraph\"");
    }
    Range range{1, static_cast<int>(all.size())};
    while (range.second > 1 && trimmed(all[static_cast<std::size_t>(range.second - 1)]).empty()) {
      --range.second;
    }
    if (selector.opening_comment) range = opening_comment(cpp(path));
    if (!selector.name.empty()) {
      const Definition& definition = find_definition(cpp(path), selector);
      const bool whole = selector.paragraphs.empty();
      range = {whole ? definition.comment_line : definition.line, definition.last_line};
    }
    if (selector.paragraphs.empty()) selection.ranges.push_back(range);
    for (const std::string& words : selector.paragraphs) {
      selection.ranges.push_back(is_cpp(path) ? cpp_paragraph(cpp(path), range, words)
                                              : plain_paragraph(all, words));
    }
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  for (const Range& range : selection.ranges) {
    if (!selection.lines.empty()) selection.lines.emplace_back();
    selection.lines.insert(selection.lines.end(), all.begin() + range.first - 1,
                           all.begin() + range.second);
  }
  selection.lines = without_indentation(selection.lines);
  return selection;
}

const Lines& Sources::lines(const std::string& path) {
  const auto found = lines_.find(path);
  if (found != lines_.end()) return found->second;
  return lines_[path] = lines_of(read_file(root_ / path));
}

const CppSource& Sources::cpp(const std::string& path) {
  std::unique_ptr<const CppSource>& source = cpp_[path];
  if (!source) source = std::make_unique<const CppSource>(join(lines(path), "\n") + "\n");
  return *source;
}

}  // namespace listings
