// tokenizer.txt: reading is so strict that there is one text for a vocabulary of words or
// characters.
#include "text/tokenizer.h"
#include "fuzz/fuzz.h"

using namespace attn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::view(data, size);
  Tokenizer tokenizer;
  if (!fuzz::accepts([&] { tokenizer = Tokenizer::parse(input, "input"); })) return 0;
  // (A line of byte pairs may end in "\r\n".)
  if (tokenizer.units() == Units::byte_pairs) return 0;
  fuzz::require(tokenizer.text() == input, "a tokenizer is written as it was read");
  for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
    const std::string word = tokenizer.decode({kBos, id, kEos});
    fuzz::require(tokenizer.encode(word) == std::vector<int>{id}, "a token is encoded as its id");
    fuzz::require(tokenizer.units() != Units::words || word == tokenizer.token(id),
                  "an id is decoded as its token");
  }
  return 0;
}
