// The weights are counted in the library's layers.
#include "model/decoder_layer.h"
#include "support/checks.h"

static const exercises::Exercise flops_exercise("5.2-flops", [](exercises::Answers& answers) {
  const auto matrices = [](auto layer) {
    double count = 0;
    layer.visit("layer", [&](const std::string&, attn::Parameter& p) {
      if (p.value.shape().rank == 2) count += static_cast<double>(p.value.elements());
    });
    return count;
  };
  const attn::TransformerConfig base = attn::preset("base");
  const double gpus = 8 * 9.5e12;
  const double weights = 6 * matrices(attn::EncoderLayer(base)) +
                         6 * matrices(attn::DecoderLayer(base)) + 37000.0 * 512;
  const double step = 6 * 25000 * weights;
  answers.number("a", 1e5 * 0.4 * gpus, "Four factors.", {{1e5 * 0.4 * 9.5e12, "8 GPUs."}}, 0.02);
  answers.number("b", 3e5 * 1.0 * gpus, "Four factors.", {}, 0.02);
  answers.number("c", 12 * 3600 * gpus, "12 hours are 43200 seconds.", {}, 0.02);
  answers.number("d", 2 + 2 + 2, "2 forward, 2 for dx, 2 for dW.");
  answers.number("e", step, "6 FLOP per weight and token; 25000 tokens of each kind.",
                 {{2 * step,
                   "Encoder weights see only the source tokens, decoder weights only the target "
                   "tokens."}},
                 0.02);
  answers.number("f", 1e5 * step, "100 000 times e.", {}, 0.02);
  answers.number("g", step / (0.4 * gpus), "e divided by 0.4 · 8 · 9.5e12.", {}, 0.03);
});
