#include "layers/pass.h"

namespace attn {

Pass Pass::in(const char* part) const {
  Pass inner;
  inner.outermost_ = outermost_ ? outermost_ : this;
  inner.keeps_ = keeps_;
  inner.observer_ = observer_;
  if (is_watched()) inner.scope_ = scope_ + part + '.';
  return inner;
}

Pass Pass::keeping() const {
  Pass pass = *this;
  pass.outermost_ = outermost_ ? outermost_ : this;
  pass.keeps_ = true;
  return pass;
}

Pass Pass::in(Index number) const {
  return is_watched() ? in(std::to_string(number).c_str()) : in("");
}

void Pass::see(const char* name, const std::vector<int>& ids) const {
  if (!is_watched()) return;
  const std::vector<Real> numbers(ids.begin(), ids.end());
  const Index n = ids.size();
  see(name, ConstMatrixView(numbers.data(), 1, n, n));
}

DropoutMask Pass::drop(double p, Tensor& x) const {
  const DropoutMask mask = next_mask(p);
  dropout(mask, x);
  see(mask, x.shape());
  return mask;
}

void Pass::see(const DropoutMask& mask, const Shape& shape) const {
  if (mask.p == 0 || !is_watched()) return;
  Tensor factors = Tensor::uninitialised(shape);
  factors.fill(1);
  dropout(mask, factors);
  see("mask", factors);
}

}  // namespace attn
