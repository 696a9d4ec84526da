#include "text/lines.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <string>
#include <vector>

#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/parse_lines.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using attn::test::TemporaryDirectory;

namespace {

using Lines = std::vector<std::string>;

// Input that comes in these pieces, as from a pipe; each is at hand when it is asked for.
LineReader reader_of(std::deque<std::string> pieces) {
  return LineReader([pieces](char* bytes, std::size_t size) mutable {
    if (pieces.empty()) return std::ptrdiff_t{0};
    const std::string piece = pieces.front().substr(0, size);
    pieces.front().erase(0, size);
    if (pieces.front().empty()) pieces.pop_front();
    std::copy(piece.begin(), piece.end(), bytes);
    return static_cast<std::ptrdiff_t>(piece.size());
  });
}

std::vector<std::string> all_lines(const std::deque<std::string>& pieces) {
  LineReader reader = reader_of(pieces);
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.push_back(*line);
  CHECK(reader.line() == static_cast<std::int64_t>(lines.size()));
  return lines;
}

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

  TEST_CASE("a line ends at a newline alone, Windows' marks leave no trace, however it is read") {
    const std::string mark = "\xEF\xBB\xBF";
    const std::string separators =
        "a\xE2\x80\xA8"
        "b\xC2\x85"
        "c\fd\ve";
    const std::pair<std::string, Lines> cases[] = {
        {"", {}},
        {"a", {"a"}},
        {"a\n", {"a"}},
        {"\n", {""}},
        {"\n\n", {"", ""}},
        {"a\n\nb", {"a", "", "b"}},
        {"a\n\n", {"a", ""}},
        {mark + "a b\r\nl'Été\r\n\r\nd\r", {"a b", "l'Été", "", "d"}},
        {mark, {}},
        // Elsewhere U+FEFF is text, and so is a \r that is not at the end.
        {"a\n" + mark + "b\rc", {"a", mark + "b\rc"}},
        {"a\r\r\n", {"a\r"}},
        // What other programs take for a line's end is not one here.
        {separators + "\n", {separators}}};
    for (const auto& [input, expected] : cases) {
      CHECK(lines(input) == expected);
      for (std::size_t cut = 1; cut < input.size(); ++cut) {
        CHECK(all_lines({input.substr(0, cut), input.substr(cut)}) == expected);
      }
    }
    CHECK(all_lines({std::string(300000, 'x'), "\ny"}) == Lines{std::string(300000, 'x'), "y"});
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
    CHECK_ERROR(lines("\xFF"), "f, line 1, byte 1: not UTF-8 (0xFF)");
    CHECK_ERROR(lines("a\nb\nao\xC3t\n"), "f, line 3, byte 3: not UTF-8 (0xC3)");
    CHECK_ERROR(lines("a\nb\xC3\n\xBB"), "f, line 2, byte 2: not UTF-8 (0xC3)");
    CHECK_ERROR(lines(std::string_view("a\r\nb\0c", 6)),
                "f, line 2, byte 2: a NUL byte, which no text has");
    for (const std::string mark : {"\xFF\xFE", "\xFE\xFF"}) {
      CHECK_ERROR(lines(mark + "a\n"), doctest::Contains("but UTF-16; save it as UTF-8"));
      const std::string hex = mark[0] == '\xFF' ? "(0xFF)" : "(0xFE)";
      CHECK_ERROR(lines("a\n" + mark), ("f, line 2, byte 1: not UTF-8 " + hex).c_str());
    }
    CHECK_ERROR(lines("\xFF\xFF"), "f, line 1, byte 1: not UTF-8 (0xFF)");
  }

  TEST_CASE("a file is read as its text would be, and named when it is wrong") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("lines");
    write_file(path, "a\r\nb");
    CHECK(read_lines(path) == Lines{"a", "b"});
    write_file(path, "a\n\xFF");
    CHECK_ERROR(read_lines(path), (path + ", line 2, byte 1: not UTF-8 (0xFF)").c_str());
    CHECK_THROWS_AS(read_lines(directory.path("missing")), Error);
  }
}

TEST_SUITE("text: line reader") {
  TEST_CASE("a line is ready when it can be had without waiting") {
    LineReader reader = reader_of({"a\nb\nc", "d\n"});
    CHECK(!reader.ready());  // nothing was read yet
    CHECK(reader.next() == "a");
    CHECK(reader.ready());
    CHECK(reader.next() == "b");
    CHECK(!reader.ready());  // the line that begins with c has no end yet
    CHECK(reader.next() == "cd");
    CHECK(!reader.ready());
    CHECK(reader.next() == std::nullopt);
    CHECK(reader.ready());  // at the end, which is known
    CHECK(reader.line() == 3);
  }

  TEST_CASE("after a line that is refused, the next one is read") {
    const std::string endless(3'000'000, 'x');
    LineReader reader = reader_of({"a\n\xE4\nb\n", endless + "\nc\n", endless});
    for (const char* line : {"a", "", "b", "", "c", ""}) {
      const std::int64_t number = reader.line() + 1;
      if (*line == '\0') {
        CHECK_THROWS_AS(reader.next(), Error);
      } else {
        CHECK(reader.next() == line);
      }
      CHECK(reader.line() == number);
    }
    CHECK(reader.next() == std::nullopt);
    CHECK(reader.line() == 6);
  }

  TEST_CASE("how long a line may be does not depend on where it is") {
    const std::string longest(1 << 20, 'x');
    for (const std::size_t before : {0u, 10'000u, 60'000u}) {
      CAPTURE(before);
      for (const char* end : {"", "\n"}) {
        LineReader fits = reader_of({std::string(before, 'a') + "\n" + longest + end});
        fits.next();
        CHECK(fits.next() == longest);
        LineReader refused = reader_of({std::string(before, 'a') + "\n" + longest + "x" + end});
        refused.next();
        CHECK_THROWS_AS(refused.next(), Error);
        CHECK(refused.next() == std::nullopt);
      }
    }
  }

  TEST_CASE("input without an end, and one that cannot be read, is an error") {
    LineReader endless([](char* bytes, std::size_t size) {
      std::fill(bytes, bytes + size, 'x');
      return static_cast<std::ptrdiff_t>(size);
    });
    CHECK_ERROR(
        endless.next(),
        "standard input, line 1: longer than 1,048,576 bytes; expected one sentence per line");
    LineReader broken([](char*, std::size_t) {
      errno = EIO;
      return std::ptrdiff_t{-1};
    });
    CHECK_THROWS_AS(broken.next(), Error);
  }
}
