// The order of the folders in src/, and of the one header beside them: each includes only itself
// and those before it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFolders{
    "base",    "kernels",  "tensor",      "storage", "layers",      "model", "predecessors",
    "text",    "tasks",    "decoding",    "metrics", "training",    "trace", "benchmark",
    "figures", "terminal", "experiments", "web",     "attention.h", "app"};

// The place of a folder in the order; its size if it is not in it.
std::size_t place(const std::string& folder) {
  return static_cast<std::size_t>(std::find(kFolders.begin(), kFolders.end(), folder) -
                                  kFolders.begin());
}

// What is wrong with the line of a file in `folder`; empty if nothing is.
std::string problem(const std::string& folder, const std::string& line) {
  const std::string start = "#include \"";
  if (line.compare(0, start.size(), start) != 0) return "";
  const std::string path = line.substr(start.size(), line.rfind('"') - start.size());
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return path + " is not named from src/";
  if (place(path.substr(0, slash)) == kFolders.size()) return path + " is in no folder of src/";
  if (place(path.substr(0, slash)) > place(folder)) return path + " comes after " + folder;
  return "";
}

}  // namespace

TEST_SUITE("structure") {
  TEST_CASE("a folder of src/ includes only itself and folders before it") {
    const fs::path src = fs::path(ATTENTION_SOURCE_DIR) / "src";
    int includes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(src)) {
      if (!entry.is_regular_file()) continue;
      const std::string folder = fs::relative(entry.path(), src).begin()->string();
      CAPTURE(entry.path().string());
      CHECK(place(folder) < kFolders.size());
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        CHECK(problem(folder, line) == "");
        includes += line.compare(0, 10, "#include \"") == 0;
      }
    }
    CHECK(includes > 100);
  }

  TEST_CASE("the tour of the source names every folder, in this order") {
    std::ifstream file(fs::path(ATTENTION_SOURCE_DIR) / "walkthrough/F-reading-the-source.md");
    const std::string tour{std::istreambuf_iterator<char>(file), {}};
    std::size_t last = 0;
    for (const std::string& folder : kFolders) {
      if (folder == "attention.h") continue;
      CAPTURE(folder);
      const std::size_t at = tour.find("**[" + folder + "/](../src/" + folder + ")**");
      REQUIRE(at != std::string::npos);
      CHECK(at > last);
      last = at;
    }
  }

  TEST_CASE("the check of includes sees what it is for") {
    CHECK(problem("layers", "#include \"model/config.h\"") == "model/config.h comes after layers");
    CHECK(problem("layers", "#include \"layers/linear.h\"") == "");
    CHECK(problem("model", "#include \"layers/linear.h\"") == "");
    CHECK(problem("base", "#include \"check.h\"") != "");
    CHECK(problem("base", "#include \"elsewhere/check.h\"") != "");
    CHECK(problem("base", "#include <vector>") == "");
  }
}
