// tokenizer.txt: reading is so strict that there is one text for a vocabulary.
#include "fuzz/fuzz.h"
#include "text/vocabulary.h"

using namespace attn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::view(data, size);
  Vocabulary vocabulary;
  if (!fuzz::accepts([&] { vocabulary = parse_tokenizer(input, "input"); })) return 0;
  fuzz::require(tokenizer_text(vocabulary) == input, "a tokenizer is written as it was read");
  for (int id = kSpecialTokens; id < vocabulary.size(); ++id) {
    fuzz::require(vocabulary.encode(vocabulary.token(id)) == std::vector<int>{id},
                  "a token is encoded as its id");
    fuzz::require(vocabulary.decode({kBos, id, kEos}) == vocabulary.token(id),
                  "an id is decoded as its token");
  }
  return 0;
}
