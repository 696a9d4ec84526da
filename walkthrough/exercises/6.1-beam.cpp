// One step of beam search                                                    ★★ 25 min, §6.1
//
// live[h] is the beginning of an output; its log_p is ln P of its tokens. Row h of next [live, V]
// has ln P of each token that may follow it. Of all beginnings' continuations by one token, keep
// the `beam` with the largest ln P, or all if there are fewer. Ties go to the earlier beginning,
// then to the smaller token.
//
// A kept continuation that ends in kEos joins `finished`, without kEos, with the score
//
//     ln P/lp        lp = ((5 + |Y|)/6)^α, where |Y| counts kEos
//
// The others become `live`, best first. For each of them, return the number of the old beginning
// that it continues, so that the model can reorder its rows.
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
  not_yet();
}
