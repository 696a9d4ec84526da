// Where a model looks, as a picture: every attention of a sentence pair, head by head.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "trace/attention_maps.h"

namespace attn {

// The heads of an attention as maps of characters, as many side by side as fit, with captions below
// and column names above the first. A weight is two characters wide, or one in wide maps; maps
// wider than the terminal are folded. In colour, the largest weight of each row stands out.
std::string heads_text(const AttentionMaps& attention, std::size_t terminal_columns, bool colour);

// All of them, with their titles and what the characters mean.
std::string attention_text(const TraceSubject& subject,
                           const std::vector<AttentionMaps>& attentions,
                           std::size_t terminal_columns, bool colour);

Svg attention_page(const TraceSubject& subject, const std::vector<AttentionMaps>& attentions);

}  // namespace attn
