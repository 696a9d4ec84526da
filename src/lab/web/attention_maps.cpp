// Every head's attention weights for a sentence pair, and two numbers that say what a head does:
//     entropy    mean over rows i of −Σ_j P_ij ln P_ij: 0 if it looks at one token only
//     distance   mean over rows i of Σ_j P_ij |i − j|: 0 if it looks at its own position only
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "lab/web/operations.h"
#include "trace/subject.h"
#include "trace/trace.h"
#include "trace/trace_json.h"

namespace attn::web {

namespace {

// The page draws every number, and all of them are in memory as text.
constexpr Index kMostNumbers = Index{1} << 20;
constexpr Index kLongestLine = 128;  // of a language model, in tokens

Json map_json(const AttentionMaps& attention, const AttentionHead& head) {
  const Tensor& P = head.weights;
  Json weights = Json::array();
  double entropy = 0, distance = 0;
  for (Index i = 0; i < P.rows(); ++i) {
    for (Index j = 0; j < P.cols(); ++j) {
      const double p = static_cast<double>(P(i, j));
      if (p > 0) entropy -= p * std::log(p);
      distance += p * std::fabs(static_cast<double>(i - j));
      weights.add(P(i, j));
    }
  }
  return Json::object({{"kind", kAttentionKinds[static_cast<std::size_t>(attention.attends)]},
                       {"layer", attention.layer},
                       {"head", head.number},
                       {"rows", P.rows()},
                       {"columns", P.cols()},
                       {"weights", weights},
                       {"entropy", entropy / to_double(P.rows())},
                       {"distance", distance / to_double(P.rows())}});
}

// What a language model reads of a line, the tokens written so far included.
TraceSubject line_subject(const PlayModel& play, const Request& request, std::vector<int> line) {
  const std::vector<int> prefix = prefix_of(play, request);
  line.insert(line.end(), prefix.begin(), prefix.end());
  const Index n = line.size();
  ATTN_CHECK(n <= std::min(play.context, kLongestLine), n, " tokens are too many for a picture");
  TraceSubject subject;
  subject.target = play.tokenizer.decode(line);
  line.push_back(kEos);  // to be predicted; nothing looks at it
  subject.batch.append({}, line);
  subject.tokens = trace_tokens(subject.batch, play.tokenizer);
  subject.model = copy_of(play, request.heads("off"));
  return subject;
}

}  // namespace

void attend(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  std::vector<int> source = source_of(play, request, answer);
  TraceSubject subject;
  if (play.context > 0) {
    subject = line_subject(play, request, std::move(source));
  } else {
    std::vector<std::string> sentences{request.text("source")};
    if (request.has("target")) sentences.push_back(request.text("target"));
    subject = trace_subject({copy_of(play, request.heads("off")), play.tokenizer}, sentences,
                            kMostNumbers);
  }
  Json maps = Json::array();
  for (const AttentionMaps& attention : attention_maps(subject)) {
    for (const AttentionHead& head : attention.heads) maps.add(map_json(attention, head));
  }
  answer.add("target", texts_json(subject.tokens.target_input));
  answer.add("sequence", texts_json(subject.tokens.sequence));
  answer.add("output", subject.target);
  answer.add("output_tokens", texts_json(subject.tokens.target_output));
  answer.add("translated", subject.translated);
  answer.add("maps", maps);
}

}  // namespace attn::web
