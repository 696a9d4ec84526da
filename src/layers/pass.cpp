#include "layers/pass.h"

namespace attn {

std::string SeenValue::full_name() const {
  const std::string part = where.name();
  return part.empty() ? name : part + '.' + name;
}

Pass::Pass(const Pass& outer, const char* name, Index number)
    : outer_(&outer),
      name_(name),
      number_(number),
      watcher_(outer.watcher_),
      keeps_(outer.keeps_),
      backward_(outer.backward_),
      is_part_(true) {
  if (watcher_ != nullptr && watcher_->begin) watcher_->begin(*this);
}

Pass Pass::keeping() const {
  Pass pass = *this;
  pass.keeps_ = true;
  return pass;
}

Pass Pass::back() const {
  Pass pass = *this;
  pass.backward_ = true;
  return pass;
}

std::string Pass::name() const {
  if (outer_ == nullptr) return "";
  const std::string outer = outer_->name();
  const std::string last = name_ != nullptr ? name_ : std::to_string(number_);
  return outer.empty() ? last : outer + '.' + last;
}

DropoutMask Pass::next_mask(double p) const {
  const Pass* outermost = this;
  while (outermost->outer_ != nullptr) outermost = outermost->outer_;
  return outermost->masks_.next(p);
}

DropoutMask Pass::drop(double p, Tensor& x) const {
  const DropoutMask mask = next_mask(p);
  drop(mask, x);
  return mask;
}

void Pass::drop(const DropoutMask& mask, Tensor& dx) const {
  if (mask.p == 0) return;
  const Pass part = in("dropout");
  dropout(mask, dx);
}

void Pass::show(const char* name, const char* formula, const Tensor& value,
                const char* file) const {
  watcher_->value({*this, name, formula, file, value.shape(), value});
}

void Pass::show(const char* name, const char* formula, const ConstMatrixView& value,
                const char* file) const {
  watcher_->value({*this, name, formula, file, {value.rows, value.cols}, value});
}

void Pass::show(const char* name, const char* formula, const std::vector<int>& ids,
                const char* file) const {
  Tensor numbers = Tensor::uninitialised({static_cast<Index>(ids.size())});
  Index t = 0;
  for (const int id : ids) numbers[t++] = static_cast<Real>(id);
  show(name, formula, numbers, file);
}

}  // namespace attn
