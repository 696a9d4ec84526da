// How the values of the forward pass come about.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "lab/web/explainer.h"

namespace attn::web {

// The values outside the layers.
bool Explainer::forward_outside() {
  const std::string name = value_.name;
  const std::string side = name == "e" ? "source." : "target.";
  if (name == "x" || name == "y_shifted" || name == "y") {
    say("the number of the token in the vocabulary");
  } else if (last_ == "embedding") {
    const TraceValue& ids = named(base_ == "source." ? "x" : "y_shifted");
    const TraceValue* E = find("embedding.weight");
    if (E == nullptr) E = &named(base_.substr(0, base_.size() - 1) + "_embedding.weight");
    const double root = std::sqrt(static_cast<double>(config_.d_model));
    term({constant("√d_model", root), at(*E, static_cast<Index>(ids.data[r_]), c_)});
  } else if (last_ == "position") {
    if (const TraceValue* PE = find(base_.substr(0, base_.size() - 1) + "_positions.weight")) {
      term({at(*PE, r_, c_)});
    } else {
      say(text(c_ % 2 == 0 ? "sin" : "cos", "(", r_, " / 10000^(", c_ - c_ % 2, "/",
               config_.d_model, "))"));
    }
  } else if (name == "e" || name == "g") {
    for (const char* one : {"embedding", "position"}) same_place(named(side + one));
  } else if (name == "logits") {
    const TraceValue& h = named("h");
    if (const TraceValue* E = find("embedding.weight")) {
      product_bt(h, r_, *E, c_);
    } else {
      product(h, r_, named("projection.weight"), c_);
    }
  } else if (name == "p") {
    softmax(named("logits"));
  } else if (name == "q") {
    const double epsilon = config_.label_smoothing;
    const double share = epsilon / static_cast<double>(value_.data.cols());
    const bool right = static_cast<Index>(named("y").data[r_]) == c_;
    if (right) term({constant("1 − ε_ls", 1 - epsilon)});
    term({constant("ε_ls/V", share)});
    if (!right) say("not the token to predict");
  } else if (name == "losses") {
    const TraceValue &p = named("p"), &q = named("q");
    for (Index v = 0; v < p.data.cols(); ++v) {
      const double log_p = std::log(static_cast<double>(p.data(r_, v)));
      term({at(q, r_, v), constant(text("−ln p[", v, "]"), -log_p)});
    }
  } else if (name == "loss") {
    const TraceValue& losses = named("losses");
    const Index T = losses.data.elements();
    for (Index t = 0; t < T; ++t) {
      term({at(losses, t), constant("1/T", 1 / static_cast<double>(T))});
    }
  } else {
    return false;
  }
  return true;
}

bool Explainer::forward_attention() {
  const double scale = 1 / std::sqrt(static_cast<double>(config_.d_k));
  if (has(base_, ".heads.")) {
    const Index width = last_ == "V" ? config_.d_v : config_.d_k;
    const Index column = value_.head * width + c_;
    const std::string matrix = last_ == "Q" ? "query" : last_ == "K" ? "key" : "value";
    if (last_ == "Q" || last_ == "K" || last_ == "V") {
      product(operand(2), r_, named(attention() + matrix + ".weight"), column);
      bias(attention() + matrix + ".bias", column);
    } else if (last_ == "S") {
      product_bt(named(base_ + "Q"), r_, named(base_ + "K"), c_);
    } else if (last_ == "A") {
      if (std::isinf(result_)) {
        say("−∞: the mask hides what comes after this token");
      } else {
        term({at(named(base_ + "S"), r_, c_), constant("1/√d_k", scale)});
      }
    } else if (last_ == "P") {
      softmax(named(base_ + "A"));
    } else if (last_ == "O") {
      product(named(base_ + "P"), r_, named(base_ + "V"), c_);
    } else {
      return false;
    }
    return true;
  }
  if (last_ == "concat") {
    term({at(named(head(c_ / config_.d_v) + "O"), r_, c_ % config_.d_v)});
  } else if (last_ == "output" && has(base_, "_attention.")) {
    product(named(base_ + "concat"), r_, named(base_ + "output.weight"), c_);
    bias(base_ + "output.bias", c_);
  } else {
    return false;
  }
  return true;
}

// The mean, the standard deviation and the normalised values of a row.
void Explainer::normalise() {
  const std::size_t first = static_cast<std::size_t>(&named(base_ + "mean") - all_.data());
  const TraceValue& mean = all_[first];
  const TraceValue& x = symbol(split(mean.formula, ' ').back(), first);
  const double mu = static_cast<double>(mean.data[r_]);
  const Index d = x.data.cols();
  const auto centred = [&](Index j) {
    const double difference = static_cast<double>(x.data(r_, j)) - mu;
    return constant(text(mean.formula.substr(mean.formula.rfind(' ') + 1), "[", j, "] − μ"),
                    difference);
  };
  if (last_ == "mean") {
    for (Index j = 0; j < d; ++j) {
      term({at(x, r_, j), constant("1/d_model", 1 / static_cast<double>(d))});
    }
  } else if (last_ == "inv_std") {
    for (Index j = 0; j < d; ++j) term({centred(j), centred(j)});
    const double variance = sum() / static_cast<double>(d);
    line("divided by d_model: the variance", variance);
    line("1/√(variance + 1e-5)", 1 / std::sqrt(variance + 1e-5));
  } else {
    term({centred(c_), at(named(base_ + "inv_std"), r_)});
  }
}

bool Explainer::forward_layer() {
  if (has(value_.formula, "= γ ⊙ x̂ + β")) {
    const TraceValue& x_hat = symbol("x̂", at_);
    const std::string norm = x_hat.name.substr(0, x_hat.name.rfind('.') + 1);
    term({at(named(norm + "gamma"), c_), at(x_hat, r_, c_)});
    term({at(named(norm + "beta"), c_)});
  } else if (last_ == "mean" || last_ == "inv_std" || last_ == "x_hat") {
    normalise();
  } else if (last_ == "inner") {
    product(operand(2), r_, named(base_ + "inner.weight"), c_);
    bias(base_ + "inner.bias", c_);
  } else if (last_ == "hidden") {
    const Part a = at(named(base_ + "inner"), r_, c_);
    term({a}, std::max(a.value, 0.0));
    say(a.value > 0 ? "above 0: it stays" : "not above 0: it becomes 0");
  } else if (last_ == "output" && has(base_, ".feed_forward.")) {
    product(named(base_ + "hidden"), r_, named(base_ + "outer.weight"), c_);
    bias(base_ + "outer.bias", c_);
  } else if (symbols_.size() == 5 && symbols_[3] == "+") {
    for (const std::size_t i : {std::size_t{2}, std::size_t{4}}) same_place(operand(i));
  } else {
    return false;
  }
  return true;
}

}  // namespace attn::web
