// for t = 0, 1, …:   a_t = (x W + b)_t + h_(t−1) U,   h_t = cell(a_t, h_(t−1))
#include "lab/predecessors/recurrent.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace attn {

namespace {

// Rows of states that are worth a task of their own.
Index states_per_task(Index n) {
  return std::max<Index>(1, 4096 / n);
}

// The states of sentences, in the order of the steps.
Tensor sorted_states(const Tensor& states, const TimeSteps& steps, Index n) {
  if (states.empty()) return Tensor::zeros({steps.batch(), n});
  ATTN_CHECK_EQ(states.rows(), steps.batch(), "states and sentences");
  return gathered(states, steps.sentences);
}

// [B + T, n] of which the first B rows are these.
Tensor room_for_states(const Tensor& start, Index tokens) {
  Tensor states = Tensor::uninitialised({start.rows() + tokens, start.cols()});
  std::copy_n(start.data(), start.elements(), states.data());
  return states;
}

// The last state of each sentence; of one without tokens, the first.
Tensor last_states(const TimeSteps& steps, const Tensor& states) {
  Tensor last = Tensor::uninitialised({steps.batch(), states.cols()});
  Index t = steps.steps();
  for (Index s = 0; s < steps.batch(); ++s) {
    while (t > 0 && s >= steps.rows(t - 1)) --t;
    const Index b = steps.sentences[s];
    std::copy_n(states.row(Recurrent::states_before(steps, t) + s), states.cols(), last.row(b));
  }
  return last;
}

}  // namespace

Recurrent::Recurrent(Cell kind, Index d_in, Index n)
    : cell(kind),
      input(d_in, gates_of(kind) * n, true),
      recurrent(n, gates_of(kind) * n, kind == Cell::gru) {
  if (kind != Cell::lstm) return;
  // A forget gate, 2nd of four, begins mostly open (Gers et al. 2000, Jozefowicz et al. 2015).
  input.bias.start = Parameter::Start::given;
  input.bias.given = Tensor::zeros({4 * n});
  std::fill_n(input.bias.given.data() + n, n, Real{1});
}

Tensor Recurrent::old_states(const TimeSteps& steps, const Tensor& states) {
  std::vector<Index> rows;
  for (Index t = 0; t < steps.steps(); ++t) {
    for (Index s = 0; s < steps.rows(t); ++s) rows.push_back(states_before(steps, t) + s);
  }
  return gathered(states, rows);
}

void Recurrent::begin(const Tensor& x, TimeSteps steps, const State& start, Cache& cache) const {
  cache.x = gathered(x, steps.tokens);
  cache.gates = input.forward(cache.x);
  const Index tokens = x.rows();
  cache.h = room_for_states(sorted_states(start.h, steps, n()), tokens);
  if (cell == Cell::lstm) {
    cache.c = room_for_states(sorted_states(start.c, steps, n()), tokens);
    cache.tanh_c = Tensor::uninitialised({tokens, n()});
  }
  if (cell == Cell::gru) cache.m = Tensor::uninitialised({tokens, n()});
  cache.steps = std::move(steps);
}

void Recurrent::step(Index t, const Pass& pass, Cache& cache) const {
  const Index rows = cache.steps.rows(t), first = cache.steps.begin(t);
  const Index old = states_before(cache.steps, t), now = cache.steps.batch() + first;

  // h U of all sentences that are this long.
  const ConstMatrixView h_old = rows_of(std::as_const(cache.h), old, old + rows);
  const MatrixView a = rows_of(cache.gates, first, first + rows);
  Tensor u;
  if (cell == Cell::gru) {
    u = Tensor::uninitialised({rows, a.cols});
    matmul(h_old, recurrent.weight.value, u, Epilogue{recurrent.bias.value.data(), false});
  } else {
    matmul(h_old, recurrent.weight.value, a, Write::add);
  }

  // The gates, and with them the new state.
  parallel_ranges(rows, states_per_task(n()), [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      Real* const h = cache.h.row(now + s);
      if (cell == Cell::rnn) {
        rnn_forward(n(), a.row(s), h);
      } else if (cell == Cell::lstm) {
        lstm_forward(n(), a.row(s), cache.c.row(old + s), cache.c.row(now + s),
                     cache.tanh_c.row(first + s), h);
      } else {
        gru_forward(n(), a.row(s), u.row(s), cache.h.row(old + s), cache.m.row(first + s), h);
      }
    }
  });
  show_step(t, pass, cache);
}

void Recurrent::show_step(Index t, const Pass& pass, const Cache& cache) const {
  if (!pass.is_watched()) return;
  const Index rows = cache.steps.rows(t), first = cache.steps.begin(t);
  const Index now = cache.steps.batch() + first;
  std::vector<const char*> gates;
  if (cell == Cell::lstm) gates = {"i", "f", "o", "g"};
  if (cell == Cell::gru) gates = {"r", "z", "candidate"};
  Index col = 0;
  for (const char* gate : gates) {
    pass.see(gate, block(cache.gates, first, first + rows, col, n()));
    col += n();
  }
  if (cell == Cell::gru) pass.see("m", rows_of(cache.m, first, first + rows));
  if (cell == Cell::lstm) {
    pass.see("c", rows_of(cache.c, now, now + rows));
    pass.see("tanh_c", rows_of(cache.tanh_c, first, first + rows));
  }
  pass.see("h", rows_of(cache.h, now, now + rows));
}

Tensor Recurrent::end(const Cache& cache, State* state) const {
  if (state != nullptr) {
    state->h = last_states(cache.steps, cache.h);
    if (cell == Cell::lstm) state->c = last_states(cache.steps, cache.c);
  }
  return scattered(copy_of(rows_of(cache.h, cache.steps.batch(), cache.h.rows())),
                   cache.steps.tokens);  // [T, n]
}

Tensor Recurrent::forward(const Tensor& x, const Offsets& offsets, Direction direction,
                          const State& start, const Pass& pass, Cache& cache, State* last) const {
  check_offsets(offsets, x.rows());
  Cache unused;
  Cache& used = pass.keeps() ? cache : unused;
  begin(x, time_steps(offsets, direction), start, used);
  for (Index t = 0; t < used.steps.steps(); ++t) step(t, pass, used);
  return end(used, last);
}

Recurrent::Gradients Recurrent::begin_back(const State& dend, const Cache& cache) const {
  Gradients gradients;
  gradients.dh = sorted_states(dend.h, cache.steps, n());
  if (cell == Cell::lstm) gradients.dc = sorted_states(dend.c, cache.steps, n());
  gradients.da = Tensor::uninitialised(cache.gates.shape());
  if (cell == Cell::gru) gradients.du = Tensor::uninitialised(cache.gates.shape());
  return gradients;
}

void Recurrent::step_back(Index t, const Tensor& dh, const Pass& pass, const Cache& cache,
                          Gradients& gradients) const {
  const Index rows = cache.steps.rows(t), first = cache.steps.begin(t);
  const Index old = states_before(cache.steps, t);

  // A state's gradient comes from the step after it and from outside. Sentences that end here have
  // no later step: their rows still hold dend.
  parallel_ranges(rows, states_per_task(n()), [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Index row = first + s;
      Real* const d = gradients.dh.row(s);
      const Real* const outside = dh.row(row);
      for (Index j = 0; j < n(); ++j) d[j] += outside[j];
      const Real* const a = cache.gates.row(row);
      if (cell == Cell::rnn) {
        rnn_backward(n(), a, d, gradients.da.row(row));
      } else if (cell == Cell::lstm) {
        lstm_backward(n(), a, cache.c.row(old + s), cache.tanh_c.row(row), d, gradients.dc.row(s),
                      gradients.da.row(row));
      } else {
        gru_backward(n(), a, cache.m.row(row), cache.h.row(old + s), d, gradients.da.row(row),
                     gradients.du.row(row));
      }
    }
  });

  pass.see("da", rows_of(std::as_const(gradients.da), first, first + rows));

  // a = … + h U gives dh += da Uᵀ.
  const Tensor& du = cell == Cell::gru ? gradients.du : gradients.da;
  matmul(rows_of(du, first, first + rows), transposed(recurrent.weight.value),
         rows_of(gradients.dh, 0, rows), Write::add);
}

Tensor Recurrent::end_back(const Pass& pass, const Cache& cache, Gradients& gradients,
                           State* dstart) {
  if (dstart != nullptr) {
    dstart->h = scattered(gradients.dh, cache.steps.sentences);
    if (cell == Cell::lstm) dstart->c = scattered(gradients.dc, cache.steps.sentences);
    pass.see("dstart", dstart->h);
    if (cell == Cell::lstm) pass.see("dstart_c", dstart->c);
  }
  // The weights are those of every step, so their gradients are sums over steps: one product.
  const Tensor& du = cell == Cell::gru ? gradients.du : gradients.da;
  check_gradient(recurrent.weight);
  matmul(transposed(old_states(cache.steps, cache.h)), du, recurrent.weight.gradient, Write::add);
  if (cell == Cell::gru) add_column_sums(du, recurrent.bias.gradient);
  Tensor dx = scattered(input.backward(gradients.da, cache.x), cache.steps.tokens);
  pass.see("dx", dx);
  return dx;
}

Tensor Recurrent::backward(const Tensor& dh, const State& dend, const Pass& pass,
                           const Cache& cache, State* dstart) {
  const Tensor dh_in_time = gathered(dh, cache.steps.tokens);
  Gradients gradients = begin_back(dend, cache);
  for (Index t = cache.steps.steps(); t-- > 0;) step_back(t, dh_in_time, pass, cache, gradients);
  return end_back(pass, cache, gradients, dstart);
}

void Recurrent::visit(const std::string& name, const ParameterVisitor& visitor) {
  input.visit(name + ".input", visitor);
  recurrent.visit(name + ".recurrent", visitor);
}

}  // namespace attn
