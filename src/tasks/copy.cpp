#include "tasks/copy.h"

#include "tasks/letters.h"

namespace attn {

Task copy_task() {
  return letters_task("copy", [](const std::string& source) { return source; });
}

}  // namespace attn
