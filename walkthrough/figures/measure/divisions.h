// Models with and without the division by √d_k, and between the two.
//
// With Adam, which divides a gradient by its size, a model without the division is one with it
// whose W^Q starts √d_k times as large and moves √d_k times as fast: q·k = (√d_k q)·k/√d_k. So two
// things can be told apart that the division does at once:
//
//     divided       eq. (1)
//     undivided     W^Q starts √d_k times as large, and moves √d_k times as fast
//     start-only    only the start is that of the divided model; W^Q moves as in the undivided one
//     speed-only    only the speed is that of the divided model; W^Q starts as in the undivided one
//
// And one that may find out for itself what to divide by:
//
//     learned       undivided, but the scores are τ q·k; each attention learns its ln τ, from 0 on
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/sequence_model.h"
#include "training/adam.h"

namespace attn {

constexpr Index kModelWidth = 64;

struct Variant {
  // one-head (lab/experiments/one_head.h); transformer, of one layer with one head on each side
  std::string model;
  std::string task, division;
  Index d_k;

  std::string name() const { return text(task, ' ', division, " d_k=", d_k); }
  bool learned() const { return division == "learned"; }
  bool hard_start() const {
    return division == "undivided" || division == "speed-only" || learned();
  }
  bool fast() const { return division == "undivided" || division == "start-only" || learned(); }
};

// ln τ of one attention, and Adam's moments of it. W^Q is kept multiplied by τ.
struct Temperature {
  double log = 0, m = 0, v = 0;
};
using Temperatures = std::vector<Temperature>;  // of each W^Q

// In both models the components of the first queries and keys have variance 1 (1.5 in the
// Transformer's first self-attentions, which no norm precedes).
std::unique_ptr<SequenceModel> start(const Variant& variant, Index vocabulary, std::uint64_t seed);

// One update, of W^Q √d_k times as far if the variant says so. temperatures: empty at first.
void update(SequenceModel& model, Adam& adam, Temperatures& temperatures, const Variant& variant,
            Index step, double rate);

}  // namespace attn
