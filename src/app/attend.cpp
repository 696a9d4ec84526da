// attention attend: where a model looks while it translates a sentence.
#include <algorithm>

#include "app/drawing/attention_page.h"
#include "app/options.h"
#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "trace/trace_json.h"

namespace attn::app {

// As text for a terminal, or for a file of XML, which has no control characters either.
static void make_printable(TraceSubject& subject) {
  for (std::string* sentence : {&subject.source, &subject.target}) *sentence = printable(*sentence);
  TraceTokens& tokens = subject.tokens;
  for (Labels* labels :
       {&tokens.source, &tokens.target_input, &tokens.target_output, &tokens.sequence}) {
    for (std::string& label : *labels) label = printable(label);
  }
}

static Json attention_json(const AttentionMaps& one, const AttentionHead& head) {
  return Json::object({{"attention", one.name},
                       {"layer", one.layer < 0 ? Json() : Json(one.layer)},
                       {"head", head.number},
                       {"shape", sizes_json(head.weights.shape())},
                       {"rows", texts_json(one.reads)},
                       {"writes", one.writes.empty() ? Json() : texts_json(one.writes)},
                       {"columns", texts_json(one.columns)},
                       {"data", numbers_json(head.weights)}});
}

int run_attend(const Arguments& arguments) {
  constexpr Index kMost = 1 << 20;
  const Index layer = arguments.number_or("layer", -1, 0, kMost);
  const Index head = arguments.number_or("head", -1, 0, kMost);
  const std::string svg = arguments.has("svg") ? arguments.output("svg") : "";
  check_usage(!arguments.operands.empty(), "attend needs a \"source\" sentence");
  TraceSubject subject = trace_subject(load_trained_model(arguments), arguments.operands);
  tell_of_unknown_words(subject);
  if (!arguments.has("json")) make_printable(subject);
  std::vector<AttentionMaps> attentions = attention_maps(subject);
  as_usage_error(arguments, [&] { attentions = selected(std::move(attentions), layer, head); });
  if (!svg.empty()) write_file(svg, document(attention_page(subject, attentions)));
  if (arguments.has("json")) {
    Json json = Json::object({{"attend", subject_json(subject)}});
    for (const AttentionMaps& one : attentions) {
      for (const AttentionHead& h : one.heads) json.add(h.name, attention_json(one, h));
    }
    put(to_json(json) + '\n');
  } else if (svg.empty()) {
    using namespace platform;
    const int columns = is_terminal(standard_output) ? std::max(20, terminal_columns()) : 80;
    put(attention_text(subject, attentions, columns, shows_colour(standard_output)));
  }
  return 0;
}

}  // namespace attn::app
