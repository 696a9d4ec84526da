#include "base/utf8.h"

#include <string>

#include <doctest/doctest.h>

#include "support/strings.h"

using namespace attn;
using attn::test::utf8_of;

namespace {

bool valid(const std::string& text) {
  return first_invalid_utf8(text) == text.size();
}

}  // namespace

TEST_SUITE("base: utf8") {
  TEST_CASE("every code point but the surrogates is accepted") {
    unsigned wrong = 0;
    for (unsigned point = 0; point <= 0x10FFFF; ++point) {
      const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
      wrong += valid(utf8_of(point)) == surrogate;
    }
    CHECK(wrong == 0);
  }

  // With the test before: as many sequences are accepted as there are code points, so no others.
  TEST_CASE("no byte sequence is accepted that is not a code point's one encoding") {
    std::string one(1, '\0'), two(2, '\0'), three(3, '\0'), four(4, '\0');
    unsigned ones = 0, twos = 0, threes = 0, fours = 0;
    for (unsigned a = 0; a < 256; ++a) {
      one[0] = two[0] = three[0] = four[0] = static_cast<char>(a);
      ones += valid(one);
      for (unsigned b = 0; b < 256; ++b) {
        two[1] = three[1] = four[1] = static_cast<char>(b);
        if (a >= 0x80) twos += valid(two);
        // Below E0 the bytes may be two sequences; below F0 likewise.
        for (unsigned c = 0; a >= 0xE0 && c < 256; ++c) {
          three[2] = static_cast<char>(c);
          threes += valid(three);
        }
        for (const char c : {'\x00', '\x7F', '\x80', '\xBF', '\xC0', '\xFF'}) {
          for (const char d : {'\x00', '\x7F', '\x80', '\xBF', '\xC0', '\xFF'}) {
            four[2] = c;
            four[3] = d;
            if (a >= 0xF0) fours += valid(four);
          }
        }
      }
    }
    CHECK(ones == 0x80);
    CHECK(twos == 0x800 - 0x80);
    CHECK(threes == 0x10000 - 0x800 - 0x800);
    // A quarter of 64 × 64 last two bytes were 2 × 2 of them.
    CHECK(fours == 0x100000 / (64 * 64) * (2 * 2));
  }

  TEST_CASE("the position is that of the sequence that is wrong, wherever it stands") {
    CHECK(first_invalid_utf8("") == 0);
    CHECK(first_invalid_utf8("Jane visite l'Afrique") == 21);
    CHECK(first_invalid_utf8("août") == 5);
    CHECK(first_invalid_utf8("ao\xC3t") == 2);               // its second byte is missing
    CHECK(first_invalid_utf8("août \xC0\xAF.") == 6);        // overlong "/"
    CHECK(first_invalid_utf8("\xE2\x82\xAC\xE2\x82") == 3);  // the euro sign, and two thirds of it
    CHECK(first_invalid_utf8("a\xED\xA0\x80") == 1);         // U+D800
    CHECK(first_invalid_utf8("ab\xF4\x90\x80\x80") == 2);    // U+110000
    CHECK(first_invalid_utf8("abc\x80") == 3);               // continues nothing
    CHECK(first_invalid_utf8(std::string("a\0b\xFF", 4)) == 3);
  }

  TEST_CASE("a sequence cut short is never read beyond its end") {
    for (const unsigned point : {0xFBu, 0x20ACu, 0x1F600u}) {
      const std::string whole = utf8_of(point);
      for (std::size_t length = 1; length < whole.size(); ++length) {
        // The bytes that would complete it lie just behind the view.
        CHECK(first_invalid_utf8(std::string_view(whole).substr(0, length)) == 0);
      }
    }
  }
}
