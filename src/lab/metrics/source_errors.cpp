// A source is right as soon as one of its lines is.
#include "lab/metrics/source_errors.h"

#include <map>
#include <string_view>

#include "text/lines.h"

namespace attn {

SourceErrors source_errors(const std::vector<TextPair>& pairs, const std::vector<bool>& matches) {
  std::map<std::vector<std::string_view>, bool> right;  // by the words of the source
  SourceErrors errors;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::vector<std::string_view> source = words(pairs[i].source);
    if (source.empty()) continue;
    const auto [line, added] = right.emplace(source, matches[i]);
    errors.repeats += !added;
    if (matches[i]) line->second = true;
  }
  for (const auto& [source, is_right] : right) {
    ++errors.sources;
    errors.wrong += !is_right;
  }
  return errors;
}

}  // namespace attn
