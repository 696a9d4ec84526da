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
    const Index b = steps.sentences[static_cast<std::size_t>(s)];
    std::copy_n(states.row(Recurrent::states_before(steps, t) + s), states.cols(), last.row(b));
  }
  return last;
}

}  // namespace

Recurrent::Recurrent(Cell kind, Index d_in, Index n)
    : cell(kind),
      input(d_in, gates_of(kind) * n, true),
      recurrent(n, gates_of(kind) * n, kind == Cell::gru, 1, "U") {
  if (kind != Cell::lstm) return;
  // An LSTM's forget gate, the second of four, begins more open than closed (Gers et al. 2000,
  // Jozefowicz et al. 2015).
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

void Recurrent::begin(const Tensor& x, TimeSteps steps, const State& start, const Pass& pass,
                      Cache& cache) const {
  cache.x = gathered(x, steps.tokens);
  cache.gates = input.forward(cache.x, pass);
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
    pass.as("u").made(u, Operation::sum, times(h_old, recurrent.weight.value),
                      recurrent.bias.value);
  } else {
    add_matmul(h_old, recurrent.weight.value, a, pass);
  }
  const Tensor before = pass.before(a);

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
  if (pass.is_watched()) show_step(t, before, u, pass, cache);
}

void Recurrent::show_step(Index t, const Tensor& a, const Tensor& u, const Pass& pass,
                          const Cache& cache) const {
  const Index rows = cache.steps.rows(t), first = cache.steps.begin(t), d = n();
  const Index old = states_before(cache.steps, t), now = cache.steps.batch() + first;
  const auto gate = [&](Index i) { return block(cache.gates, first, first + rows, i * d, d); };
  const auto of = [&](const Tensor& x, Index i) { return block(x, 0, rows, i * d, d); };
  const ConstMatrixView h = rows_of(cache.h, now, now + rows);
  pass.see("a", a);
  if (cell == Cell::rnn) {
    pass.as("h").made(h, Operation::tanh, a);
  } else if (cell == Cell::lstm) {
    // c' = f ⊙ c + i ⊙ g,  h' = o ⊙ tanh(c')
    const ConstMatrixView c = rows_of(cache.c, now, now + rows);
    const ConstMatrixView tanh_c = rows_of(cache.tanh_c, first, first + rows);
    pass.as("i").made(gate(0), Operation::sigmoid, of(a, 0));
    pass.as("f").made(gate(1), Operation::sigmoid, of(a, 1));
    pass.as("o").made(gate(2), Operation::sigmoid, of(a, 2));
    pass.as("g").made(gate(3), Operation::tanh, of(a, 3));
    pass.as("c").made(c, Operation::sum, elements(gate(1), rows_of(cache.c, old, old + rows)),
                      elements(gate(0), gate(3)));
    pass.as("tanh_c", "tanh(c)").made(tanh_c, Operation::tanh, c);
    pass.as("h").made(h, Operation::sum, elements(gate(2), tanh_c));
  } else {
    // ñ = tanh(x W_n + b_n + r ⊙ m),  h' = (1 − z) ⊙ ñ + z ⊙ h
    const ConstMatrixView m = rows_of(cache.m, first, first + rows);
    pass.as("r").made(gate(0), Operation::sigmoid, of(a, 0), of(u, 0));
    pass.as("z").made(gate(1), Operation::sigmoid, of(a, 1), of(u, 1));
    pass.as("m").made(m, Operation::sum, of(u, 2));
    pass.as("candidate", "ñ").made(gate(2), Operation::tanh, of(a, 2), elements(gate(0), m));
    pass.as("h").made(h, Operation::sum, gate(2), elements(gate(1), gate(2), -1),
                      elements(gate(1), rows_of(cache.h, old, old + rows)));
  }
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
  begin(x, time_steps(offsets, direction), start, pass, used);
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
  const Tensor dh_later = pass.before(rows_of(std::as_const(gradients.dh), 0, rows));
  const Tensor dc_later =
      cell == Cell::lstm ? pass.before(rows_of(std::as_const(gradients.dc), 0, rows)) : Tensor();

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

  if (pass.is_watched()) {
    Tensor total = dh_later;
    add(copy_of(rows_of(dh, first, first + rows)), total);
    pass.as("dh").made(total, Operation::sum, rows_of(dh, first, first + rows), dh_later);
    show_step_back(t, total, dc_later, pass, cache, gradients);
  }

  // a = … + h U gives dh += da Uᵀ.
  const Tensor& du = cell == Cell::gru ? gradients.du : gradients.da;
  add_matmul(rows_of(du, first, first + rows), transposed(recurrent.weight.value),
             rows_of(gradients.dh, 0, rows), pass);
}

void Recurrent::show_step_back(Index t, const Tensor& dh, const Tensor& dc_later, const Pass& pass,
                               const Cache& cache, const Gradients& gradients) const {
  const Index rows = cache.steps.rows(t), first = cache.steps.begin(t), d = n();
  const Index old = states_before(cache.steps, t);
  const auto gate = [&](Index i) { return block(cache.gates, first, first + rows, i * d, d); };
  const auto da = [&](Index i) { return block(gradients.da, first, first + rows, i * d, d); };
  const ConstMatrixView h_old = rows_of(cache.h, old, old + rows);
  if (cell == Cell::rnn) {
    pass.as("da").made(da(0), Operation::tanh_backward, dh, gate(0));
  } else if (cell == Cell::lstm) {
    // h' = o ⊙ tanh(c') and c' = f ⊙ c + i ⊙ g, then through σ, σ, σ and tanh.
    const ConstMatrixView tanh_c = rows_of(cache.tanh_c, first, first + rows);
    Tensor dc_now = Tensor::uninitialised({rows, d}), dc = dc_later;
    for (Index s = 0; s < rows; ++s) {
      for (Index j = 0; j < d; ++j) {
        const Real slope = 1 - tanh_c(s, j) * tanh_c(s, j);
        dc_now(s, j) = dh(s, j) * gate(2)(s, j) * slope;
        dc(s, j) += dc_now(s, j);
      }
    }
    pass.as("dc_now").made(dc_now, Operation::tanh_backward, elements(dh, gate(2)), tanh_c);
    pass.as("dc").made(dc, Operation::sum, dc_now, dc_later);
    pass.as("da_i").made(da(0), Operation::sigmoid_backward, elements(dc, gate(3)), gate(0));
    pass.as("da_f").made(da(1), Operation::sigmoid_backward,
                         elements(dc, rows_of(cache.c, old, old + rows)), gate(1));
    pass.as("da_o").made(da(2), Operation::sigmoid_backward, elements(dh, tanh_c), gate(2));
    pass.as("da_g").made(da(3), Operation::tanh_backward, elements(dc, gate(0)), gate(3));
    Name(pass).made(rows_of(gradients.dc, 0, rows), Operation::sum, elements(dc, gate(1)));
  } else {
    // h' = (1 − z) ⊙ ñ + z ⊙ h, then through tanh and σ; x W + b and h U share r and z.
    const ConstMatrixView m = rows_of(cache.m, first, first + rows);
    const ConstMatrixView du = block(gradients.du, first, first + rows, 2 * d, d);
    Tensor open = copy_of(gate(1)), dz = dh;
    for (Index s = 0; s < rows; ++s) {
      for (Index j = 0; j < d; ++j) {
        open(s, j) = 1 - open(s, j);
        dz(s, j) *= h_old(s, j) - gate(2)(s, j);
      }
    }
    pass.as("open", "(1 − z)", "1 − z").see(open);
    pass.as("dz").made(dz, Operation::sum, elements(dh, h_old), elements(dh, gate(2), -1));
    pass.as("da_n").made(da(2), Operation::tanh_backward, elements(dh, open), gate(2));
    pass.as("da_r").made(da(0), Operation::sigmoid_backward, elements(da(2), m), gate(0));
    pass.as("da_z").made(da(1), Operation::sigmoid_backward, dz, gate(1));
    pass.as("du_r").made(block(gradients.du, first, first + rows, 0, d), Operation::sum, da(0));
    pass.as("du_z").made(block(gradients.du, first, first + rows, d, d), Operation::sum, da(1));
    pass.as("du_m").made(du, Operation::sum, elements(da(2), gate(0)));
    Name(pass).made(rows_of(gradients.dh, 0, rows), Operation::sum, elements(dh, gate(1)));
  }
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
  add_matmul(transposed(old_states(cache.steps, cache.h)), du, recurrent.weight.gradient, pass);
  if (cell == Cell::gru) add_column_sums(du, recurrent.bias.gradient, pass);
  return scattered(input.backward(gradients.da, cache.x, pass.as("dx")), cache.steps.tokens);
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
