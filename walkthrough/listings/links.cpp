#include "links.h"

#include <algorithm>

namespace listings {
namespace {

// One character of UTF-8 as its number; moves `at` behind it.
unsigned next_character(const std::string& text, std::size_t& at) {
  const unsigned first = static_cast<unsigned char>(text[at++]);
  if (first < 0xC0) return first;
  unsigned code = first & (first >= 0xF0 ? 0x07u : first >= 0xE0 ? 0x0Fu : 0x1Fu);
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
    code = (code << 6) | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  }
  return code;
}

// Letters and marks beyond ASCII, by blocks: Latin, combining marks, Greek, Cyrillic, phonetic and
// raised letters, Chinese, Japanese, Korean. (Raised and lowered digits are not letters.)
bool is_letter(unsigned c) {
  if (c == 0xAA || c == 0xB5 || c == 0xBA || c == 0x2071 || c == 0x207F) return true;
  if (c == 0xD7 || c == 0xF7) return false;  // × ÷
  constexpr unsigned blocks[][2] = {
      {0xC0, 0x2C1},    {0x300, 0x374},   {0x376, 0x37D},   {0x386, 0x386},   {0x388, 0x3F5},
      {0x3F7, 0x481},   {0x48A, 0x52F},   {0x1D00, 0x1FBC}, {0x2090, 0x209C}, {0x3041, 0x3096},
      {0x30A1, 0x30FA}, {0x3400, 0x9FFF}, {0xAC00, 0xD7A3}};
  return std::any_of(std::begin(blocks), std::end(blocks),
                     [c](const unsigned(&block)[2]) { return block[0] <= c && c <= block[1]; });
}

// Upper-case Latin-1, Greek and Cyrillic letters have their lower-case ones 32 (or 80) further.
bool is_upper(unsigned c) {
  return (c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9) ||
         (c >= 0x400 && c <= 0x42F);
}

void append_two_bytes(std::string& text, unsigned c) {
  text += static_cast<char>(0xC0 | (c >> 6));
  text += static_cast<char>(0x80 | (c & 0x3F));
}

// `%20` and the like as the byte they stand for.
std::string without_percent(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789abcdefABCDEF", i + 1),
                                        std::min(i + 3, text.size()));
    if (text[i] == '%' && digits == i + 3) {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

// Labels do not distinguish upper and lower case, or kinds of blanks.
std::string label_of(const std::string& text) {
  std::string label = one_spaced(text);
  std::transform(label.begin(), label.end(), label.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return label;
}

struct Link {
  std::size_t at;
  std::string target;
  bool undefined = false;  // `target` is a label that nothing defines
};

// The ] that belongs to the [ at a byte, within its paragraph; npos if none does.
std::size_t closing_bracket(const std::string& prose, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < prose.size(); ++i) {
    if (prose[i] == '\\') {
      ++i;
    } else if (prose.compare(i, 2, "\n\n") == 0 || prose.compare(i, 3, "\n\r\n") == 0) {
      return npos;
    } else if (prose[i] == '[') {
      ++depth;
    } else if (prose[i] == ']' && --depth == 0) {
      return i;
    }
  }
  return npos;
}

// What stands in the (…) or <…> of a link whose ( is at a byte, without the title.
std::string inline_target(const std::string& prose, std::size_t open) {
  const std::size_t begin = prose.find_first_not_of(" \r\n", open + 1);
  if (begin == npos) return "";
  if (prose[begin] == '<') return prose.substr(begin + 1, prose.find('>', begin) - begin - 1);
  int depth = 1;
  std::size_t end = begin;
  for (; end < prose.size() && std::string_view(" \r\n").find(prose[end]) == npos; ++end) {
    depth += prose[end] == '(' ? 1 : prose[end] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  return prose.substr(begin, end - begin);
}

// The places and values of name="value", as in HTML.
std::vector<Link> attributes(const std::string& prose, const std::string& name) {
  std::vector<Link> found;
  const std::string beginning = " " + name + "=\"";
  for (std::size_t at = 0; (at = prose.find(beginning, at)) != npos;) {
    at += beginning.size();
    found.push_back({at, prose.substr(at, prose.find('"', at) - at)});
  }
  return found;
}

// [label]: target, at the beginning of a line.
struct LabelLine {
  std::string label, target;
};

LabelLine parse_label_line(const std::string& line) {
  const std::size_t open = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t close = line.find("]:", open);
  if (open > 3 || open == line.size() || line[open] != '[' || close == npos) return {};
  const std::string rest = trimmed(line.substr(close + 2));
  const std::string target = rest.substr(0, rest.find_first_of(" \t"));
  const bool angles = target.size() > 1 && target.front() == '<' && target.back() == '>';
  return {label_of(line.substr(open + 1, close - open - 1)),
          angles ? target.substr(1, target.size() - 2) : target};
}

std::vector<Link> links_of(const std::string& prose) {
  std::vector<Link> links;
  std::set<std::string> labels;
  for (std::size_t begin = 0; begin < prose.size();) {
    const std::size_t end = std::min(prose.find('\n', begin), prose.size());
    const LabelLine line = parse_label_line(prose.substr(begin, end - begin));
    if (!line.label.empty() && labels.insert(line.label).second) {
      links.push_back({begin, line.target});
    }
    begin = end + 1;
  }
  for (const char* name : {"href", "src"}) {
    for (const Link& link : attributes(prose, name)) links.push_back(link);
  }

  // A link's text may hold an image, so that every [ is looked at.
  for (std::size_t open = prose.find('['); open != npos; open = prose.find('[', open + 1)) {
    const std::size_t close = closing_bracket(prose, open);
    if (close == npos || (open > 0 && prose[open - 1] == '\\') || close + 1 >= prose.size())
      continue;
    if (prose[close + 1] == '(') links.push_back({open, inline_target(prose, close + 1)});
    if (prose[close + 1] != '[') continue;
    const std::size_t label_close = closing_bracket(prose, close + 1);
    if (label_close == npos) continue;
    std::string label = prose.substr(close + 2, label_close - close - 2);
    if (trimmed(label).empty()) label = prose.substr(open + 1, close - open - 1);
    if (labels.count(label_of(label)) == 0) links.push_back({open, label, true});
  }
  return links;
}

// A heading without tags and the targets of its links. Other markup is no part of a slug anyway.
std::string without_markup(const std::string& heading) {
  std::string result;
  for (std::size_t i = 0; i < heading.size(); ++i) {
    const bool target = heading.compare(i, 2, "](") == 0 || heading.compare(i, 2, "][") == 0;
    if (target || heading[i] == '<') {
      const char close = !target ? '>' : heading[i + 1] == '(' ? ')' : ']';
      const std::size_t end = heading.find(close, i + 1);
      i = end == npos ? i : end;
    } else {
      result += heading[i];
    }
  }
  return trimmed(result);
}

// https: and the like.
bool has_scheme(const std::string& target) {
  const std::size_t colon = target.find_first_of(":/#?");
  return starts_with(target, "//") || (colon != npos && colon > 0 && target[colon] == ':');
}

bool is_line_anchor(const std::string& anchor) {
  return anchor.size() > 1 && anchor[0] == 'L' && anchor.find_first_not_of("L0123456789-") == npos;
}

}  // namespace

std::string slug(const std::string& heading) {
  const std::string text = without_markup(heading);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const unsigned c = next_character(text, at);
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (upper || plain) {
      result += static_cast<char>(upper ? c + 32 : c);
    } else if (c == ' ') {
      result += '-';
    } else if (is_upper(c)) {
      append_two_bytes(result, c >= 0x400 && c < 0x410 ? c + 80 : c + 32);
    } else if (is_letter(c)) {
      result += text.substr(begin, at - begin);
    }
  }
  return result;
}

std::set<std::string> anchors_of(const Document& document) {
  std::set<std::string> anchors;
  const Lines prose = lines_of(document.prose), text = lines_of(document.text);
  for (std::size_t i = 0; i < prose.size(); ++i) {
    // Where a heading is, the prose tells; what it says, the text, code spans and all.
    const std::size_t level = prose[i].find_first_not_of(" #\xEF\xBB\xBF");
    const std::size_t first = std::min(prose[i].find('#'), prose[i].size());
    const std::size_t after = std::min(prose[i].find_first_not_of('#', first), prose[i].size());
    const bool hashes = first <= 3 && after > first && after - first <= 6 && level >= after;
    if (!hashes || (after < prose[i].size() && prose[i][after] != ' ')) continue;
    std::string heading = trimmed(text[i].substr(after));
    const std::size_t closing = heading.find_last_not_of('#');
    if (closing != npos && heading[closing] == ' ') heading = trimmed(heading.substr(0, closing));
    const std::string base = slug(heading);
    std::string anchor = base;
    for (int n = 1; !anchors.insert(anchor).second; ++n) anchor = base + "-" + std::to_string(n);
  }
  for (const char* name : {"id", "name"}) {
    for (const Link& anchor : attributes(document.prose, name)) anchors.insert(anchor.target);
  }
  return anchors;
}

void Links::check(Document& document) {
  for (const Link& link : links_of(document.prose)) {
    const std::string problem =
        link.undefined ? "no line defines the label" : problem_with(document, link.target);
    if (problem.empty()) continue;
    const std::string shown = link.undefined ? "[" + one_spaced(link.target) + "]" : link.target;
    document.complain(document.line_at(link.at), "dead link " + shown + ": " + problem);
  }
}

std::string Links::problem_with(const Document& document, const std::string& target) {
  if (has_scheme(target)) return "";
  if (target.empty()) return "it leads nowhere";
  if (target[0] == '/') return "write the path from this file's folder";
  const std::size_t hash = std::min(target.find('#'), target.size());
  const std::string anchor = without_percent(target.substr(std::min(hash + 1, target.size())));
  std::string name = document.name;
  if (hash > 0) {
    const fs::path folder = fs::path(document.name).parent_path();
    name = (folder / without_percent(target.substr(0, hash))).lexically_normal().generic_string();
    if (starts_with(name, "../") || name == "..") return "it leaves the repository";
    if (!fs::exists(root_ / name)) return "there is no " + name;
  }
  if (hash == target.size()) return "";
  if (is_line_anchor(anchor)) {
    return "a link to a line drifts: link to the file, or list the lines";
  }
  if (fs::path(name).extension() == ".html") {
    const std::string id = anchor.substr(0, anchor.find('?'));  // what follows is for the page
    const bool known = read_file(root_ / name).find(" id=\"" + id + '"') != std::string::npos;
    return known ? "" : name + " has no element with the id '" + id + "'";
  }
  if (fs::path(name).extension() != ".md") {
    return "only .md and .html files have places to link to";
  }
  const std::set<std::string>& known = name == document.name && anchors_.count(name) == 0
                                           ? anchors_[name] = anchors_of(document)
                                           : anchors(name);
  return known.count(anchor) > 0 ? "" : name + " has no heading '#" + anchor + "'";
}

const std::set<std::string>& Links::anchors(const std::string& name) {
  const auto found = anchors_.find(name);
  if (found != anchors_.end()) return found->second;
  return anchors_[name] = anchors_of(parse_document(name, read_file(root_ / name)));
}

}  // namespace listings
