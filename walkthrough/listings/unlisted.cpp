// Which functions no chapter lists, or not to the end.
#include <algorithm>
#include <map>
#include <set>

#include "check.h"

namespace listings {
namespace {

// Functions that need not be listed.
struct Exception {
  std::string text, path, name;
  int line = 0;
  bool used = false;
};

std::vector<Exception> read_exceptions(const fs::path& file) {
  std::vector<Exception> result;
  int number = 0;
  for (const std::string& line : lines_of(read_file(file))) {
    ++number;
    if (trimmed(line).empty() || starts_with(line, "#")) continue;
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::size_t colon = line.find(": ", blank);
    const std::string path = line.substr(0, blank);
    const std::string name = trimmed(line.substr(blank, colon - blank));
    const bool reason = colon != npos && !trimmed(line.substr(colon + 1)).empty();
    if (!reason || name.empty() || name.find(' ') != npos) {
      throw Error(file.string() + ":" + std::to_string(number) +
                  ": expected  PATH NAME: REASON, not  " + line);
    }
    result.push_back({path + " " + name, path, name, number});
  }
  return result;
}

bool excuses(const Exception& exception, const std::string& path, const Definition& definition) {
  const bool inside = path == exception.path || starts_with(path, exception.path + "/");
  return inside && (exception.name == "*" || is_named(definition, exception.name));
}

// The lines of a body that say something: closing brackets alone do not.
std::set<int> lines_of_body(const CppSource& source, const Definition& definition) {
  std::set<int> result;
  for (const Token& token : source.tokens) {
    if (token.line < definition.body_line || token.line > definition.last_line) continue;
    const bool code = token.kind != TokenKind::comment && token.kind != TokenKind::punctuation;
    if (code) result.insert(token.line);
  }
  return result;
}

// 3, 4, 5, 9 as "3-5, 9".
std::string ranges_of(const std::set<int>& lines) {
  Lines result;
  for (auto at = lines.begin(); at != lines.end();) {
    const int first = *at;
    int last = first;
    while (++at != lines.end() && *at == last + 1) ++last;
    result.push_back(std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""));
  }
  return join(result, ", ");
}

// The lines of each source that chapters list.
std::map<std::string, std::set<int>> listed_lines(const Setup& setup,
                                                  const std::vector<std::string>& files,
                                                  Sources& sources) {
  std::map<std::string, std::set<int>> result;
  for (const std::string& file : files) {
    for (const Mark& mark : parse_document(file, read_file(setup.root / file)).marks) {
      if (mark.word != "listing") continue;
      try {
        const Selection selection = sources.select(mark.rest);
        for (const auto& [first, last] : selection.ranges) {
          for (int line = first; line <= last; ++line) result[selection.path].insert(line);
        }
      } catch (const Error& error) {
        throw Error(file + ":" + std::to_string(mark.line) + ": " + error.what());
      }
    }
  }
  return result;
}

// The C++ files among these files and in these folders.
std::set<std::string> cpp_files(const fs::path& root, const std::vector<std::string>& sources) {
  std::set<std::string> result;
  for (const std::string& source : sources) {
    if (!fs::is_directory(root / source)) {
      result.insert(source);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root / source)) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      if (is_cpp(path)) result.insert(path);
    }
  }
  return result;
}

}  // namespace

Lines unlisted(const Setup& setup, const std::vector<std::string>& files,
               const std::vector<std::string>& sources, const fs::path& exceptions) {
  Sources all(setup.root);
  std::map<std::string, std::set<int>> listed = listed_lines(setup, files, all);
  std::vector<Exception> excused;
  if (!exceptions.empty()) excused = read_exceptions(exceptions);

  Lines result;
  for (const std::string& path : cpp_files(setup.root, sources)) {
    const CppSource& source = all.cpp(path);
    for (const Definition& definition : source.definitions) {
      if (definition.kind != Definition::Kind::function) continue;
      const std::set<int> wanted = lines_of_body(source, definition);
      std::set<int> missing;
      std::set_difference(wanted.begin(), wanted.end(), listed[path].begin(), listed[path].end(),
                          std::inserter(missing, missing.end()));
      if (missing.empty()) continue;
      bool fine = false;
      for (Exception& exception : excused) {
        if (!excuses(exception, path, definition)) continue;
        exception.used = fine = true;
      }
      if (fine) continue;
      const std::string some =
          missing.size() < wanted.size() ? ", lines " + ranges_of(missing) : "";
      result.push_back(path + ":" + std::to_string(definition.line) + ": " + definition.title() +
                       some);
    }
  }
  for (const Exception& exception : excused) {
    if (exception.used) continue;
    result.push_back(exceptions.filename().string() + ":" + std::to_string(exception.line) +
                     ": nothing needs the exception " + exception.text);
  }
  return result;
}

}  // namespace listings
