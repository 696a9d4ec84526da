// value = operation(operands): the numbers are copied when they are made, the operands are found
// among those made before.
#include "trace/recorder.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "text/lines.h"
#include "trace/headings.h"

namespace attn {

namespace {

// "S = Q Kᵀ"; of what is given, the symbol.
std::string equation(const std::string& symbol, const std::string& formula) {
  return formula.empty() || formula == symbol ? symbol : symbol + " = " + formula;
}

}  // namespace

Recorder::Recorder(SequenceModel& model, const Batch& batch, const TraceTokens& tokens)
    : traced_{model, batch, tokens} {
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

TraceValue Recorder::value_of(const SeenValue& seen) const {
  TraceValue value;
  const std::string part = seen.where.name();
  value.file = seen.called.file;
  value.function = seen.called.function;
  value.stage = heading_of(part, seen.where.is_backward());
  value.layer = layer_of(part);
  return value;
}

void Recorder::record(const SeenValue& seen) {
  TraceValue value = value_of(seen);
  const bool known = seen.made.terms.empty() && seen.made.operation != Operation::mean;
  Recipe recipe = known ? recipe_of_known(seen, value) : recipe_of(seen);
  if (seen.called.name != nullptr) {
    return put(seen, seen.called, std::move(value), std::move(recipe), seen.numbers, seen.shape);
  }
  memory_.add_unnamed(
      {std::move(recipe), seen.numbers.cols, seen.where.name(), value.file, value.function},
      seen.numbers);
}

void Recorder::add_term(const Term& term, Recipe& recipe) const {
  const TraceOperand a = memory_.find(term.a);
  if (recipe.is_sum() && term.kind == Term::Kind::matrix) {
    // Sums begin with zeros, and what they come to on the way has no name.
    const bool is_weight = a.col_step != 0;
    if (!is_weight && sum_of_squares(copy_of(term.a)) == 0) return;
    Recipe part;
    if (memory_.whole_of(term.a, part) != nullptr && part.operation == Operation::sum &&
        part.factor_symbol.empty() && term.sign > 0) {
      recipe.terms.insert(recipe.terms.end(), part.terms.begin(), part.terms.end());
      return;
    }
  }
  recipe.terms.push_back({term.kind, a, memory_.find(term.b), term.sign});
}

Recipe Recorder::recipe_of(const SeenValue& seen) {
  const Made& made = seen.made;
  Recipe recipe;
  recipe.operation = made.operation;
  recipe.factor = made.factor.value;
  recipe.factor_symbol = made.factor.symbol;
  recipe.legal = made.legal;
  for (const Term& term : made.terms) add_term(term, recipe);
  switch (made.operation) {
    case Operation::softmax:
    case Operation::softmax_backward:
      return steps_of_softmax(seen, std::move(recipe));
    case Operation::cross_entropy:
    case Operation::cross_entropy_backward:
      return steps_of_cross_entropy(seen, recipe);
    case Operation::mean:
      if (recipe.terms.empty()) recipe.terms.push_back({Term::Kind::matrix, all_of_last()});
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
  Recipe recipe;
  if (const Unnamed* const whole = memory_.whole_of(seen.numbers, recipe)) {
    const std::string part = seen.where.name();
    if (part.find(".heads.") != part.npos) return recipe;
    value.file = whole->file;
    value.function = whole->function;
    if (memory_.is_latest(*whole) && part != whole->part) {
      value.stage = values_.back().stage;
      if (value.layer < 0) value.layer = values_.back().layer;
    } else if (part.empty()) {
      // Without the d of its name.
      value.stage = text("The gradient of ", seen.called.name + 1, ", from all that read it");
    }
    return recipe;
  }
  // Ids, and what is told by a note, are given.
  const bool is_join = seen.made.operation == Operation::join;
  if (seen.shape.rank != 2 || (*seen.called.note != '\0' && !is_join)) return recipe;
  const TraceOperand parts = memory_.find(seen.numbers);
  const auto is_constant = [](const TraceCell& cell) { return cell.is_constant(); };
  if (std::any_of(parts.cells.begin(), parts.cells.end(), is_constant)) return recipe;
  recipe.operation = Operation::sum;
  recipe.terms.push_back({Term::Kind::matrix, parts});
  return recipe;
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
  recipe.rows = value.row_count();
  if (again && !seen.made.is_part) recipe.row = whole->row_count();
  value.symbol = called.symbol;
  name_operands(values_, value, recipe);
  const std::string note = called.note, formula = note.empty() ? formula_of(recipe) : note;
  if (value.symbol.empty()) value.symbol = formula;
  // "Concat(head_1, …, head_h)" is its own symbol.
  value.formula =
      !note.empty() && note.rfind(value.symbol, 0) == 0 ? note : equation(value.symbol, formula);
  value.word = word_for(value.symbol);
  value.function = function_of(value.file, value.function, value.backward);
  value.section = section_of(value.file);
  value.file = value.file.substr(value.file.rfind("src/"));
  value.head = head_of(value.name);
  put_labels(traced_, recipe, values_, value);

  const Index at = again && !seen.made.is_part ? whole->data.elements() : 0;
  if (!again) {
    values_.push_back(std::move(value));
    whole = &values_.back();
  } else if (seen.made.is_part) {
    add(value.data, whole->data);
  } else {
    append(value.data, whole->data);
    whole->rows.insert(whole->rows.end(), value.rows.begin(), value.rows.end());
    if (static_cast<Index>(whole->rows.size()) != whole->row_count()) whole->rows.clear();
    // The first step has no state before it.
    if (value.formula.find(" 0") == std::string::npos) whole->formula = value.formula;
  }
  whole->recipes.push_back(std::move(recipe));
  memory_.add(whole->id, at, seen.made.is_part ? ConstMatrixView(whole->data) : numbers);
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
  traced_.model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    TraceValue value = values_[number++];
    value.id = -1;
    value.name = gradient_name(name);
    value.data = parameter.gradient;
    value.weight = false;
    value.backward = true;
    value.stage = "Parameters";
    value.symbol = 'd' + parameter.symbol;
    Recipe recipe;
    if (const Unnamed* const sum = memory_.whole_of(parameter.gradient, recipe)) {
      recipe.rows = value.row_count();
      name_operands(values_, value, recipe);
      value.formula = equation(value.symbol, formula_of(recipe));
      value.recipes = {std::move(recipe)};
      value.section = section_of(sum->file);
      value.file = sum->file.substr(sum->file.rfind("src/"));
      value.function = function_of(sum->file, sum->function, true);
    }
    result.push_back(std::move(value));
  });
  return result;
}

}  // namespace attn
