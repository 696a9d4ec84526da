// The grammar is the part of C++ that stands outside of function bodies: namespaces, types,
// functions, variables. Bodies and initialisers are skipped by matching braces.
#include "cpp_source.h"

#include <algorithm>

namespace listings {
namespace {

class Parser {
 public:
  explicit Parser(CppSource& source) : source_(source), tokens_(source.tokens) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const TokenKind kind = tokens_[i].kind;
      if (kind == TokenKind::directive) macro(i);
      if (kind != TokenKind::directive && kind != TokenKind::comment) code_.push_back(i);
    }
    match_brackets();
    scope(0, code_.size(), {});
  }

 private:
  // Code tokens, i.e. all but comments and directives, by number.
  std::string_view at(std::size_t i) const {
    return i < code_.size() ? tokens_[code_[i]].text : std::string_view();
  }
  bool is_word(std::size_t i) const {
    return i < code_.size() && tokens_[code_[i]].kind == TokenKind::word;
  }

  void match_brackets() {
    partner_.assign(code_.size(), npos);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (is_one_of(at(i), {"(", "[", "{"})) open.push_back(i);
      if (!is_one_of(at(i), {")", "]", "}"})) continue;
      const std::string_view wanted = at(i) == ")" ? "(" : at(i) == "]" ? "[" : "{";
      if (open.empty() || at(open.back()) != wanted) unmatched(i);
      partner_[open.back()] = i;
      open.pop_back();
    }
    if (!open.empty()) unmatched(open.back());
  }

  [[noreturn]] void unmatched(std::size_t i) const {
    throw Error("the " + std::string(at(i)) + " in line " + std::to_string(line(i)) +
                " has no partner (the branches of an #if have to be balanced)");
  }

  int line(std::size_t i) const { return tokens_[code_[i]].line; }

  // After a token, or after the whole bracket that it opens.
  std::size_t after(std::size_t i) const { return partner_[i] == npos ? i + 1 : partner_[i] + 1; }

  // After the <…> that begins at i.
  std::size_t after_angles(std::size_t i) const {
    int depth = 0;
    do {
      depth += at(i) == "<" ? 1 : at(i) == ">" ? -1 : 0;
      i = after(i);
    } while (depth > 0 && i < code_.size());
    return i;
  }

  // The next token with this text that is not inside of brackets.
  std::size_t find(std::string_view text, std::size_t i) const {
    while (i < code_.size() && at(i) != text) i = after(i);
    return i;
  }

  void scope(std::size_t begin, std::size_t end, const Lines& names) {
    for (std::size_t i = begin; i < end;) i = declaration(i, names);
  }

  // One declaration; returns where the next begins.
  std::size_t declaration(std::size_t i, const Lines& names) {
    if (at(i) == ";") return i + 1;
    if (is_one_of(at(i), {"public", "private", "protected"}) && at(i + 1) == ":") return i + 2;
    const std::size_t begin = i;
    if (at(i) == "inline" && at(i + 1) == "namespace") ++i;
    if (at(i) == "namespace" || (at(i) == "extern" && at(i + 2) == "{")) {
      return name_space(i, names);
    }
    while (at(i) == "template") i = after_angles(i + 1);
    if (at(i) == "using" || at(i) == "typedef") {
      const std::size_t end = find(";", i);
      const std::size_t name = at(i) == "using" ? i + 1 : end - 1;
      if (at(i) == "typedef" || at(i + 2) == "=") {
        add(Definition::Kind::value, names, {std::string(at(name))}, begin, end);
      }
      return end + 1;
    }
    if (at(i) == "static_assert") return find(";", i) + 1;
    if (is_one_of(at(i), {"struct", "class", "union", "enum"})) {
      const std::size_t end = type(begin, i, names);
      if (end != npos) return end;
    }
    return declarator(begin, i, names);
  }

  std::size_t name_space(std::size_t i, const Lines& names) {
    Lines inner = names;
    for (++i; at(i) != "{"; ++i) {
      if (at(i) == "=" || i >= code_.size()) return find(";", i) + 1;
      if (is_word(i) && at(i) != "inline") inner.emplace_back(at(i));
    }
    scope(i + 1, partner_[i], inner);
    return partner_[i] + 1;
  }

  // A type's definition, or its name alone. npos if it is the beginning of something else.
  std::size_t type(std::size_t begin, std::size_t i, const Lines& names) {
    const bool is_enum = at(i) == "enum";
    ++i;
    if (is_enum && is_one_of(at(i), {"class", "struct"})) ++i;
    while (at(i) == "[" || at(i) == "alignas") i = at(i) == "[" ? after(i) : after(i + 1);
    if (!is_word(i)) return npos;
    const std::string name(at(i++));
    if (at(i) == "<") i = after_angles(i);
    if (at(i) == ";") return i + 1;
    if (at(i) == "final") ++i;
    if (at(i) == ":") {
      while (i < code_.size() && at(i) != "{" && at(i) != ";") ++i;
    }
    if (at(i) != "{") return npos;
    const std::size_t end = find(";", i);
    add(Definition::Kind::type, names, {name}, begin, end);
    Lines inner = names;
    inner.push_back(name);
    if (!is_enum) scope(i + 1, partner_[i], inner);
    return end + 1;
  }

  // A variable or a function. Its name is what stands before the first bracket, = or ;.
  std::size_t declarator(std::size_t begin, std::size_t i, const Lines& names) {
    while (i < code_.size()) {
      if (at(i) == "operator") {
        return function(begin, i, find("(", at(i + 1) == "(" ? i + 3 : i + 1), names);
      }
      const bool named = i > begin && is_word(i - 1);
      const bool attribute = at(i) == "[" && at(i + 1) == "[";
      if (at(i) == "(" && (at(i + 1) == "*" || at(i + 1) == "&")) {
        return variable(begin, i + 2, i, names);
      }
      if (at(i) == "(" && named) return function(begin, i - 1, i, names);
      if (!attribute && is_one_of(at(i), {"=", "{", "[", ";", ":", ","})) {
        return variable(begin, i == begin ? i : i - 1, i, names);
      }
      if (at(i) == "<" && named) {
        i = after_angles(i);
      } else if (is_one_of(at(i), {"decltype", "alignas", "noexcept", "explicit"}) &&
                 at(i + 1) == "(") {
        i = after(i + 1);
      } else {
        i = after(i);
      }
    }
    return i;
  }

  std::size_t variable(std::size_t begin, std::size_t name, std::size_t i, const Lines& names) {
    const std::size_t end = find(";", i);
    if (is_word(name)) {
      add(Definition::Kind::value, names, qualified(name, begin, std::string(at(name))), begin,
          end);
    }
    return end + 1;
  }

  std::size_t function(std::size_t begin, std::size_t name, std::size_t open, const Lines& names) {
    if (open >= code_.size()) return open;
    std::string spelled(at(name));
    for (std::size_t i = name + 1; i < open; ++i) {
      spelled += (is_word(i) && is_word(i - 1) ? " " : "") + std::string(at(i));
    }
    if (name > begin && at(name - 1) == "~") spelled = "~" + std::string(at(name--));
    const Lines own = qualified(name, begin, spelled);
    const char* parameters = at(open).data() + 1;
    const char* parameters_end = at(partner_[open]).data();
    const std::string_view between(parameters,
                                   static_cast<std::size_t>(parameters_end - parameters));

    std::size_t i = partner_[open] + 1;
    while (i < code_.size() && !is_one_of(at(i), {"{", ";", "=", ":"})) {
      i = at(i) == "<" ? after_angles(i) : after(i);
    }
    if (at(i) == ":") i = after_initialisers(i + 1);
    const bool body = at(i) == "{";
    std::size_t end = body ? partner_[i] : find(";", i);
    while (body && at(end + 1) == "catch") end = partner_[find("{", end + 1)];
    add(body ? Definition::Kind::function : Definition::Kind::declaration, names, own, begin, end,
        one_spaced(between));
    return end + 1;
  }

  // After a constructor's  a(1), b{2}, c<d>(3)...
  std::size_t after_initialisers(std::size_t i) const {
    for (;;) {
      while (i < code_.size() && at(i) != "(" && at(i) != "{") {
        i = at(i) == "<" ? after_angles(i) : i + 1;
      }
      if (i >= code_.size()) return i;
      i = after(i);
      while (at(i) == ".") ++i;
      if (at(i) != ",") return i;
      ++i;
    }
  }

  // The name at token i with the A::B:: before it.
  Lines qualified(std::size_t i, std::size_t begin, const std::string& spelled) const {
    Lines result = {spelled};
    while (i > begin + 1 && at(i - 1) == "::") {
      i -= 2;
      if (at(i) == ">") {
        while (i > begin && at(i) != "<") --i;
        --i;
      }
      if (!is_word(i)) break;
      result.insert(result.begin(), std::string(at(i)));
    }
    return result;
  }

  void macro(std::size_t token) {
    std::string text(tokens_[token].text);
    const std::string line = trimmed(text.substr(1));
    if (!starts_with(line, "define ")) return;
    const std::string rest = trimmed(line.substr(7));
    const std::string name = rest.substr(0, rest.find_first_of(" \t(\\"));
    add_lines(
        {Definition::Kind::value, {name}, "", 0, tokens_[token].line, tokens_[token].last_line},
        token);
  }

  void add(Definition::Kind kind, const Lines& scope_names, const Lines& own, std::size_t begin,
           std::size_t end, const std::string& parameters = "") {
    Lines name = scope_names;
    name.insert(name.end(), own.begin(), own.end());
    const std::size_t last = std::min(end, code_.size() - 1);
    add_lines({kind, name, parameters, 0, line(begin), tokens_[code_[last]].last_line},
              code_[begin]);
  }

  void add_lines(Definition definition, std::size_t first_token) {
    definition.comment_line = definition.line;
    for (std::size_t i = first_token; i-- > 0;) {
      const Token& token = tokens_[i];
      if (token.kind != TokenKind::comment || !token.first) break;
      if (token.last_line != definition.comment_line - 1) break;
      definition.comment_line = token.line;
    }
    source_.definitions.push_back(std::move(definition));
  }

  CppSource& source_;
  const std::vector<Token>& tokens_;
  std::vector<std::size_t> code_;
  std::vector<std::size_t> partner_;  // of an opening bracket
};

}  // namespace

CppSource::CppSource(const std::string& source) : text(source), tokens(tokens_of(text)) {
  const Parser parser(*this);
  std::stable_sort(definitions.begin(), definitions.end(),
                   [](const Definition& a, const Definition& b) { return a.line < b.line; });
}

std::string Definition::title() const {
  // Types are written in CamelCase, namespaces in lower case or, if named by a macro, in capitals.
  const std::string around = name.size() > 1 ? name[name.size() - 2] : "";
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool type = !around.empty() && !is_lower(around[0]) &&
                    std::any_of(around.begin(), around.end(), is_lower);
  const std::string result = type ? around + "::" + name.back() : name.back();
  const bool callable = kind == Kind::function || kind == Kind::declaration;
  return callable ? result + "(" + parameters + ")" : result;
}

bool Definition::is_constructor() const {
  const bool callable = kind == Kind::function || kind == Kind::declaration;
  return callable && name.size() > 1 && name[name.size() - 2] == name.back();
}

}  // namespace listings
