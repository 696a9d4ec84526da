// Input and output are the target without its last and without its first token: they have the same
// length, so one list of offsets serves both.
#include "support/exercise.h"

using Ids = std::vector<int>;

struct PackedBatch {
  Ids source, input, output;
  Offsets source_offsets, target_offsets;
};

PackedBatch pack(const std::vector<std::pair<Ids, Ids>>& pairs) {
  PackedBatch batch;
  batch.source_offsets = batch.target_offsets = {0};
  for (const auto& [source, target] : pairs) {
    batch.source.insert(batch.source.end(), source.begin(), source.end());
    batch.input.insert(batch.input.end(), target.begin(), target.end() - 1);
    batch.output.insert(batch.output.end(), target.begin() + 1, target.end());
    batch.source_offsets.push_back(batch.source.size());
    batch.target_offsets.push_back(batch.input.size());
  }
  return batch;
}
