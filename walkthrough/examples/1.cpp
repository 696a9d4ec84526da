// The numbers of chapter 1: what a recurrent layer keeps of its first token, and what comes back
// of a gradient.
//
//     example-1 unit         an RNN and an LSTM of one unit read 1 0 0 0 0
//     example-1 distance     fresh layers of 64 units: the gradient of the last state with respect
//                            to every token, as the table data/measurements/recurrence.tsv
//     example-1 values       the first of these as KEY = VALUE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "base/random.h"
#include "lab/predecessors/recurrent.h"

using namespace attn;

namespace {

double real(Real x) {
  return static_cast<double>(x);
}

// The RNN s' = tanh(x + 0.9 s), and an LSTM whose input gate opens for x = 1 and is shut for 0,
// whose forget gate keeps σ(3), and whose output gate is open.
Recurrent one_unit(Cell cell) {
  Recurrent layer(cell, 1, 1);
  if (cell == Cell::rnn) {
    layer.input.weight.value[0] = 1;
    layer.recurrent.weight.value[0] = static_cast<Real>(0.9);
  } else {
    const double weight[] = {8, 0, 0, 1}, bias[] = {-4, 3, 4, 0};  // i f o g
    for (Index gate = 0; gate < 4; ++gate) {
      layer.input.weight.value[gate] = static_cast<Real>(weight[gate]);
      layer.input.bias.value[gate] = static_cast<Real>(bias[gate]);
    }
  }
  return layer;
}

// dx [T, d_in] for the gradient `d` of the last state.
Tensor gradient_of_last(Recurrent& layer, const Tensor& x, const Tensor& d) {
  layer.visit("layer", [](const std::string&, Parameter& p) {
    p.gradient = Tensor::zeros(p.value.shape());
  });
  Recurrent::Cache cache;
  const Pass pass{DropoutMasks()};
  const Tensor h = layer.forward(x, {0, x.rows()}, Direction::forwards, {}, pass, cache);
  Tensor dh = Tensor::zeros(h.shape());
  std::copy_n(d.data(), d.elements(), dh.row(h.rows() - 1));
  return layer.backward(dh, {}, pass, cache);
}

void print_unit(bool values) {
  const char* const words[] = {"Jane", "visite", "l'Afrique", "en", "septembre"};
  Recurrent rnn = one_unit(Cell::rnn), lstm = one_unit(Cell::lstm);
  Tensor one = Tensor::zeros({1});
  one[0] = 1;
  if (!values) std::printf("                  RNN s  ds/dx_1    LSTM s  ds/dx_1\n");
  for (Index t = 1; t <= 5; ++t) {
    Tensor x = Tensor::zeros({t, 1});
    x[0] = 1;
    Recurrent::Cache unused;
    const auto last = [&](const Recurrent& layer) {
      return real(layer.forward(x, {0, t}, Direction::forwards, {}, {}, unused)[t - 1]);
    };
    const double h = last(rnn), slope = real(gradient_of_last(rnn, x, one)[0]);
    const double kept = last(lstm), gated = real(gradient_of_last(lstm, x, one)[0]);
    if (values) {
      std::printf("rnn.h.%td = %.7g\nrnn.d.%td = %.7g\n", t, h, t, slope);
      std::printf("lstm.h.%td = %.7g\nlstm.d.%td = %.7g\n", t, kept, t, gated);
    } else {
      std::printf("%td %-11s  %8.4f %8.4f  %8.4f %8.4f\n", t, words[t - 1], h, slope, kept, gated);
    }
  }
}

// A layer as training begins, but for the forget gate's bias.
Recurrent fresh(Cell cell, Index n, double forget_bias, std::uint64_t seed) {
  Recurrent layer(cell, n, n);
  layer.visit("layer", [&](const std::string& name, Parameter& p) { initialise(name, p, seed); });
  if (cell == Cell::lstm) {
    for (Index j = n; j < 2 * n; ++j) layer.input.bias.value[j] = static_cast<Real>(forget_bias);
  }
  return layer;
}

Tensor normal(const Shape& shape, std::uint64_t seed, std::uint64_t stream) {
  Tensor x = Tensor::zeros(shape);
  const RandomStream random{seed, stream};
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
  }
  return x;
}

void print_distance() {
  constexpr Index kUnits = 64, kTokens = 51;
  constexpr std::uint64_t kSeeds = 20;
  struct Kind {
    const char* name;
    Cell cell;
    double forget_bias;
  };
  std::printf("layer\tdistance\tgradient\n");
  for (const Kind& kind :
       {Kind{"rnn", Cell::rnn, 0}, Kind{"gru", Cell::gru, 0}, Kind{"lstm", Cell::lstm, 0},
        Kind{"lstm_forget_1", Cell::lstm, 1}, Kind{"lstm_forget_3", Cell::lstm, 3}}) {
    std::vector<double> squares(kTokens, 0.0);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Recurrent layer = fresh(kind.cell, kUnits, kind.forget_bias, seed);
      const Tensor dx =
          gradient_of_last(layer, normal({kTokens, kUnits}, seed, 1), normal({kUnits}, seed, 2));
      for (Index t = 0; t < kTokens; ++t) {
        for (Index j = 0; j < kUnits; ++j) {
          squares[t] += real(dx(t, j)) * real(dx(t, j));
        }
      }
    }
    for (std::size_t distance = 0; distance < kTokens; ++distance) {
      std::printf("%s\t%zu\t%.3g\n", kind.name, distance,
                  std::sqrt(squares[kTokens - 1 - distance] / squares[kTokens - 1]));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "unit") {
    print_unit(false);
  } else if (what == "values") {
    print_unit(true);
  } else if (what == "distance") {
    print_distance();
  } else {
    std::fprintf(stderr, "usage: example-1 unit|distance|values\n");
    return 2;
  }
  return 0;
}
