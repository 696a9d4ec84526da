// Text in UTF-8: against a decoder that knows nothing of tables, as a file and as standard input.
#include <fcntl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "support/parse_lines.h"
#include "text/lines.h"
#include "text/tokenizer.h"

using namespace attn;

namespace {

// Whether all of the text is UTF-8: decoded first, judged by the code points afterwards.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const unsigned first = static_cast<unsigned char>(text[i++]);
    if (first < 0x80) continue;
    unsigned more = 0, code = 0, least = 0;
    if ((first & 0xE0) == 0xC0) more = 1, code = first & 0x1F, least = 0x80;
    if ((first & 0xF0) == 0xE0) more = 2, code = first & 0x0F, least = 0x800;
    if ((first & 0xF8) == 0xF0) more = 3, code = first & 0x07, least = 0x10000;
    if (more == 0 || text.size() - i < more) return false;
    for (; more > 0; --more) {
      const unsigned next = static_cast<unsigned char>(text[i++]);
      if ((next & 0xC0) != 0x80) return false;
      code = code << 6 | (next & 0x3F);
    }
    if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
  }
  return true;
}

// The same as lines from standard input.
bool read_standard_input(std::string_view input, std::vector<std::string>& lines) {
  const std::string path = fuzz::directory().path("input");
  fuzz::put(path, input);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  fuzz::require(file >= 0 && dup2(file, 0) == 0, "standard input can be replaced");
  close(file);
  LineReader reader;
  return fuzz::accepts([&] {
    while (auto line = reader.next()) lines.push_back(*line);
    fuzz::require(reader.line() == static_cast<std::int64_t>(lines.size()), "lines are counted");
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::view(data, size);
  const bool good = is_utf8(input);
  const std::size_t invalid = first_invalid_utf8(input);
  fuzz::require(good == (invalid == input.size()), "two decoders agree on what is UTF-8");
  fuzz::require(is_utf8(input.substr(0, invalid)), "what comes before the first error has none");

  std::vector<std::string> lines, piped;
  const bool accepted = fuzz::accepts([&] { lines = test::parse_lines(input, "input"); });
  fuzz::require(accepted == (good && input.find('\0') == input.npos), "text is refused if it must");
  fuzz::require(read_standard_input(input, piped) == accepted, "pipes are judged as files are");
  if (!accepted) return 0;
  fuzz::require(piped == lines, "pipes give the lines of files");

  UnitCounts counts;
  for (const std::string& line : lines) count_units(Units::words, line, counts);
  if (counts.empty()) return 0;
  const Tokenizer vocabulary = most_frequent_words(counts, 1 << 20);
  const std::string own = Tokenizer(vocabulary).text();
  fuzz::require(Tokenizer::parse(own, "own").text() == own, "our vocabularies are read");
  for (const std::string& line : lines) {
    fuzz::require(vocabulary.encode(line).size() == words(line).size(), "an id for each word");
  }
  return 0;
}
