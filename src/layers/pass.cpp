#include "layers/pass.h"

namespace attn {

std::string SeenValue::full_name() const {
  const std::string part = where.name();
  return part.empty() ? called.name : part + '.' + called.name;
}

Pass::Pass(const Pass& outer, const char* name, Index number)
    : outer_(&outer),
      name_(name),
      number_(number),
      watcher_(outer.watcher_),
      keeps_(outer.keeps_),
      backward_(outer.backward_),
      is_part_(true),
      depth_(outer.depth_ + 1) {
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

DropoutMasks& Pass::masks() const {
  return outer_ == nullptr ? masks_ : outer_->masks();
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

void Pass::tell(const SeenValue& seen) const {
  if (seen.called.name != nullptr) {
    watcher_->value(seen);
  } else if (watcher_->unnamed) {
    watcher_->unnamed(seen);
  }
}

void Name::show(const Tensor& value, const Made& made) const {
  pass_->tell({*pass_, called_, made, value.shape(), value});
}

void Name::show(const ConstMatrixView& value, const Made& made) const {
  pass_->tell({*pass_, called_, made, {value.rows, value.cols}, value});
}

void Name::show(const std::vector<int>& ids, const Made& made) const {
  show(numbers_of(ids.data(), static_cast<Index>(ids.size())), made);
}

void matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
            const Name& name) {
  matmul(A, B, C);
  name.made(ConstMatrixView(C), Operation::sum, times(A, B));
}

namespace {

// x is about to be changed by compute(): what it was, and then is, for a watcher.
template <class Compute>
void added(const ConstMatrixView& x, const Name& name, const Term& term, const Compute& compute) {
  const Tensor before = name.is_watched() ? copy_of(x) : Tensor();
  compute();
  name.made(x, Operation::sum, before, term);
}

}  // namespace

void add_matmul(const ConstMatrixView& A, const ConstMatrixView& B, const MatrixView& C,
                const Name& name) {
  Tensor alone;
  if (name.is_watched() && name.is_named()) {
    alone = Tensor::uninitialised({C.rows, C.cols});
    matmul(A, B, alone);
    name.show(alone, {Operation::sum, {times(A, B)}, {}, {}, true});
  }
  added(C, name.unnamed(), alone.empty() ? times(A, B) : Term(alone),
        [&] { matmul(A, B, C, Write::add); });
}

void add(const Tensor& x, Tensor& y, const Name& name) {
  const Tensor before = name.is_watched() ? y : Tensor();
  add(x, y);
  name.made(y, Operation::sum, x, before);
}

void add_column_sums(const Tensor& x, Tensor& sums, const Name& name) {
  added(sums, name, column_sums(x), [&] { add_column_sums(x, sums); });
}

void add_column_dots(const Tensor& x, const Tensor& y, Tensor& sums, const Name& name) {
  added(sums, name, column_sums(x, y), [&] { add_column_dots(x, y, sums); });
}

}  // namespace attn
