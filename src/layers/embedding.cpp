// e_t = √d_model · E[ids_t]
#include "layers/embedding.h"

#include <cmath>

#include "base/parallel.h"
#include "kernels/kernels.h"

namespace attn {

Embedding::Embedding(Index vocabulary, Index d_model)
    : weight({vocabulary, d_model}, Parameter::Start::normal, 1 / std::sqrt(to_double(d_model))) {}

namespace {
Real sqrt_d_model(const Tensor& E) {
  return std::sqrt(static_cast<Real>(E.cols()));
}

void check_ids(const std::vector<int>& ids, const Tensor& E) {
  for (const int id : ids) {
    ATTN_CHECK(id >= 0 && id < E.rows(), "token id ", id, " is not in a vocabulary of ", E.rows());
  }
}
}  // namespace

Tensor Embedding::forward(const std::vector<int>& ids) const {
  const Tensor& E = weight.value;
  check_ids(ids, E);
  const Index tokens = ids.size();
  Tensor e = Tensor::uninitialised({tokens, E.cols()});  // [T, d_model]
  for (Index t = 0; t < tokens; ++t) {
    const int id = ids[t];
    kernels().vector_scaled_copy(E.cols(), sqrt_d_model(E), E.row(id), e.row(t));
  }
  return e;
}

void Embedding::backward(const Tensor& de, const std::vector<int>& ids) {
  ATTN_CHECK_EQ(static_cast<Index>(ids.size()), de.rows(), "tokens and their gradients");
  ATTN_CHECK_EQ(de.cols(), weight.value.cols(), "columns of an embedding's gradient");
  check_ids(ids, weight.value);
  check_gradient(weight);

  // Threads share the columns, not the tokens, so that each sum has one fixed order.
  Tensor& dE = weight.gradient;
  parallel_ranges(dE.cols(), 128, [&](Index begin, Index end) {
    for (Index t = 0; t < de.rows(); ++t) {
      const int id = ids[t];
      kernels().vector_axpy(end - begin, sqrt_d_model(dE), de.row(t) + begin, dE.row(id) + begin);
    }
  });
}

void Embedding::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".weight", weight);
}

}  // namespace attn
