// The three standard streams, as far as operating systems differ in them. (Everything else that
// differs is in base/platform.h.)
#pragma once

namespace attn::platform {

enum Stream { standard_input = 0, standard_output = 1, standard_error = 2 };
// Whether a stream is a terminal, and the number of columns of the terminal on standard error (80
// if unknown).
bool is_terminal(Stream stream = standard_error);
int terminal_columns();
// Writes to standard error at once; signal handlers may call it, which may call little else.
void write_from_signal_handler(const char* text);

}  // namespace attn::platform
