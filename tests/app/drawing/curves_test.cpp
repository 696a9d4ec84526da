// The picture of a training.
#include "app/drawing/curves.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/drawing/chart.h"
#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/strings.h"
#include "support/temporary_directory.h"
#include "support/xml.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

LogLine line(Index step, double loss, double validation_loss = kNone, double bleu = kNone) {
  return {step, loss, std::exp(loss), 1e-3, 100, validation_loss, std::exp(validation_loss), bleu};
}

}  // namespace

TEST_SUITE("figures") {
  TEST_CASE("values stand over their steps, in training and in validation") {
    const Svg svg = training_curves("a <run>", {line(50, 4, 3), line(75, 3), line(100, 2, 1)});
    CHECK(xml_problem(document(svg)) == "");
    CHECK(contains(svg.title, "a <run>"));
    CHECK(contains(svg.description, "over 100 steps"));
    CHECK(!contains(svg.description, "BLEU"));
    // The loss: steps 0 … 100 at 80 … 410, from 0 at 280 up to 1.02 · 4 at 90.
    CHECK(contains(svg.body,
                   "<polyline class=\"line blue\" points=\"245,93.73 327.5,140.29 "
                   "410,186.86\"/>"));
    CHECK(contains(svg.body, "<polyline class=\"line purple\" points=\"245,140.29 410,233.43\"/>"));
    // The perplexity, 1 … 100 in the logarithm: e² is 2/ln 100 of the way up.
    CHECK(contains(svg.body, " 850,197.48\"/>"));
  }

  TEST_CASE("BLEU has a chart where a text was translated") {
    const Svg svg = training_curves("run", {line(10, 4, 4, 0), line(20, 2, 3, 25)});
    CHECK(contains(svg.description, "learning rate and BLEU over 20 steps"));
    CHECK(contains(svg.body, "BLEU of the validation's sample"));
    CHECK(contains(svg.body, " 850,393.73\"/>"));
  }

  TEST_CASE(
      "a long log is drawn as means of neighbours, an exploded one no higher than a million") {
    std::vector<LogLine> log;
    for (Index step = 1; step <= 1000; ++step) log.push_back(line(step, step % 2 == 0 ? 1 : 3));
    const std::string body = training_curves("run", log).body;
    const std::size_t begin = body.find("<polyline class=\"line blue\" points=\"");
    const std::string curve = body.substr(begin, body.find("/>", begin) - begin);
    CHECK(std::count(curve.begin(), curve.end(), ',') == 334);  // three and three
    CHECK(contains(curve, ",146.95 "));                         // (1 + 3 + 1)/3 under (3 + 1 + 3)/3
    CHECK(training_curves("run", {line(1, 1e30), line(2, 2e30)}).body.size() > 0);
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(training_curves("run", {line(1, infinite), line(2, kNone)}).body.size() > 0);
    CHECK_THROWS_AS(training_curves("run", {}), Error);
  }

  TEST_CASE("a run's log is drawn into curves.svg, and one without lines is not") {
    const TemporaryDirectory directory;
    const std::string run = directory.path("fr-en");
    make_directories(run);
    draw_curves(run);  // no log
    const std::string heading = "step\tloss\tperplexity\n";
    write_file(run + "/log.tsv", heading);
    draw_curves(run);
    CHECK(!std::filesystem::exists(run + "/curves.svg"));
    write_file(run + "/log.tsv", heading + "50\t4.0\t54\t\t\t\n100\todd\n150\t2.0\t7.4\n");
    draw_curves(run + "/");
    const std::string picture = read_file(run + "/curves.svg");
    CHECK(xml_problem(picture) == "");
    CHECK(contains(picture, "fr-en: the curves of its training"));
    CHECK(contains(picture, "over 150 steps"));
    CHECK(contains(picture, "points=\"190,93.73 410,186.86\""));
  }

  TEST_CASE("round values are 1, 2 or 5 times a power of ten apart, and inside") {
    CHECK(round_values(0, 100) == std::vector<double>{0, 20, 40, 60, 80, 100});
    CHECK(round_values(0, 4) == std::vector<double>{0, 1, 2, 3, 4});
    CHECK(round_values(0.1, 0.35).size() == 6);
    CHECK(round_values(1, 12).front() == 2);
  }
}
