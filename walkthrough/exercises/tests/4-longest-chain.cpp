// Chains whose length is known.
#include "support/checks.h"

static const exercises::Exercise longest_chain_exercise(
    "4-longest-chain", [](exercises::Checks& check) {
      using Needs = std::vector<std::vector<Index>>;
      const auto chain = [](const Needs& needs) { return longest_chain(needs); };
      check.claim("without products there is nothing to wait for");
      check.that(chain({}) == 0, "The longest of no chains has 0 products.");
      check.claim("products that need nothing are all computed in the first round");
      check.that(chain({{}, {}, {}}) == 1, "There are three, but none waits for another.");
      check.claim("attention: Q, K, V, then the scores, then P V, then the output: 4");
      check.that(chain({{}, {}, {}, {0, 1}, {2, 3}, {4}}) == 4,
                 "A product comes one round after the latest product that it needs.");
      check.claim("the longest chain may begin after the first product and end before the last");
      check.that(chain({{}, {}, {1}, {2}, {}}) == 3,
                 "1, 2, 3 is a chain. Look at every product, not only the last.");
      check.claim("the latest product needed may be anywhere in the list: 0, 1, 3, 5 is a chain");
      check.that(chain({{}, {0}, {}, {1, 2}, {}, {4, 3}}) == 4,
                 "The latest product needed may be listed anywhere, and its number need not be the "
                 "highest.");
      check.claim("two chains of two products each, one after the other in the list: 2");
      check.that(chain({{}, {0}, {}, {2}}) == 2, "Product 2 needs nothing: it begins at once.");
      check.claim("a recurrent layer of n positions: n");
      for (const Index n : {1, 2, 7}) {
        Needs needs;
        for (Index t = 0; t < n; ++t)
          needs.push_back(t == 0 ? std::vector<Index>() : std::vector{t - 1});
        check.that(chain(needs) == n, "Each state needs the one before.");
      }
      check.claim("needing a product twice, or through another, changes nothing");
      check.that(chain({{}, {0}, {0, 1, 1}}) == 3, "2 needs 1, which needs 0.");
    });
