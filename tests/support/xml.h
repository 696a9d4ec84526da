// Whether a text is well-formed XML, as far as the program writes it: elements, attributes in
// double quotes, text and entities; no comments, sections or declarations.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

namespace detail {

// Whether each & begins one of the entities that the program writes.
inline bool entities_known(std::string_view words) {
  for (std::size_t at = words.find('&'); at != words.npos; at = words.find('&', at + 1)) {
    const std::string_view rest = words.substr(at);
    bool known = false;
    for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;"}) {
      known = known || rest.substr(0, entity.size()) == entity;
    }
    if (!known) return false;
  }
  return true;
}

// Whether what follows a tag's name is NAME="VALUE", any number of times.
inline bool attributes_known(std::string_view words) {
  while (!words.empty()) {
    const std::size_t equals = words.find("=\"");
    if (words[0] != ' ' || equals == words.npos || equals < 2) return false;
    const std::size_t end = words.find('"', equals + 2);
    if (end == words.npos) return false;
    if (words.substr(1, equals - 1).find_first_of(" \"=<>&") != words.npos) return false;
    const std::string_view value = words.substr(equals + 2, end - equals - 2);
    if (value.find('<') != value.npos || !entities_known(value)) return false;
    words.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace detail

// What is wrong with it; empty if nothing is.
inline std::string xml_problem(std::string_view xml) {
  for (const char c : xml) {
    const bool control = static_cast<unsigned char>(c) < ' ';
    if (control && c != '\t' && c != '\n' && c != '\r') return "a control character";
  }
  std::vector<std::string> open;
  bool had_root = false;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] != '<') {
      const std::size_t end = std::min(xml.find('<', at), xml.size());
      const std::string_view words = xml.substr(at, end - at);
      if (open.empty() && words.find_first_not_of('\n') != words.npos) return "text outside";
      if (!detail::entities_known(words)) return "an unknown entity in: " + std::string(words);
      at = end;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == xml.npos) return "a tag without end";
    std::string_view tag = xml.substr(at + 1, end - at - 1);
    at = end + 1;
    if (!tag.empty() && tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes: " + std::string(tag);
      open.pop_back();
      continue;
    }
    const bool empty = !tag.empty() && tag.back() == '/';
    if (empty) tag.remove_suffix(1);
    const std::string_view name = tag.substr(0, tag.find(' '));
    if (name.empty()) return "a tag without a name";
    if (open.empty() && had_root) return "a second root: " + std::string(name);
    if (!detail::attributes_known(tag.substr(name.size()))) return "tag: " + std::string(tag);
    had_root = true;
    if (!empty) open.emplace_back(name);
  }
  if (!open.empty()) return "not closed: " + open.back();
  return had_root ? "" : "no element";
}

}  // namespace attn
