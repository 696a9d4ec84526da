// That `benchmark decode` measures what it says, not how fast anything is.
#include <doctest/doctest.h>

#include <algorithm>

#include "storage/json.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

namespace {
const std::string kQuick = " --seconds 0.01 --threads 1 ";
const std::string kSmall =
    " --preset tiny --vocabulary 50 --layers 1 --d-model 16 --d-ff 32 "
    "--heads 2 ";

Json measured(const std::string& options) {
  return json_of(run("benchmark decode --json" + kQuick + options));
}
}  // namespace

TEST_CASE("decoding: tokens are what was asked for, and seconds and speeds fit together") {
  const Json result = measured(kSmall + "--batch 1,3 --beam 2 --source-length 5 --tokens 7");
  const std::vector<Json>& rows = result.at("decode").items();
  REQUIRE(rows.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& row = rows[i];
    const double batch = i == 0 ? 1 : 3, seconds = row.at("seconds").number();
    CHECK(row.at("batch").number() == batch);
    CHECK(row.at("beam").integer() == 2);
    CHECK(row.at("source_length").integer() == 5);
    CHECK(row.at("tokens").integer() == 7);
    CHECK(seconds > 0);
    CHECK(row.at("tokens_per_second").number() == doctest::Approx(batch * 7 / seconds));
  }
}

TEST_CASE("decoding: a trained model is measured, and lines are answered one by one") {
  const Outcome outcome = worked(run("benchmark decode --model " + small_run() +
                                         " --batch 2 --source-length 3 --tokens 4 --each-line",
                                     "\n\n\n"));
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3);
  CHECK(std::stod(outcome.out) > 0);
}

TEST_CASE("decoding: a sentence is as long as the model's positions, which two sides may share") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  worked(run("train copy --architecture decoder --positions learned --max-positions 50" + kTiny +
             "--steps 0 --quiet --out " + made));
  check_fails(run("benchmark decode --source-length 3 --tokens 26 --model " + made),
              "a sentence of this model has at most 25 tokens; --source-length");
}

TEST_SUITE_END();

}  // namespace attn::test
