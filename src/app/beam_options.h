// The options of beam search, for the commands that translate.
#pragma once

#include <string>

#include "app/options.h"
#include "decoding/beam_search.h"

namespace attn::app {

// standard: the beam if none is given.
BeamOptions beam_options(const Arguments& arguments, Index standard);

// For help.
Option beam_option(const std::string& standard);
Option alpha_option();
Option max_extra_option();

}  // namespace attn::app
