// A value is a variant; its type is the number of the alternative.
#include "storage/json.h"

#include <cmath>
#include <set>

#include "base/check.h"
#include "base/utf8.h"

namespace attn {

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

bool Json::is_integer() const {
  const auto* number = std::get_if<Number>(&value_);
  return number != nullptr && number->integer;
}

bool Json::boolean() const {
  return get<Type::boolean>(value_);
}

double Json::number() const {
  return get<Type::number>(value_).value;
}

template <class Whole>
Whole Json::whole(const char* expected) const {
  const auto* number = std::get_if<Number>(&value_);
  ATTN_CHECK(number != nullptr, "expected ", expected, ", found ", to_string(type()));
  // 4.0 and 4e0 are shown as 4.
  ATTN_CHECK(number->integer, "expected ", expected, ", found ", number->text,
             " written with a point or an exponent");
  const auto result = number_in<Whole>(number->text);
  ATTN_CHECK(result.has_value(), "expected ", expected, ", found ", number->text);
  return *result;
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
  const std::size_t invalid = first_invalid_utf8(text);
  ATTN_CHECK(invalid == text.size(), "byte ", invalid,
             " of a string is not UTF-8, so it cannot be written as JSON");
  out += '"';
  for (const char c : text) {
    const std::size_t letter = std::string_view("\"\\\b\f\n\r\t").find(c);
    const auto byte = static_cast<unsigned char>(c);
    if (letter != std::string_view::npos) {
      out += {'\\', "\"\\bfnrt"[letter]};
    } else {
      out += byte < 0x20 ? json_escape(byte) : std::string(1, c);
    }
  }
  out += '"';
}

void Json::write(std::string& out) const {
  if (const auto* number = std::get_if<Number>(&value_)) {
    out += std::isfinite(number->value) ? number->text : "null";
  } else if (const auto* text = std::get_if<std::string>(&value_)) {
    write_string(*text, out);
  } else if (type() == Type::array) {
    out += '[';
    for (const Json& item : items()) {
      if (&item != &items().front()) out += ',';
      item.write(out);
    }
    out += ']';
  } else if (type() == Type::object) {
    out += '{';
    for (const Member& member : members()) {
      if (&member != &members().front()) out += ',';
      write_string(member.key, out);
      out += ':';
      member.value.write(out);
    }
    out += '}';
  } else {
    out += type() == Type::null ? "null" : boolean() ? "true" : "false";
  }
}

std::string to_json(const Json& value) {
  std::string out;
  value.write(out);
  return out;
}

}  // namespace attn
