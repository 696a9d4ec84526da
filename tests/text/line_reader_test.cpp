#include "text/lines.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <vector>

#include "base/check.h"

using namespace attn;

namespace {

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

using Lines = std::vector<std::string>;

}  // namespace

TEST_SUITE("text: line reader") {
  TEST_CASE("lines are the same however the input is cut into pieces") {
    const std::string input =
        "\xEF\xBB\xBF"
        "a b\r\n\nl'Été\nlast";
    const Lines expected{"a b", "", "l'Été", "last"};
    for (std::size_t cut = 1; cut < input.size(); ++cut) {
      CHECK(all_lines({input.substr(0, cut), input.substr(cut)}) == expected);
    }
    CHECK(all_lines({input + "\n"}) == expected);
    CHECK(all_lines({}).empty());
    CHECK(all_lines({"\xEF\xBB\xBF"}).empty());
    CHECK(all_lines({"\n", "\n"}) == Lines{"", ""});
    CHECK(all_lines({std::string(300000, 'x'), "\ny"}) == Lines{std::string(300000, 'x'), "y"});
  }

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

  TEST_CASE("input that is no text is an error with its line") {
    LineReader invalid = reader_of({"a\n\xE4\n"});
    CHECK(invalid.next() == "a");
    CHECK_THROWS_WITH_AS(invalid.next(), "standard input, line 2, byte 1: not UTF-8 (0xE4)", Error);
    LineReader late = reader_of({std::string(40, '\n') + "b\x80"});
    for (int line = 1; line <= 40; ++line) CHECK(late.next() == "");
    CHECK_THROWS_WITH_AS(late.next(), "standard input, line 41, byte 2: not UTF-8 (0x80)", Error);
    LineReader endless([](char* bytes, std::size_t size) {
      std::fill(bytes, bytes + size, 'x');
      return static_cast<std::ptrdiff_t>(size);
    });
    CHECK_THROWS_WITH_AS(
        endless.next(),
        "standard input, line 1: longer than 1,048,576 bytes; expected one sentence per line",
        Error);
    LineReader broken([](char*, std::size_t) {
      errno = EIO;
      return std::ptrdiff_t{-1};
    });
    CHECK_THROWS_AS(broken.next(), Error);
  }
}
