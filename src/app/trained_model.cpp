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
  constexpr Index kLongest = 4096;
  const Config& config = model.config();
  ATTN_CHECK(tokens <= kLongest, where, ": ", grouped(tokens - 1),
             " words; a sentence has at most ", grouped(kLongest - 1), " here, split it");
  ATTN_CHECK(config.positions != Positions::learned || tokens <= config.max_positions, where, ": ",
             tokens - 1, " words; this model has learned ", config.max_positions,
             " positions, so a sentence has at most ", config.max_positions - 1);
}

}  // namespace attn::app
