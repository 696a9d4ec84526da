// Bahdanau's decoder (Bahdanau et al. 2015, §3.1): attention inside the recurrence. Before each
// step the state looks at the source, and the step reads the context that it finds:
//
//     c_t = attention(h_(t−1)),   a_t = (x W + b)_t + c_t C + h_(t−1) U,   h_t = cell(a_t, h_(t−1))
//
// The old state asks, so no query is known before the step that comes before it: no two steps can
// look at once. [x; c] W is taken apart as in additive attention: x W + c C.
#include <utility>

#include "lab/predecessors/recurrent_decoder.h"

namespace attn {

namespace {

// In step t each sentence that is this long is one query.
AlignmentMemory in_step(Index t, const TimeSteps& steps, const AlignmentMemory& memory) {
  const auto end = steps.sentences.begin() + steps.rows(t);
  return {memory.K, memory.V, reordered(memory.looks, {steps.sentences.begin(), end})};
}

void put_rows(const Tensor& rows, Index first, Tensor& x) {
  std::copy_n(rows.data(), rows.elements(), x.row(first));
}

// The states that ask in step t.
Tensor asking(const Recurrent::Cache& cell, Index t) {
  const Index old = Recurrent::states_before(cell.steps, t);
  return copy_of(rows_of(cell.h, old, old + cell.steps.rows(t)));
}

}  // namespace

Tensor RecurrentDecoder::attentive_forward(const Tensor& x, const Offsets& offsets,
                                           const AlignmentMemory& memory,
                                           const Recurrent::State& start, const Pass& pass,
                                           Cache& cache, Tensor& C, Recurrent::State* last) const {
  check_offsets(offsets, x.rows());
  ATTN_CHECK_EQ(offsets.size(), memory.looks.size() + 1, "sentences, and what they look at");
  const Recurrent& layer = layers[0];
  Recurrent::Cache cell;
  layer.begin(x, time_steps(offsets, Direction::forwards), start, cell);
  const TimeSteps& steps = cell.steps;
  Tensor C_in_time = Tensor::uninitialised({x.rows(), memory.V.cols()});
  std::vector<Tensor> Q(steps.begins.size() - 1), P = Q;

  const Pass attention_pass = pass.in("attention");
  for (Index t = 0; t < steps.steps(); ++t) {
    // The states before this step look at the source.
    Q[t] = alignment.queries_of(asking(cell, t));
    const Tensor C_t = alignment.forward(Q[t], in_step(t, steps, memory), attention_pass, P[t]);
    put_rows(C_t, steps.begin(t), C_in_time);

    // The step reads their contexts too: a += c C.
    const MatrixView a = rows_of(cell.gates, steps.begin(t), steps.begin(t + 1));
    matmul(C_t, context.weight.value, a, Write::add);
    layer.step(t, pass, cell);
  }
  C = scattered(C_in_time, steps.tokens);
  Tensor h = layer.end(cell, last);
  if (pass.keeps()) {
    cache.layers[0] = std::move(cell);
    cache.Q = std::move(Q);
    cache.P = std::move(P);
  }
  return h;
}

Tensor RecurrentDecoder::attentive_backward(const Tensor& dh, const Tensor& dC,
                                            const AlignmentMemory& memory, const Pass& pass,
                                            const Cache& cache, Tensor& dz, Tensor& dK,
                                            Recurrent::State& dstart) {
  Recurrent& layer = layers[0];
  const Recurrent::Cache& cell = cache.layers[0];
  const TimeSteps& steps = cell.steps;
  const Tensor dh_in_time = gathered(dh, steps.tokens);
  Tensor dC_in_time = gathered(dC, steps.tokens);
  Tensor dQ = Tensor::uninitialised({dh.rows(), alignment.query.weight.value.cols()});
  Recurrent::Gradients gradients = layer.begin_back({}, cell);
  const Pass attention_pass = pass.in("attention");
  for (Index t = steps.steps(); t-- > 0;) {
    layer.step_back(t, dh_in_time, pass, cell, gradients);

    // a = … + c C gives dc += da Cᵀ.
    const Index begin = steps.begin(t), end = steps.begin(t + 1);
    matmul(rows_of(std::as_const(gradients.da), begin, end), transposed(context.weight.value),
           rows_of(dC_in_time, begin, end), Write::add);

    // Attention gives dq, and q = h W_q adds to the gradient of the old state.
    const Tensor dC_t = copy_of(rows_of(std::as_const(dC_in_time), begin, end));
    pass.see("dcontext", dC_t);
    const Tensor dQ_t = alignment.backward(dC_t, cache.Q[t], in_step(t, steps, memory),
                                           attention_pass, cache.P[t], dK, dz);
    put_rows(dQ_t, begin, dQ);
    matmul(dQ_t, transposed(alignment.query.weight.value), rows_of(gradients.dh, 0, end - begin),
           Write::add);
  }

  // The weights' gradients, for all steps at once.
  check_gradient(context.weight);
  matmul(transposed(gathered(cache.C, steps.tokens)), gradients.da, context.weight.gradient,
         Write::add);
  check_gradient(alignment.query.weight);
  matmul(transposed(Recurrent::old_states(steps, cell.h)), dQ, alignment.query.weight.gradient,
         Write::add);
  return layer.end_back(pass, cell, gradients, &dstart);
}

}  // namespace attn
