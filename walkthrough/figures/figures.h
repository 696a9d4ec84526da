// The walkthrough's figures. Each is one function; main.cpp lists them and writes the files.
#pragma once

#include <string>

#include "base/check.h"
#include "figures/chart.h"

namespace attn::walkthrough {

// Structure.
Svg figure_1();
Svg figure_2();
Svg masks();
// Computed here.
Svg positional_encoding();
Svg position_dot_products();
Svg softmax_scaling();
Svg learning_rate();
Svg label_smoothing();

}  // namespace attn::walkthrough
