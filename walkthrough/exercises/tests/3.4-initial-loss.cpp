// Sampled: random logits, random matrices, and the library's untrained model.
#include "layers/cross_entropy.h"
#include "model/transformer.h"
#include "support/checks.h"
#include "support/small_models.h"

static const exercises::Exercise initial_loss_exercise(
    "3.4-initial-loss", [](exercises::Answers& answers) {
      using namespace exercises;
      const Index V = 29;
      const Tensor zeros = Tensor::zeros({1, V});
      const int right = 3;
      const double uniform = attn::cross_entropy_forward(zeros, &right, 0).loss;
      // The mean of e^l: the integral of e^l times the normal density.
      double mean = 0;
      for (double l = -10; l < 12; l += 0.001)
        mean += 0.001 * std::exp(l - l * l / 2) / std::sqrt(2 * std::acos(-1.0));
      const double estimate = uniform + std::log(mean);
      const double deviation = std::sqrt(512.0);
      answers.number("a", uniform, "p = 1/29 for each token.");
      answers.number("b", mean, "σ² = 1.");
      answers.number("c", estimate, "ln(V · mean), and the mean of l_right is 0.");
      answers.number("d", 512 * (1.0 / 512),
                     "A sum of d_model terms, each with variance h_j²/d_model.");
      answers.number("e", deviation, "The variance is d_model; the standard deviation is its root.",
                     {{512, "That is the variance."}});
      answers.number("f", uniform + deviation * deviation / 2, "ln 29 + σ²/2 with the σ² of e.");

      // The library's untrained model: is the logit of the token just read above the mean of its
      // row, and is the loss above the estimate?
      attn::TransformerConfig config = attn::test::small_config();
      config.d_model = 32;
      config.source_vocabulary = config.target_vocabulary = V;
      attn::Transformer model(config);
      attn::initialise_parameters(model, 1);
      attn::Batch batch;
      for (int first = 3; first < 25; ++first)
        batch.append({first, 2}, {1, first, first + 1, first + 2, 2});
      const Tensor logits = model.logits(batch);
      double above = 0;
      for (Index t = 0; t < logits.rows(); ++t) {
        above += logits(t, batch.target_input.ids[t]);
        for (Index v = 0; v < V; ++v) above -= logits(t, v) / static_cast<double>(V);
      }
      const attn::LossSums sums =
          attn::cross_entropy_forward(logits, batch.target_output.data(), 0);
      answers.word("g", above > 0 ? "higher" : "lower", {"higher", "lower"},
                   "The logit of v is h·E[v]. How large is E[v]·E[v], compared with E[u]·E[v]?");
      answers.word("h", sums.mean_loss() > estimate ? "higher" : "lower", {"higher", "lower"},
                   "Where does the probability of the token just read come from?");
    });
