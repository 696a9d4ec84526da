// Every head's attention weights for a sentence pair, and two numbers that say what a head does:
//     entropy    mean over rows i of −Σ_j P_ij ln P_ij: 0 if it looks at one token only
//     distance   mean over rows i of Σ_j P_ij |i − j|: 0 if it looks at its own position only
#include <cmath>

#include "base/check.h"
#include "base/format.h"
#include "decoding/greedy.h"
#include "lab/trace/headings.h"
#include "lab/trace/trace_text.h"
#include "lab/web/operations.h"
#include "text/corpus.h"

namespace attn::web {

namespace {

double entropy(const ConstMatrixView& P) {
  double sum = 0;
  for (Index i = 0; i < P.rows; ++i) {
    for (Index j = 0; j < P.cols; ++j) {
      const double p = static_cast<double>(P(i, j));
      if (p > 0) sum -= p * std::log(p);
    }
  }
  return sum / static_cast<double>(P.rows);
}

double distance(const ConstMatrixView& P) {
  double sum = 0;
  for (Index i = 0; i < P.rows; ++i) {
    for (Index j = 0; j < P.cols; ++j) {
      sum += static_cast<double>(P(i, j)) * std::fabs(static_cast<double>(i - j));
    }
  }
  return sum / static_cast<double>(P.rows);
}

// The page draws every number, and all of them are in memory as text.
void check_room(const TransformerConfig& config, double source, double target) {
  constexpr Index kMostNumbers = Index{1} << 20;
  const double numbers = static_cast<double>(config.layers * config.heads) *
                         (source * source + target * target + target * source);
  ATTN_CHECK(numbers <= static_cast<double>(kMostNumbers), "pictures of every head of these ",
             "sentences would have ", fixed(numbers, 0), " numbers, more than ", kMostNumbers,
             ": take shorter sentences");
}

// "cross" of "decoder.0.cross_attention.heads.1.P"; empty if it is not the weights of a head.
std::string kind_of(const std::string& name) {
  const std::string end = ".P";
  if (name.size() < end.size() || name.substr(name.size() - end.size()) != end) return "";
  if (name.find(".cross_attention.heads.") != name.npos) return "cross";
  if (name.find(".self_attention.heads.") == name.npos) return "";
  return name.substr(0, name.find('.'));
}

Json map_json(const std::string& kind, const std::string& name, const ConstMatrixView& P) {
  Json weights = Json::array();
  for (Index i = 0; i < P.rows; ++i) {
    for (Index j = 0; j < P.cols; ++j) weights.add(number_json(P(i, j)));
  }
  return Json::object({{"kind", kind},
                       {"layer", layer_of(name)},
                       {"head", head_of(name)},
                       {"rows", P.rows},
                       {"columns", P.cols},
                       {"weights", weights},
                       {"entropy", entropy(P)},
                       {"distance", distance(P)}});
}

}  // namespace

void attend(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const std::vector<int> source = source_of(play, request, answer);
  const auto model = copy_of(play, request.heads("off"), "a picture of every head");

  // Without a target, the model's own.
  std::string output;
  const bool given = request.has("target");
  if (given) {
    output = request.text("target");
  } else {
    PackedIds packed;
    packed.append(source);
    output = play.tokenizer.decode(decode_greedily(*model, packed).front());
  }
  const std::vector<int> target = encode_target(play.tokenizer, output);
  check_length(*model, static_cast<Index>(target.size()) - 1, "the target sentence");
  check_room(model->config(), static_cast<double>(source.size()),
             static_cast<double>(target.size()) - 1);

  Batch batch;
  batch.append(source, target);
  Json maps = Json::array();
  Watcher watcher;
  watcher.value = [&](const SeenValue& seen) {
    const std::string name = seen.full_name(), kind = kind_of(name);
    if (!kind.empty()) maps.add(map_json(kind, name, seen.numbers));
  };
  model->loss(batch, Pass(watcher));
  answer.add("target", tokens_json(play.tokenizer, batch.target_input.ids));
  answer.add("output", output);
  answer.add("output_tokens", tokens_json(play.tokenizer, batch.target_output));
  answer.add("translated", !given);
  answer.add("maps", maps);
}

}  // namespace attn::web
