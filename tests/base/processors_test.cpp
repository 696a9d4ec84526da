#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/platform.h"
#include "storage/atomic_file.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace attn::test;

#ifdef __linux__

TEST_SUITE("base: parallel") {
  TEST_CASE("a container's quota, rounded down, limits the processors") {
    struct Case {
      const char* what;
      const char* groups;  // /proc/self/cgroup
      std::map<std::string, std::string> files;
      int quota;
    };
    const std::string v1 = "4:cpu,cpuacct:/a/b\n3:memory:/\n", v2 = "0::/a/b\n";
    const int all = platform::processors();
    for (const Case& test : {
             Case{"no groups", "", {}, all},
             {"version 2, no limit", v2.c_str(), {{"a/b/cpu.max", "max 100000\n"}}, all},
             {"one processor", v2.c_str(), {{"a/b/cpu.max", "100000 100000\n"}}, 1},
             {"nearly two", v2.c_str(), {{"a/b/cpu.max", "199999 100000\n"}}, 1},
             {"half of one", v2.c_str(), {{"a/b/cpu.max", "25000 50000\n"}}, 1},
             {"more than there are", v2.c_str(), {{"a/b/cpu.max", "99900000 100000\n"}}, all},
             {"two", v2.c_str(), {{"a/b/cpu.max", "200000 100000\n"}}, 2},
             {"a stricter outer group",
              v2.c_str(),
              {{"a/b/cpu.max", "400000 100000\n"}, {"a/cpu.max", "100000 100000\n"}},
              1},
             {"a container that is its own root", "0::/\n", {{"cpu.max", "100000 100000\n"}}, 1},
             {"another group's quota", v2.c_str(), {{"a/c/cpu.max", "100000 100000\n"}}, all},
             {"version 1, no limit",
              v1.c_str(),
              {{"cpu/a/b/cpu.cfs_quota_us", "-1\n"}, {"cpu/a/b/cpu.cfs_period_us", "100000\n"}},
              all},
             {"version 1, one and a half",
              v1.c_str(),
              {{"cpu/a/b/cpu.cfs_quota_us", "150000\n"}, {"cpu/a/b/cpu.cfs_period_us", "100000\n"}},
              1},
             {"version 1, in a container that has its own mount",
              v1.c_str(),
              {{"cpu/cpu.cfs_quota_us", "50000\n"}, {"cpu/cpu.cfs_period_us", "50000\n"}},
              1},
         }) {
      CAPTURE(test.what);
      const TemporaryDirectory root;
      std::filesystem::create_directories(root.path("proc/self"));
      write_file(root.path("proc/self/cgroup"), test.groups);
      for (const auto& [name, contents] : test.files) {
        const std::string path = root.path("sys/fs/cgroup/" + name);
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        write_file(path, contents);
      }
      CHECK(platform::processors(root.path()) == std::min(test.quota, all));
    }
  }
}

#endif
