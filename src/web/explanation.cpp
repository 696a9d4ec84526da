#include "web/explanation.h"

#include "trace/trace_text.h"

namespace attn::web {

void add_explanation(const PlayModel& play, std::size_t at, Index row, Index column, Json& answer) {
  const TraceValue& value = play.traced[at];
  const Real result = column < 0 ? value.data[row] : value.data(row, column);
  answer.add("name", value.name);
  answer.add("row", row);
  answer.add("column", column);
  answer.add("formula", value.formula);
  answer.add("terms", Json::array());
  answer.add("lines", Json::array());
  answer.add("result", number_json(result));
}

}  // namespace attn::web
