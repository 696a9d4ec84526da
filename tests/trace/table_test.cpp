// The table of a trace: a row for every value, and every row right.
#include "trace/table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "support/small_models.h"
#include "text/corpus.h"
#include "trace/explanation.h"
#include "trace/subject.h"

namespace attn::test {

TEST_SUITE_BEGIN("trace");

namespace {

Index rows_for(const std::string& name, const Settings& settings) {
  return std::count_if(table().begin(), table().end(), [&](const Row& row) {
    return is_for(row, settings) && fits(row.name, name);
  });
}

// Part of a sum may be a sum itself, not rounded on its own: each of some 40 numbers rounds once,
// by half a unit in the last place. Kernels without fused products come close to that.
constexpr double kLargest = 40 * 6e-8;

// A sentence pair of the small batch.
Batch sentence_of_batch(std::size_t b) {
  const Batch all = small_batch();
  std::vector<int> target = sentence(all.target_input, b);
  target.push_back(target_output(all, b).back());
  Batch one;
  one.append(sentence(all.source, b), target);
  return one;
}

// How large the numbers are of which a sum's terms are sums themselves. They may cancel, and what
// was rounded when they were added was larger than what is left.
double size_within(const Trace& trace, const ExplainedNumber& sum) {
  double size = 0;
  for (const ExplainedTerm& term : sum.terms) {
    if (term.parts.size() != 1 || term.parts[0].name.empty()) continue;
    const ExplainedPart& part = term.parts[0];
    const Explanation explanation(trace, *trace.find(part.name));
    if (!explanation.is_computed()) continue;
    for (const ExplainedTerm& inner : explanation.number(part.row, part.column).terms) {
      size += std::fabs(inner.value);
    }
  }
  return size;
}

// Computes each number of a value from its operands, and compares.
void check_value(const Trace& trace, const TraceValue& value) {
  CAPTURE(value.name);
  REQUIRE(rows_for(value.name, trace.settings) == 1);
  const Explanation explanation(trace, value);
  const bool given = fits("x|y_shifted|y|mask", value.name);
  CHECK(explanation.is_computed() == !(value.weight || given));
  if (!explanation.is_computed()) return;
  double largest = 0;
  for (Index i = 0; i < value.data.elements(); ++i) {
    const Index row = value.is_vector() ? i : i / value.data.cols();
    const Index column = value.is_vector() ? -1 : i % value.data.cols();
    const ExplainedNumber number = explanation.number(row, column);
    if (number.result == value.data[i]) continue;
    double size = std::fabs(static_cast<double>(value.data[i]));
    for (const ExplainedTerm& term : number.terms) size += std::fabs(term.value);
    const double error = std::fabs(static_cast<double>(number.result - value.data[i]));
    if (error > kLargest * size) size += size_within(trace, number);
    const double difference = error / size;
    largest = std::max(largest, difference);
    if (!(difference <= kLargest)) largest = 1;
  }
  CHECK(largest <= kLargest);
}

}  // namespace

TEST_CASE("every value that a Transformer shows has one row, and every row computes its value") {
  for (const bool dropout : {false, true}) {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      CAPTURE(dropout);
      Transformer model = random_model(dropout ? with_dropout(small.config) : small.config);
      const DropoutMasks on(7, 1), off;
      for (std::size_t sentence = 0; sentence < 3; ++sentence) {
        CAPTURE(sentence);
        const Trace trace =
            trace_of(model, sentence_of_batch(sentence), {}, true, dropout ? on : off);
        std::set<std::string> names;
        for (const TraceValue& value : trace.values) {
          CHECK(names.insert(value.name).second);
          check_value(trace, value);
        }
      }
    }
  }
}

TEST_CASE("what a number is said to be made of are numbers of the trace, and come to that number") {
  const TraceSubject example = trace_subject(trace_example(), {kExampleSource, kExampleTarget});
  const Trace trace = trace_of(*example.model, example.batch, example.tokens, true);
  for (const TraceValue& value : trace.values) {
    CAPTURE(value.name);
    const Explanation explanation(trace, value);
    bool there = true, products = true;
    for (Index i = 0; i < value.data.elements(); ++i) {
      const Index row = value.is_vector() ? i : i / value.data.cols();
      const ExplainedNumber number =
          explanation.number(row, value.is_vector() ? -1 : i % value.data.cols());
      CHECK((!number.terms.empty() || !number.lines.empty()));
      for (const ExplainedTerm& term : number.terms) {
        double product = 1;
        for (const ExplainedPart& part : term.parts) {
          product *= part.value;
          if (part.name.empty()) {
            // A constant like −1 has the sign that it shows.
            products = products && (part.text.rfind("−1", 0) == 0) <= (part.value < 0);
            continue;
          }
          const Tensor& data = trace.find(part.name)->data;
          const Real there_is = part.column < 0 ? data[part.row] : data(part.row, part.column);
          there = there && (static_cast<Real>(part.value) == there_is);
        }
        const bool by_function = term.parts.size() == 1;  // e^(x − largest)
        products = products && (by_function || term.value == doctest::Approx(product));
      }
      // The last line, or else the sum, is the number.
      double outcome = 0;
      for (const ExplainedTerm& term : number.terms) outcome += term.value;
      for (const ExplainedLine& line : number.lines) outcome = line.value.value_or(outcome);
      if (explanation.is_computed() && std::isfinite(value.data[i])) {
        CHECK(outcome == doctest::Approx(static_cast<double>(number.result)).epsilon(1e-5));
      }
    }
    CHECK(there);
    CHECK(products);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
