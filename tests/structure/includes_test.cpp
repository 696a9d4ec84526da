// The order of the folders in src/, and of the one header beside them: each includes only itself
// and those before it. So what is before lab/ builds without it, and the core does not even name
// it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFolders{"base",     "kernels",     "tensor", "storage",  "layers",
                                        "model",    "text",        "tasks",  "decoding", "metrics",
                                        "training", "attention.h", "trace",  "app",      "lab"};

// The place of a folder in that order; its size if it is not in it.
std::size_t place(const std::string& folder) {
  const auto found = std::find(kFolders.begin(), kFolders.end(), folder);
  return static_cast<std::size_t>(found - kFolders.begin());
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
  if (to.size() < 2 && place(path) == kFolders.size()) {
    return path + " is not named from src/";
  }
  if (place(to[0]) == kFolders.size()) return path + " is in no folder of src/";
  if (place(to[0]) > place(from[0])) return path + " comes after " + from[0];
  return "";
}

bool in_core(const std::string& folder) {
  return place(folder) < place("trace");
}

// Whether a line of code or comment speaks of the laboratory.
bool names_laboratory(const std::string& line) {
  return line.find("lab/") != line.npos || line.find("aborator") != line.npos ||
         line.find("attention-lab") != line.npos;
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
      CHECK(place(parts[0]) < kFolders.size());
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        CHECK(problem(name, line) == "");
        CHECK((!in_core(parts[0]) || !names_laboratory(line)));
        includes += line.compare(0, 10, "#include \"") == 0;
      }
    }
    CHECK(includes > 100);
  }

  TEST_CASE("tests of what is before the laboratory include nothing of it") {
    const fs::path tests = fs::path(ATTENTION_SOURCE_DIR) / "tests";
    for (const auto& entry : fs::recursive_directory_iterator(tests)) {
      const std::string name = fs::relative(entry.path(), tests).generic_string();
      const std::string folder = parts_of(name)[0], kind = entry.path().extension().string();
      // (The fuzz targets that need the laboratory are left out without it.)
      if ((kind != ".cpp" && kind != ".h") || folder == "lab" || folder == "fuzz") continue;
      CAPTURE(name);
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        CHECK(line.compare(0, 14, "#include \"lab/") != 0);
      }
    }
  }

  TEST_CASE("the map of the source names every folder, in this order") {
    std::ifstream file(fs::path(ATTENTION_SOURCE_DIR) / "src/README.md");
    const std::string map{std::istreambuf_iterator<char>(file), {}};
    std::size_t last = 0;
    for (const std::string& folder : kFolders) {
      if (folder.find(".") != std::string::npos) continue;
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
    CHECK(problem("app/attend.cpp", "#include \"lab/models.h\"") == "lab/models.h comes after app");
    CHECK(problem("lab/models.h", "#include \"app/defaults.h\"") == "");
    CHECK(names_laboratory("// call open_laboratory() first"));
    CHECK(names_laboratory("fail(\"attention-lab reads it\")"));
    CHECK(!names_laboratory("labels of rows"));
    CHECK((in_core("training") && !in_core("app") && !in_core("lab")));
  }
}
