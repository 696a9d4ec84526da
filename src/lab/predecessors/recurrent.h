// One recurrent layer in one direction, over a packed batch: at every token, the new state is a
// function of the token's vector and of the state before it (predecessors/cells.h).
//
// x W + b needs no state, and is one product for all tokens. h U needs the state of the step
// before: one product per step, for all sentences that are that long.
#pragma once

#include <string>

#include "lab/predecessors/cells.h"
#include "lab/predecessors/time_steps.h"
#include "layers/linear.h"
#include "layers/pass.h"

namespace attn {

struct Recurrent {
  Cell cell = Cell::rnn;
  Linear input;      // W [d_in, G·n] and b, for G gates of n numbers
  Linear recurrent;  // U [n, G·n]; a GRU has b_U too

  // Of each sentence: h [B, n], and an LSTM's c [B, n]. Empty: all zeros.
  struct State {
    Tensor h, c;
  };

  // Everything is in the order of the steps (predecessors/time_steps.h). The states begin with B
  // rows more, those that the sentences start with.
  struct Cache {
    TimeSteps steps;
    Tensor x;       // [T, d_in]
    Tensor gates;   // [T, G·n]; before its step, a row is x W + b
    Tensor h, c;    // [B + T, n]; c of an LSTM only
    Tensor m;       // [T, n], of a GRU
    Tensor tanh_c;  // [T, n], of an LSTM
  };

  Recurrent(Cell kind, Index d_in, Index n);

  Index n() const { return recurrent.weight.value.rows(); }

  // x [T, d_in] → h [T, n]. end, if not null, receives the last state of each sentence.
  Tensor forward(const Tensor& x, const Offsets& offsets, Direction direction, const State& start,
                 const Pass& pass, Cache& cache, State* end = nullptr) const;
  // From dh [T, n], and dend of the last states, to dx. dstart, if not null, receives the gradient
  // of the states that the sentences start with.
  Tensor backward(const Tensor& dh, const State& dend, const Pass& pass, const Cache& cache,
                  State* dstart = nullptr);

  // The same in parts, for work between the steps: begin, every step in turn, end.
  void begin(const Tensor& x, TimeSteps steps, const State& start, Cache& cache) const;
  void step(Index t, const Pass& pass, Cache& cache) const;
  Tensor end(const Cache& cache, State* state) const;

  // The gradients on the way back: of the states before the last step taken back, dh and dc [B, n];
  // of x W + b, da [T, G·n]; and of h U + b_U, du, where that differs from da.
  struct Gradients {
    Tensor dh, dc, da, du;
  };
  Gradients begin_back(const State& dend, const Cache& cache) const;
  // dh: the gradient of the states from outside, in the order of the steps.
  void step_back(Index t, const Tensor& dh, const Pass& pass, const Cache& cache,
                 Gradients& gradients) const;
  // Adds to the gradients of W, b, U and returns dx.
  Tensor end_back(const Pass& pass, const Cache& cache, Gradients& gradients, State* dstart);

  // The first row of the states before step t in cache.h and cache.c.
  static Index states_before(const TimeSteps& steps, Index t) {
    return t == 0 ? 0 : steps.batch() + steps.begin(t - 1);
  }
  // The state before each token, [T, n]; for an LSTM's c likewise.
  static Tensor old_states(const TimeSteps& steps, const Tensor& states);

  void visit(const std::string& name, const ParameterVisitor& visitor);

 private:
  // To an observer: the gates and states of step t.
  void show_step(Index t, const Pass& pass, const Cache& cache) const;
};

}  // namespace attn
