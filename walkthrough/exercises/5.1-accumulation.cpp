// Two small batches that are one large one                                     ★★ 15 min, §5.1
//
// A step should follow the gradient of the mean loss over all target tokens of all its batches. You
// have batches of different sizes, each with the gradient of its own *mean* loss: dmean[i] is that
// of batch i over its tokens[i] tokens. Return the gradient of the mean over all tokens.
#include "support/exercise.h"

Tensor accumulated(const std::vector<Tensor>& dmean, const std::vector<Index>& tokens) {
  not_yet();
}
