// What the engine says a number of a trace is made of must give that number.
#include "lab/web/explanation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "lab/predecessors/convs2s.h"
#include "lab/support/small_decoder_only.h"
#include "lab/support/small_recurrent_models.h"
#include "lab/web/play_model.h"
#include "storage/json.h"
#include "text/corpus.h"
#include "trace/example.h"
#include "trace/trace.h"

using namespace attn;

namespace {

using web::Explanation;

// What the terms and lines of an explanation come to: the last line's value, or else the sum of the
// terms, each the product of its parts where it is one.
double outcome(const Explanation& explained) {
  double outcome = 0;
  for (const web::ExplainedTerm& term : explained.terms()) outcome += term.value;
  for (const Json& line : explained.lines().items()) {
    if (const Json* value = line.find("value")) outcome = value->number();
  }
  return outcome;
}

// Σ |term|: sums of terms that cancel out are rounded as the terms are.
double size_of_terms(const Explanation& explained) {
  double size = 0;
  for (const web::ExplainedTerm& term : explained.terms()) size += std::fabs(term.value);
  return size;
}

using ValuesByName = std::map<std::string, const TraceValue*>;

// Whether each part that is an element of a value is that element, and a constant like −1/T has the
// sign that it shows.
bool parts_are_there(const ValuesByName& values, const Explanation& explained) {
  for (const web::ExplainedTerm& term : explained.terms()) {
    for (const web::Part& part : term.parts) {
      if (part.name.empty()) {
        const bool minus = part.text.rfind("−1", 0) == 0, plus = part.text.rfind("1/", 0) == 0;
        if ((minus && part.value > 0) || (plus && part.value < 0)) return false;
        continue;
      }
      const auto found = values.find(part.name);
      if (found == values.end()) return false;
      const Tensor& data = found->second->data;
      const Real number = part.column < 0 ? data[part.row] : data(part.row, part.column);
      if (std::isinf(number)) continue;
      if (static_cast<Real>(part.value) != number) return false;
    }
  }
  return true;
}

// Whether a value is given, not computed: ids, positions, and 1 − z.
bool is_given(const TraceValue& value) {
  static const std::set<std::string> given{
      "x", "y", "y_shifted", "source.position", "target.position", "input.position"};
  return value.weight || given.count(value.name) > 0 || value.symbol == "(1 − z)";
}

// Explains every number of a trace, forward and backward, and returns how many.
int check_every_number(SequenceModel& model, web::PlayModel& play, const Batch& batch,
                       const TraceTokens& tokens) {
  play.traced = trace_both(model, batch, tokens);
  ValuesByName values;
  for (const TraceValue& value : play.traced) values[value.name] = &value;
  int checked = 0;
  for (const TraceValue& value : play.traced) {
    double largest = 0;
    for (Index i = 0; i < value.data.elements(); ++i) {
      const double number = std::fabs(static_cast<double>(value.data[i]));
      if (std::isfinite(number)) largest = std::max(largest, number);
    }
    CAPTURE(value.name);
    CAPTURE(value.formula);
    bool right = true, there = true;
    for (Index i = 0; i < value.data.elements(); ++i) {
      const Index row = value.is_vector() ? i : i / value.data.cols();
      const Index column = value.is_vector() ? -1 : i % value.data.cols();
      const Explanation explained(play.traced, value, row, column);
      there = there && parts_are_there(values, explained);
      const double number = static_cast<double>(value.data[i]);
      const bool nothing = explained.terms().empty();
      if (nothing && is_given(value)) {
        right = right && explained.lines().items().size() == 1;
      } else if (std::isinf(number)) {
        right = right && nothing;
      } else {
        const double allowed = 2e-5 * largest + 1e-6 * size_of_terms(explained);
        right = right && std::fabs(outcome(explained) - number) <= allowed;
        ++checked;
      }
    }
    CHECK(right);
    CHECK(there);
    CHECK(value.section.rfind("§", 0) == 0);
    CHECK((is_given(value) || value.formula.find(" = ") != std::string::npos ||
           value.formula == value.symbol || value.formula.rfind(value.symbol + "(", 0) == 0));
  }
  return checked;
}

// The same of a model whose every parameter does something, and a small sentence pair.
int check_every_number(std::unique_ptr<SequenceModel> model) {
  initialise_parameters(*model, 3);
  std::uint64_t stream = 0;
  model->visit_parameters([&](const std::string&, Parameter& p) {
    const RandomStream random{17, ++stream};
    for (Index i = 0; i < p.value.elements(); ++i) {
      p.value[i] += static_cast<Real>(0.2 * random.normal(static_cast<std::uint64_t>(i)));
    }
  });
  Batch batch;
  batch.append({3, 9, 3, 2}, {1, 4, 10, 5, 2});
  const Labels source(4, "s"), target(4, "t"), sequence(8, "q");
  const Labels vocabulary(static_cast<std::size_t>(model->target_vocabulary()), "v");
  web::PlayModel play;
  play.model = std::move(model);
  return check_every_number(*play.model, play, batch,
                            {source, target, target, vocabulary, sequence, sequence});
}

}  // namespace

TEST_SUITE("live page") {
  TEST_CASE("what every number of the example's trace is said to be made of gives that number") {
    TraceExample example = trace_example();
    web::PlayModel play;
    play.model = std::make_unique<Transformer>(*example.model);
    Batch batch;
    batch.append(encode_source(example.tokenizer, kExampleSource),
                 encode_target(example.tokenizer, kExampleTarget));
    const TraceTokens tokens = trace_tokens(batch, example.tokenizer);
    CHECK(check_every_number(*example.model, play, batch, tokens) > 3000);
  }

  TEST_CASE("so it is for every kind of Transformer") {
    for (const test::SmallModel& small : test::small_models()) {
      CAPTURE(small.name);
      CHECK(check_every_number(std::make_unique<Transformer>(small.config)) > 3000);
    }
  }

  TEST_CASE("so it is for every kind of decoder-only model") {
    for (const test::SmallDecoderOnly& small : test::small_decoder_only_models()) {
      CAPTURE(small.name);
      CHECK(check_every_number(std::make_unique<DecoderOnly>(small.config)) > 2000);
    }
  }

  TEST_CASE("so it is for every recurrent model, with every attention, and for ConvS2S") {
    for (const test::SmallRecurrentModel& small : test::small_recurrent_models()) {
      CAPTURE(small.name);
      CHECK(check_every_number(std::make_unique<RecurrentModel>(small.config)) > 1000);
    }
    ConvS2SConfig config;
    config.source_vocabulary = config.target_vocabulary = 11;
    config.layers = 2;
    config.d_model = 6;
    config.max_positions = 8;
    config.label_smoothing = 0.1;
    CHECK(check_every_number(std::make_unique<ConvS2S>(config)) > 3000);
  }
}
