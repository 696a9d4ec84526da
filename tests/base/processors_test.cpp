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
    using Files = std::map<std::string, std::string>;
    struct Case {
      const char* what;
      std::string groups;  // /proc/self/cgroup
      Files files;
      int quota;
    };
    const std::string v1 = "4:cpu,cpuacct:/a/b\n3:memory:/\n", v2 = "0::/a/b\n";
    const auto files_v1 = [](const std::string& folder, const char* quota, const char* period) {
      return Files{{folder + "/cpu.cfs_quota_us", quota}, {folder + "/cpu.cfs_period_us", period}};
    };
    const int all = platform::processors();
    for (const Case& test : {
             Case{"no groups", "", {}, all},
             {"version 2, no limit", v2, {{"a/b/cpu.max", "max 100000\n"}}, all},
             {"one processor", v2, {{"a/b/cpu.max", "100000 100000\n"}}, 1},
             {"nearly two", v2, {{"a/b/cpu.max", "199999 100000\n"}}, 1},
             {"half of one", v2, {{"a/b/cpu.max", "25000 50000\n"}}, 1},
             {"more than there are", v2, {{"a/b/cpu.max", "99900000 100000\n"}}, all},
             {"two", v2, {{"a/b/cpu.max", "200000 100000\n"}}, 2},
             {"a stricter outer group",
              v2,
              {{"a/b/cpu.max", "400000 100000\n"}, {"a/cpu.max", "100000 100000\n"}},
              1},
             {"its own root", "0::/\n", {{"cpu.max", "100000 100000\n"}}, 1},
             {"another group's quota", v2, {{"a/c/cpu.max", "100000 100000\n"}}, all},
             {"version 1, no limit", v1, files_v1("cpu/a/b", "-1\n", "100000\n"), all},
             {"version 1, one and a half", v1, files_v1("cpu/a/b", "150000\n", "100000\n"), 1},
             {"version 1, its own mount", v1, files_v1("cpu", "50000\n", "50000\n"), 1},
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
