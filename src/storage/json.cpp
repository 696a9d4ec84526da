// A value is a variant; its type is the number of the alternative.
#include "storage/json.h"

#include <cmath>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "base/utf8.h"

namespace attn {

Json::Json(std::nullptr_t) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}

Json Json::array(std::vector<Json> items) {
  Json result;
  result.value_ = std::move(items);
  return result;
}

Json Json::object(std::vector<Member> members) {
  std::set<std::string_view> keys;
  for (const Member& member : members) {
    ATTN_CHECK(keys.insert(member.key).second, "the key ", to_json(member.key), " appears twice");
  }
  Json result;
  result.value_ = std::move(members);
  return result;
}

void Json::add(Json item) {
  items();
  std::get<std::vector<Json>>(value_).push_back(std::move(item));
}

void Json::add(std::string key, Json value) {
  ATTN_CHECK(find(key) == nullptr, "the key ", to_json(key), " exists already");
  std::get<std::vector<Member>>(value_).push_back({std::move(key), std::move(value)});
}

Json::Type Json::type() const {
  return static_cast<Type>(value_.index());
}

const char* to_string(Json::Type type) {
  constexpr const char* names[] = {"null",     "a boolean", "a number",
                                   "a string", "an array",  "an object"};
  return names[static_cast<int>(type)];
}

// The alternative of that type. Throws if the value is of another.
template <Json::Type expected, class Value>
static const auto& get(const Value& value) {
  const auto* result = std::get_if<static_cast<std::size_t>(expected)>(&value);
  ATTN_CHECK(result != nullptr, "expected ", to_string(expected), ", found ",
             to_string(static_cast<Json::Type>(value.index())));
  return *result;
}

template <class Whole>
Whole Json::whole(const char* expected) const {
  const Number* number = std::get_if<Number>(&value_);
  const auto result = number_in<Whole>(number == nullptr ? "" : number->integer);
  ATTN_CHECK(result.has_value(), "expected ", expected, ", found ",
             number == nullptr ? to_string(type()) : to_json(*this));
  return *result;
}

bool Json::is_integer() const {
  return type() == Type::number && !get<Type::number>(value_).integer.empty();
}

bool Json::boolean() const {
  return get<Type::boolean>(value_);
}

double Json::number() const {
  return get<Type::number>(value_).value;
}

std::int64_t Json::integer() const {
  return whole<std::int64_t>("an integer of 64 bits");
}

std::uint64_t Json::natural() const {
  return whole<std::uint64_t>("an integer that is not negative");
}

const std::string& Json::string() const {
  return get<Type::string>(value_);
}

const std::vector<Json>& Json::items() const {
  return get<Type::array>(value_);
}

const std::vector<Json::Member>& Json::members() const {
  return get<Type::object>(value_);
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

static void write_string(std::string_view text, std::string& out) {
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

// The parts between `begin` and `end`, with commas between them.
template <class Parts, class Write>
static void write_list(const Parts& parts, char begin, char end, std::string& out, Write write) {
  out += begin;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += ',';
    write(part);
  }
  out += end;
}

void Json::write(std::string& out) const {
  switch (type()) {
    case Type::null:
      out += "null";
      break;
    case Type::boolean:
      out += boolean() ? "true" : "false";
      break;
    case Type::number: {
      const Number& number = get<Type::number>(value_);
      out += !number.integer.empty()       ? number.integer
             : std::isfinite(number.value) ? shortest(number.value)
                                           : "null";
      break;
    }
    case Type::string:
      write_string(string(), out);
      break;
    case Type::array:
      write_list(items(), '[', ']', out, [&out](const Json& item) { item.write(out); });
      break;
    case Type::object:
      write_list(members(), '{', '}', out, [&out](const Member& member) {
        write_string(member.key, out);
        out += ':';
        member.value.write(out);
      });
  }
}

std::string to_json(const Json& value) {
  std::string out;
  value.write(out);
  return out;
}

}  // namespace attn
