#include "text/lines.h"

#include <string>

#include <doctest/doctest.h>
#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/parse_lines.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using attn::test::TemporaryDirectory;

namespace {

using Lines = std::vector<std::string>;

Lines lines(std::string_view contents) {
  return test::parse_lines(contents, "f");
}

}  // namespace

TEST_SUITE("text: lines") {
  TEST_CASE("separators split a text into one part more than there are of them") {
    CHECK(split("", ',') == Lines{""});
    CHECK(split("a,bc", ',') == Lines{"a", "bc"});
    CHECK(split(",a,,", ',') == Lines{"", "a", "", ""});
    CHECK(split("a b,c", '\t') == Lines{"a b,c"});
  }

  TEST_CASE("a line ends at a newline, and the last one with or without it") {
    CHECK(lines("").empty());
    CHECK(lines("a") == Lines{"a"});
    CHECK(lines("a\n") == Lines{"a"});
    CHECK(lines("\n") == Lines{""});
    CHECK(lines("a\n\nb") == Lines{"a", "", "b"});
    CHECK(lines("a\n\n") == Lines{"a", ""});
  }

  TEST_CASE("Windows' line ends and byte order mark leave no trace") {
    CHECK(lines("\xEF\xBB\xBF"
                "a b\r\nc\r\n\r\nd\r") == Lines{"a b", "c", "", "d"});
    CHECK(lines("\xEF\xBB\xBF").empty());
    // Elsewhere U+FEFF is text, and so is a \r that is not at the end.
    CHECK(lines("a\n\xEF\xBB\xBF"
                "b\rc") == Lines{"a",
                                 "\xEF\xBB\xBF"
                                 "b\rc"});
    CHECK(lines("a\r\r\n") == Lines{"a\r"});
  }

  TEST_CASE("what other programs take for a line's end is not one here") {
    const std::string separators =
        "a\xE2\x80\xA8"
        "b\xC2\x85"
        "c\fd\ve";
    CHECK(lines(separators + "\n") == Lines{separators});
  }

  TEST_CASE("words are separated by any run of ASCII white space and nothing else") {
    using Words = std::vector<std::string_view>;
    CHECK(words("").empty());
    CHECK(words(" \t\v\f\r\n").empty());
    CHECK(words("Jane visite") == Words{"Jane", "visite"});
    CHECK(words("  Jane \t visite\r") == Words{"Jane", "visite"});
    CHECK(words("10\xC2\xA0km") == Words{"10\xC2\xA0km"});  // a no-break space
    for (int byte = 0; byte < 256; ++byte) {
      const bool white = byte == ' ' || (byte >= 9 && byte <= 13);
      CHECK(is_space(static_cast<char>(byte)) == white);
    }
  }

  TEST_CASE("a line is blank if it shows nothing: white space, or characters without a shape") {
    unsigned white = 0;
    for (unsigned code = 1; code < 0x10000; ++code) {
      if (code < 0xD800 || code > 0xDFFF) white += is_white_space(test::utf8_of(code));
    }
    CHECK(white == 25 + 4);  // of Unicode 15, and Python's four separators
    for (const char* blank : {"", " \t", "\u00A0", "\u202F\u2009", "\u3000", "\u2028\u0085",
                              "\u200B", "\uFEFF", "\u2060", "\u00AD", "\u200E\u202A \u2069"}) {
      CAPTURE(blank);
      CHECK(is_blank(blank));
      CHECK_FALSE(is_blank(std::string(blank) + "a"));
      CHECK_FALSE(is_blank("." + std::string(blank)));
    }
    for (const char* shown : {"_", "\u00B7", "\u2014", "\u0301", "\u2800x", "\uFFFD", "字"}) {
      CHECK_FALSE(is_blank(shown));
    }
  }

  TEST_CASE("an error names file, line and byte, all counted from one") {
    CHECK_THROWS_WITH_AS(lines("\xFF"), "f, line 1, byte 1: not UTF-8 (0xFF)", Error);
    CHECK_THROWS_WITH_AS(lines("a\nb\nao\xC3t\n"), "f, line 3, byte 3: not UTF-8 (0xC3)", Error);
    CHECK_THROWS_WITH_AS(lines("a\nb\xC3\n\xBB"), "f, line 2, byte 2: not UTF-8 (0xC3)", Error);
    CHECK_THROWS_WITH_AS(lines(std::string_view("a\r\nb\0c", 6)),
                         "f, line 2, byte 2: a NUL byte, which no text has", Error);
    for (const std::string mark : {"\xFF\xFE", "\xFE\xFF"}) {
      CHECK_THROWS_WITH_AS(lines(mark + "a\n"), doctest::Contains("but UTF-16; save it as UTF-8"),
                           Error);
      const std::string hex = mark[0] == '\xFF' ? "(0xFF)" : "(0xFE)";
      CHECK_THROWS_WITH_AS(lines("a\n" + mark), ("f, line 2, byte 1: not UTF-8 " + hex).c_str(),
                           Error);
    }
    CHECK_THROWS_WITH_AS(lines("\xFF\xFF"), "f, line 1, byte 1: not UTF-8 (0xFF)", Error);
  }

  TEST_CASE("a file is read as its text would be, and named when it is wrong") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("lines");
    write_file(path, "a\r\nb");
    CHECK(read_lines(path) == Lines{"a", "b"});
    write_file(path, "a\n\xFF");
    CHECK_THROWS_WITH_AS(read_lines(path), (path + ", line 2, byte 1: not UTF-8 (0xFF)").c_str(),
                         Error);
    CHECK_THROWS_AS(read_lines(directory.path("missing")), Error);
  }
}
