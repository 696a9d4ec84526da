// What the library's layers do is counted while they run.
#include "lab/experiments/compared_layers.h"
#include "support/checks.h"

static const exercises::Exercise crossovers_exercise(
    "4-crossovers", [](exercises::Answers& answers) {
      const auto counted = [](const char* layer, Index n, Index d) {
        return attn::work_of(attn::compared_layer(layer).make({d, n, 0}), attn::random_input(n, d))
            .multiply_adds;
      };
      // In small, whatever d is: 2 n² d = 2 n d², and 2 n² d + 4 n d² = 8 n d².
      const bool crosses = counted("bare-attention", 16, 16) == counted("RNN", 16, 16) &&
                           counted("attention", 32, 16) == counted("LSTM", 32, 16);
      const Index d = crosses ? 512 : 0;
      const Index bare = counted("bare-attention", 100, 512);
      answers.count("a", bare, "Two products: [n, d] [d, n] and [n, n] [n, d].",
                    {{static_cast<double>(bare) / 2, "That is n²·d: there are two products."}});
      answers.count(
          "b", counted("attention", 100, 512), "Four projections, n·d² each, and a.",
          {{static_cast<double>(bare + 3 * 100 * 512 * 512), "W^O is a projection too."}});
      answers.count("c", counted("RNN", 100, 512), "x W and h U.",
                    {{100.0 * 512 * 512, "The input has a matrix of its own."}});
      answers.count("d", d, "2 n² d = 2 n d².");
      answers.count("e", 2 * d, "2 n² d + 4 n d² = 8 n d².", {{4.0 * 512, "With projections."}});
      answers.count("f", 2 * d + 1, "4 n d² < 2 n² d.", {{2.0 * 512, "There they are just half."}});
      answers.count("g", 8 * 1024 * 1024, "Every head has a weight for every pair.",
                    {{1024.0 * 1024, "That is one head's."}});
      answers.count("h", 4 * 1024 * 512, "Four matrices [n, d].");
    });
