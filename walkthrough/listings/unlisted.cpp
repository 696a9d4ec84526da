// Which functions no chapter lists.
#include <algorithm>
#include <map>

#include "check.h"

namespace listings {

Lines unlisted(const Setup& setup, const std::vector<std::string>& files,
               const std::vector<std::string>& sources) {
  Sources all(setup.root);
  std::map<std::string, std::vector<std::pair<int, int>>> listed;
  for (const std::string& file : files) {
    for (const Mark& mark : parse_document(file, read_file(setup.root / file)).marks) {
      if (mark.word != "listing") continue;
      try {
        const Selection selection = all.select(mark.rest);
        auto& ranges = listed[selection.path];
        ranges.insert(ranges.end(), selection.ranges.begin(), selection.ranges.end());
      } catch (const Error& error) {
        throw Error(file + ":" + std::to_string(mark.line) + ": " + error.what());
      }
    }
  }

  std::vector<std::string> paths;
  for (const std::string& source : sources) {
    if (!fs::is_directory(setup.root / source)) {
      paths.push_back(source);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(setup.root / source)) {
      const std::string path = entry.path().lexically_relative(setup.root).generic_string();
      if (is_cpp(path)) paths.push_back(path);
    }
  }
  std::sort(paths.begin(), paths.end());

  Lines result;
  for (const std::string& path : paths) {
    for (const Definition& definition : all.cpp(path).definitions) {
      if (definition.kind != Definition::Kind::function) continue;
      const auto overlaps = [&](const std::pair<int, int>& range) {
        return range.first <= definition.last_line && definition.line <= range.second;
      };
      const auto& ranges = listed[path];
      if (std::any_of(ranges.begin(), ranges.end(), overlaps)) continue;
      result.push_back(path + ":" + std::to_string(definition.line) + ": " + definition.title());
    }
  }
  return result;
}

}  // namespace listings
