#include "tasks/reverse.h"

#include "tasks/letters.h"

namespace attn {

Task reverse_task() {
  return letters_task("reverse", [](const std::string& source) {
    return std::string(source.rbegin(), source.rend());
  });
}

}  // namespace attn
