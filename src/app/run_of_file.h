#pragma once

#include <string>

namespace attn::app {

// The directory of the run that a file is part of, or would be if it were written: links in its
// path are followed. Empty if it is part of none. Only what makes a run may write such a file.
std::string run_of_file(const std::string& path);

}  // namespace attn::app
