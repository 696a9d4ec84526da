#include "app/beam_options.h"

namespace attn::app {

BeamOptions beam_options(const Arguments& arguments, Index standard) {
  BeamOptions options;
  options.beam = arguments.number_or("beam", standard, 1, 1000);
  options.alpha = arguments.real_or("alpha", options.alpha, 0, 10);
  options.limits.max_extra = arguments.number_or("max-extra", options.limits.max_extra, 0, 100000);
  return options;
}

Option beam_option(const std::string& standard) {
  return {"beam", "N",
          "hypotheses that are kept at each step; with 1, each step takes the most probable token",
          standard};
}

Option alpha_option() {
  return {"alpha", "X", "the length penalty: more favours longer translations", "0.6"};
}

Option max_extra_option() {
  return {"max-extra", "N", "a translation has at most N tokens more than the line (6.1)", "50"};
}

}  // namespace attn::app
