// A C++ file as a list of what it defines and declares, with the lines of each.
#pragma once

#include <string>
#include <vector>

#include "cpp_tokens.h"
#include "text.h"

namespace listings {

struct Definition {
  // value: a constant, variable, alias or macro. declaration: of a function that has no body here.
  enum class Kind { function, declaration, type, value };
  Kind kind;
  Lines name;              // with the namespaces and types around it: {"attn", "Tensor", "zeros"}
  std::string parameters;  // of a function, as written, one-spaced
  int comment_line = 0;    // the first of the comment lines directly above
  int line = 0, last_line = 0;

  std::string title() const;  // "Tensor::zeros(const Shape& shape)", with the type around it
  bool is_constructor() const;
};

struct CppSource {
  explicit CppSource(const std::string& text);
  CppSource(const CppSource&) = delete;  // tokens point into text
  CppSource& operator=(const CppSource&) = delete;

  const std::string text;
  const std::vector<Token> tokens;
  std::vector<Definition> definitions;
};

}  // namespace listings
