// Parts of messages become text here, so that each message costs its caller little code.
#include "base/check.h"

namespace attn {

std::string text_of(std::initializer_list<Part> parts) {
  std::string text;
  for (const Part& part : parts) {
    text += part.words;
    if (part.character != 0) text += part.character;
    if (part.is_negative) text += '-';
    if (part.is_number) text += std::to_string(part.size);
  }
  return text;
}

void fail_with(std::initializer_list<Part> parts) {
  throw Error(text_of(parts));
}

}  // namespace attn
