// Labels start at the ids, and each operation hands them on in its own way.
#include "trace/token_labels.h"

#include <algorithm>

namespace attn {

namespace {

bool same_ids(const Tensor& numbers, const std::vector<int>& ids) {
  return std::equal(ids.begin(), ids.end(), numbers.data(), numbers.data() + numbers.elements(),
                    [](int id, Real number) { return static_cast<int>(number) == id; });
}

// The value that an operand is of.
TraceValue& value_of(const TraceOperand& x, std::vector<TraceValue>& values) {
  return values[static_cast<std::size_t>(x.cells.at(0).value)];
}

// What labels the rows of an operand, or its columns.
Labels labels_of(const TraceOperand& x, bool columns, const std::vector<TraceValue>& values) {
  Labels labels;
  for (Index i = 0; i < (columns ? x.cols : x.rows); ++i) {
    const TraceCell cell = columns ? x.at(0, i) : x.at(i, 0);
    if (cell.is_constant()) return {};
    const TraceValue& from = values[static_cast<std::size_t>(cell.value)];
    // A vector's labels are those of its only axis.
    const bool of_rows = from.is_vector() || columns == x.transposed;
    const Labels& theirs = of_rows ? from.rows : from.columns;
    const Index width = from.data.cols();
    const auto at = static_cast<std::size_t>(from.is_vector() ? cell.at
                                             : of_rows        ? cell.at / width
                                                              : cell.at % width);
    if (at >= theirs.size()) return {};
    labels.push_back(theirs[at]);
  }
  return labels;
}

// Of the first operand that has a row for each row of the value, and labels.
void put_those_of_terms(const Recipe& recipe, const std::vector<TraceValue>& earlier,
                        TraceValue& value) {
  if (recipe.terms[0].kind == Term::Kind::column_sums) return;
  if (recipe.operation == Operation::mean && value.data.elements() == 1) return;
  for (const Recipe::Step& term : recipe.terms) {
    // One row stands for all, and has no labels for them.
    const bool is_row = term.kind == Term::Kind::elements && term.a.rows == 1;
    const TraceOperand& x = is_row ? term.b : term.a;
    if (x.rows != recipe.rows || x.symbol.find("_(t") != x.symbol.npos) continue;
    value.rows = labels_of(x, false, earlier);
    if (!value.is_vector()) {
      value.columns = labels_of(term.kind == Term::Kind::product ? term.b : x, true, earlier);
    }
    if (!value.rows.empty()) return;
  }
}

// Ids; or what is added to the value before it.
void put_given(const TracedPass& traced, const std::vector<TraceValue>& earlier,
               TraceValue& value) {
  const auto& [model, batch, tokens] = traced;
  const std::vector<int>&source = batch.source.ids, &target = batch.target_input.ids;
  std::vector<int> both = source;
  both.insert(both.end(), target.begin(), target.end());
  if (value.symbol == "y") {
    // The tokens to predict, perhaps some of them.
    Index before = 0;
    for (const TraceValue& one : earlier) {
      if (one.name == value.name) before = one.data.elements();
    }
    const bool source_too =
        model.predicted_tokens(batch) > static_cast<Index>(batch.target_output.size());
    const auto first = (source_too ? tokens.following : tokens.target_output).begin() + before;
    value.rows.assign(first, first + value.data.elements());
  } else if (same_ids(value.data, target)) {
    value.rows = tokens.target_input;
  } else if (same_ids(value.data, source)) {
    value.rows = tokens.source;
  } else if (same_ids(value.data, both)) {
    value.rows = tokens.sequence;
  } else if (!value.is_vector() && earlier.back().data.shape() == value.data.shape()) {
    value.rows = earlier.back().rows;
  }
}

void put_looked_up(const Labels& vocabulary, const Recipe& recipe, std::vector<TraceValue>& earlier,
                   TraceValue& value) {
  const TraceOperand &ids = recipe.terms[0].a, &table = recipe.terms[1].a;
  value.rows = labels_of(ids, true, earlier);
  if (!value.rows.empty()) {
    TraceValue& E = value_of(table, earlier);
    if (E.data.rows() <= static_cast<Index>(vocabulary.size())) E.rows = vocabulary;
    return;
  }
  // Not by ids but by the numbers of rows, which have labels of their own.
  for (const TraceCell& row : ids.cells) {
    const TraceOperand one = table.block(static_cast<Index>(row.number), 0, 1, 1);
    const Labels label = labels_of(one, false, earlier);
    value.rows.insert(value.rows.end(), label.begin(), label.end());
  }
}

void put_losses(const Labels& vocabulary, const Recipe& recipe, std::vector<TraceValue>& earlier,
                TraceValue& value) {
  TraceValue &p = value_of(recipe.terms[0].a, earlier), &q = value_of(recipe.terms[1].a, earlier);
  TraceValue& logits = value_of(p.recipes[0].terms[0].a, earlier);
  p.columns = q.columns = logits.columns = vocabulary;
  value.rows = labels_of(recipe.terms[1].a, false, earlier);
  const TraceOperand& W = logits.recipes[0].terms[0].b;
  if (!W.transposed) value_of(W, earlier).columns = vocabulary;
}

}  // namespace

void put_labels(const TracedPass& traced, const Recipe& recipe, std::vector<TraceValue>& earlier,
                TraceValue& value) {
  if (recipe.terms.empty()) return put_given(traced, earlier, value);
  const Labels& vocabulary = traced.tokens.vocabulary;
  const TraceOperand& first = recipe.terms[0].a;
  switch (recipe.operation) {
    case Operation::lookup:
      return put_looked_up(vocabulary, recipe, earlier, value);
    case Operation::lookup_backward:
      value.rows = vocabulary;
      for (const TraceValue& other : earlier) {
        if (gradient_name(other.name) == value.name) value.rows = other.rows;
      }
      return;
    case Operation::cross_entropy:
      return put_losses(vocabulary, recipe, earlier, value);
    case Operation::smoothed:
      value.rows = labels_of(first, true, earlier);
      return;
    case Operation::additive_scores:
      value.rows = labels_of(first, false, earlier);
      value.columns = labels_of(recipe.terms[1].a, false, earlier);
      return;
    case Operation::additive_scores_dq:
    case Operation::additive_scores_dk:
    case Operation::additive_scores_dv:
      // A row for each query, for each key, or for all of a look; no column is a token.
      value.rows = labels_of(first, recipe.operation == Operation::additive_scores_dk, earlier);
      if (static_cast<Index>(value.rows.size()) != recipe.rows) value.rows.clear();
      return;
    default:
      return put_those_of_terms(recipe, earlier, value);
  }
}

}  // namespace attn
