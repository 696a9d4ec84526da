// Structs of settings as text: each member under a name, to a map of strings and back. This is how
// configurations and training settings are kept in files and set from the command line.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/number.h"

namespace attn {

using Settings = std::map<std::string, std::string>;

// One member of a T: its name, how it is written, and how it is read. Reading throws attn::Error.
template <class T>
struct Setting {
  std::string name;
  std::function<std::string(const T&)> write;
  std::function<void(T&, const std::string&)> read;
};

template <class T>
Setting<T> text_setting(std::string name, std::string T::*member) {
  return {std::move(name), [=](const T& t) { return t.*member; },
          [=](T& t, const std::string& value) { t.*member = value; }};
}

template <class T, class Number>
Setting<T> number_setting(std::string name, Number T::*member) {
  return {std::move(name), [=](const T& t) { return shortest(t.*member); },
          [=](T& t, const std::string& value) {
            constexpr bool whole = std::is_integral_v<Number>;
            t.*member = parse_number<Number>(value, whole ? "a whole number" : "a number");
          }};
}

// One of two words.
template <class T, class Value>
Setting<T> either_setting(std::string name, Value T::*member, std::pair<const char*, Value> first,
                          std::pair<const char*, Value> second) {
  return {std::move(name),
          [=](const T& t) -> std::string {
            return t.*member == first.second ? first.first : second.first;
          },
          [=](T& t, const std::string& value) {
            ATTN_CHECK(value == first.first || value == second.first, "expected ", first.first,
                       " or ", second.first, ", not '", value, "'");
            t.*member = value == first.first ? first.second : second.second;
          }};
}

template <class T>
Settings write_settings(const std::vector<Setting<T>>& all, const T& t) {
  Settings settings;
  for (const Setting<T>& setting : all) settings[setting.name] = setting.write(t);
  return settings;
}

// Sets the setting of that name. Throws, naming it, if there is none or the value is wrong.
template <class T>
void read_setting(const std::vector<Setting<T>>& all, T& t, const std::string& name,
                  const std::string& value) {
  for (const Setting<T>& setting : all) {
    if (setting.name != name) continue;
    try {
      return setting.read(t, value);
    } catch (const Error& error) {
      fail(name, ": ", error.what());
    }
  }
  fail("unknown setting '", name, "'");
}

// Sets all of them. Each must be among `settings`; others there are left alone.
template <class T>
void read_settings(const std::vector<Setting<T>>& all, T& t, const Settings& settings) {
  for (const Setting<T>& setting : all) {
    const auto found = settings.find(setting.name);
    ATTN_CHECK(found != settings.end(), "the setting '", setting.name, "' is missing");
    read_setting(all, t, found->first, found->second);
  }
}

}  // namespace attn
