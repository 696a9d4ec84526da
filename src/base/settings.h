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
#include "base/real.h"

namespace attn {

using Settings = std::map<std::string, std::string>;

// One member of a T: its name, how it is written and read, and, if not every value that can be read
// makes sense, how it is checked. Reading and checking throw attn::Error.
template <class T>
struct Setting {
  std::string name;
  std::function<std::string(const T&)> write;
  std::function<void(T&, const std::string&)> read;
  std::function<void(const T&)> check = nullptr;
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

// A size from `least` to `most`, and a probability less than 1: check_settings checks them. `why`
// ends the message.
template <class T>
Setting<T> size_setting(const std::string& name, Index T::*member, Index least, Index most,
                        const std::string& why = "") {
  Setting<T> setting = number_setting(name, member);
  setting.check = [=](const T& t) {
    ATTN_CHECK(t.*member >= least && t.*member <= most, name, " must be ", least, " to ", most,
               ", not ", t.*member, why);
  };
  return setting;
}

template <class T>
Setting<T> probability_setting(const std::string& name, double T::*member) {
  Setting<T> setting = number_setting(name, member);
  setting.check = [=](const T& t) {
    ATTN_CHECK(t.*member >= 0 && t.*member < 1, name, " must be at least 0 and less than 1, not ",
               shortest(t.*member));
  };
  return setting;
}

// One of several words.
template <class T, class Value>
Setting<T> word_setting(std::string name, Value T::*member,
                        const std::vector<std::pair<std::string, Value>>& words) {
  const auto write = [=](const T& t) {
    for (const auto& [word, value] : words) {
      if (t.*member == value) return word;
    }
    fail("a setting has a value without a word");
  };
  const auto read = [=](T& t, const std::string& text) {
    std::vector<std::string> all;
    for (const auto& [word, value] : words) {
      if (word == text) {
        t.*member = value;
        return;
      }
      all.push_back(word);
    }
    fail("expected ", all.size() == 2 ? all[0] + " or " + all[1] : "one of " + comma_list(all),
         ", not '", text, "'");
  };
  return {std::move(name), write, read};
}

// What follows is for every struct T with a function settings_of(const T&), its table of settings.

template <class T>
Settings to_settings(const T& t) {
  Settings settings;
  for (const Setting<T>& setting : settings_of(t)) settings[setting.name] = setting.write(t);
  return settings;
}

// Sets the setting of that name. Throws, naming it, if there is none or the value is wrong.
template <class T>
void set(T& t, const std::string& name, const std::string& value) {
  for (const Setting<T>& setting : settings_of(t)) {
    if (setting.name != name) continue;
    try {
      return setting.read(t, value);
    } catch (const Error& error) {
      fail(name, ": ", error.what());
    }
  }
  fail("unknown setting '", name, "'");
}

// Throws for the first whose value makes no sense.
template <class T>
void check_settings(const T& t) {
  for (const Setting<T>& setting : settings_of(t)) {
    if (setting.check) setting.check(t);
  }
}

// A T that was read and checked. Each of its settings must be among `settings`; others there are
// left alone. Errors begin with `where`.
template <class T>
T from_settings(const Settings& settings, const std::string& where) {
  T t;
  try {
    for (const Setting<T>& setting : settings_of(t)) {
      const auto found = settings.find(setting.name);
      ATTN_CHECK(found != settings.end(), "the setting '", setting.name, "' is missing");
      set(t, found->first, found->second);
    }
    check(t);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return t;
}

}  // namespace attn
