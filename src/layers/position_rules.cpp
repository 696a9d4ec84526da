// The paper's ways, and none, need no rules: embeddings are all they change.
#include "layers/position_rules.h"

#include <map>

#include "base/check.h"

namespace attn {

static std::map<Positions, PositionRules>& known_rules() {
  static std::map<Positions, PositionRules> rules{
      {Positions::sinusoidal, {}}, {Positions::learned, {}}, {Positions::none, {}}};
  return rules;
}

const PositionRules& position_rules(Positions kind) {
  const auto found = known_rules().find(kind);
  ATTN_CHECK(found != known_rules().end(),
             "positions other than sinusoidal, learned and none need the laboratory: call ",
             "open_laboratory() first");
  return found->second;
}

void add_position_rules(Positions kind, const PositionRules& rules) {
  known_rules()[kind] = rules;
}

std::vector<Index> positions_in(const Offsets& offsets) {
  std::vector<Index> positions;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) positions.push_back(t - offsets[b]);
  }
  return positions;
}

}  // namespace attn
