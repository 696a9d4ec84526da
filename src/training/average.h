// The mean of several checkpoints (section 6.1).
#pragma once

#include <string>
#include <vector>

#include "training/run_directory.h"

namespace attn {

// The mean of the models in these files, weight by weight. Throws Error as load_trained_model does,
// and also if one has another configuration, tokenizer or context than the first.
TrainedModel load_average(const std::vector<std::string>& paths,
                          PlanModel* plan = plan_transformer);

}  // namespace attn
