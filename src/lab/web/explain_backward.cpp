// How the gradients come about.
#include <cmath>

#include "base/format.h"
#include "lab/web/explainer.h"

namespace attn::web {

bool Explainer::backward_outside() {
  const std::string name = value_.name;
  const double root = std::sqrt(static_cast<double>(config_.d_model));
  const TraceValue* E = find("embedding.weight");
  if (name == "dlogits") {
    const double share = 1 / static_cast<double>(value_.data.rows());
    term({at(named("p"), r_, c_), constant("1/T", share)});
    term({at(named("q"), r_, c_), constant("−1/T", -share)});
  } else if (name == "output.dE") {
    product_at(named("dlogits"), r_, named("h"), c_);
  } else if (name == "dh") {
    if (E != nullptr) {
      product(named("dlogits"), r_, *E, c_);
    } else {
      product_bt(named("dlogits"), r_, named("projection.weight"), c_);
    }
  } else if (name == "source.dE" || name == "target.dE") {
    const bool source = name[0] == 's';
    const TraceValue &ids = named(source ? "x" : "y_shifted"), &d = named(source ? "de" : "dg");
    for (Index t = 0; t < ids.data.elements(); ++t) {
      if (static_cast<Index>(ids.data[t]) != r_) continue;
      term({constant("√d_model", root), at(d, t, c_)});
    }
    if (terms_.empty()) say("this token is not in the sentence");
  } else if (name == "dz") {
    for (const TraceValue& one : all_) {
      if (ends_with(one.name, ".dz_K") || ends_with(one.name, ".dz_V")) same_place(one);
    }
  } else {
    return false;
  }
  return true;
}

bool Explainer::backward_attention() {
  const double scale = 1 / std::sqrt(static_cast<double>(config_.d_k));
  const auto of_head = [&](const char* name) -> const TraceValue& { return named(base_ + name); };
  if (has(base_, ".heads.")) {
    if (last_ == "dO") {
      term({at(named(attention() + "dconcat"), r_, value_.head * config_.d_v + c_)});
    } else if (last_ == "dV") {
      product_at(of_head("P"), r_, of_head("dO"), c_);
    } else if (last_ == "dP") {
      product_bt(of_head("dO"), r_, of_head("V"), c_);
    } else if (last_ == "dA") {
      const TraceValue &P = of_head("P"), &dP = of_head("dP");
      const Part here = at(P, r_, c_);
      double row = 0;
      for (Index j = 0; j < P.data.cols(); ++j) {
        row += at(P, r_, j).value * at(dP, r_, j).value;
      }
      term({here, at(dP, r_, c_)});
      term({here, constant("−rowsum(P ⊙ dP)", -row)});
    } else if (last_ == "dS") {
      term({at(of_head("dA"), r_, c_), constant("1/√d_k", scale)});
    } else if (last_ == "dQ") {
      product(of_head("dS"), r_, of_head("K"), c_);
    } else if (last_ == "dK") {
      product_at(of_head("dS"), r_, of_head("Q"), c_);
    } else {
      return false;
    }
    return true;
  }
  if (last_ == "dconcat") {
    product_bt(operand(2), r_, named(base_ + "output.weight"), c_);
  } else if (last_.size() == 4 && last_[2] == '_') {  // du_K, dz_V …: of all heads
    const std::string letter = last_.substr(3);
    const Index width = letter == "V" ? config_.d_v : config_.d_k;
    const TraceValue& W = named(base_ + (letter == "Q"   ? "query.weight"
                                         : letter == "K" ? "key.weight"
                                                         : "value.weight"));
    for (Index i = 0; i < config_.heads; ++i) {
      const TraceValue& d = named(head(i) + "d" + letter);
      for (Index k = 0; k < width; ++k) term({at(d, r_, k), at(W, c_, i * width + k)});
    }
  } else if (last_ == "dx" && has(base_, ".self_attention.")) {
    for (const char* one : {"du_K", "du_V", "du_Q"}) same_place(named(base_ + one));
  } else {
    return false;
  }
  return true;
}

bool Explainer::backward_layer() {
  if (has(value_.formula, "mean(dx̂ ⊙ x̂)")) {
    // The last norm before this one that went back.
    const TraceValue& dx_hat = symbol("dx̂", at_);
    const std::string norm = dx_hat.name.substr(0, dx_hat.name.rfind('.') + 1);
    const TraceValue &x_hat = named(norm + "x_hat"), &inv_std = named(norm + "inv_std");
    const Index d = x_hat.data.cols();
    double mean = 0, mean_product = 0;
    for (Index j = 0; j < d; ++j) {
      const double g = at(dx_hat, r_, j).value / static_cast<double>(d);
      mean += g;
      mean_product += g * at(x_hat, r_, j).value;
    }
    const Part inverse = at(inv_std, r_);
    term({at(dx_hat, r_, c_), inverse});
    term({constant("−mean(dx̂)", -mean), inverse});
    term({at(x_hat, r_, c_), constant("−mean(dx̂ ⊙ x̂)", -mean_product), inverse});
    // With pre-norm the gradient of the sum also passes around the norm and the sub-layer.
    if (symbols_[3] == "+") same_place(operand(2));
  } else if (last_ == "dx_hat") {
    term({at(named(base_ + "gamma"), c_), at(operand(4), r_, c_)});
  } else if (last_ == "dhidden") {
    product_bt(symbol(symbols_[3], at_), r_, named(base_ + "outer.weight"), c_);
  } else if (last_ == "dinner") {
    const Part a = at(named(base_ + "inner"), r_, c_);
    if (a.value > 0) same_place(named(base_ + "dhidden"));
    say(a.value > 0 ? "a is above 0: the gradient passes" : "a is not above 0: nothing passes");
  } else if (last_ == "dx" && has(base_, ".feed_forward.")) {
    product_bt(named(base_ + "dinner"), r_, named(base_ + "inner.weight"), c_);
  } else if (symbols_.size() == 5 && symbols_[3] == "+") {
    for (const std::size_t i : {std::size_t{2}, std::size_t{4}}) same_place(operand(i));
  } else {
    return false;
  }
  return true;
}

// The gradients of parameters: what a matrix read, times the gradient of what it wrote.
bool Explainer::parameter_gradient() {
  const std::string weight = base_.substr(0, base_.size() - 1);  // "encoder.0.self_attention.query"
  const std::size_t dot = weight.rfind('.');
  const std::string layer = weight.substr(0, dot + 1), kind = weight.substr(dot + 1);
  const bool is_bias = last_ == "dbias";
  if (last_ == "dgamma" || last_ == "dbeta") {
    const TraceValue& dy = operand_of(named(base_ + "dx_hat"), 4);
    if (last_ == "dbeta") {
      column_sum(dy, r_);
    } else {
      product_at(dy, r_, named(base_ + "x_hat"), r_);
    }
    return true;
  }
  if (last_ != "dweight" && !is_bias) return false;
  const auto add = [&](const TraceValue& read, const TraceValue& d, Index column) {
    if (is_bias) return column_sum(d, column);
    product_at(read, r_, d, column);
  };
  const Index column = is_bias ? r_ : c_;
  if (weight == "embedding") {
    for (const char* part : {"output.dE", "target.dE", "source.dE"}) same_place(named(part));
  } else if (weight == "source_embedding" || weight == "target_embedding") {
    same_place(named(weight.substr(0, 6) + ".dE"));
  } else if (weight == "projection") {
    add(named("h"), named("dlogits"), column);
  } else if (weight == "source_positions" || weight == "target_positions") {
    const TraceValue& d = named(weight[0] == 's' ? "de" : "dg");
    if (r_ < d.data.rows()) term({at(d, r_, c_)});
    if (terms_.empty()) say("the sentence has no such position");
  } else if (kind == "query" || kind == "key" || kind == "value") {
    const char letter = kind == "query" ? 'Q' : kind == "key" ? 'K' : 'V';
    const Index width = letter == 'V' ? config_.d_v : config_.d_k;
    const std::string in_head = layer + "heads." + std::to_string(column / width) + ".";
    const TraceValue& read = operand_of(named(in_head + letter), 2);
    add(read, named(in_head + "d" + letter), column % width);
  } else if (kind == "output") {
    add(named(layer + "concat"), operand_of(named(layer + "dconcat"), 2), column);
  } else if (kind == "inner") {
    add(operand_of(named(layer + "inner"), 2), named(layer + "dinner"), column);
  } else if (kind == "outer") {
    add(named(layer + "hidden"), operand_of(named(layer + "dhidden"), 3), column);
  } else {
    return false;
  }
  return true;
}

}  // namespace attn::web
