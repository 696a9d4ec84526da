// JSON: what is read and written again reads as the same.
#include "storage/json.h"

#include "fuzz/fuzz.h"

using namespace attn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Json json;
  if (!fuzz::accepts([&] { json = parse_json(fuzz::view(data, size), "input"); })) return 0;
  const std::string once = to_json(json);
  fuzz::require(to_json(parse_json(once, "own")) == once, "JSON that we write reads as it was");
  return 0;
}
