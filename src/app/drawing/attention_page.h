// Where a model looks, as a picture: every attention of a sentence pair, head by head.
#pragma once

#include <string>
#include <vector>

#include "app/drawing/svg.h"
#include "trace/attention_maps.h"

namespace attn {

// For a terminal of `columns` columns.
std::string attention_text(const TraceSubject& subject,
                           const std::vector<AttentionMaps>& attentions, std::size_t columns,
                           bool colour);

Svg attention_page(const TraceSubject& subject, const std::vector<AttentionMaps>& attentions);

}  // namespace attn
