#include "text.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace listings {

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) throw Error("cannot read " + path.string());
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + ".new";
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error("cannot write " + temporary.string());
  fs::permissions(temporary, fs::status(path).permissions());
  fs::rename(temporary, path);
}

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string join(const Lines& parts, const std::string& separator) {
  std::string result;
  for (const std::string& part : parts) result += (&part == &parts[0] ? "" : separator) + part;
  return result;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

std::string trimmed(std::string_view text) {
  const std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string one_spaced(std::string_view text) {
  std::string result;
  for (const char c : trimmed(text)) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!blank) result += c;
    if (blank && result.back() != ' ') result += ' ';
  }
  return result;
}

std::vector<std::string> words_of(std::string_view command) {
  const std::string_view shell = "|&;>()$`\\*?#~";
  std::vector<std::string> words;
  bool inside = false;  // a word
  char quote = 0;
  for (const char c : command) {
    const bool active =
        quote == '"' ? c == '$' || c == '`' || c == '\\' : quote == 0 && shell.find(c) != npos;
    if (active) throw Error(std::string("'") + c + "' needs a shell, and commands here get none");
    if (quote == 0 && (c == ' ' || c == '\t')) {
      inside = false;
    } else if (quote == 0 && c == '<') {
      words.emplace_back("<");
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      const bool opens = quote == 0 && (c == '"' || c == '\'');
      const bool closes = quote == c;
      if (!opens && !closes) words.back() += c;
      if (opens || closes) quote = opens ? c : '\0';
    }
  }
  if (quote != 0) throw Error("a quote is not closed");
  return words;
}

std::string diff(const Lines& from, const Lines& to) {
  // common[i][j]: how many lines the ends from[i…] and to[j…] can keep.
  const std::size_t n = from.size(), m = to.size();
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;) {
      common[i][j] = from[i] == to[j] ? common[i + 1][j + 1] + 1
                                      : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }

  std::vector<std::pair<char, std::string>> script;
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && from[i] == to[j]) {
      script.emplace_back(' ', from[i++]), ++j;
    } else if (j == m || (i < n && common[i + 1][j] >= common[i][j + 1])) {
      script.emplace_back('-', from[i++]);
    } else {
      script.emplace_back('+', to[j++]);
    }
  }

  // Lines that stay are shown if one that does not is at most two away.
  constexpr std::size_t around = 2;
  std::string result;
  bool gap = false;
  for (std::size_t i = 0; i < script.size(); ++i) {
    bool near = false;
    for (std::size_t k = i < around ? 0 : i - around; k <= i + around && k < script.size(); ++k) {
      near = near || script[k].first != ' ';
    }
    if (near) result += std::string("    ") + script[i].first + ' ' + script[i].second + '\n';
    if (!near && !gap) result += "      …\n";
    gap = !near;
  }
  return result;
}

}  // namespace listings
