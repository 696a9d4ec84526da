// Settings as strings, for files and command lines. A struct T has visit_settings(T&, visit), which
// calls visit(name, member, allowed) for each member. Errors name the member.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/number.h"
#include "base/real.h"
#include "base/utf8.h"

namespace attn {

using Settings = std::map<std::string, std::string>;

// What a member may be: any UTF-8 text; a number in a range; one of several named values.
struct AnyText {};
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool below_most = false;  // `most` itself is too much
  const char* why = "";     // the end of the message
};
template <class Value>
using OneOf = std::vector<std::pair<std::string, Value>>;

constexpr Bounds kUnbounded, kProbability{0, 1, true};
inline OneOf<bool> yes_or_no() {
  return {{"yes", true}, {"no", false}};
}

inline std::string text_of(const std::string& member, AnyText) {
  return member;
}
template <class Number>
std::string text_of(Number member, const Bounds&) {
  return shortest(member);
}
template <class Value>
std::string text_of(const Value& member, const OneOf<Value>& words) {
  for (const auto& [word, value] : words) {
    if (value == member) return word;
  }
  fail("a setting has a value without a word");
}

inline void set_member(std::string& member, AnyText, const std::string& text) {
  const std::size_t invalid = first_invalid_utf8(text);
  ATTN_CHECK(invalid == text.size(), "'", text, "' is not UTF-8 at byte ", invalid + 1,
             ", so no file of settings can hold it; rename it");
  member = text;
}
template <class Number>
void set_member(Number& member, const Bounds&, const std::string& text) {
  constexpr bool whole = std::is_integral_v<Number>;
  member = parse_number<Number>(text, whole ? "a whole number" : "a number");
  if (member == 0) member = 0;  // and not −0
}
template <class Value>
void set_member(Value& member, const OneOf<Value>& words, const std::string& text) {
  std::vector<std::string> all;
  for (const auto& [word, value] : words) {
    if (word == text) member = value;
    all.push_back(word);
  }
  ATTN_CHECK(std::count(all.begin(), all.end(), text) > 0, "expected ",
             all.size() > 2 ? "one of " + comma_list(all) : joined(all, " or "), ", not '", text,
             "'");
}

template <class Member, class Allowed>
void check_member(const std::string& name, const Member& member, const Allowed& allowed) {
  if constexpr (std::is_same_v<Allowed, Bounds>) {
    const double number = static_cast<double>(member);
    const bool below = allowed.below_most ? number < allowed.most : number <= allowed.most;
    ATTN_CHECK(number >= allowed.least && below, name, " must be ",
               allowed.below_most ? "at least " : "", shortest(allowed.least),
               allowed.below_most ? " and less than " : " to ", shortest(allowed.most), ", not ",
               shortest(member), allowed.why);
  }
}

// Lists a setting that is always the same.
template <class Visit>
void visit_constant(const std::string& name, std::string value, const Visit& visit) {
  visit(name, value, OneOf<std::string>{{value, value}});
}

template <class T>
Settings to_settings(T t) {
  Settings settings;
  visit_settings(t, [&](const std::string& name, const auto& member, const auto& allowed) {
    settings[name] = text_of(member, allowed);
  });
  return settings;
}

template <class T>
void set(T& t, const std::string& name, const std::string& value) {
  bool found = false;
  visit_settings(t, [&](const std::string& its_name, auto& member, const auto& allowed) {
    if (its_name != name) return;
    found = true;
    try {
      set_member(member, allowed, value);
    } catch (const Error& error) {
      fail(name, ": ", error.what());
    }
  });
  ATTN_CHECK(found, "unknown setting '", name, "'");
}

// Throws for the first member that is not in its range.
template <class T>
void check_settings(T t) {
  visit_settings(t, [](const std::string& name, const auto& member, const auto& allowed) {
    check_member(name, member, allowed);
  });
}

// A T of exactly these settings, checked by check(const T&). Errors begin with `where`.
template <class T>
T from_settings(const Settings& settings, const std::string& where) {
  T t;
  try {
    for (const auto& [name, value] : to_settings(t)) {
      ATTN_CHECK(settings.count(name) > 0, "the setting '", name, "' is missing");
    }
    for (const auto& [name, value] : settings) set(t, name, value);
    check(t);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return t;
}

}  // namespace attn
