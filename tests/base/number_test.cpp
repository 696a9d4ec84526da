#include "base/number.h"

#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/random.h"

using namespace attn;

namespace {

// The digits of a number from the first to the last that is not 0, before its exponent.
std::size_t digits_in(const std::string& number) {
  std::string digits;
  for (const char c : number.substr(0, number.find('e'))) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::size_t first = digits.find_first_not_of('0');
  return first == digits.npos ? 0 : digits.find_last_not_of('0') - first + 1;
}

}  // namespace

TEST_SUITE("numbers as text") {
  TEST_CASE("a number is all of a text, or there is none") {
    CHECK(number_in<int>("17") == 17);
    CHECK(number_in<int>("-3") == -3);
    CHECK(number_in<std::uint64_t>("18446744073709551615") == 18446744073709551615u);
    for (const char* none : {"", " 1", "1 ", "1x", "0x10", "+1", "1.5", "99999999999", "one"}) {
      CAPTURE(none);
      CHECK(!number_in<int>(none));
    }
    CHECK(!number_in<std::uint64_t>("-1"));
    CHECK(parse_number<int>("17", "a whole number") == 17);
    CHECK_THROWS_WITH_AS(parse_number<int>("1x", "a whole number"),
                         "expected a whole number, not '1x'", Error);
  }

  TEST_CASE("a double is read and written in as few digits as it needs, whatever the locale") {
    // Commas for decimal points, where this system has German; the classic locale elsewhere.
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    const std::pair<const char*, double> numbers[] = {
        {"1e-3", 0.001}, {"-0.5", -0.5}, {"7", 7.0},      {"1.", 1.0},
        {".5", 0.5},     {"0e999", 0.0}, {"1E+2", 100.0}, {"5e-324", 5e-324}};
    for (const auto& spelt : numbers) {
      CAPTURE(spelt.first);
      CHECK(number_in<double>(spelt.first) == spelt.second);
    }
    for (const char* none :
         {"",    "-",  "+1", "-+1",   "--1",  " 1", "1 ",    "1,5",    "0x10",   "1e",
          "1e+", "e1", ".",  "1.2.3", "inf1", "n",  "1e999", "-1e999", "1e-999", "1_000"}) {
      CAPTURE(none);
      CHECK(!number_in<double>(none));
    }
    for (const char* infinite : {"inf", "-inf", "INFINITY"}) {
      CAPTURE(infinite);
      CHECK(std::isinf(number_in<double>(infinite).value()));
    }
    CHECK(std::isnan(number_in<double>("nan").value()));
    const std::pair<double, const char*> written[] = {
        {0.0, "0"},        {-7.0, "-7"}, {100.0, "100"},  {123456.0, "123456"},
        {1e6, "1000000"},  {0.5, "0.5"}, {1e20, "1e+20"}, {1e-7, "1e-07"},
        {1e300, "1e+300"}, {0.1, "0.1"}, {1e23, "1e+23"}, {5e-324, "5e-324"}};
    for (const auto& [number, text] : written) CHECK(shortest(number) == text);
    CHECK(shortest(0.1f) == "0.1");
    CHECK(shortest(16777216.0f) == "16777216");
    CHECK(shortest(1e-45f) == "1e-45");
    // Doubles of every exponent: random bits.
    for (std::uint64_t i = 0; i < 10000; ++i) {
      const std::uint64_t bits = mix(1, i);
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      if (!std::isfinite(number)) continue;
      const std::string text = shortest(number);
      CAPTURE(text);
      REQUIRE(number_in<double>(text) == number);
      REQUIRE(digits_in(text) <= 17);
      const float rounded = static_cast<float>(number);
      if (!std::isnormal(rounded)) continue;
      const std::string single = shortest(rounded);
      REQUIRE((digits_in(single) <= 9 || single.find('e') == single.npos));
      REQUIRE(static_cast<float>(number_in<double>(single).value()) == rounded);
    }
    std::setlocale(LC_ALL, "C");
  }
}
