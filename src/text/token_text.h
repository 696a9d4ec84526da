// How tokenizer.txt writes a token that may hold any character: \_ \\ \s \xHH are an underscore, a
// backslash, a space and a control character, and _ at the end is the mark of a piece's end.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// The mark inside a token: no UTF-8 holds this byte.
constexpr char kPieceEnd = '\xFF';

std::string written_token(std::string_view token);
// The reverse. Throws Error, beginning with `where`, for what written_token() does not write.
std::string read_token(std::string_view written, const std::string& where);

}  // namespace attn
