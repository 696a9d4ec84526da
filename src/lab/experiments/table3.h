// Table 3 of the paper: variations of the base model (§6.2).
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/training_trial.h"
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

// The table in small, on the phrasebook: the baseline is the model that `train phrasebook` trains,
// with dropout 0, since no sentence comes twice. Its rows vary that by about the factors of the
// paper's; further ones vary d_v alone, the place of the norm, tied embeddings and the warm-up.
// quick: a few steps of a few rows, for tests.
TrainedVariants small_table3(bool quick);

}  // namespace attn
