// How costs grow with a size: both axes logarithmic, so that a power is a straight line.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"

namespace attn {

struct Growth {
  std::string name;
  std::vector<Point> points;  // size and cost; costs that are not positive are left out
};

// A curve for each, named at its right end; curves of one colour that end at the same place share a
// line of names. The title says what the cost is. Throws Error if there is nothing to draw.
Svg growth_chart(const std::string& title, const std::string& x_title, std::vector<Growth> curves);

}  // namespace attn
