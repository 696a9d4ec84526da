#include "app/drawing/training_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "storage/atomic_file.h"
#include "support/strings.h"
#include "support/temporary_directory.h"
#include "support/xml.h"

using namespace attn;
using namespace attn::test;

namespace {

const std::string kHeader =
    "step\tloss\tperplexity\tlearning_rate\ttokens_per_second\tvalidation_loss\t"
    "validation_perplexity\tvalidation_bleu\n";

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

LogLine logged(Index step, double loss, double validation_loss = kNone, double bleu = kNone) {
  return {step, loss, std::exp(loss), 1e-3, 100, validation_loss, std::exp(validation_loss), bleu};
}

StepReport step_report(Index step, const LossSums& sums) {
  StepReport report;
  report.step = step;
  report.sums = sums;
  report.tokens = 5;
  report.rate = report.seconds = 0.5;
  return report;
}

const Validation kValidation{{8, 4, 1, 2}, 12.25};

}  // namespace

TEST_SUITE("training: run directory") {
  TEST_CASE("the log is cut back to the step that was saved, and its broken last line dropped") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("log.tsv");
    const TrainingLog begun(path, 0);
    CHECK(read_file(path) == kHeader);
    write_file(path, kHeader + "1\ta\t\t\t\t1\t2\t3\n3\tb\t\t\t\t\t\t\n4\tc\n5\td\n");
    const TrainingLog resumed(path, 3);
    CHECK(read_file(path) == kHeader + "1\ta\t\t\t\t1\t2\t3\n3\tb\t\t\t\t\t\t\n");
    write_file(path, kHeader + "1\ta\t\t\t\t\t\t\n2\tcut o");
    const TrainingLog again(path, 3);
    CHECK(read_file(path) == kHeader + "1\ta\t\t\t\t\t\t\n");
    // What the user wrote stays: notes, other columns, a last line without its end.
    const std::string notes = "# moved to another machine\n\n3,0.5,1.6\n";
    const std::string last = "3\ta\t\t\t\t\t\t";
    write_file(path, kHeader + notes + "4\tb\t\t\t\t\t\t\n" + last);
    const TrainingLog noted(path, 3);
    CHECK(read_file(path) == kHeader + notes + last + "\n");
  }

  TEST_CASE("log lines are means over the steps since the last line") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("log.tsv");
    TrainingLog log(path, 0);
    log.add(step_report(1, {6, 4, 1, 2}));
    log.add(step_report(2, {0, 0, 0, 2}));
    CHECK(log.write_line() == 1.5);
    CHECK(!log.write_line().has_value());  // nothing to write
    log.add(step_report(2, {0, 0, 0, 2}));
    log.write_line(&kValidation);
    CHECK(read_file(path) ==
          kHeader +
              "2\t1.500000\t2.7183\t5.000000e-01\t10\t\t\t\n"
              "2\t0.000000\t1.0000\t5.000000e-01\t10\t4.000000\t7.3891\t12.25\n");
  }

  TEST_CASE("a validation without steps since the last line has a line of its own") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("log.tsv");
    TrainingLog log(path, 5);
    const std::string line = "\t\t\t\t\t4.000000\t7.3891\t12.25\n";
    CHECK(!log.write_line(&kValidation).has_value());  // made up for when the run is resumed
    CHECK(read_file(path) == kHeader + "5" + line);
    log.add(step_report(6, {6, 4, 1, 2}));
    CHECK(log.write_line().has_value());
    CHECK(!log.write_line(&kValidation).has_value());  // the run ends in time
    CHECK(read_log(path).back().step == 6);
    CHECK(read_log(path).back().validation_bleu == 12.25);
  }

  TEST_CASE("a log is read as it was written, and what is no number in it is none") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("log.tsv");
    write_file(path,
               kHeader + "10\t1.5\t4.5\t5e-01\t99\t\t\t\n20\t1\t2\t3\t4\t5\t6\t7\nodd\t1\n30\tx");
    const std::vector<LogLine> log = read_log(path);
    REQUIRE(log.size() == 3);
    CHECK(log[0].step == 10);
    CHECK(log[0].loss == 1.5);
    CHECK(log[0].perplexity == 4.5);
    CHECK(log[0].learning_rate == 0.5);
    CHECK(log[0].tokens_per_second == 99);
    CHECK(std::isnan(log[0].validation_loss));
    CHECK(log[1].validation_loss == 5);
    CHECK(log[1].validation_perplexity == 6);
    CHECK(log[1].validation_bleu == 7);
    CHECK(log[2].step == 30);
    CHECK(std::isnan(log[2].loss));
    CHECK(std::isnan(log[2].validation_bleu));
  }
}

TEST_SUITE("figures") {
  TEST_CASE("values stand over their steps, in training and in validation") {
    const Svg svg =
        training_curves("a <run>", {logged(50, 4, 3), logged(75, 3), logged(100, 2, 1)});
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
    const Svg svg = training_curves("run", {logged(10, 4, 4, 0), logged(20, 2, 3, 25)});
    CHECK(contains(svg.description, "learning rate and BLEU over 20 steps"));
    CHECK(contains(svg.body, "BLEU of the validation's sample"));
    CHECK(contains(svg.body, " 850,393.73\"/>"));
  }

  TEST_CASE(
      "a long log is drawn as means of neighbours, an exploded one no higher than 10⁸, and says "
      "so") {
    std::vector<LogLine> log;
    for (Index step = 1; step <= 1000; ++step) log.push_back(logged(step, step % 2 == 0 ? 1 : 3));
    const std::string body = training_curves("run", log).body;
    const std::size_t begin = body.find("<polyline class=\"line blue\" points=\"");
    const std::string curve = body.substr(begin, body.find("/>", begin) - begin);
    CHECK(std::count(curve.begin(), curve.end(), ',') == 334);  // three and three
    CHECK(contains(curve, ",146.95 "));                         // (1 + 3 + 1)/3 under (3 + 1 + 3)/3
    CHECK(!contains(body, "cut at the top"));
    const std::string exploded = training_curves("run", {logged(1, 4), logged(2, 1e30)}).body;
    CHECK(contains(exploded, "loss per token, nats; cut at the top"));
    CHECK(contains(exploded, ">100000000<"));
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(training_curves("run", {logged(1, infinite), logged(2, kNone)}).body.size() > 0);
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
}
