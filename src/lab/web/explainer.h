// The rules behind an explanation (explanation.h): one for each kind of value. Their operands are
// found by name, or by symbol: the e in "Q = e W^Q_i" is the value before this one whose formula
// begins with e.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/web/play_model.h"
#include "storage/json.h"
#include "text/lines.h"

namespace attn::web {

struct Part {
  std::string name;  // empty: a constant
  Index row = 0, column = 0;
  double value = 0;
  std::string text;  // of a constant
};

struct Term {
  std::vector<Part> parts;
  double value = 0;
};

inline Part constant(const std::string& text, double value) {
  return {"", 0, 0, value, text};
}

inline bool has(const std::string& text, const char* part) {
  return text.find(part) != text.npos;
}

class Explainer {
 public:
  Explainer(const PlayModel& play, std::size_t at, Index row, Index column)
      : config_(transformer_of(play, "an explanation").config()),
        all_(play.traced),
        at_(at),
        value_(all_[at]),
        r_(row),
        c_(column),
        // A vector's number is one of a column of its own.
        result_(static_cast<double>(column < 0 ? value_.data[row] : value_.data(row, column))) {
    const std::vector<std::string> parts = split(value_.name, '.');
    last_ = parts.back();
    base_ = value_.name.substr(0, value_.name.size() - last_.size());
    symbols_ = split(value_.formula, ' ');
  }

  void explain();

  const std::vector<Term>& terms() const { return terms_; }
  const Json& lines() const { return lines_; }

 private:
  // The value of that name; there is one.
  const TraceValue& named(const std::string& name) const;
  const TraceValue* find(const std::string& name) const;
  // The computed value before `before` whose formula begins with the symbol.
  const TraceValue& symbol(const std::string& symbol, std::size_t before) const;
  const TraceValue& operand(std::size_t i) const { return symbol(symbols_.at(i), at_); }
  // The operand of another value, by the place of its symbol in that one's formula.
  const TraceValue& operand_of(const TraceValue& other, std::size_t i) const;

  Part at(const TraceValue& value, Index row, Index column = -1) const;
  void term(std::vector<Part> parts);
  void term(std::vector<Part> parts, double value) { terms_.push_back({std::move(parts), value}); }
  double sum() const;
  void line(const std::string& text, double value) {
    lines_.add(Json::object({{"text", text}, {"value", value}}));
  }
  void say(const std::string& text) { lines_.add(Json::object({{"text", text}})); }
  void bias(const std::string& name, Index column);

  // Σ_k a(r, k) b(k, c), and with one of them transposed.
  void product(const TraceValue& a, Index row, const TraceValue& b, Index column);
  void product_bt(const TraceValue& a, Index row, const TraceValue& b, Index b_row);
  void product_at(const TraceValue& a, Index a_column, const TraceValue& b, Index column);
  void column_sum(const TraceValue& a, Index column);
  void same_place(const TraceValue& a) { term({at(a, r_, c_)}); }
  void softmax(const TraceValue& scores);

  bool forward_outside();
  bool forward_attention();
  bool forward_layer();
  void normalise();
  bool backward_outside();
  bool backward_attention();
  bool backward_layer();
  bool parameter_gradient();

  // The attention that a head belongs to: "encoder.0.self_attention.".
  std::string attention() const { return base_.substr(0, base_.find("heads.")); }
  std::string head(Index i) const { return attention() + "heads." + std::to_string(i) + "."; }

  const TransformerConfig& config_;
  const std::vector<TraceValue>& all_;
  const std::size_t at_;
  const TraceValue& value_;
  const Index r_, c_;
  const double result_;
  std::string last_, base_;
  std::vector<std::string> symbols_;
  std::vector<Term> terms_;
  Json lines_ = Json::array();
};

}  // namespace attn::web
