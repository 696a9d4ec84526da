// Table 3 of the paper: variations of the base model (§6.2).
#pragma once

#include <string>
#include <vector>

#include "model/config.h"

namespace attn {

// A row of Table 3: its label, its configuration (vocabularies unset), and the count that the paper
// prints for it, in millions; 0 where it leaves the cell blank, meaning "as base".
struct Table3Row {
  std::string label;
  TransformerConfig config;
  int millions;
};
std::vector<Table3Row> table3_rows();

}  // namespace attn
