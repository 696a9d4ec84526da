// An example of BLEU's authors, the chapter's, and the library.
#include "metrics/bleu.h"
#include "support/checks.h"
#include "text/lines.h"

static const exercises::Exercise bleu_counts_exercise(
    "6.1-bleu-counts", [](exercises::Checks& check) {
      const auto counts = [&](const std::string& hypothesis, const std::string& reference,
                              std::size_t n, Index matched, Index total, const std::string& hint) {
        const auto words = [](const std::string& line) {
          return line.empty() ? std::vector<std::string>() : attn::split(line, ' ');
        };
        const ClippedCounts got = clipped_counts(words(hypothesis), words(reference), n);
        const auto shown = [&](Index m, Index t) {
          return std::to_string(m) + " of " + std::to_string(t);
        };
        check.that(got.matched == matched && got.total == total,
                   "of '" + hypothesis + "', " + std::to_string(n) + "-grams match " +
                       shown(got.matched, got.total) + ", should be " + shown(matched, total) +
                       ". " + hint);
      };
      check.claim("three words of four are in the reference");
      counts("Jane visits sunny Africa", "Jane visits Africa", 1, 3, 4, "");
      check.claim("their order matters from n = 2 on");
      counts("Jane visits sunny Africa", "Jane visits Africa", 2, 1, 3, "");
      counts("Africa visits Jane", "Jane visits Africa", 1, 3, 3, "");
      counts("Africa visits Jane", "Jane visits Africa", 2, 0, 2, "");
      check.claim("a word matches at most as often as the reference has it");
      counts("the the the the the the the", "the cat is on the mat", 1, 2, 7, "This is clipping.");
      counts("the cat the cat the cat", "the cat and a cat on the mat", 2, 1, 5,
             "Clip pairs as pairs.");
      counts("in in in", "in September , in October", 2, 0, 2, "");
      check.claim("fewer than n words have no n-grams");
      counts("Jane visits", "Jane visits Africa", 3, 0, 0, "Is size − n negative somewhere?");
      counts("Jane", "Jane visits Africa", 3, 0, 0, "Is size − n + 1 negative somewhere?");
      counts("", "Jane visits Africa", 1, 0, 0, "");
      check.claim("a reference shorter than n matches nothing");
      counts("Jane visits Africa", "Jane visits", 3, 0, 1, "");
      counts("Jane visits Africa", "Jane", 3, 0, 1, "Is size − n + 1 negative somewhere?");
      counts("Jane", "", 1, 0, 1, "");
      check.claim("ab c is not a bc");
      counts("ab c", "a bc", 2, 0, 1, "Are the words of an n-gram kept apart?");
      check.claim("random sentences, as the library counts them");
      for (int seed = 0; seed < 50; ++seed) {
        std::string sides[2];
        for (int side = 0; side < 2; ++side) {
          for (int i = 0; i < 3 + (seed + side) % 9; ++i) {
            sides[side] += (i == 0 ? "" : " ") + std::to_string((i * i * (seed + 3) + side) % 4);
          }
        }
        const attn::BleuCounts library =
            attn::bleu_counts(sides[0], {sides[1]}, attn::BleuWords::none);
        for (std::size_t n = 1; n <= 4; ++n) {
          counts(sides[0], sides[1], n, library.matched[n - 1], library.total[n - 1], "");
        }
      }
    });
