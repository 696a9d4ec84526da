// Parts of messages become text here, so that each message costs its caller little code.
#include "base/check.h"

namespace attn {

std::string text(std::initializer_list<Part> parts) {
  std::string joined;
  for (const Part& part : parts) {
    joined += part.words;
    if (part.character != 0) joined += part.character;
    if (part.is_negative) joined += '-';
    if (part.is_number) joined += std::to_string(part.size);
  }
  return joined;
}

void fail(std::initializer_list<Part> parts) {
  throw Error(text(parts));
}

}  // namespace attn
