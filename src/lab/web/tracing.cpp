// Every value of a sentence pair's passes, as `attention trace` names them: first what there is,
// then the numbers of those that are asked for.
#include <algorithm>

#include "base/check.h"
#include "lab/trace/settings_json.h"
#include "lab/trace/subject.h"
#include "lab/trace/trace.h"
#include "lab/web/explanation.h"
#include "lab/web/operations.h"

namespace attn::web {

namespace {

Json summary_json(const TraceValue& value) {
  Json json = description_json(value);
  json.add("name", value.name);
  json.add("stage", value.stage);
  json.add("layer", value.layer);
  json.add("head", value.head);
  json.add("gradient", value.backward);
  json.add("weight", value.weight);
  return json;
}

std::size_t find_value(const PlayModel& play, const std::string& name) {
  const std::vector<TraceValue>& all = play.traced;
  ATTN_CHECK(!all.empty(), "nothing was traced yet: ask for op trace first");
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const TraceValue& value) { return value.name == name; });
  ATTN_CHECK(found != all.end(), "the trace has no value ", to_json(name));
  return static_cast<std::size_t>(found - all.begin());
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
  const bool backward = !request.has("backward") || request.flag("backward");
  const TraceSubject subject = trace_subject(copy_of(play), play.tokenizer, sentences);
  std::vector<TraceValue> values =
      (backward ? trace_both : trace_forward)(*subject.model, subject.batch, subject.tokens);
  Json list = Json::array();
  for (const TraceValue& value : values) list.add(summary_json(value));
  play.traced = std::move(values);
  answer.add("source", subject.source);
  answer.add("target", subject.target);
  answer.add("translated", subject.translated);
  answer.add("source_tokens", texts_json(subject.tokens.source));
  answer.add("target_input", texts_json(subject.tokens.target_input));
  answer.add("target_output", texts_json(subject.tokens.target_output));
  answer.add("configuration", settings_json(subject.model->settings()));
  answer.add("unknown", texts_json(subject.unknown));
  answer.add("values", list);
}

void value(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const TraceValue& found = play.traced[find_value(play, request.text("name"))];
  answer.add("name", found.name);
  const Json json = value_json(found);
  for (const Json::Member& member : json.members()) answer.add(member.key, member.value);
}

void explain(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const std::size_t at = find_value(play, request.text("name"));
  const Tensor& data = play.traced[at].data;
  const bool vector = data.shape().rank == 1;
  // A vector has one axis: its element is the row, and the column −1.
  const Index rows = vector ? data.elements() : data.rows();
  const Index row = request.whole("row", 0, rows - 1);
  const Index column = vector ? -1 : request.whole("column", 0, data.cols() - 1);
  add_explanation(play, at, row, column, answer);
}

}  // namespace attn::web
