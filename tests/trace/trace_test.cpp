// The values of a trace: against an independent script, and against the model.
#include "trace/trace.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "storage/atomic_file.h"
#include "storage/json.h"
#include "support/compare.h"
#include "support/small_models.h"
#include "support/small_trace.h"
#include "text/corpus.h"
#include "trace/subject.h"
#include "trace/trace_json.h"

namespace attn::test {

TEST_SUITE_BEGIN("trace");

namespace {

std::vector<std::size_t> sizes(const Json& data) {
  if (data.type() != Json::Type::array) return {};
  std::vector<std::size_t> result = sizes(data.items().at(0));
  result.insert(result.begin(), data.items().size());
  return result;
}

std::vector<TraceValue> example_trace(bool backward) {
  const TraceSubject example = trace_subject(trace_example(), {kExampleSource, kExampleTarget});
  return traced_values(*example.model, {example.batch, example.tokens}, backward);
}

Json golden_trace() {
  return parse_json(read_file(ATTENTION_SOURCE_DIR "/tests/golden/trace.json"), "trace.json");
}

std::vector<std::string> names_of(const std::vector<TraceValue>& values) {
  std::vector<std::string> names;
  for (const TraceValue& value : values) names.push_back(value.name);
  return names;
}

}  // namespace

TEST_CASE("what is no number is an error in JSON, where null is a score that is masked") {
  TraceValue value = example_trace(false).front();
  for (const double number : {std::nan(""), HUGE_VAL}) {
    value.data[0] = static_cast<Real>(number);
    CHECK_THROWS_WITH_AS(value_json(value), doctest::Contains("holds NaN or infinity"), Error);
  }
  value.data[0] = -static_cast<Real>(HUGE_VAL);
  CHECK(doctest::String(to_json(value_json(value)).c_str()) == doctest::Contains("null"));
}

TEST_CASE("an independent script computes every value and every gradient of the fixed model") {
  const Json golden = golden_trace();
  std::vector<TraceValue> values = example_trace(false);
  for (TraceValue& gradient : example_trace(true)) values.push_back(std::move(gradient));
  CHECK(values.size() == golden.members().size());
  for (const TraceValue& value : values) {
    CAPTURE(value.name);
    const Json json = value_json(value);
    const Json& data = json.at("data");
    const Json* expected = golden.find(value.name);
    REQUIRE(expected != nullptr);
    REQUIRE(sizes(data) == sizes(*expected));
    std::vector<double> a = flat(data), b = flat(*expected);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(std::isinf(a[i]) == std::isinf(b[i]));
      if (std::isinf(a[i])) a[i] = b[i] = 0;
    }
    CHECK(relative_error(a.size(), a.data(), b.data()) <= 1e-5);
  }
}

TEST_CASE("values come in the order in which they are computed") {
  const Json golden = golden_trace();
  std::vector<std::string> made;
  for (const Json::Member& member : golden.members()) made.push_back(member.key);
  const std::vector<TraceValue> all = example_trace(false);
  std::vector<std::string> names;
  for (const TraceValue& value : all) {
    if (!value.weight) names.push_back(value.name);
  }
  made.erase(made.begin(), std::find(made.begin(), made.end(), "x"));
  made.resize(names.size());
  CHECK(names == made);

  // The weights come first, in one stage.
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].weight == (i + names.size() < all.size()));
    CHECK(all[i].weight == (all[i].stage == "Parameters"));
  }
}

TEST_CASE("gradients come in the order of the backward pass, the parameters' last") {
  const std::vector<std::string> names = names_of(example_trace(true));
  const std::string cross = "decoder.0.cross_attention.";
  const std::vector<std::string> order{"dlogits",
                                       "dh",
                                       "decoder.0.doutput",
                                       "decoder.0.feed_forward.du",
                                       "decoder.0.dinformed",
                                       cross + "dconcat",
                                       cross + "heads.0.dO",
                                       cross + "heads.0.dS",
                                       cross + "heads.1.dO",
                                       cross + "du_Q",
                                       "decoder.0.dattended",
                                       "decoder.0.self_attention.du",
                                       "dg",
                                       "target.dE",
                                       "dz",
                                       "encoder.0.self_attention.du",
                                       "de",
                                       "source.dE",
                                       "embedding.dweight",
                                       "decoder.0.feed_forward_norm.dbeta"};
  auto at = names.begin();
  for (const std::string& name : order) {
    CAPTURE(name);
    const auto found = std::find(at, names.end(), name);
    REQUIRE(found != names.end());
    at = found;
  }
  CHECK(at + 1 == names.end());
}

TEST_CASE("every value has as many labels as rows and columns, or none") {
  const Traced traced = small_sentence();
  for (const SmallModel& small : all_small_models()) {
    CAPTURE(small.name);
    Transformer model = random_model(small.config);
    for (const bool backward : {false, true}) {
      for (const TraceValue& value : traced_values(model, traced, backward)) {
        CAPTURE(value.name);
        CHECK_FALSE(value.formula.empty());
        const bool rotary = model.config().positions == Positions::rotary;
        if (last_of(value.name) == (rotary ? "Q_0" : "Q")) {
          CHECK((value.formula.find(" + b^Q") != std::string::npos) ==
                model.config().attention_bias);
        }
        CHECK(value.section().rfind("§", 0) == 0);
        CHECK_FALSE(value.data.empty());
        if (value.name == "projection.weight" || value.name == "projection.dweight") {
          CHECK(value.columns == traced.tokens.vocabulary);
        }
        check_labels(value, traced.tokens);
      }
    }
  }
}

TEST_CASE("the fixed model's weights are for a pencil, and hide no transposed matrix") {
  TrainedModel example = trace_example();
  example.model->visit_parameters([](const std::string& name, Parameter& parameter) {
    CAPTURE(name);
    const Tensor& W = parameter.value;
    Real asymmetry = W.shape().rank == 2 && W.rows() == W.cols() ? Real{0} : Real{1};
    Real distance = asymmetry;
    for (Index i = 0; i < W.elements(); ++i) {
      CHECK(4 * W[i] == std::round(4 * W[i]));
      CHECK(std::fabs(W[i]) <= Real(1.5));
      if (W.shape().rank != 2 || W.rows() != W.cols()) continue;
      const Index row = i / W.cols(), col = i % W.cols();
      asymmetry = std::max(asymmetry, std::fabs(W[i] - W(col, row)));
      distance = std::max(distance, std::fabs(W[i] - (row == col ? Real{1} : Real{0})));
    }
    CHECK(asymmetry >= Real(0.5));
    CHECK(distance >= Real(0.5));
  });
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("settings as JSON");

TEST_CASE("numbers, yes and no have their types, and everything else is a string") {
  const Settings settings{{"d_model", "512"}, {"dropout", "0.1"},       {"norm", "post"},
                          {"tied", "yes"},    {"attention_bias", "no"}, {"source", "a \"b\""},
                          {"empty", ""},      {"infinite", "1e999"}};
  CHECK(to_json(settings_json(settings)) ==
        R"({"attention_bias":false,"d_model":512,"dropout":0.1,"empty":"","infinite":"1e999",)"
        R"("norm":"post","source":"a \"b\"","tied":true})");
  CHECK(to_json(settings_json({})) == "{}");
}

TEST_SUITE_END();

}  // namespace attn::test
