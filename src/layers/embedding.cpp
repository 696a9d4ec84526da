// e_t = √d_model · E[ids_t]
#include "layers/embedding.h"

#include <cmath>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

Embedding::Embedding(Index vocabulary, Index d_model)
    : weight({vocabulary, d_model}, Parameter::Start::normal,
             1 / std::sqrt(static_cast<double>(d_model)), "E") {}

namespace {
Factor sqrt_d_model(const Tensor& E) {
  return {std::sqrt(static_cast<Real>(E.cols())), "√d_model "};
}

void check_ids(const std::vector<int>& ids, const Tensor& E) {
  for (const int id : ids) {
    ATTN_CHECK(id >= 0 && id < E.rows(), "token id ", id, " is not in a vocabulary of ", E.rows());
  }
}

// dE[ids_t] += √d_model · de_t. Threads share the columns, not the tokens, so that each sum has one
// fixed order.
void collect(const Tensor& de, const std::vector<int>& ids, Tensor& dE) {
  parallel_ranges(dE.cols(), 128, [&](Index begin, Index end) {
    for (Index t = 0; t < de.rows(); ++t) {
      const int id = ids[static_cast<std::size_t>(t)];
      kernels().vector_axpy(end - begin, sqrt_d_model(dE), de.row(t) + begin, dE.row(id) + begin);
    }
  });
}
}  // namespace

Tensor Embedding::forward(const std::vector<int>& ids, const Pass& pass) const {
  const Tensor& E = weight.value;
  check_ids(ids, E);
  const Index tokens = static_cast<Index>(ids.size());
  Tensor e = Tensor::uninitialised({tokens, E.cols()});  // [T, d_model]
  for (Index t = 0; t < tokens; ++t) {
    const int id = ids[static_cast<std::size_t>(t)];
    kernels().vector_scaled_copy(E.cols(), sqrt_d_model(E), E.row(id), e.row(t));
  }
  if (pass.is_watched()) {
    const Tensor numbers = numbers_of(ids.data(), tokens);
    pass.as("embedding", "").show(e, {Operation::lookup, {numbers, E}, sqrt_d_model(E), {}, false});
  }
  return e;
}

void Embedding::backward(const Tensor& de, const std::vector<int>& ids, const Pass& pass) {
  ATTN_CHECK_EQ(static_cast<Index>(ids.size()), de.rows(), "tokens and their gradients");
  ATTN_CHECK_EQ(de.cols(), weight.value.cols(), "columns of an embedding's gradient");
  check_ids(ids, weight.value);
  check_gradient(weight);
  const Tensor before = pass.before(weight.gradient);
  collect(de, ids, weight.gradient);
  if (!pass.is_watched()) return;

  // For a watcher, this part of dE alone.
  Tensor dE = Tensor::zeros(weight.value.shape());
  collect(de, ids, dE);
  const Tensor numbers = numbers_of(ids.data(), de.rows());
  pass.as("dE").show(dE, {Operation::lookup_backward, {de, numbers}, sqrt_d_model(dE), {}, true});
  Name(pass).made(weight.gradient, Operation::sum, before, dE);
}

void Embedding::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".weight", weight);
}

}  // namespace attn
