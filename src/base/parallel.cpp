// A pool of threads() - 1 workers. The caller publishes a job, joins the work, and waits. A
// training step is hundreds of short jobs, so workers spin between them and sleep only after a few
// tenths of a millisecond. Each thread begins with its own part of the tasks, the same in every job
// of that size, because what it wrote last time is still in its cache; then it helps with the parts
// of others, so a core that is slowed down takes fewer tasks.
#include "base/parallel.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/platform.h"

namespace attn {
namespace {

constexpr int kMaxThreads = 256;
constexpr int kSpins = 4000;

thread_local bool inside_task = false;

class Pool {
 public:
  // If the system refuses a thread (no memory, or a limit), those already started do all the work.
  explicit Pool(int workers) : parts_(workers + 1) {
    threads_.reserve(workers);
    try {
      for (int i = 0; i < workers; ++i) threads_.emplace_back([this, i] { work(i + 1); });
    } catch (const std::exception&) {
    }
  }

  ~Pool() {
    stopping_ = true;
    announce();
    for (std::thread& thread : threads_) thread.join();
  }

  int workers() const { return static_cast<int>(parts_.size()) - 1; }

  void run(Index count, const std::function<void(Index)>& body) {
    body_ = &body;
    const Index parts = parts_.size();
    for (Index i = 0; i < parts; ++i) {
      Part& part = parts_[i];
      part.next.store(count * i / parts, std::memory_order_relaxed);
      part.end = count * (i + 1) / parts;
    }
    error_ = nullptr;
    open_.store(true);
    announce();
    take_tasks(0);
    // A worker increments inside_ before it reads open_, and we clear open_ before we read inside_.
    // So either we see the worker, or it sees that it came too late. We do not wait for a worker
    // that is still asleep.
    open_.store(false);
    wait([this] { return inside_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void announce() {
    ++generation_;
    wake();
  }

  // `self`: the thread's number; the caller of run() is 0.
  void work(int self) {
    std::uint64_t seen = 0;
    while (!stopping_) {
      ++inside_;
      if (open_) take_tasks(self);
      if (--inside_ == 0) wake();
      wait([&] { return generation_ != seen; });
      seen = generation_;
    }
  }

  void take_tasks(int self) {
    inside_task = true;
    const std::size_t parts = parts_.size();
    for (std::size_t i = 0; i < parts; ++i) {
      Part& part = parts_[(static_cast<std::size_t>(self) + i) % parts];
      Index task;
      while ((task = part.next.fetch_add(1, std::memory_order_relaxed)) < part.end) {
        try {
          (*body_)(task);
        } catch (...) {
          const std::lock_guard<std::mutex> lock(mutex_);
          if (!error_) error_ = std::current_exception();
        }
      }
    }
    inside_task = false;
  }

  // Waits for done(), first spinning, then asleep. A thread increments asleep_ before it checks
  // done() again, and done() becomes true before wake() reads asleep_. So either the thread sees
  // that it is done, or it is woken. The lock in wake() lets it get to sleep first.
  template <class Done>
  void wait(Done done) {
    for (int spin = 0; spin < spins_; ++spin) {
      if (done()) return;
      platform::pause();
    }
    std::unique_lock<std::mutex> lock(mutex_);
    ++asleep_;
    awake_.wait(lock, done);
    --asleep_;
  }

  void wake() {
    if (asleep_ == 0) return;
    { const std::lock_guard<std::mutex> lock(mutex_); }
    awake_.notify_all();
  }

  std::vector<std::thread> threads_;

  // The job, which run() writes while it is closed and no worker is inside. Each part has its own
  // cache line.
  struct alignas(64) Part {
    std::atomic<Index> next{0};  // the next task to hand out
    Index end = 0;
  };
  const std::function<void(Index)>* body_ = nullptr;
  std::vector<Part> parts_;
  // With more threads than processors, a thread that spins only delays another that has work.
  const int spins_ = static_cast<int>(parts_.size()) <= platform::processors() ? kSpins : 0;
  std::atomic<bool> open_{false};
  std::atomic<int> inside_{0};  // workers that may be looking at the job

  std::atomic<std::uint64_t> generation_{0};  // counts jobs
  std::atomic<bool> stopping_{false};
  std::atomic<int> asleep_{0};  // threads in wait(), the caller or workers
  std::condition_variable awake_;
  std::mutex mutex_;          // guards going to sleep, and error_
  std::exception_ptr error_;  // the job's first
};

// Held while a job runs in the pool. Meanwhile, another thread runs its parallel_for by itself.
std::mutex guard;
std::unique_ptr<Pool> pool;
std::atomic<int> wanted_threads{0};  // 0: not set

}  // namespace

int threads() {
  static const int all = platform::processors();
  const int count = wanted_threads;
  return count == 0 ? all : count;
}

int threads_here() {
  return inside_task ? 1 : threads();
}

void set_threads(int count) {
  ATTN_CHECK(count >= 1 && count <= kMaxThreads, "threads must be 1 to ", kMaxThreads, ", not ",
             count);
  const std::lock_guard<std::mutex> lock(guard);
  wanted_threads = count;
  if (pool && pool->workers() != count - 1) pool.reset();
}

void detail::run_tasks(Index count, const std::function<void(Index)>& body) {
  std::unique_lock<std::mutex> lock(guard, std::defer_lock);
  if (inside_task || threads() == 1 || !lock.try_lock()) {
    for (Index task = 0; task < count; ++task) body(task);
    return;
  }
  if (!pool) pool = std::make_unique<Pool>(threads() - 1);
  pool->run(count, body);
}

}  // namespace attn
