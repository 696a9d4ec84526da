// The learning rate of a step                                                  ★ 10 min, §5.3
//
//     lrate = d_model^−½ · min(step^−½, step · warmup^−1.5)                              eq. (3)
//
// The first step is number 1. What are the two arms of the min at step = warmup?
#include "support/exercise.h"

double learning_rate(Index step, Index d_model, Index warmup) {
  not_yet();
}
