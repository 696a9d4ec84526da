#include "app/drawing/training_log.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "app/drawing/curves.h"
#include "storage/atomic_file.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace attn::test;

namespace {

const std::string kHeader =
    "step\tloss\tperplexity\tlearning_rate\ttokens_per_second\tvalidation_loss\t"
    "validation_perplexity\tvalidation_bleu\n";

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
  }

  TEST_CASE("log lines are means over the steps since the last line") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("log.tsv");
    TrainingLog log(path, 0);
    StepReport report;
    report.step = 1;
    report.sums = {6, 4, 1, 2};
    report.tokens = 5;
    report.rate = 0.5;
    report.seconds = 0.5;
    log.add(report);
    report.step = 2;
    report.sums = {0, 0, 0, 2};
    log.add(report);
    CHECK(log.write_line() == 1.5);
    CHECK(!log.write_line().has_value());  // nothing to write
    log.add(report);
    const Validation validation{{8, 4, 1, 2}, 12.25};
    log.write_line(&validation);
    CHECK(read_file(path) ==
          kHeader +
              "2\t1.500000\t2.7183\t5.000000e-01\t10\t\t\t\n"
              "2\t0.000000\t1.0000\t5.000000e-01\t10\t4.000000\t7.3891\t12.25\n");
  }

  TEST_CASE("a validation without steps since the last line has a line of its own") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("log.tsv");
    TrainingLog log(path, 5);
    const Validation validation{{8, 4, 1, 2}, 12.25};
    const std::string line = "\t\t\t\t\t4.000000\t7.3891\t12.25\n";
    CHECK(!log.write_line(&validation).has_value());  // made up for when the run is resumed
    CHECK(read_file(path) == kHeader + "5" + line);
    StepReport report;
    report.step = 6;
    report.sums = {6, 4, 1, 2};
    report.seconds = 0.5;
    log.add(report);
    CHECK(log.write_line().has_value());
    CHECK(!log.write_line(&validation).has_value());  // the run ends in time
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
