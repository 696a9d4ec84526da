// Every value of a pair's passes, named as in `attention trace`: first a list, then their numbers.
#include "base/check.h"
#include "lab/web/operations.h"
#include "trace/explanation.h"
#include "trace/subject.h"
#include "trace/trace.h"
#include "trace/trace_json.h"

namespace attn::web {

namespace {

Json summary_json(const TraceValue& value) {
  Json json = description_json(value);
  json.add("name", value.name);
  json.add("stage", value.stage);
  json.add("gradient", value.backward);
  json.add("weight", value.weight);
  return json;
}

const TraceValue& find_value(const PlayModel& play, const std::string& name) {
  ATTN_CHECK(!play.traced.values.empty(), "nothing was traced yet: ask for op trace first");
  const TraceValue* const found = play.traced.find(name);
  ATTN_CHECK(found != nullptr, "the trace has no value ", to_json(name));
  return *found;
}

Json part_json(const ExplainedPart& part) {
  Json json = Json::object({{"name", part.name},
                            {"row", part.row},
                            {"column", part.column},
                            {"value", static_cast<Real>(part.value)}});
  if (part.name.empty()) json.add("text", part.text);
  return json;
}

Json term_json(const ExplainedTerm& term) {
  Json parts = Json::array();
  for (const ExplainedPart& part : term.parts) parts.add(part_json(part));
  return Json::object({{"parts", parts}, {"value", term.value}});
}

Json line_json(const ExplainedLine& line) {
  Json json = Json::object({{"text", line.text}});
  if (line.value) json.add("value", *line.value);
  return json;
}

}  // namespace

void trace(Engine& engine, const Request& request, Json& answer) {
  PlayModel& play = pair_model_of(engine, request);
  std::vector<std::string> sentences;
  if (request.has("source")) {
    sentences.push_back(request.text("source"));
    if (request.has("target")) sentences.push_back(request.text("target"));
  } else {
    ATTN_CHECK(!play.example.source.empty(), "the field 'source' is missing");
    sentences = {play.example.source, play.example.target};
  }
  const TraceSubject subject = trace_subject({copy_of(play), play.tokenizer}, sentences);
  play.traced = trace_of(*subject.model, subject.batch, subject.tokens, true);
  Json list = Json::array();
  for (const TraceValue& value : play.traced.values) list.add(summary_json(value));
  answer.add("source", subject.source);
  answer.add("target", subject.target);
  answer.add("values", list);
}

void value(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const TraceValue& found = find_value(play, request.text("name"));
  answer.add("name", found.name);
  const Json json = value_json(found);
  for (const Json::Member& member : json.members()) answer.add(member.key, member.value);
}

void explain(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const TraceValue& found = find_value(play, request.text("name"));
  // A vector has one axis: its element is the row, and the column −1.
  const Index row = request.whole("row", 0, found.row_count() - 1);
  const Index column = found.is_vector() ? -1 : request.whole("column", 0, found.data.cols() - 1);
  const ExplainedNumber number = Explanation(play.traced, found).number(row, column);
  Json terms = Json::array(), lines = Json::array();
  for (const ExplainedTerm& term : number.terms) terms.add(term_json(term));
  for (const ExplainedLine& line : number.lines) lines.add(line_json(line));
  answer.add("name", found.name);
  answer.add("row", row);
  answer.add("column", column);
  answer.add("formula", found.formula);
  answer.add("terms", terms);
  answer.add("lines", lines);
  answer.add("result", found.is_vector() ? found.data[row] : found.data(row, column));
}

}  // namespace attn::web
