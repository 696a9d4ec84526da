// JSON (RFC 8259), for the header of safetensors files and for the program's --json output.
//
//   Json report = Json::object({{"loss", 0.5}, {"shape", Json::array({2, 3})}});
//   report.add("name", "base");
//   to_json(report)                                   {"loss":0.5,"shape":[2,3],"name":"base"}
//   parse_json(text, path).at("loss").number()        0.5
//
// The accessors throw attn::Error if the value is of another type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/number.h"

namespace attn {

class Json {
 public:
  struct Member;  // {std::string key; Json value;}
  enum class Type { null, boolean, number, string, array, object };

  Json(std::nullptr_t = nullptr) {}
  Json(const char* text) : value_(std::string(text)) {}
  Json(std::string_view text) : value_(std::string(text)) {}
  Json(std::string text) : value_(std::move(text)) {}
  // Integers are kept exactly, a float by its own digits: 0.1f is 0.1. A char is not a number.
  template <class T, std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, char>, int> = 0>
  Json(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      value_ = value;
    } else {
      value_ = Number{static_cast<double>(value), shortest(value), std::is_integral_v<T>};
    }
  }
  static Json array(std::vector<Json> items = {});
  // Throws if a key appears twice.
  static Json object(std::vector<Member> members = {});

  // Adds an item to an array, or a member to an object, which must not have that key yet.
  void add(Json item);
  void add(std::string key, Json value);

  Type type() const { return static_cast<Type>(value_.index()); }
  bool is_integer() const;  // a number written without fraction and exponent, of 64 bits

  bool boolean() const;
  double number() const;
  std::int64_t integer() const;   // throws also if it does not fit
  std::uint64_t natural() const;  // an integer ≥ 0; throws also if it is negative
  const std::string& string() const;
  const std::vector<Json>& items() const;      // of an array
  const std::vector<Member>& members() const;  // of an object, in their order
  // The value of a key of an object; if there is none, find returns null and at throws.
  const Json* find(std::string_view key) const;
  const Json& at(std::string_view key) const;

 private:
  friend std::string to_json(const Json& value);
  struct Number {
    double value;
    std::string text;  // as it is written
    bool integer;
  };
  template <class Whole>
  Whole whole(const char* expected) const;
  void write(std::string& out) const;

  // In the order of Type.
  std::variant<std::nullptr_t, bool, Number, std::string, std::vector<Json>, std::vector<Member>>
      value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

// "an array"
const char* to_string(Json::Type type);

// The value that `text` spells. Throws attn::Error, with `where`, the byte and what was expected
// there, for anything that is not strictly JSON, for repeated keys, for numbers that no double can
// hold, and for arrays and objects nested more than 64 deep.
Json parse_json(std::string_view text, const std::string& where);

// The value as text, without spaces or line ends. Numbers are written with as few digits as read
// back exactly; NaN and infinities, which JSON lacks, as null. Throws if a string is not UTF-8.
std::string to_json(const Json& value);
// A character below 256 as JSON can always write it, "\u001b".
std::string json_escape(unsigned character);

}  // namespace attn
