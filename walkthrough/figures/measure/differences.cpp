// How far central differences are from the gradients of backward, for many steps h: a table. Built
// with Real = float and with Real = double; tests/peers/figures.py puts the two together.
#include <cmath>
#include <cstdio>

#include "model/transformer.h"

using namespace attn;

// ‖(L(w + h) − L(w − h))/2h − dw‖/‖dw‖ over every weight of a small model.
int main() {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 13;
  config.layers = 1;
  config.d_model = 8;
  config.d_ff = 16;
  config.heads = 2;
  config.d_k = config.d_v = 4;
  config.dropout = 0;
  Transformer model(config);
  initialise_parameters(model, 1);
  Batch batch;
  batch.append({3, 4, 5, 6, 2}, {1, 7, 8, 9, 2});
  zero_gradients(model);
  model.loss_and_gradients(batch, DropoutMasks(), 1);

  std::printf("real\th\terror\n");
  for (int quarter = sizeof(Real) == 4 ? -24 : -48; quarter <= 0; ++quarter) {
    const double h = std::pow(10, quarter / 4.0);
    double error = 0, whole = 0;
    model.visit_parameters([&](const std::string&, Parameter& p) {
      for (Index i = 0; i < p.value.elements(); ++i) {
        const Real w = p.value[i];
        p.value[i] = static_cast<Real>(w + h);
        const double above = model.loss(batch).loss;
        p.value[i] = static_cast<Real>(w - h);
        const double below = model.loss(batch).loss;
        p.value[i] = w;
        const double dw = p.gradient[i];
        error += std::pow((above - below) / (2 * h) - dw, 2);
        whole += dw * dw;
      }
    });
    std::printf("%s\t%.4g\t%.4g\n", sizeof(Real) == 4 ? "float" : "double", h,
                std::sqrt(error / whole));
  }
  return 0;
}
