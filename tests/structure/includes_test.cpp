// The order of the folders in src/, of the one header beside them, and of the rooms in the
// laboratory: each includes only itself and those before it. So the core knows nothing of the
// laboratory.
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
    "base",     "kernels", "tensor",   "storage",     "layers", "model", "text", "tasks",
    "decoding", "metrics", "training", "attention.h", "trace",  "app",   "lab"};

// The rooms of the laboratory, in their order.
const std::vector<std::string> kRooms{
    "language",     "peers",          "phrasebook", "bracketing", "predecessors",
    "laboratory.h", "laboratory.cpp", "benchmark", "web"};

// The place of a folder in an order; its size if it is not in it.
std::size_t place(const std::vector<std::string>& order, const std::string& folder) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), folder) - order.begin());
}

// The parts of a path.
std::vector<std::string> parts_of(const fs::path& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : path) parts.push_back(part.string());
  return parts;
}

// What is wrong with a line of the file of that name in src/; empty if nothing is.
std::string problem(const std::string& file, const std::string& line) {
  const std::string start = "#include \"";
  if (line.compare(0, start.size(), start) != 0) return "";
  const std::string path = line.substr(start.size(), line.rfind('"') - start.size());
  const std::vector<std::string> from = parts_of(file), to = parts_of(path);
  if (to.size() < 2 && place(kFolders, path) == kFolders.size()) {
    return path + " is not named from src/";
  }
  if (place(kFolders, to[0]) == kFolders.size()) return path + " is in no folder of src/";
  if (from[0] == "app" && to[0] == "lab") return "";  // until the program is divided in two
  if (place(kFolders, to[0]) > place(kFolders, from[0])) return path + " comes after " + from[0];
  if (from[0] == "lab" && to[0] == "lab" && place(kRooms, to[1]) > place(kRooms, from[1])) {
    return path + " comes after lab/" + from[1];
  }
  return "";
}

}  // namespace

TEST_SUITE("structure") {
  TEST_CASE("a folder of src/ includes only itself and folders before it") {
    const fs::path src = fs::path(ATTENTION_SOURCE_DIR) / "src";
    int includes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(src)) {
      if (!entry.is_regular_file()) continue;
      const std::string name = fs::relative(entry.path(), src).generic_string();
      const std::vector<std::string> parts = parts_of(name);
      if (name == "README.md") continue;  // the map of all this
      CAPTURE(name);
      CHECK(place(kFolders, parts[0]) < kFolders.size());
      if (parts[0] == "lab") CHECK(place(kRooms, parts[1]) < kRooms.size());
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        CHECK(problem(name, line) == "");
        includes += line.compare(0, 10, "#include \"") == 0;
      }
    }
    CHECK(includes > 100);
  }

  TEST_CASE("the map of the source names every folder, in this order") {
    std::ifstream file(fs::path(ATTENTION_SOURCE_DIR) / "src/README.md");
    const std::string map{std::istreambuf_iterator<char>(file), {}};
    std::size_t last = 0;
    std::vector<std::string> folders = kFolders;
    for (const std::string& room : kRooms) folders.push_back("lab/" + room);
    for (const std::string& folder : folders) {
      if (folder == "lab" || folder.find(".") != std::string::npos) continue;
      CAPTURE(folder);
      const std::size_t at = map.find("[" + folder + "/](" + folder + ")");
      REQUIRE(at != std::string::npos);
      CHECK(at > last);
      last = at;
    }
  }

  TEST_CASE("the check of includes sees what it is for") {
    CHECK(problem("layers/linear.h", "#include \"model/config.h\"") ==
          "model/config.h comes after layers");
    CHECK(problem("layers/linear.h", "#include \"layers/parameter.h\"") == "");
    CHECK(problem("model/config.h", "#include \"layers/linear.h\"") == "");
    CHECK(problem("base/check.h", "#include \"check.h\"") != "");
    CHECK(problem("base/check.h", "#include \"elsewhere/check.h\"") != "");
    CHECK(problem("base/check.h", "#include <vector>") == "");
    CHECK(problem("training/trainer.h", "#include \"trace/trace.h\"") ==
          "trace/trace.h comes after training");
    CHECK(problem("trace/trace.h", "#include \"lab/web/engine.h\"") ==
          "lab/web/engine.h comes after trace");
  }
}
