// Windows.
#include "app/terminal/streams.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // libstdc++ defines it itself
#define NOMINMAX
#endif
#include <io.h>
#include <windows.h>

#include <cstring>

namespace attn::platform {

bool is_terminal(Stream stream) {
  return _isatty(stream) != 0;
}

int terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO info;
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info) ? info.dwSize.X : 80;
}

void write_from_signal_handler(const char* text) {
  _write(2, text, static_cast<unsigned>(std::strlen(text)));
}

}  // namespace attn::platform
