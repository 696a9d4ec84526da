// c_t = attention(h_(t−1)),   a_t = (x W + b)_t + c_t C + h_(t−1) U,   h_t = cell(a_t, h_(t−1))
#include "lab/predecessors/attentive_recurrent.h"

#include <utility>

namespace attn {

namespace {

// Who looks where in step t: each sentence that is this long is one query.
Looks looks_in_step(const TimeSteps& steps, Index t, const AlignmentMemory& memory) {
  const auto end = steps.sentences.begin() + steps.rows(t);
  return reordered(memory.looks, {steps.sentences.begin(), end});
}

void put_rows(const Tensor& rows, Index first, Tensor& x) {
  std::copy_n(rows.data(), rows.elements(), x.row(first));
}

// The states that ask in step t.
Tensor asking(const Recurrent::Cache& cell, Index t) {
  const Index old = Recurrent::states_before(cell.steps, t);
  return copy_of(rows_of(cell.h, old, old + cell.steps.rows(t)));
}

// For a watcher: the weights of each sentence, a row per step.
void see_weights(const AlignmentMemory& memory, const Pass& pass, const AttentiveCache& cache) {
  const TimeSteps& steps = cache.cell.steps;
  for (const Look& look : reordered(memory.looks, steps.sentences)) {
    Index length = 0;
    while (length < steps.steps() && look.query < steps.rows(length)) ++length;
    Tensor alpha = Tensor::uninitialised({length, look.keys});
    for (Index t = 0; t < length; ++t) {
      const Tensor& P = cache.P[static_cast<std::size_t>(t)];
      std::copy_n(P.data() + look.weights, look.keys, alpha.row(t));
    }
    pass.see("alpha", "α_t = softmax(vᵀ tanh(h_(t−1) W_q + z W_k))", alpha);
  }
}

}  // namespace

Tensor attentive_forward(const Recurrent& cell, const Linear& context, const Alignment& alignment,
                         const Tensor& x, const Offsets& offsets, const AlignmentMemory& memory,
                         const Recurrent::State& start, const Pass& pass, AttentiveCache& cache,
                         Tensor& C, Recurrent::State* last) {
  check_offsets(offsets, x.rows());
  ATTN_CHECK_EQ(offsets.size(), memory.looks.size() + 1, "sentences, and what they look at");
  AttentiveCache unused;
  AttentiveCache& used = pass.keeps() ? cache : unused;
  cell.begin(x, time_steps(offsets, Direction::forwards), start, used.cell);
  const TimeSteps& steps = used.cell.steps;
  used.C = Tensor::uninitialised({x.rows(), memory.z.cols()});
  used.Q.resize(static_cast<std::size_t>(steps.steps()));
  used.P.resize(static_cast<std::size_t>(steps.steps()));

  for (Index t = 0; t < steps.steps(); ++t) {
    // The states before this step look at the source.
    const auto i = static_cast<std::size_t>(t);
    used.Q[i] = alignment.queries_of(asking(used.cell, t));
    const Tensor C_t = alignment.forward(looks_in_step(steps, t, memory), used.Q[i], memory.K,
                                         memory.z, Pass(), used.P[i]);
    put_rows(C_t, steps.begin(t), used.C);

    // The step reads their contexts too: a += c C.
    matmul(C_t, context.weight.value, rows_of(used.cell.gates, steps.begin(t), steps.begin(t + 1)),
           Write::add);
    cell.step(t, used.cell);
  }
  if (pass.is_watched()) see_weights(memory, pass.in("attention"), used);
  C = scattered(used.C, steps.tokens);
  pass.see("context", "c = α z", C);
  return cell.end(pass, used.cell, last);
}

Tensor attentive_backward(Recurrent& cell, Linear& context, Alignment& alignment, const Tensor& dh,
                          const Tensor& dC, const AlignmentMemory& memory, const Pass& pass,
                          const AttentiveCache& cache, Tensor& dz, Tensor& dK,
                          Recurrent::State& dstart) {
  const TimeSteps& steps = cache.cell.steps;
  const Tensor dh_in_time = gathered(dh, steps.tokens);
  Tensor dC_in_time = gathered(dC, steps.tokens);
  Tensor dQ = Tensor::uninitialised({dh.rows(), alignment.query.weight.value.cols()});
  Recurrent::Gradients gradients = cell.begin_back({}, cache.cell);
  for (Index t = steps.steps(); t-- > 0;) {
    cell.step_back(t, dh_in_time, cache.cell, gradients);

    // a = … + c C gives dc += da Cᵀ.
    const auto i = static_cast<std::size_t>(t);
    const Index begin = steps.begin(t), end = steps.begin(t + 1);
    matmul(rows_of(std::as_const(gradients.da), begin, end), transposed(context.weight.value),
           rows_of(dC_in_time, begin, end), Write::add);

    // Attention gives dq, and q = h W_q adds to the gradient of the old state.
    const Tensor dQ_t = alignment.backward(copy_of(rows_of(std::as_const(dC_in_time), begin, end)),
                                           looks_in_step(steps, t, memory), cache.Q[i], memory.K,
                                           memory.z, cache.P[i], dK, dz);
    put_rows(dQ_t, begin, dQ);
    matmul(dQ_t, transposed(alignment.query.weight.value), rows_of(gradients.dh, 0, end - begin),
           Write::add);
  }

  // The weights' gradients, for all steps at once.
  check_gradient(context.weight);
  matmul(transposed(cache.C), gradients.da, context.weight.gradient, Write::add);
  check_gradient(alignment.query.weight);
  matmul(transposed(Recurrent::old_states(steps, cache.cell.h)), dQ,
         alignment.query.weight.gradient, Write::add);
  return cell.end_back(pass, cache.cell, gradients, &dstart);
}

}  // namespace attn
