#include "storage/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace attn {

Json::Json(std::nullptr_t) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}

void Json::set_natural(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    value_ = static_cast<std::int64_t>(value);
  } else {
    value_ = value;
  }
}

Json Json::array(std::vector<Json> items) {
  Json result;
  result.value_ = std::move(items);
  return result;
}

Json Json::object(std::vector<Member> members) {
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const Member& member : members) keys.push_back(member.key);
  std::sort(keys.begin(), keys.end());
  const auto twice = std::adjacent_find(keys.begin(), keys.end());
  ATTN_CHECK(twice == keys.end(), "the key ", to_json(*twice), " is there twice");
  Json result;
  result.value_ = std::move(members);
  return result;
}

void Json::add(Json item) {
  items();
  std::get<std::vector<Json>>(value_).push_back(std::move(item));
}

void Json::add(std::string key, Json value) {
  ATTN_CHECK(find(key) == nullptr, "the key ", to_json(key), " is there already");
  std::get<std::vector<Member>>(value_).push_back({std::move(key), std::move(value)});
}

Json::Type Json::type() const {
  constexpr Type types[] = {Type::null,   Type::boolean, Type::number, Type::number,
                            Type::number, Type::string,  Type::array,  Type::object};
  return types[value_.index()];
}

const char* to_string(Json::Type type) {
  constexpr const char* names[] = {"null",     "a boolean", "a number",
                                   "a string", "an array",  "an object"};
  return names[static_cast<int>(type)];
}

bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_);
}

namespace {

// The alternative T of a value, which must be of that type.
template <class T, class Value>
const T& get(const Value& value, Json::Type found, Json::Type expected) {
  const T* result = std::get_if<T>(&value);
  ATTN_CHECK(result != nullptr, "expected ", to_string(expected), ", found ", to_string(found));
  return *result;
}

}  // namespace

bool Json::boolean() const {
  return get<bool>(value_, type(), Type::boolean);
}

double Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  return get<double>(value_, type(), Type::number);
}

std::int64_t Json::integer() const {
  const auto* value = std::get_if<std::int64_t>(&value_);
  ATTN_CHECK(value != nullptr, "expected an integer of 64 bits, found ",
             type() == Type::number ? to_json(*this) : to_string(type()));
  return *value;
}

std::uint64_t Json::natural() const {
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  const auto* value = std::get_if<std::int64_t>(&value_);
  ATTN_CHECK(value != nullptr && *value >= 0, "expected an integer that is not negative, found ",
             type() == Type::number ? to_json(*this) : to_string(type()));
  return static_cast<std::uint64_t>(*value);
}

const std::string& Json::string() const {
  return get<std::string>(value_, type(), Type::string);
}

const std::vector<Json>& Json::items() const {
  return get<std::vector<Json>>(value_, type(), Type::array);
}

const std::vector<Json::Member>& Json::members() const {
  return get<std::vector<Member>>(value_, type(), Type::object);
}

const Json* Json::find(std::string_view key) const {
  for (const Member& member : members()) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

const Json& Json::at(std::string_view key) const {
  const Json* value = find(key);
  ATTN_CHECK(value != nullptr, "the key ", to_json(key), " is missing");
  return *value;
}

std::string json_escape(unsigned character) {
  constexpr char hex[] = "0123456789abcdef";
  return std::string("\\u00") + hex[character / 16] + hex[character % 16];
}

namespace {

template <class Number>
void append_number(Number value, std::string& out) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_string(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = utf8_character(text.substr(i));
    ATTN_CHECK(bytes > 0, "byte ", i, " of a string is not UTF-8, so it cannot be written as JSON");
    const char c = text[i];
    const std::size_t letter = std::string_view("\"\\\b\f\n\r\t").find(c);
    if (letter != std::string_view::npos) {
      out += '\\';
      out += "\"\\bfnrt"[letter];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += json_escape(static_cast<unsigned char>(c));
    } else {
      out += text.substr(i, bytes);
    }
    i += bytes;
  }
  out += '"';
}

void append(const Json& value, std::string& out) {
  switch (value.type()) {
    case Json::Type::null:
      out += "null";
      break;
    case Json::Type::boolean:
      out += value.boolean() ? "true" : "false";
      break;
    case Json::Type::number:
      if (!value.is_integer()) {
        if (std::isfinite(value.number())) {
          append_number(value.number(), out);
        } else {
          out += "null";
        }
      } else if (value.number() < 0) {
        append_number(value.integer(), out);
      } else {
        append_number(value.natural(), out);
      }
      break;
    case Json::Type::string:
      append_string(value.string(), out);
      break;
    case Json::Type::array: {
      const char* separator = "[";
      for (const Json& item : value.items()) {
        out += std::exchange(separator, ",");
        append(item, out);
      }
      out += value.items().empty() ? "[]" : "]";
      break;
    }
    case Json::Type::object: {
      const char* separator = "{";
      for (const Json::Member& member : value.members()) {
        out += std::exchange(separator, ",");
        append_string(member.key, out);
        out += ':';
        append(member.value, out);
      }
      out += value.members().empty() ? "{}" : "}";
      break;
    }
  }
}

}  // namespace

std::string to_json(const Json& value) {
  std::string out;
  append(value, out);
  return out;
}

namespace {

Json typed(const std::string& value) {
  if (value == "yes" || value == "no") return value == "yes";
  try {
    return parse_json(value, "setting");
  } catch (const Error&) {
    return value;
  }
}

}  // namespace

Json settings_json(const Settings& settings) {
  Json result = Json::object();
  for (const auto& [name, value] : settings) result.add(name, typed(value));
  return result;
}

}  // namespace attn
