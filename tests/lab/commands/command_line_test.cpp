#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("attention-lab");

TEST_CASE("what is wrong with a command line of attention-lab is said") {
  struct Bad {
    std::string arguments;
    std::string message;  // a part of it
  };
  for (const Bad& bad : std::vector<Bad>{
           {"export --model x", "export needs --pytorch F"},
           {"import --pytorch x --out y", "import needs --heads N"},
           {"import --pytorch x --out y --heads 0", "--heads must be a whole number from 1 to"},
           {"import --pytorch x --out y --heads 2 --norm middle",
            "--norm: expected post or pre, not"},
           {"train copy --architecture lstm --positions rotary",
            "--positions is not for --architecture lstm"},
           {"train copy --architecture decoder --positions learned --max-positions 30",
            "--max-positions 30 is too few: the two sides of a pair take up to 42"},
           {"train copy --architecture lstm2", "unknown architecture 'lstm2'"},
           {"train copy --architecture gru --heads 2", "--heads is not for --architecture gru"},
           {"train copy --architecture gru --layers 0", "--layers must be 1 to"},
           {"train copy --architecture gru --dropout x", "--dropout: expected a number, not 'x'"},
           {"train copy --architecture gru --attention no",
            "--attention: expected one of none, bah"},
           {"train copy --architecture convs2s --encoder-kernel 4", "--encoder-kernel must be odd"},
           {"train copy --architecture convs2s --max-positions 9", "--max-positions 9 is too few"},
           {"train copy --attention bahdanau", "--attention is not for --architecture transformer"},
           {"evaluate --model x --source y", "evaluate needs --target F"},
           {"train what", "there is no task 'what', only copy, reverse, text and language"},
           {"train copy --vocabulary 100", "--vocabulary is for train text and language, not copy"},
       }) {
    CAPTURE(bad.arguments);
    const Outcome outcome = run(bad.arguments);
    check_fails(outcome, "attention: error: " + bad.message, 2);
    CHECK(contains(outcome.err, "See 'attention-lab "));
  }
}

TEST_SUITE_END();

}  // namespace attn::test
