// value = operation(operands): the numbers are copied when they are made, the operands are found
// among those made before.
#include "lab/trace/recorder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "lab/trace/headings.h"
#include "lab/trace/recipe.h"
#include "layers/softmax.h"

namespace attn {

namespace {

// Whether it can be written in place of its name in a longer sum.
bool is_plain_sum(const Recipe& recipe) {
  return recipe.operation == Operation::sum && recipe.factor_symbol.empty();
}

Recipe::Step single(const TraceOperand& x, int sign = 1) {
  return {Term::Kind::matrix, x, {}, sign};
}

std::string full_name(const std::string& part, const std::string& name) {
  return part.empty() ? name : part + '.' + name;
}

// "S = Q Kᵀ"; of what is given, the symbol.
std::string equation(const std::string& symbol, const std::string& formula) {
  return formula.empty() || formula == symbol ? symbol : symbol + " = " + formula;
}

// What has the same symbol as the value that it is a part of goes by its name.
void qualify(Recipe& recipe, const std::string& name, const std::string& symbol) {
  for (Recipe::Step& term : recipe.terms) {
    TraceOperand& x = term.a;
    if (x.symbol != symbol || x.blocks.empty() || x.blocks[0].value == name) continue;
    x.symbol = x.blocks[0].value;
  }
}

// A block of columns goes by what is made from it: f = σ(a_f). Those of a head are numbered.
void rename_blocks(Recipe& recipe, const std::string& symbol) {
  for (Recipe::Step& term : recipe.terms) {
    for (TraceOperand* x : {&term.a, &term.b}) {
      if (ends_with(x->symbol, "_i")) {
        x->symbol.replace(x->symbol.size() - 1, 1, symbol);
      }
    }
  }
}

bool same_ids(const ConstMatrixView& numbers, const std::vector<int>& ids) {
  if (numbers.rows != 1 || numbers.cols != static_cast<Index>(ids.size())) return false;
  for (Index t = 0; t < numbers.cols; ++t) {
    if (static_cast<int>(numbers(0, t)) != ids[static_cast<std::size_t>(t)]) return false;
  }
  return true;
}

}  // namespace

Recorder::Recorder(SequenceModel& model, const Batch& batch, const TraceTokens& tokens)
    : model_(model), batch_(batch), tokens_(tokens), finder_(model) {
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    TraceValue value = described(name, parameter);
    value.data = parameter.value;
    value.symbol = value.formula = parameter.symbol;
    value.weight = true;
    weights_.push_back(std::move(value));
  });
}

Watcher Recorder::watcher() {
  Watcher watcher;
  watcher.value = watcher.unnamed = [this](const SeenValue& seen) { record(seen); };
  return watcher;
}

TraceValue* Recorder::find(const std::string& name) {
  return const_cast<TraceValue*>(std::as_const(*this).find(name));
}

const TraceValue* Recorder::find(const std::string& name) const {
  for (const std::vector<TraceValue>* list : {&values_, &weights_}) {
    for (std::size_t i = list->size(); i-- > 0;) {
      if ((*list)[i].name == name) return &(*list)[i];
    }
  }
  return nullptr;
}

void Recorder::record(const SeenValue& seen) {
  const bool known = seen.made.operation == Operation::known;
  Place place{seen.where.name(), seen.called.file, seen.called.function};
  Recipe recipe = known ? recipe_of_known(seen, place) : recipe_of(seen);
  if (seen.called.name == nullptr) {
    finder_.add({seen.numbers.data, seen.numbers.row_stride, copy_of(seen.numbers), "", 0, 0, "",
                 std::move(recipe), place.part, place.file, place.function});
    return;
  }
  put(seen, seen.called, place, std::move(recipe), seen.numbers, seen.shape);
}

void Recorder::add_term(const Term& term, bool of_sum, Recipe& recipe) const {
  if (of_sum && term.kind == Term::Kind::matrix) {
    const TraceOperand operand = finder_.find(term.a);
    if (operand.numbers.empty()) {
      recipe.terms.push_back(single(operand, term.sign));
      return;
    }
    // Sums begin with zeros, and what they come to on the way has no name.
    if (sum_of_squares(operand.numbers) == 0) return;
    Index row = 0, col = 0;
    const Finder::Known* const part = finder_.unnamed(term.a, row, col);
    if (part != nullptr && is_plain_sum(part->recipe) && term.sign > 0) {
      const Recipe terms = block_of(part->recipe, row, col, term.a.rows, term.a.cols);
      recipe.terms.insert(recipe.terms.end(), terms.terms.begin(), terms.terms.end());
      return;
    }
  }
  recipe.terms.push_back({term.kind, finder_.find(term.a), finder_.find(term.b), term.sign});
}

Recipe Recorder::recipe_of(const SeenValue& seen) {
  const Made& made = seen.made;
  Recipe recipe;
  recipe.operation = made.operation;
  recipe.factor = made.factor.value;
  recipe.factor_symbol = made.factor.symbol;
  recipe.legal = made.legal;
  const bool of_sum = made.operation == Operation::sum || made.operation == Operation::tanh ||
                      made.operation == Operation::sigmoid;
  for (const Term& term : made.terms) add_term(term, of_sum, recipe);
  switch (made.operation) {
    case Operation::softmax:
    case Operation::softmax_backward:
      return steps_of_softmax(seen, std::move(recipe));
    case Operation::cross_entropy:
    case Operation::cross_entropy_backward:
      return steps_of_cross_entropy(seen, recipe);
    case Operation::mean:
      if (recipe.terms.empty() && !values_.empty()) {
        const TraceValue& last = values_.back();
        recipe.terms.push_back(single(finder_.find(last.data)));
      }
      return recipe;
    default:
      return recipe;
  }
}

// What is named now was made before: as it is, as a block of something larger, or out of parts.
Recipe Recorder::recipe_of_known(const SeenValue& seen, Place& place) const {
  Index row = 0, col = 0;
  const ConstMatrixView& x = seen.numbers;
  if (const Finder::Known* const whole = finder_.unnamed(x, row, col)) {
    if (seen.where.name().find(".heads.") == std::string::npos) {
      place = {whole->part, whole->file, whole->function};
      if (finder_.is_latest(*whole) && !values_.empty()) {
        place.stage = values_.back().stage;
        place.layer = values_.back().layer;
      } else if (seen.where.name().empty()) {
        place.stage = text("What all that read ", seen.called.name + 1, " want of it");
      }
    }
    return block_of(whole->recipe, row, col, x.rows, x.cols);
  }
  Recipe recipe;
  // Ids, and what is told by a note, are given.
  const bool copies = seen.shape.rank == 2 && *seen.called.note == '\0';
  TraceOperand parts = finder_.find(x, copies);
  if (parts.blocks.empty() || !parts.numbers.empty()) return recipe;
  recipe.operation = Operation::sum;
  recipe.terms.push_back(single(parts));
  return recipe;
}

// A step between the operands and the value, in the same part.
TraceOperand Recorder::step(const SeenValue& seen, const char* name, Tensor numbers, Recipe recipe,
                            const char* note) {
  const Called called{name, name, note, seen.called.file, seen.called.function};
  const Place place{seen.where.name(), seen.called.file, seen.called.function};
  const ConstMatrixView view = numbers;
  put(seen, called, place, std::move(recipe), view, numbers.shape());
  return finder_.find(view);
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
      return finder_.find(rows_of(value.data, end - rows, end));
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

TraceValue& Recorder::put(const SeenValue& seen, const Called& called, const Place& place,
                          Recipe recipe, const ConstMatrixView& numbers, const Shape& shape) {
  TraceValue value;
  value.name = full_name(seen.where.name(), called.name);
  value.backward = seen.where.is_backward();
  qualify(recipe, value.name, called.symbol);
  const std::string note = called.note;
  if (value.name.find(".heads.") == std::string::npos) rename_blocks(recipe, called.symbol);
  const std::string formula = note.empty() ? formula_of(recipe) : note;
  value.symbol = *called.symbol != '\0' ? called.symbol : formula;
  // "Concat(head_1, …, head_h)" is its own symbol.
  value.formula =
      !note.empty() && note.rfind(value.symbol, 0) == 0 ? note : equation(value.symbol, formula);
  value.word = word_for(value.symbol);
  value.file = place.file.substr(place.file.rfind("src/"));
  value.function = function_of(place.file, place.function, value.backward);
  value.section = section_of(place.file);
  value.layer = layer_of(value.name) >= 0 ? layer_of(value.name) : place.layer;
  value.head = head_of(value.name);
  value.stage = place.stage.empty() ? heading_of(place.part, value.backward) : place.stage;
  value.data = copy_of(numbers);
  if (shape.rank == 1) value.data = std::move(value.data).reshaped(shape);
  value.recipe = std::move(recipe);

  // The same name again is more rows, or one more part of a sum.
  TraceValue* whole = find(value.name);
  Index row = 0, col = 0;
  if (whole == nullptr || whole->backward != value.backward) {
    put_labels(value);
    values_.push_back(std::move(value));
    whole = &values_.back();
  } else if (seen.made.is_part && value.recipe.operation != Operation::sum) {
    add(value.data, whole->data);
    append_rows(whole->recipe, value.recipe, 0, 0, value.name);
  } else if (seen.made.is_part) {
    add(value.data, whole->data);
    whole->recipe.terms.insert(whole->recipe.terms.end(), value.recipe.terms.begin(),
                               value.recipe.terms.end());
  } else {
    const bool vector = shape.rank == 1;
    (vector ? col : row) = vector ? whole->data.elements() : whole->data.rows();
    const Index old = whole->data.elements(), more = value.data.elements(), n = numbers.cols;
    Tensor both = Tensor::uninitialised({old + more});
    std::copy_n(whole->data.data(), old, both.data());
    std::copy_n(value.data.data(), more, both.data() + old);
    whole->data = vector ? std::move(both) : std::move(both).reshaped({(old + more) / n, n});
    append_rows(whole->recipe, value.recipe, row, numbers.rows, value.name);
    put_labels(*whole);
    if (note.empty()) whole->formula = equation(whole->symbol, formula_of(whole->recipe));
  }
  Tensor copy = seen.made.is_part ? whole->data : copy_of(numbers);
  finder_.add({numbers.data,
               numbers.row_stride,
               std::move(copy),
               whole->name,
               row,
               col,
               whole->symbol,
               {},
               place.part,
               place.file,
               place.function});
  return *whole;
}

Labels Recorder::labels_of(const TraceOperand& x, bool columns) const {
  if (x.symbol.find("_(t") != x.symbol.npos) return {};  // of the neighbours
  Labels labels(static_cast<std::size_t>(columns ? x.cols : x.rows));
  for (const TraceOperand::Block& block : x.blocks) {
    const TraceValue* const value = find(block.value);
    if (value == nullptr) continue;
    const bool vector = value->data.shape().rank == 1;
    const bool their_columns = columns != block.transposed;
    // A vector's labels are those of its only axis.
    const Labels& theirs = vector || !their_columns ? value->rows : value->columns;
    const Index first = vector || their_columns ? block.value_col : block.value_row;
    const Index count = columns ? block.cols : block.rows;
    if (first + count > static_cast<Index>(theirs.size())) continue;
    std::copy_n(theirs.begin() + first, count, labels.begin() + (columns ? block.col : block.row));
  }
  const bool all = std::none_of(labels.begin(), labels.end(),
                                [](const std::string& label) { return label.empty(); });
  return all ? labels : Labels();
}

// Tokens label the rows of a value if they label those of what it was made from.
void Recorder::put_labels(TraceValue& value) {
  const Recipe& recipe = value.recipe;
  const ConstMatrixView numbers = value.data;
  const bool vector = value.data.shape().rank == 1;
  if (recipe.terms.empty()) {
    if (same_ids(numbers, batch_.source.ids)) value.rows = tokens_.source;
    if (same_ids(numbers, batch_.target_input.ids)) value.rows = tokens_.target_input;
    // What is given otherwise is added to what was made before it.
    if (!value.rows.empty() || values_.empty()) return;
    const TraceValue& last = values_.back();
    if (value.symbol == "y") value.rows = tokens_.target_output;
    if (!vector && last.data.shape() == value.data.shape()) value.rows = last.rows;
    return;
  }
  const Recipe::Step& first = recipe.terms[0];
  switch (recipe.operation) {
    case Operation::lookup:
      value.rows = labels_of(first.a, true);
      for (const TraceOperand::Block& block : recipe.terms[1].a.blocks) {
        TraceValue* const matrix = find(block.value);
        const bool words = matrix->data.rows() <= static_cast<Index>(tokens_.vocabulary.size());
        if (words && !value.rows.empty()) matrix->rows = tokens_.vocabulary;
      }
      break;
    case Operation::lookup_backward:
      value.rows = tokens_.vocabulary;
      break;
    case Operation::cross_entropy: {
      TraceValue* const p = find("p");
      TraceValue* const logits = find(p->recipe.terms[0].a.blocks.at(0).value);
      p->columns = find("q")->columns = logits->columns = tokens_.vocabulary;
      value.rows = labels_of(recipe.terms[1].a, false);
      for (const TraceOperand::Block& block : logits->recipe.terms[0].b.blocks) {
        TraceValue* const W = find(block.value);
        if (!block.transposed) W->columns = tokens_.vocabulary;
      }
      break;
    }
    case Operation::smoothed:
      value.rows = labels_of(first.a, true);
      break;
    case Operation::additive_scores:
      value.rows = labels_of(first.a, false);
      value.columns = labels_of(recipe.terms[1].a, false);
      break;
    default:
      if (first.kind == Term::Kind::column_sums) break;
      if (recipe.operation == Operation::mean && value.data.elements() == 1) break;
      for (const Recipe::Step& term : recipe.terms) {
        // One row stands for all, and has no labels for them.
        const TraceOperand& x = term.a.rows == 1 && term.b.rows > 1 ? term.b : term.a;
        if (x.rows != (vector ? value.data.elements() : value.data.rows())) continue;
        value.rows = labels_of(x, false);
        if (!vector) value.columns = labels_of(term.kind == Term::Kind::product ? term.b : x, true);
        if (!value.rows.empty()) break;
      }
  }
}

// A parameter, or its gradient, as far as both are the same.
TraceValue Recorder::described(const std::string& name, const Parameter&) const {
  TraceValue value;
  value.name = name;
  value.layer = layer_of(name);
  return value;
}

namespace {

// Whether a value was computed from the one of this name.
bool uses(const TraceValue& value, const std::string& name) {
  for (const Recipe::Step& term : value.recipe.terms) {
    for (const TraceOperand* operand : {&term.a, &term.b}) {
      for (const TraceOperand::Block& block : operand->blocks) {
        if (block.value == name) return true;
      }
    }
  }
  return false;
}

}  // namespace

std::vector<TraceValue> Recorder::values(bool backward) {
  std::vector<TraceValue> result;
  for (const TraceValue& value : values_) {
    if (value.backward == backward) result.push_back(value);
  }
  // What is given belongs to what is made of it.
  for (std::size_t i = result.size(); i-- > 0;) {
    const bool given =
        result[i].recipe.terms.empty() && result[i].name.find('.') == std::string::npos;
    if (given && i + 1 < result.size() && result[i].symbol != "y") {
      result[i].stage = result[i + 1].stage;
    }
  }
  if (backward) {
    model_.visit_parameters([&](const std::string& name, Parameter& parameter) {
      TraceValue value = described(gradient_name(name), parameter);
      const TraceValue& weight = *find(name);
      value.data = parameter.gradient;
      value.backward = true;
      value.stage = "Parameters";
      value.symbol = 'd' + parameter.symbol;
      value.rows = weight.rows;
      value.columns = weight.columns;
      Index row = 0, col = 0;
      if (const Finder::Known* const sum = finder_.unnamed(parameter.gradient, row, col)) {
        value.recipe = sum->recipe;
        value.section = section_of(sum->file);
        value.file = sum->file.substr(sum->file.rfind("src/"));
        value.function = function_of(sum->file, sum->function, true);
      }
      qualify(value.recipe, value.name, value.symbol);
      value.formula = equation(value.symbol, formula_of(value.recipe));
      result.push_back(std::move(value));
    });
    return result;
  }
  for (TraceValue weight : weights_) {
    const auto user = std::find_if(result.begin(), result.end(), [&](const TraceValue& value) {
      return uses(value, weight.name);
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

std::string gradient_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "d" + name : name.substr(0, dot + 1) + "d" + name.substr(dot + 1);
}

}  // namespace attn
