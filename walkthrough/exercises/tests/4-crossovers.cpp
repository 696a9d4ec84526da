// The products of each layer, from their shapes.
#include "support/checks.h"

static const exercises::Exercise crossovers_exercise(
    "4-crossovers", [](exercises::Answers& answers) {
      const Index n = 100, d = 512;
      const Index bare = n * d * n + n * n * d, projections = 4 * n * d * d;
      answers.count("a", bare, "Two products: [n, d] [d, n] and [n, n] [n, d].",
                    {{static_cast<double>(bare) / 2, "That is n²·d: there are two products."}});
      answers.count("b", bare + projections, "Four projections, n·d² each, and a.",
                    {{static_cast<double>(bare + 3 * n * d * d), "W^O is a projection too."}});
      answers.count("c", 2 * n * d * d, "x W and h U.",
                    {{static_cast<double>(n * d * d), "The input has a matrix of its own."}});
      answers.count("d", d, "2 n² d = 2 n d².");
      answers.count("e", 2 * d, "2 n² d + 4 n d² = 8 n d².", {{4.0 * 512, "With projections."}});
      answers.count("f", 2 * d + 1, "4 n d² < 2 n² d.", {{2.0 * 512, "There they are just half."}});
      answers.count("g", 8 * 1024 * 1024, "Every head has a weight for every pair.",
                    {{1024.0 * 1024, "That is one head's."}});
      answers.count("h", 4 * 1024 * 512, "Four matrices [n, d].");
    });
