// The thread pool. There is one, shared by the whole program; a parallel_for inside a task of it
// runs on the thread that reached it. Results must not depend on which thread runs which task, so
// tasks either write disjoint memory or leave partial sums that the caller adds in a fixed order.
#pragma once

#include <algorithm>
#include <functional>

#include "base/real.h"

namespace attn {

// How many threads parallel_for uses, the caller included; initially one per processor.
int threads();
// How many a parallel_for called here would use: 1 inside a task of the pool.
int threads_here();
void set_threads(int count);

// Sets the number of threads, and when it ends the one that was before.
class WithThreads {
 public:
  explicit WithThreads(int count = threads()) : before_(threads()) { set_threads(count); }
  ~WithThreads() { set_threads(before_); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int before_;
};

namespace detail {
void run_tasks(Index count, const std::function<void(Index)>& body);
}

// Runs body(0) … body(count - 1), each once, in any order, and returns when all are done. The first
// exception of a task is rethrown here; tasks that were not begun may then be left out.
template <class Body>
void parallel_for(Index count, Body&& body) {
  if (count == 1) return body(Index{0});
  detail::run_tasks(count, std::ref(body));  // a reference: nothing is copied or allocated
}

// Runs body(begin, end) over ranges of `grain` items (the last may be shorter) that cover [0, n).
// The ranges do not depend on the number of threads.
template <class Body>
void parallel_ranges(Index n, Index grain, Body&& body) {
  if (n <= 0) return;
  parallel_for((n + grain - 1) / grain,
               [&](Index task) { body(task * grain, std::min(n, (task + 1) * grain)); });
}

}  // namespace attn
