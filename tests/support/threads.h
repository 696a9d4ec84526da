// Another number of threads while an object lives.
#pragma once

#include "base/parallel.h"

namespace attn::test {

struct Threads {
  int before = threads();
  Threads() = default;  // as many as before: the test sets them
  explicit Threads(int count) { set_threads(count); }
  ~Threads() { set_threads(before); }
};

}  // namespace attn::test
