#include "base/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/check.h"
#include "base/platform.h"

using namespace attn;

namespace {
std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}
}  // namespace

TEST_SUITE("base: parallel") {
  TEST_CASE("a task may ask for the number of threads, and has one to itself") {
    const WithThreads with(2);
    CHECK(threads_here() == 2);
    std::vector<int> all(8), here(8);
    parallel_for(8, [&](Index task) {
      all[task] = threads();
      here[task] = threads_here();
    });
    CHECK(all == std::vector<int>(8, 2));
    CHECK(here == std::vector<int>(8, 1));
  }

  TEST_CASE("every task runs exactly once, on any number of threads") {
    const WithThreads restore;
    for (const int count : {1, 2, 3, 7}) {
      set_threads(count);
      CHECK(threads() == count);
      for (const Index tasks : {0, 1, 2, 3, 100, 1000}) {
        std::vector<int> runs(at(tasks), 0);
        parallel_for(tasks, [&](Index task) { ++runs[at(task)]; });
        CHECK(runs == std::vector<int>(at(tasks), 1));
      }
    }
  }

  TEST_CASE("ranges cover everything without overlap and do not depend on the threads") {
    const WithThreads restore;
    for (const int count : {1, 3}) {
      set_threads(count);
      for (const Index n : {0, 1, 9, 10, 11, 95}) {
        std::vector<int> covered(at(n), 0);
        parallel_ranges(n, 10, [&](Index begin, Index end) {
          CHECK(begin % 10 == 0);
          CHECK((end == n || end == begin + 10));
          for (Index i = begin; i < end; ++i) ++covered[at(i)];
        });
        CHECK(covered == std::vector<int>(at(n), 1));
      }
    }
  }

  TEST_CASE(
      "an exception of a task, or of one inside it, arrives at the caller, and the pool works on") {
    const WithThreads restore;
    for (const int count : {1, 3}) {
      set_threads(count);
      for (int round = 0; round < 50; ++round) {
        const Index bad = round % 20;
        const auto failing = [&](Index task) {
          const Index inside = task == bad ? 1 + round % 4 : 0;
          parallel_for(inside, [](Index) { throw Error("task failed"); });
        };
        CHECK_THROWS_WITH_AS(parallel_for(20, failing), "task failed", Error);
        std::atomic<int> done{0};
        parallel_for(20, [&](Index) { ++done; });
        CHECK(done == 20);
      }
    }
  }

  TEST_CASE("a parallel_for inside a task runs on the thread that reached it") {
    const WithThreads with(3);
    std::vector<int> runs(8 * 8, 0);
    std::vector<int> moved(8, 0);
    parallel_for(8, [&](Index outer) {
      const std::thread::id self = std::this_thread::get_id();
      parallel_for(8, [&](Index inner) {
        ++runs[at(outer * 8 + inner)];
        if (std::this_thread::get_id() != self) ++moved[at(outer)];
      });
    });
    CHECK(runs == std::vector<int>(64, 1));
    CHECK(moved == std::vector<int>(8, 0));
  }

  TEST_CASE("many tiny jobs, one after the other, lose nothing") {
    const WithThreads with(3);
    Index total = 0;
    for (int job = 0; job < 20000; ++job) {
      Index part[3] = {};
      parallel_for(3, [&](Index task) { part[task] = task + job; });
      total += part[0] + part[1] + part[2];
    }
    CHECK(total == Index{3} * (Index{20000} * 19999 / 2) + 3 * 20000);
  }

  TEST_CASE("threads of the program's own may call parallel_for at the same time") {
    const WithThreads with(3);
    std::atomic<int> done{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller) {
      callers.emplace_back([&] {
        for (int job = 0; job < 200; ++job) parallel_for(5, [&](Index) { ++done; });
      });
    }
    for (std::thread& caller : callers) caller.join();
    CHECK(done == 4 * 200 * 5);
  }

  TEST_CASE("a worker that has to share its processor leaves no task undone") {
    const WithThreads with(2);
    std::atomic<bool> enough{false};
    std::vector<std::thread> others;
    for (int i = 0; i < 2 * platform::processors(); ++i) {
      others.emplace_back([&] {
        while (!enough) platform::pause();
      });
    }
    std::vector<int> runs(50);
    constexpr int kJobs = 100;
    for (int job = 0; job < kJobs; ++job) {
      parallel_for(50, [&](Index task) {
        for (int i = 0; i < 1000; ++i) platform::pause();
        ++runs[at(task)];
      });
    }
    enough = true;
    for (std::thread& other : others) other.join();
    CHECK(runs == std::vector<int>(50, kJobs));
  }

  TEST_CASE("impossible numbers of threads are refused") {
    const WithThreads restore;
    CHECK_THROWS_AS(set_threads(0), Error);
    CHECK_THROWS_AS(set_threads(-1), Error);
    CHECK_THROWS_AS(set_threads(100000), Error);
  }
}
