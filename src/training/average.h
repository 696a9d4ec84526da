// The mean of several checkpoints (section 6.1).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model_plan.h"

namespace attn {

// The mean of the models in these files, weight by weight. Throws Error as load_model does, and
// also if one has another configuration or tokenizer than the first.
std::unique_ptr<SequenceModel> load_average(const std::vector<std::string>& paths,
                                            PlanModel* plan = plan_transformer);

}  // namespace attn
