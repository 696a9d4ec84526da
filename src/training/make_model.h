// The factory: any model from the settings that it was saved with.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "model/sequence_model.h"

namespace attn {

// A model with zero weights. Throws Error, which begins with `where`, for an architecture that
// there is not, settings that are missing or make no sense, and a model of more than
// `most_weights`.
std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          Index most_weights = std::numeric_limits<Index>::max());

}  // namespace attn
