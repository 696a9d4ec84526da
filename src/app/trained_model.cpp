#include "app/trained_model.h"

#include "app/console.h"
#include "base/check.h"
#include "training/run_directory.h"

namespace attn::app {

TrainedModel load_trained_model(const std::string& directory) {
  TrainedModel trained;
  trained.model = load_model(directory);
  trained.vocabulary = load_vocabulary(directory, *trained.model);
  return trained;
}

void check_length(const SequenceModel& model, Index tokens, const std::string& where) {
  const Config& config = model.config();
  ATTN_CHECK(tokens <= kLongestSentence, where, ": ", grouped(tokens - 1),
             " words; a sentence has at most ", grouped(kLongestSentence - 1), " here, split it");
  ATTN_CHECK(config.positions != Positions::learned || tokens <= config.max_positions, where, ": ",
             tokens - 1, " words; this model has learned ", config.max_positions,
             " positions, so a sentence has at most ", config.max_positions - 1);
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

Json configuration_json(const Config& config) {
  Json result = Json::object();
  for (const auto& [name, value] : to_settings(config)) result.add(name, typed(value));
  return result;
}

}  // namespace attn::app
