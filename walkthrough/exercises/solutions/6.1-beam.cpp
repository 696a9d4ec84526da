// Sort all continuations at once. A stable sort keeps ties in the order in which they were added:
// by beginning, then by token. A finished output takes a place in the beam, and leaves it.
#include <tuple>

#include "support/exercise.h"
#include "text/vocabulary.h"

using attn::kEos;

struct Beginning {
  std::vector<int> tokens;  // without <bos>
  double log_p;
};
struct FinishedOutput {
  std::vector<int> tokens;  // without <bos> and <eos>
  double score;
};

std::vector<Index> beam_step(Index beam, double alpha, const Tensor& next,
                             std::vector<Beginning>& live, std::vector<FinishedOutput>& finished) {
  std::vector<std::tuple<double, Index, int>> all;  // ln P, parent, token
  for (Index h = 0; h < next.rows(); ++h) {
    for (int token = 0; token < next.cols(); ++token) {
      all.emplace_back(live[h].log_p + next(h, token), h, token);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) > std::get<0>(b); });
  if (static_cast<Index>(all.size()) > beam) all.resize(beam);

  std::vector<Beginning> longer;
  std::vector<Index> parents;
  for (const auto& [log_p, parent, token] : all) {
    std::vector<int> tokens = live[parent].tokens;
    if (token == kEos) {
      const double length = static_cast<double>(tokens.size()) + 1;
      finished.push_back({tokens, log_p / std::pow((5 + length) / 6, alpha)});
      continue;
    }
    tokens.push_back(token);
    longer.push_back({tokens, log_p});
    parents.push_back(parent);
  }
  live = longer;
  return parents;
}
