// A file of byte pairs, then after a NUL any line: the file is read strictly, and a vocabulary that
// was accepted, or if there is no file was learned from the line, cuts it and gives it back.
#include "fuzz/fuzz.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/tokenizer.h"

using namespace attn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::view(data, size);
  const std::string_view file = input.substr(0, input.find('\0'));
  std::string line(input.substr(std::min(file.size() + 1, input.size())));
  for (std::size_t at = 0; (at = first_invalid_utf8(line)) < line.size();) line.replace(at, 1, "?");
  // What no line of text holds.
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\0' || c == '\n'; }, '?');

  const auto comes_back = [&](const Tokenizer& pairs) {
    const std::vector<int> ids = pairs.encode(line);
    fuzz::require(pairs.decode(ids) == line, "a line comes back");
    fuzz::require(
        std::all_of(ids.begin(), ids.end(), [&](int id) { return id >= 3 && id < pairs.size(); }),
        "a line is tokens that there are, none of them special");
  };
  if (file.empty()) {
    UnitCounts counts;
    for (int i = 0; i < 2; ++i) count_units(Units::byte_pairs, line, counts);
    const Tokenizer learned = Tokenizer::learn_byte_pairs(counts, 300);
    comes_back(learned);
    const std::string text = learned.text();
    fuzz::require(Tokenizer::parse(text, "t").text() == text, "a vocabulary is written and read");
    return 0;
  }
  fuzz::accepts([&] {
    const Tokenizer read = Tokenizer::parse(file, "input");
    fuzz::require(Tokenizer::parse(read.text(), "t").text() == read.text(),
                  "a vocabulary that was read is written and read");
    if (read.units() == Units::byte_pairs) comes_back(read);
  });
  return 0;
}
