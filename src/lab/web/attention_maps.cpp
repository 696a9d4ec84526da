// Every head's attention weights for a sentence pair, and two numbers that say what a head does:
//     entropy    mean over rows i of −Σ_j P_ij ln P_ij: 0 if it looks at one token only
//     distance   mean over rows i of Σ_j P_ij |i − j|: 0 if it looks at its own position only
#include <cmath>

#include "lab/trace/headings.h"
#include "lab/trace/subject.h"
#include "lab/trace/trace_text.h"
#include "lab/web/operations.h"

namespace attn::web {

namespace {

// The page draws every number, and all of them are in memory as text.
constexpr Index kMostNumbers = Index{1} << 20;

Json map_json(const AttentionMaps& attention, const AttentionHead& head) {
  const Tensor& P = head.weights;
  Json weights = Json::array();
  double entropy = 0, distance = 0;
  for (Index i = 0; i < P.rows(); ++i) {
    for (Index j = 0; j < P.cols(); ++j) {
      const double p = static_cast<double>(P(i, j));
      if (p > 0) entropy -= p * std::log(p);
      distance += p * std::fabs(static_cast<double>(i - j));
      weights.add(number_json(P(i, j)));
    }
  }
  return Json::object({{"kind", kAttentionKinds[static_cast<std::size_t>(attention.attends)]},
                       {"layer", attention.layer},
                       {"head", head.number},
                       {"rows", P.rows()},
                       {"columns", P.cols()},
                       {"weights", weights},
                       {"entropy", entropy / static_cast<double>(P.rows())},
                       {"distance", distance / static_cast<double>(P.rows())}});
}

}  // namespace

void attend(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  source_of(play, request, answer);
  std::vector<std::string> sentences{request.text("source")};
  if (request.has("target")) sentences.push_back(request.text("target"));
  const TraceSubject subject = trace_subject(
      copy_of(play, request.heads("off"), "a picture of every head"), play.tokenizer, sentences,
      [](std::string_view) {}, kMostNumbers);
  Json maps = Json::array();
  for (const AttentionMaps& attention : attention_maps(*subject.model, subject.batch)) {
    for (const AttentionHead& head : attention.heads) maps.add(map_json(attention, head));
  }
  answer.add("target", texts_json(subject.tokens.target_input));
  answer.add("output", subject.target);
  answer.add("output_tokens", texts_json(subject.tokens.target_output));
  answer.add("translated", subject.translated);
  answer.add("maps", maps);
}

}  // namespace attn::web
