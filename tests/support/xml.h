// Whether a text is well-formed XML, as far as the program writes it: elements, attributes in
// double quotes, text and entities; no comments, sections or declarations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Whether each = of a tag has a value in double quotes.
inline bool attributes_known(std::string_view tag) {
  bool quoted = false;
  char before = ' ';
  for (const char c : tag) {
    if (!quoted && (before == '=') != (c == '"')) return false;
    if (c == '"') quoted = !quoted;
    before = c;
  }
  return !quoted && before != '=';
}

// What is wrong with it; empty if nothing is.
inline std::string xml_problem(std::string_view xml) {
  std::vector<std::string> open;
  bool had_root = false;
  std::size_t tag_end = 0;  // of the last tag
  for (std::size_t at = 0; at < xml.size(); ++at) {
    const char c = xml[at];
    if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r') {
      return "a control character";
    }
    if (c == '&') {
      const std::string_view entity = xml.substr(at, xml.substr(at).find(';') + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") {
        return "an unknown entity at: " + std::string(xml.substr(at, 20));
      }
    }
    if (c != '<') {
      if (at >= tag_end && open.empty() && c != '\n') return "text outside";
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == xml.npos) return "a tag without end";
    std::string_view tag = xml.substr(at + 1, end - at - 1);
    tag_end = end + 1;
    if (tag.substr(0, 1) == "/") {
      if (open.empty() || open.back() != tag.substr(1)) return "closes: " + std::string(tag);
      open.pop_back();
      continue;
    }
    const std::string_view name = tag.substr(0, tag.find_first_of(" /"));
    if (name.empty() || tag.find('<') != tag.npos || !attributes_known(tag)) {
      return "tag: " + std::string(tag);
    }
    if (open.empty() && had_root) return "a second root: " + std::string(name);
    had_root = true;
    if (tag.back() != '/') open.emplace_back(name);
  }
  if (!open.empty()) return "not closed: " + open.back();
  return had_root ? "" : "no element";
}

}  // namespace attn
