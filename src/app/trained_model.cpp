#include "app/trained_model.h"

#include "base/check.h"
#include "base/format.h"
#include "text/corpus.h"

namespace attn::app {

void check_length(const SequenceModel& model, Index tokens, const std::string& where) {
  ATTN_CHECK(tokens <= kLongestSentence, where, ": ", grouped(tokens - 1),
             " words; a sentence has at most ", grouped(kLongestSentence - 1), " here, split it");
  const Index longest = model.longest_sentence();
  ATTN_CHECK(tokens <= longest, where, ": ", tokens - 1, " words; this model has learned ", longest,
             " positions, so a sentence has at most ", longest - 1);
}

namespace {

// "yes" and "no" become true and false, numbers numbers.
Json typed(const std::string& value) {
  if (value == "yes" || value == "no") return value == "yes";
  try {
    return parse_json(value, "setting");
  } catch (const Error&) {
    return value;
  }
}

}  // namespace

Json settings_json(const Settings& settings) {
  Json result = Json::object();
  for (const auto& [name, value] : settings) result.add(name, typed(value));
  return result;
}

}  // namespace attn::app
