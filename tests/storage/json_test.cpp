#include "storage/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "support/strings.h"

using namespace attn;
using namespace std::string_literals;
using doctest::Contains;

namespace {

struct Case {
  std::string text, expected;
};

// What is left of a text after it was read and written.
std::string again(std::string_view text) {
  return to_json(parse_json(text, "test"));
}

std::string nested(int depth) {
  const auto times = static_cast<std::size_t>(depth);
  return std::string(times, '[') + std::string(times, ']');
}

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

TEST_SUITE("storage: json") {
  TEST_CASE("everything that RFC 8259 allows is read") {
    const Case accepted[] = {
        {"null", "null"},
        {" true ", "true"},
        {"\t\r\nfalse", "false"},
        {"0", "0"},
        {"-1", "-1"},
        {"10.25", "10.25"},
        {"1e2", "100"},
        {"1E+2", "100"},
        {"25e-2", "0.25"},
        {"0e0", "0"},
        {"[]", "[]"},
        {"[ ]", "[]"},
        {"{}", "{}"},
        {"{ }", "{}"},
        {"[1 , [2],{\"a\" : 3} ]", R"([1,[2],{"a":3}])"},
        {R"({"b":1,"a":2,"":3})", R"({"b":1,"a":2,"":3})"},  // members keep their order
        {R"({"a":{"a":{"a":1}}})", R"({"a":{"a":{"a":1}}})"},
        {R"("")", R"("")"},
        {R"("a/\/b")", R"("a//b")"},  // '/' needs no escape
        {R"("\"\\\b\f\n\r\t")", R"("\"\\\b\f\n\r\t")"},
        {R"("\u0041\u00e9\u20AC")", "\"A\xC3\xA9\xE2\x82\xAC\""},
        {R"("\ud834\udd1e")", "\"\xF0\x9D\x84\x9E\""},
        {R"("\udbff\udfff\ud800\udc00")", "\"\xF4\x8F\xBF\xBF\xF0\x90\x80\x80\""},
        {"\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\"",
         "\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\""},
        {R"("\u007f\u0080\u07ff\u0800\uffff")", "\"\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\""},
        {R"("\u0000\u001f")", R"("\u0000\u001f")"},
        {"\"\x7F\"", "\"\x7F\""},
    };
    for (const Case& c : accepted) {
      CAPTURE(c.text);
      CHECK(again(c.text) == c.expected);
    }
  }

  TEST_CASE("everything else is refused, with the byte where it went wrong") {
    const std::pair<std::vector<std::string>, const char*> refused[] = {
        {{""}, "byte 0: expected a value, found the end"},
        {{"  "}, "byte 2: expected a value, found the end"},
        {{"["}, "byte 1: expected a value, found the end"},
        {{"nul"}, "byte 0: expected null, found 'n'"},
        {{"True"}, "byte 0: expected a value, found 'T'"},
        {{"NaN"}, "byte 0: expected a value, found 'N'"},
        {{"+1"}, "byte 0: expected a value, found '+'"},
        {{"/**/1"}, "byte 0: expected a value, found '/'"},
        {{"\xEF\xBB\xBF{}"}, "byte 0: expected a value, found the byte 239"},
        {{"\0"s}, "byte 0: expected a value, found the byte 0"},
        {{"Infinity", ".5", "]", "\v1",
          "\xC2\xA0"
          "1"},
         "byte 0: expected a value"},
        {{"[,1]"}, "byte 1: expected a value"},
        {{"[1,]"}, "byte 3: expected a value, found ']'"},
        {{"{\"a\":}"}, "byte 5: expected a value"},
        {{"-Infinity"}, "byte 1: expected a digit, found 'I'"},
        {{"-", "--1"}, "byte 1: expected a digit"},
        {{"1."}, "byte 2: expected a digit, found the end"},
        {{"1.e2"}, "byte 2: expected a digit, found 'e'"},
        {{"1e"}, "byte 2: expected a digit"},
        {{"1e+", "1e+-2"}, "byte 3: expected a digit"},
        {{"1 2"}, "byte 2: expected nothing more, found '2'"},
        {{"1\0"s}, "byte 1: expected nothing more, found the byte 0"},
        {{"01", "0x10", "1_000"}, "byte 1: expected nothing more"},
        {{"{}x", "-01"}, "byte 2: expected nothing more"},
        {{"[1]//"}, "byte 3: expected nothing more"},
        {{"[1 2]"}, "byte 3: expected ',' or ']', found '2'"},
        {{"[1"}, "byte 2: expected ',' or ']', found the end"},
        {{"{\"a\":1"}, "byte 6: expected ',' or '}', found the end"},
        {{"{\"a\":1 \"b\":2}"}, "byte 7: expected ',' or '}'"},
        {{"{\"a\":1,}"}, "byte 7: expected a key in quotes, found '}'"},
        {{"{a:1}", "{'a':1}", "{1:2}"}, "byte 1: expected a key in quotes"},
        {{"{\"a\"}"}, "byte 4: expected ':', found '}'"},
        {{"\"abc"}, "byte 4: expected '\"', found the end"},
        {{"\"\\u1234"}, "byte 7: expected '\"', found the end"},
        {{"\"\\"}, "byte 2: expected one of \"\\/bfnrtu after '\\', found the end"},
        {{"\"\\x41\"", "\"\\a\"", "\"\\\n\"", "\"\\\0\""s}, "byte 2: expected one of"},
        {{"\"a\nb\""},
         "byte 2: expected a control character in a string to be escaped, found the byte 10"},
        {{"\"\0\""s, "\"\x1F\""}, "byte 1: expected a control character"},
        {{R"("\u12")"}, "byte 5: expected four hexadecimal digits"},
        {{R"("\u12g4")"}, "byte 5: expected four hexadecimal digits, found 'g'"},
        {{R"("\u-123")"}, "byte 3: expected four hexadecimal digits"},
        {{"\"\\u123\0\""s}, "byte 6: expected four hexadecimal digits"},
        {{R"("\ud834")"}, "byte 7: expected '\\', found '\"'"},
        {{R"("\ud834x")"}, "byte 7: expected '\\'"},
        {{R"("\ud834\n")"}, "byte 8: expected 'u'"},
        {{R"("\ud834\u0041")", R"("\ud834\ud834")", R"("\ud834\ue000")"},
         "a high surrogate needs a low one after it"},
        {{R"("\udc00")", R"("\udfff")", R"("\udd1e")", R"("\udd1e\ud834")"},
         "a low surrogate needs a high one before it"},
        {{"1e-400", "1e400", std::string(400, '9')}, "byte 0: the number does not fit a double"},
        {{"[-1e309]"}, "byte 1: the number does not fit a double"},
        {{R"({"a":1,"a":1})"}, "object at byte 0: the key \"a\" appears twice"},
        {{R"([{"x":0,"b":1,"a":2,"\u0062":3}])"}, "object at byte 1: the key \"b\" appears twice"},
    };
    for (const auto& [texts, message] : refused) {
      for (const std::string& text : texts) {
        CAPTURE(text);
        CHECK_ERROR(parse_json(text, "here"), Contains(message));
        CHECK_ERROR(parse_json(text, "here"), Contains("here, "));
      }
    }
  }

  TEST_CASE("text that is not UTF-8 is refused in strings, when reading and when writing") {
    for (const std::string bytes : {"\x80", "\xC2\x41", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
      CAPTURE(bytes);
      CHECK(utf8_character(bytes) == 0);
      CHECK_ERROR(parse_json("\"ab" + bytes + "\"", "here"), Contains("byte 3: expected UTF-8"));
      CHECK_ERROR(parse_json("{\"" + bytes + "\":1}", "here"), Contains("byte 2"));
      CHECK_ERROR(to_json("ab" + bytes), Contains("byte 2 of a string is not UTF-8"));
      CHECK_THROWS_AS(to_json(Json::object({{bytes, 1}})), Error);
    }
  }

  TEST_CASE("64 values inside one another are read, 65 are refused, and so are a million") {
    CHECK(again(nested(64)) == nested(64));
    CHECK_ERROR(parse_json(nested(65), "here"),
                Contains("byte 64: more than 64 values inside one another"));
    CHECK_THROWS_AS(parse_json(std::string(1000000, '['), "here"), Error);
    std::string objects;
    for (int i = 0; i < 1000000; ++i) objects += "{\"\":";
    CHECK_THROWS_AS(parse_json(objects, "here"), Error);
  }

  TEST_CASE("integers of 64 bits are kept exactly") {
    // −1, 2^53 + 1, which no double is, 2^63 − 1, −2^63, 2^63 and 2^64 − 1.
    for (const char* text :
         {"-1", "9007199254740993", "9223372036854775807", "-9223372036854775808",
          "9223372036854775808", "18446744073709551615"}) {
      CHECK(again(text) == text);
    }
    CHECK(parse_json("9223372036854775807", "").integer() == INT64_MAX);
    CHECK(parse_json("-9223372036854775808", "").integer() == INT64_MIN);
    CHECK(parse_json("9223372036854775808", "").natural() == std::uint64_t{1} << 63);
    CHECK(parse_json("18446744073709551615", "").natural() == UINT64_MAX);
    CHECK(parse_json("18446744073709551615", "").number() == 18446744073709551616.0);
    CHECK(parse_json("7", "").natural() == 7);
    CHECK(parse_json("7", "").integer() == 7);
    CHECK(parse_json("7", "").number() == 7.0);

    CHECK_THROWS_AS(parse_json("9223372036854775808", "").integer(), Error);
    CHECK_THROWS_AS(parse_json("18446744073709551616", "").natural(), Error);
    CHECK_THROWS_AS(parse_json("-1", "").natural(), Error);
    CHECK_THROWS_AS(parse_json("1.0", "").integer(), Error);
    CHECK_THROWS_AS(parse_json("1e3", "").natural(), Error);
    CHECK(parse_json("18446744073709551616", "").number() == 18446744073709551616.0);
    CHECK(to_json(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
    CHECK(to_json(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  }

  TEST_CASE(
      "every double is read back exactly, as it was written; null is written for what JSON lacks") {
    for (const double x : {-0.0, 0.1, 1.0 / 3, 5e-324, 1e300, 9007199254740993.0,
                           9223372036854775808.0, 1e19, -1e22}) {
      CAPTURE(to_json(x));
      CHECK(same_bits(parse_json(to_json(x), "").number(), x));
    }
    CHECK(to_json(0.25f) == "0.25");
    CHECK(to_json(true) == "true");
    CHECK(to_json(std::size_t{3}) == "3");
    CHECK(to_json(std::nan("")) == "null");
    CHECK(to_json(std::numeric_limits<double>::infinity()) == "null");
    CHECK(to_json(-std::numeric_limits<float>::infinity()) == "null");
  }

  TEST_CASE("every character of a string comes back, and the text holds no control characters") {
    std::string all;
    for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
    all += "é€𝄞";
    const std::string text = to_json(all);
    for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20));
    CHECK(parse_json(text, "").string() == all);
    CHECK(to_json("a\"b\\c\n\x01") == R"("a\"b\\c\n\u0001")");
  }

  TEST_CASE("values are built and looked up by hand") {
    Json value =
        Json::object({{"name", "base"}, {"shape", Json::array({2, 3})}, {"none", nullptr}});
    value.add("loss", 0.5);
    Json row = Json::array();
    row.add(false);
    row.add(std::string_view("x"));
    value.add("row", row);
    CHECK(to_json(value) ==
          R"({"name":"base","shape":[2,3],"none":null,"loss":0.5,"row":[false,"x"]})");
    CHECK(to_json(Json::object({{"a", "b"}})) == R"({"a":"b"})");
    CHECK(to_json(Json::array({Json::array({Json::array()})})) == "[[[]]]");
    CHECK(to_json(Json::array({"a", "b"})) == R"(["a","b"])");

    CHECK(value.at("name").string() == "base");
    CHECK(value.find("absent") == nullptr);
    CHECK(value.members().size() == 5);
    CHECK(value.at("shape").items().size() == 2);
    CHECK(value.at("row").items()[0].boolean() == false);
    CHECK_ERROR(value.at("absent"), "the key \"absent\" is missing");
    CHECK_ERROR(value.add("loss", 1), "the key \"loss\" exists already");
    CHECK_THROWS_AS(Json::object({{"a", 1}, {"b", 2}, {"a", 3}}), Error);
  }

  TEST_CASE("asking a value for another type is an error that names both") {
    const Json number = 1.5;
    CHECK_ERROR(number.string(), "expected a string, found a number");
    CHECK_ERROR(number.items(), "expected an array, found a number");
    CHECK_ERROR(number.at("a"), "expected an object, found a number");
    CHECK_ERROR(number.boolean(), "expected a boolean, found a number");
    CHECK_ERROR(number.integer(),
                "expected an integer of 64 bits, found 1.5 written with a point or an exponent");
    CHECK_ERROR(number.natural(),
                "expected an integer that is not negative, found 1.5 written with a point "
                "or an exponent");
    CHECK_ERROR(Json().number(), "expected a number, found null");
    CHECK_ERROR(Json("3").number(), "expected a number, found a string");
    CHECK_ERROR(Json::array().integer(), "expected an integer of 64 bits, found an array");
    CHECK_THROWS_AS(Json(true).number(), Error);
    CHECK_THROWS_AS(Json(1).boolean(), Error);
    CHECK_THROWS_AS(Json::object().items(), Error);
    CHECK_THROWS_AS(Json::object().add(1), Error);
    CHECK_THROWS_AS(Json::array().add("a", 1), Error);
  }
}
