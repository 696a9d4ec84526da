// Heat maps made of characters, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/chart.h"

namespace attn {

struct TextMap {
  std::string caption;
  HeatMap map;
};

// Heat maps of the same rows and columns side by side, as many as fit into text_columns; captions
// are below them. Each weight is two characters wide, or one where maps are wide; a map that is
// wider than the text is folded. The names of the columns are above the first map, and a stroke
// leads down from each. In colour, the largest weight of each row stands out.
std::string heat_maps_text(const std::vector<std::string>& rows,
                           const std::vector<std::string>& columns,
                           const std::vector<TextMap>& maps, std::size_t text_columns, bool colour);
// What the characters mean, in a line.
std::string heat_map_legend();

}  // namespace attn
