// Where a model looks, as a picture: every attention of a sentence pair, head by head.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "trace/attention_maps.h"

namespace attn {

// The heads of an attention as maps made of characters, side by side, as many as fit into the
// columns of a terminal; captions are below them. Each weight is two characters wide, or one where
// maps are wide; a map that is wider than the terminal is folded. The names of the columns are
// above the first map, and a stroke leads down from each. In colour, the largest weight of each row
// stands out.
std::string heads_text(const AttentionMaps& attention, std::size_t terminal_columns, bool colour);

// All of them, with their titles and what the characters mean.
std::string attention_text(const TraceSubject& subject,
                           const std::vector<AttentionMaps>& attentions,
                           std::size_t terminal_columns, bool colour);

Svg attention_page(const TraceSubject& subject, const std::vector<AttentionMaps>& attentions);

}  // namespace attn
