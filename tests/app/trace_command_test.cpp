// The command line of attention trace, and its text.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "app/drawing/value_text.h"
#include "app/terminal/printing.h"
#include "app/trace_json.h"

namespace attn::test {

TEST_SUITE_BEGIN("trace");

TEST_CASE("a trace is narrowed to layers, heads and names") {
  const auto narrowed = [](const std::string& options) { return names_of(trace_json(options)); };
  using Names = std::vector<std::string>;
  const std::string self = "encoder.0.self_attention.heads.", decoder = "decoder.0.";
  CHECK(narrowed("--only e") == Names{"e"});
  CHECK(narrowed("--only " + self + "0.S") == Names{self + "0.S"});
  CHECK(narrowed("--only S").size() == 6);
  CHECK(narrowed("--only S,A --head 1") ==
        Names{self + "1.S", self + "1.A", decoder + "self_attention.heads.1.S",
              decoder + "self_attention.heads.1.A", decoder + "cross_attention.heads.1.S",
              decoder + "cross_attention.heads.1.A"});
  CHECK(narrowed("--only encoder --layer 0 --head 0") ==
        Names{self + "0.Q", self + "0.K", self + "0.V", self + "0.S", self + "0.A", self + "0.P",
              self + "0.O"});
  CHECK(narrowed("--only self_attention.heads.0.O").size() == 2);
  CHECK(narrowed("--backward --only dE") == Names{"output.dE", "target.dE", "source.dE"});
  CHECK(narrowed("--backward --only S") == narrowed("--backward --only dS"));
  CHECK(narrowed("--backward --only S,z") == narrowed("--backward --only dS,dz"));
  CHECK(narrowed("--backward --only decoder.0.self_attention.heads.1.S") ==
        Names{decoder + "self_attention.heads.1.dS"});
  CHECK(narrowed("--weights --only gamma").size() == 5);
  for (const std::string& name : narrowed("--layer 0")) {
    CHECK((name == "z" || name == "h" || name.find("coder.0.") != name.npos));
  }
  for (const std::string& name : narrowed("--backward --layer 0")) {
    CHECK((name == "de" || name == "dg" || name.find("coder.0.") != name.npos));
  }

  // In text, a name alone brings its value alone.
  const Outcome outcome = run("trace --only loss");
  CHECK(outcome.out.rfind("loss  [1] ", 0) == 0);
  CHECK(contains(outcome.out, "L = mean of L_t\n  §5.4\n"));
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 3);
}

TEST_CASE("names, layers and heads that are not there are errors that say what is") {
  const auto fails = [](const std::string& options, int status, const std::string& message) {
    check_fails(run("trace " + options), "attention: error: " + message, status);
  };
  fails("--only R", 2,
        "nothing here is named 'R'; there are: x, embedding, position, e, u, Q, K, ");
  fails("--only e,", 2, "nothing here is named ''");
  fails("--only encoder.1", 2, "nothing here is named 'encoder.1'");
  fails("--only dS", 2, "nothing here is named 'dS'");
  fails("--only e --layer 0", 2, "nothing here is named 'e'");
  fails("--only gamma", 2, "nothing here is named 'gamma'");
  fails("--backward --only loss", 2, "nothing here is named 'loss'; there are: dlogits, ");
  fails("--layer 1", 2, "--layer must be 0, not '1'");
  fails("--head 2", 2, "--head must be a whole number from 0 to 1, not '2'");
  fails("--head -1", 2, "--head must be a whole number from 0 to 1, not '-1'");
  fails("--backward --weights", 2, "--weights goes with the forward pass");
  fails("--model " + small_run(), 2, "a trained model needs a \"source\" sentence");
  fails("--model nowhere a", 1, "nowhere");
  fails("\"\"", 1, "the source sentence has no words");
}

TEST_CASE("tokens label rows and columns, and words that are not known become <unk>") {
  const Outcome outcome = run("trace --json \"Jane visite Paris\" \"Jane <eos>\"");
  const std::string unknown = "attention: warning: the model does not know the word ";
  CHECK(outcome.err ==
        unknown + "\"Paris\", and reads <unk>\n" + unknown + "\"<eos>\", and reads <unk>\n");
  const Json trace = json_of(outcome);
  CHECK(to_json(trace.at("x").at("rows")) == R"(["Jane","visite","<unk>","<eos>"])");
  CHECK(to_json(trace.at("x").at("data")) == "[3,4,0,2]");
  const Json& S = trace.at("decoder.0.cross_attention.heads.1.S");
  CHECK(to_json(S.at("rows")) == R"(["<bos>","Jane","<unk>"])");
  CHECK(to_json(S.at("columns")) == R"(["Jane","visite","<unk>","<eos>"])");
  CHECK(to_json(S.at("shape")) == "[3,4]");
  CHECK(S.at("symbol").string() == "S");
  CHECK(to_json(trace.at("y").at("rows")) == R"(["Jane","<unk>","<eos>"])");
  CHECK(trace.at("p").at("columns").items().at(11).string() == "September");
}

TEST_CASE(
    "a target without words is <bos> and <eos>; without any target the model's own is taken") {
  const Json empty = trace_json("Jane \"\"");
  CHECK(to_json(empty.at("y").at("data")) == "[2]");
  CHECK_FALSE(empty.at("trace").at("translated").boolean());

  const Json own = trace_json("--model " + small_run() + " \"a b c\"");
  const Outcome translated = worked(run("translate --beam 1 --model " + small_run(), "a b c\n"));
  CHECK(own.at("trace").at("target").string() + "\n" == translated.out);
  CHECK(own.at("trace").at("translated").boolean());
  CHECK(own.at("trace").at("configuration").at("d_model").integer() == 16);
  CHECK(contains(run("trace --model " + small_run() + " \"a b c\"").out,
                 "    (the model's own translation)\n"));
}

TEST_CASE("the text has every value of the JSON, in columns that are straight") {
  for (const std::string& options :
       {std::string("--weights"), std::string("--backward"),
        "--model " + small_run() + " \"a b c\"", "--model " + small_run() + " --backward a a"}) {
    CAPTURE(options);
    const Outcome outcome = worked(run("trace " + options));
    std::istringstream lines(outcome.out);
    std::string line;
    const Json trace = trace_json(options);
    std::vector<std::string> names = names_of(trace);
    std::size_t seen = 0, table_width = 0;
    bool in_table = false;
    while (std::getline(lines, line)) {
      CAPTURE(line);
      const std::size_t width = display_width(line);
      CHECK((width <= 100 || contains(line, small_run())));
      CHECK((line.empty() || line.back() != ' '));
      if (seen < names.size() && line.rfind(names[seen] + "  [", 0) == 0) {
        const Json& value = trace.at(names[seen++]);
        CHECK(contains(line, "  " + value.at("formula").string()));
        std::getline(lines, line);
        CHECK(contains(line, value.at("section").string()));
        in_table = true;
        table_width = 0;
      } else if (line.empty()) {
        table_width = 0;  // the next fold, or the next value
      } else if (in_table && line.rfind("──", 0) != 0) {
        CHECK((table_width == 0 || width == table_width));
        table_width = width;
      }
    }
    CHECK(seen == names.size());
  }
}

TEST_CASE("numbers are written so that they can be told apart") {
  TraceValue value;
  value.name = "v";
  value.formula = "v";
  value.data = Tensor::zeros({1, 4});
  const auto table = [&value](std::initializer_list<Real> numbers) {
    std::copy(numbers.begin(), numbers.end(), value.data.data());
    const std::string all = value_text(value, true);
    return all.substr(all.find('\n') + 1);
  };
  const Real infinity = std::numeric_limits<Real>::infinity();
  CHECK(table({1, -2, 0, 3}) == "     1  -2   0   3\n");
  CHECK(table({Real(0.5), -1, 0, Real(0.25)}) == "     0.50  -1.00      0   0.25\n");
  // Exactly 0, and what only rounds to it; no −0.
  CHECK(table({Real(1) / 3, Real(-1e-7), 0, 1}) == "    0.3333  0.0000       0  1.0000\n");
  CHECK(table({-infinity, Real(-0.0), infinity, 1}) == "    -∞   0   ∞   1\n");
  CHECK(table({NAN, 1, 1, 1}) == "    NaN    1    1    1\n");
  // Small numbers keep four digits, tiny and huge ones an exponent.
  CHECK(table({Real(0.001234567), 0, 0, 0}) == "    0.001235         0         0         0\n");
  CHECK(table({Real(1.5e-12), 0, 0, 0}) == "    1.500e-12          0          0          0\n");
  CHECK(table({Real(3e20), 0, 0, 0}) == "    3.000e+20          0          0          0\n");
}

TEST_CASE("long sentences are cut short in the whole text, and shown whole by name") {
  std::string words;
  for (int i = 0; i < 60; ++i) words += i == 0 ? "a" : " b";
  const std::string options = "--model " + small_run() + " \"" + words + "\" \"a b\"";
  const Outcome all = worked(run("trace " + options));
  CHECK(contains(all.out, "…"));
  CHECK(all.out.size() < 100'000);
  const std::string name = " --only encoder.0.self_attention.heads.0.P ";
  const Outcome whole = worked(run("trace" + name + options));
  CHECK_FALSE(contains(whole.out, "…"));
  CHECK(trace_json(name + options)
            .at("encoder.0.self_attention.heads.0.P")
            .at("data")
            .items()
            .at(60)
            .items()
            .size() == 61);
}

TEST_SUITE_END();

}  // namespace attn::test
