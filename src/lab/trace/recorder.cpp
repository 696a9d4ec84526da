// value = operation(operands): the numbers are copied when they are made, the operands are found
// among those made before.
#include "lab/trace/recorder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "lab/trace/headings.h"
#include "layers/softmax.h"
#include "text/lines.h"

namespace attn {

namespace {

bool is_sum(Operation operation) {
  return operation == Operation::sum || operation == Operation::tanh ||
         operation == Operation::sigmoid;
}

Recipe::Step single(const TraceOperand& x, int sign = 1) {
  return {Term::Kind::matrix, x, {}, sign};
}

bool is_constant(const TraceCell& cell) {
  return cell.value < 0;
}

// "S = Q Kᵀ"; of what is given, the symbol.
std::string equation(const std::string& symbol, const std::string& formula) {
  return formula.empty() || formula == symbol ? symbol : symbol + " = " + formula;
}

std::string part_of(const std::string& name) {
  return name.substr(0, std::min(name.rfind('.'), name.size()));
}

bool same_ids(const Tensor& numbers, const std::vector<int>& ids) {
  return std::equal(ids.begin(), ids.end(), numbers.data(), numbers.data() + numbers.elements(),
                    [](int id, Real number) { return static_cast<int>(number) == id; });
}

// Numbers of a vector count as rows.
Index rows_in(const TraceValue& value) {
  return value.is_vector() ? value.data.elements() : value.data.rows();
}

}  // namespace

Recorder::Recorder(SequenceModel& model, const Batch& batch, const TraceTokens& tokens)
    : model_(model), batch_(batch), tokens_(tokens) {
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    TraceValue value;
    value.id = static_cast<int>(values_.size());
    value.name = name;
    value.symbol = value.formula = parameter.symbol;
    value.data = parameter.value;
    value.layer = layer_of(name);
    value.weight = true;
    memory_.add_weight(value.id, parameter.value);
    values_.push_back(std::move(value));
  });
}

Watcher Recorder::watcher() {
  Watcher watcher;
  watcher.value = watcher.unnamed = [this](const SeenValue& seen) { record(seen); };
  return watcher;
}

TraceValue* Recorder::find(const std::string& name) {
  const auto found = std::find_if(values_.rbegin(), values_.rend(),
                                  [&](const TraceValue& value) { return value.name == name; });
  return found == values_.rend() ? nullptr : &*found;
}

// If x is a block of something that has no name: that, and where the block begins.
const Recorder::Unnamed* Recorder::whole_of(const TraceOperand& x, Index& row, Index& col) const {
  if (x.cells.empty() || x.cells[0].value > -2) return nullptr;
  const TraceCell first = x.cells[0];
  const Unnamed& whole = unnamed_[static_cast<std::size_t>(-2 - first.value)];
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      const TraceCell cell = x.at(i, j);
      if (cell.value != first.value || cell.at != first.at + i * whole.cols + j) return nullptr;
    }
  }
  row = first.at / whole.cols;
  col = first.at % whole.cols;
  return &whole;
}

void Recorder::record(const SeenValue& seen) {
  TraceValue value;
  const std::string part = seen.where.name();
  value.file = seen.called.file;
  value.function = seen.called.function;
  value.stage = heading_of(part, seen.where.is_backward());
  value.layer = layer_of(part);
  const bool known = seen.made.terms.empty() && seen.made.operation != Operation::mean;
  Recipe recipe = known ? recipe_of_known(seen, value) : recipe_of(seen);
  if (seen.called.name != nullptr) {
    return put(seen, seen.called, std::move(value), std::move(recipe), seen.numbers, seen.shape);
  }
  memory_.add(-2 - static_cast<int>(unnamed_.size()), 0, seen.numbers);
  unnamed_.push_back({std::move(recipe), seen.numbers.cols, {part, value.file, value.function}});
}

void Recorder::add_term(const Term& term, bool of_sum, Recipe& recipe) const {
  if (of_sum && term.kind == Term::Kind::matrix) {
    // Sums begin with zeros, and what they come to on the way has no name.
    const TraceOperand x = memory_.find(term.a, Memory::Among::all);
    if (x.col_step == 0 && sum_of_squares(copy_of(term.a)) == 0) return;
    Index row = 0, col = 0;
    const Unnamed* const part = whole_of(x, row, col);
    if (part != nullptr && part->recipe.operation == Operation::sum &&
        part->recipe.factor_symbol.empty() && term.sign > 0) {
      const Recipe terms = part->recipe.block(row, col, term.a.rows, term.a.cols);
      recipe.terms.insert(recipe.terms.end(), terms.terms.begin(), terms.terms.end());
      return;
    }
  }
  recipe.terms.push_back({term.kind, memory_.find(term.a), memory_.find(term.b), term.sign});
}

Recipe Recorder::recipe_of(const SeenValue& seen) {
  const Made& made = seen.made;
  Recipe recipe;
  recipe.operation = made.operation;
  recipe.factor = made.factor.value;
  recipe.factor_symbol = made.factor.symbol;
  recipe.legal = made.legal;
  for (const Term& term : made.terms) add_term(term, is_sum(made.operation), recipe);
  switch (made.operation) {
    case Operation::softmax:
    case Operation::softmax_backward:
      return steps_of_softmax(seen, std::move(recipe));
    case Operation::cross_entropy:
    case Operation::cross_entropy_backward:
      return steps_of_cross_entropy(seen, recipe);
    case Operation::mean:
      if (recipe.terms.empty()) recipe.terms.push_back(single(all_of_last()));
      return recipe;
    default:
      return recipe;
  }
}

// All numbers of the forward pass's last value, as one row.
TraceOperand Recorder::all_of_last() const {
  const auto last = std::find_if(values_.rbegin(), values_.rend(),
                                 [](const TraceValue& value) { return !value.backward; });
  TraceOperand row;
  row.rows = 1;
  row.cols = last->data.elements();
  for (Index i = 0; i < row.cols; ++i) row.cells.push_back({last->id, i, last->data[i]});
  return row;
}

// What is named now was made before: as it is, as a block of something larger, or out of parts.
Recipe Recorder::recipe_of_known(const SeenValue& seen, TraceValue& value) const {
  Index row = 0, col = 0;
  const ConstMatrixView& x = seen.numbers;
  const TraceOperand all = memory_.find(x, Memory::Among::all);
  if (const Unnamed* const whole = whole_of(all, row, col)) {
    if (seen.where.name().find(".heads.") == std::string::npos) {
      const std::string part = seen.where.name(), &made_in = whole->place.part;
      value.file = whole->place.file;
      value.function = whole->place.function;
      if (whole == &unnamed_.back() && part != made_in) {
        value.stage = values_.back().stage;
        value.layer = values_.back().layer;
      } else if (part.empty()) {
        value.stage = text("What all that read ", seen.called.name + 1, " want of it");
      }
    }
    return whole->recipe.block(row, col, x.rows, x.cols);
  }
  Recipe recipe;
  // Ids, and what is told by a note, are given.
  const bool is_join = seen.made.operation == Operation::join;
  if (seen.shape.rank != 2 || (*seen.called.note != '\0' && !is_join)) return recipe;
  const TraceOperand parts = memory_.find(x);
  if (std::any_of(parts.cells.begin(), parts.cells.end(), is_constant)) return recipe;
  recipe.operation = Operation::sum;
  recipe.terms.push_back(single(parts));
  return recipe;
}

// A step between the operands and the value, in the same part.
TraceOperand Recorder::step(const SeenValue& seen, const char* name, const Tensor& numbers,
                            Recipe recipe, const char* note) {
  const Called called{name, name, note, seen.called.file, seen.called.function};
  TraceValue value;
  value.file = called.file;
  value.function = called.function;
  value.stage = heading_of(seen.where.name(), seen.where.is_backward());
  put(seen, called, std::move(value), std::move(recipe), numbers, numbers.shape());
  return memory_.find(numbers);
}

// P = softmax(A) of A = S/√d_k;   dA, then dS = dA/√d_k
Recipe Recorder::steps_of_softmax(const SeenValue& seen, Recipe recipe) {
  if (recipe.factor_symbol.empty()) return recipe;
  const bool backward = seen.made.operation == Operation::softmax_backward;
  Tensor A = copy_of(seen.made.terms[0].a);
  if (backward) {
    softmax_backward(seen.made.terms[1].a, 1, Mask::none, A);
  } else {
    for (Index i = 0; i < A.rows(); ++i) {
      const Index legal =
          recipe.legal.empty() ? A.cols() : recipe.legal[static_cast<std::size_t>(i)];
      for (Index j = 0; j < A.cols(); ++j) {
        A(i, j) = j < legal ? A(i, j) * static_cast<Real>(recipe.factor)
                            : -std::numeric_limits<Real>::infinity();
      }
    }
  }
  // One is the function without its factor, the other the factor alone.
  Recipe function = recipe, factor = recipe;
  function.factor = 1;
  function.factor_symbol.clear();
  factor.operation = Operation::sum;
  factor.terms.resize(1);
  Recipe& first = backward ? function : factor;
  Recipe& second = backward ? factor : function;
  if (backward) factor.legal.clear();
  second.terms[0].a = step(seen, backward ? "dA" : "A", std::move(A), first);
  second.legal.clear();
  return second;
}

// p = softmax(logits), y, q;   then L_t = −Σ_v q_v ln p_v, or dlogits = (p − q)/T
Recipe Recorder::steps_of_cross_entropy(const SeenValue& seen, const Recipe& recipe) {
  Recipe result = recipe;
  if (seen.made.operation == Operation::cross_entropy_backward) {
    const TraceValue &p = *find("p"), &q = *find("q");
    const Index rows = seen.numbers.rows, end = p.data.rows();
    const auto latest = [&](const TraceValue& value) {
      return memory_.find(rows_of(value.data, end - rows, end));
    };
    result.operation = Operation::sum;
    result.terms = {single(latest(p)), single(latest(q), -1)};
    return result;
  }
  const ConstMatrixView logits = seen.made.terms[0].a, ids = seen.made.terms[1].a;
  const double epsilon = recipe.factor;
  Tensor p = copy_of(logits), q = copy_of(logits);
  softmax(p, 1, Mask::none);
  q.fill(static_cast<Real>(epsilon / static_cast<double>(q.cols())));
  for (Index t = 0; t < q.rows(); ++t) {
    q(t, static_cast<Index>(ids(0, t))) += static_cast<Real>(1 - epsilon);
  }
  Recipe of_p, of_q;
  of_p.operation = Operation::softmax;
  of_p.terms = {recipe.terms[0]};
  result.terms[0].a = step(seen, "p", std::move(p), of_p);
  Tensor y = copy_of(ids).reshaped({ids.cols});
  of_q.operation = Operation::smoothed;
  of_q.factor = epsilon;
  of_q.terms = {single(step(seen, "y", std::move(y), {}, "the tokens to predict"))};
  result.terms[1].a = step(seen, "q", std::move(q), of_q);
  return result;
}

void Recorder::put(const SeenValue& seen, const Called& called, TraceValue value, Recipe recipe,
                   const ConstMatrixView& numbers, const Shape& shape) {
  const std::string part = seen.where.name();
  value.id = static_cast<int>(values_.size());
  value.name = part.empty() ? called.name : part + '.' + called.name;
  value.backward = seen.where.is_backward();
  value.data = copy_of(numbers);
  if (shape.rank == 1) value.data = std::move(value.data).reshaped(shape);

  // The same name again is more rows, or one more part of a sum.
  TraceValue* whole = find(value.name);
  const bool again = whole != nullptr && whole->backward == value.backward;
  recipe.rows = rows_in(value);
  if (again && !seen.made.is_part) {
    recipe.row = rows_in(*whole);
  }
  value.symbol = called.symbol;
  name_operands(recipe, value);
  const std::string note = called.note, formula = note.empty() ? formula_of(recipe) : note;
  if (value.symbol.empty()) value.symbol = formula;
  // "Concat(head_1, …, head_h)" is its own symbol.
  value.formula =
      !note.empty() && note.rfind(value.symbol, 0) == 0 ? note : equation(value.symbol, formula);
  value.word = word_for(value.symbol);
  value.function = function_of(value.file, value.function, value.backward);
  value.section = section_of(value.file);
  value.file = value.file.substr(value.file.rfind("src/"));
  if (layer_of(value.name) >= 0) value.layer = layer_of(value.name);
  value.head = head_of(value.name);
  put_labels(recipe, value);

  const Index at = again && !seen.made.is_part ? whole->data.elements() : 0;
  if (!again) {
    values_.push_back(std::move(value));
    whole = &values_.back();
  } else if (seen.made.is_part) {
    add(value.data, whole->data);
  } else {
    append(value.data, whole->data);
    whole->rows.insert(whole->rows.end(), value.rows.begin(), value.rows.end());
    if (static_cast<Index>(whole->rows.size()) != rows_in(*whole)) whole->rows.clear();
    // The first step has no state before it.
    if (value.formula.find(" 0") == std::string::npos) whole->formula = value.formula;
  }
  whole->recipes.push_back(std::move(recipe));
  memory_.add(whole->id, at, seen.made.is_part ? ConstMatrixView(whole->data) : numbers);
}

// The symbol of each operand, as the formula of a value writes it.
void Recorder::name_operands(Recipe& recipe, const TraceValue& value) const {
  const bool in_head = value.name.find(".heads.") != std::string::npos;
  const auto name = [&](TraceOperand& x, bool same_rows) {
    const TraceValue* first = nullptr;
    Index shift = 0;
    bool shifted = same_rows && (x.rows > 1 || recipe.rows == 1);
    x.symbol.clear();
    for (std::size_t i = 0; i < x.cells.size(); ++i) {
      if (is_constant(x.cells[i])) continue;
      const TraceValue& from = values_[static_cast<std::size_t>(x.cells[i].value)];
      const Index row = static_cast<Index>(i) / x.cols;
      const Index here = x.cells[i].at / from.data.cols() - row - recipe.row;
      if (first == nullptr) {
        first = &from;
        shift = here;
      }
      shifted = shifted && here == shift && !from.is_vector() && !from.weight;
      // "da" of da_i, da_f, da_o and da_g
      if (from.symbol != first->symbol) x.symbol = first->symbol.substr(0, first->symbol.find('_'));
    }
    if (first == nullptr) {
      x.symbol = recipe.operation == Operation::lookup ? "pos" : x.cells.empty() ? "" : "0";
      return;
    }
    const bool same_part = part_of(first->name) == part_of(value.name);
    if (x.symbol.empty()) x.symbol = first->symbol;
    if (x.symbol == value.symbol && first->name != value.name && !first->weight) {
      x.symbol = same_part ? split(first->name, '.').back() : first->name;
    }
    // One head's columns; or a block that is known by what is made of it: f = σ(a_f).
    if ((x.transposed ? x.rows : x.cols) < first->data.cols() && first->symbol == x.symbol) {
      x.symbol += '_' + (in_head ? "i" : value.symbol.substr(value.symbol.rfind('_') + 1));
    }
    // Of a neighbour; what is made step by step is made from the last on the way back.
    if (!shifted || shift == 0) return;
    const bool by_steps = x.rows == 1;
    if (by_steps && (shift != -1 || first->backward != value.backward || !same_part)) return;
    const bool later = by_steps ? value.backward : shift > 0;
    x.symbol += text(later ? "_(t+" : "_(t−", std::abs(shift), ')');
  };
  for (Recipe::Step& term : recipe.terms) {
    const bool by_rows = term.kind != Term::Kind::column_sums &&
                         (is_sum(recipe.operation) || recipe.operation == Operation::join);
    name(term.a, by_rows);
    name(term.b, by_rows && term.kind == Term::Kind::elements);
  }
}

Labels Recorder::labels_of(const TraceOperand& x, bool columns) const {
  Labels labels;
  for (Index i = 0; i < (columns ? x.cols : x.rows); ++i) {
    const TraceCell cell = columns ? x.at(0, i) : x.at(i, 0);
    if (is_constant(cell)) return {};
    const TraceValue& from = values_[static_cast<std::size_t>(cell.value)];
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

// Tokens label the rows of a value if they label those of what it was made from.
void Recorder::put_labels(const Recipe& recipe, TraceValue& value) {
  if (recipe.terms.empty()) {
    if (same_ids(value.data, batch_.source.ids)) value.rows = tokens_.source;
    if (same_ids(value.data, batch_.target_input.ids)) value.rows = tokens_.target_input;
    std::vector<int> both = batch_.source.ids;
    both.insert(both.end(), batch_.target_input.ids.begin(), batch_.target_input.ids.end());
    if (value.rows.empty() && same_ids(value.data, both)) value.rows = tokens_.sequence;
    // The tokens to predict, perhaps some of them; what is given otherwise is added to what was
    // made before it.
    const TraceValue& last = values_.back();
    if (value.symbol == "y") {
      const TraceValue* const before = find("y");
      const bool source_too =
          model_.predicted_tokens(batch_) > static_cast<Index>(batch_.target_output.size());
      const Labels& all = source_too ? tokens_.following : tokens_.target_output;
      const auto first = all.begin() + (before == nullptr ? 0 : before->data.elements());
      value.rows.assign(first, first + value.data.elements());
    } else if (value.rows.empty() && !value.is_vector() &&
               last.data.shape() == value.data.shape()) {
      value.rows = last.rows;
    }
    return;
  }
  const Recipe::Step& first = recipe.terms[0];
  const auto of = [&](const TraceOperand& x) -> TraceValue& {
    return values_[static_cast<std::size_t>(x.cells.at(0).value)];
  };
  switch (recipe.operation) {
    case Operation::lookup:
      value.rows = labels_of(first.a, true);
      if (value.rows.empty()) {
        // Not by ids but by the numbers of rows, which have labels of their own.
        const TraceOperand& table = recipe.terms[1].a;
        for (const TraceCell& row : first.a.cells) {
          const Labels label =
              labels_of(table.block(static_cast<Index>(row.number), 0, 1, 1), false);
          value.rows.insert(value.rows.end(), label.begin(), label.end());
        }
      } else if (of(recipe.terms[1].a).data.rows() <=
                 static_cast<Index>(tokens_.vocabulary.size())) {
        of(recipe.terms[1].a).rows = tokens_.vocabulary;
      }
      break;
    case Operation::lookup_backward:
      value.rows = tokens_.vocabulary;
      for (const TraceValue& other : values_) {
        if (gradient_name(other.name) == value.name) value.rows = other.rows;
      }
      break;
    case Operation::cross_entropy: {
      TraceValue& p = of(first.a);
      TraceValue& logits = of(p.recipes[0].terms[0].a);
      p.columns = of(recipe.terms[1].a).columns = logits.columns = tokens_.vocabulary;
      value.rows = labels_of(recipe.terms[1].a, false);
      const TraceOperand& W = logits.recipes[0].terms[0].b;
      if (!W.transposed) of(W).columns = tokens_.vocabulary;
      break;
    }
    case Operation::smoothed:
      value.rows = labels_of(first.a, true);
      break;
    case Operation::additive_scores:
      value.rows = labels_of(first.a, false);
      value.columns = labels_of(recipe.terms[1].a, false);
      break;
    case Operation::additive_scores_dq:
    case Operation::additive_scores_dk:
    case Operation::additive_scores_dv:
      // A row for each query, for each key, or for all of a look; no column is a token.
      value.rows = labels_of(first.a, recipe.operation == Operation::additive_scores_dk);
      if (static_cast<Index>(value.rows.size()) != recipe.rows) value.rows.clear();
      break;
    default:
      if (first.kind == Term::Kind::column_sums) break;
      if (recipe.operation == Operation::mean && value.data.elements() == 1) break;
      for (const Recipe::Step& term : recipe.terms) {
        // One row stands for all, and has no labels for them.
        const bool is_row = term.kind == Term::Kind::elements && term.a.rows == 1;
        const TraceOperand& x = is_row ? term.b : term.a;
        if (x.rows != recipe.rows || x.symbol.find("_(t") != x.symbol.npos) continue;
        value.rows = labels_of(x, false);
        if (!value.is_vector()) {
          value.columns = labels_of(term.kind == Term::Kind::product ? term.b : x, true);
        }
        if (!value.rows.empty()) break;
      }
  }
}

// Whether a value was computed from the one of this number.
static bool uses(const TraceValue& value, int id) {
  const auto is = [&](const TraceOperand& x) { return !x.cells.empty() && x.cells[0].value == id; };
  return std::any_of(value.recipes.begin(), value.recipes.end(), [&](const Recipe& recipe) {
    return std::any_of(recipe.terms.begin(), recipe.terms.end(),
                       [&](const Recipe::Step& term) { return is(term.a) || is(term.b); });
  });
}

std::vector<TraceValue> Recorder::values(bool backward) const {
  std::vector<TraceValue> result;
  for (const TraceValue& value : values_) {
    if (!value.weight && value.backward == backward) result.push_back(value);
  }
  // What is given belongs to what is made of it.
  for (std::size_t i = result.size(); i-- > 1;) {
    TraceValue& given = result[i - 1];
    const bool is_given =
        given.recipes[0].terms.empty() && given.name.find('.') == std::string::npos;
    if (is_given && given.symbol != "y") given.stage = result[i].stage;
  }
  if (!backward) {
    for (TraceValue weight : values_) {
      if (!weight.weight) break;
      const auto user = std::find_if(result.begin(), result.end(), [&](const TraceValue& value) {
        return !value.weight && uses(value, weight.id);
      });
      ATTN_CHECK(user != result.end(), "no value was computed from the parameter '", weight.name,
                 "'");
      weight.stage = user->stage;
      weight.layer = user->layer;
      weight.section = user->section;
      weight.function = user->function;
      weight.file = user->file;
      result.insert(user, std::move(weight));
    }
    return result;
  }
  std::size_t number = 0;
  model_.visit_parameters([&](const std::string& name, Parameter& parameter) {
    TraceValue value = values_[number++];
    value.id = -1;
    value.name = gradient_name(name);
    value.data = parameter.gradient;
    value.weight = false;
    value.backward = true;
    value.stage = "Parameters";
    value.symbol = 'd' + parameter.symbol;
    Index row = 0, col = 0;
    const TraceOperand all = memory_.find(parameter.gradient, Memory::Among::all);
    if (const Unnamed* const sum = whole_of(all, row, col)) {
      value.recipes = {sum->recipe};
      value.recipes[0].rows = rows_in(value);
      value.section = section_of(sum->place.file);
      value.file = sum->place.file.substr(sum->place.file.rfind("src/"));
      value.function = function_of(sum->place.file, sum->place.function, true);
      name_operands(value.recipes[0], value);
      value.formula = equation(value.symbol, formula_of(value.recipes[0]));
    }
    result.push_back(std::move(value));
  });
  return result;
}

}  // namespace attn
