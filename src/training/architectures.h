// The architectures that a run can train, by name: the one place that knows all of them. Everything
// else sees a SequenceModel and settings as text.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "model/sequence_model.h"

namespace attn {

// "transformer", …
const std::vector<std::string>& architecture_names();
// The same in one line.
std::string architecture_list();

// The settings of an architecture with the sizes of a preset (model/config.h), as far as it has
// such sizes; the vocabularies are 0. Throws Error, listing what there is, for an unknown name of
// either.
Settings preset_settings(const std::string& architecture, const std::string& preset_name);

// A model with zero weights. Throws Error, which begins with `where`, for an unknown architecture,
// settings that are missing or make no sense, and a model of more than `most_weights`.
std::unique_ptr<SequenceModel> make_model(const Settings& settings, const std::string& where,
                                          Index most_weights = std::numeric_limits<Index>::max());

// Throws Error as make_model does, but makes no model.
void check_model(const Settings& settings, const std::string& where);

// The most tokens per sentence that a model of these settings can read or write.
Index longest_sentence(const Settings& settings);

// The bytes that training such a model takes at most, as model/cost.h estimates them. Throws Error
// as make_model does.
double training_memory(const Settings& settings, const std::string& where, Index tokens,
                       Index sentence_length, Index further_copies);

}  // namespace attn
