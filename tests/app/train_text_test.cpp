#include <doctest/doctest.h>

#include <filesystem>

#include "app/train.h"
#include "storage/atomic_file.h"
#include "support/program.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("train");

namespace {
// A directory with a small corpus.
struct Corpus {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  std::string files, valid;  // the options that name it, and that validate with it

  Corpus() {
    const std::string source =
        directory.file("source", "le chat dort\nle chien dort\nle chat mange\nun chat\n");
    const std::string target =
        directory.file("target", "the cat sleeps\nthe dog sleeps\nthe cat eats\na cat\n");
    files = " --source " + source + " --target " + target + " ";
    valid = " --valid-source " + source + " --valid-target " + target + " ";
  }
  Outcome train(const std::string& options) const {
    return run("train text" + files + kTiny + options + " --out " + made);
  }
};
}  // namespace

TEST_CASE("text is learned from two files, and what to try next works as it is printed") {
  const Corpus corpus;
  const Outcome outcome = worked(
      corpus.train("--steps 300 --warmup 50 --dropout 0 --label-smoothing 0" + corpus.valid));
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err, "4 pairs of "));
  CHECK(contains(outcome.err, "; validated with 4"));
  CHECK(!contains(outcome.err, "guesses more"));  // its BLEU is 0: no target has four words

  const Outcome translated = run("translate --model " + corpus.made, "le chat dort\nun chat\n");
  CHECK(translated.out == "the cat sleeps\na cat\n");
  const std::size_t begin = outcome.err.rfind("  " + kExecutable + " evaluate");
  REQUIRE(begin != std::string::npos);
  const std::string suggested = outcome.err.substr(begin + 3 + kExecutable.size());
  CHECK(contains(run(suggested.substr(0, suggested.find('\n'))).out, "exact_match\t1.000000\n"));
}

TEST_CASE("a run that has learned too little says so, and what would help") {
  const Corpus corpus;
  const Outcome outcome = worked(corpus.train("--steps 2" + corpus.valid));
  CHECK_MESSAGE(contains(outcome.err,
                         "this model guesses more than it knows: train it for longer, "
                         "or on more than 4 pairs\n"),
                outcome.err);
  // Nor is one that has diverged told to go on.
  std::filesystem::remove_all(corpus.made);
  const std::string wild = "--steps 4 --learning-rate-scale 1e5 --warmup 1 --averaging 0";
  CHECK(!contains(worked(corpus.train(wild + corpus.valid)).err, "guesses more"));
}

TEST_CASE("what was found in a text is said in a sentence") {
  TrainingSettings settings;
  DataReport report;
  report.files = "a and b";
  report.trained = 1000;
  CHECK(app::data_summary(settings, report) ==
        "1,000 pairs of a and b; nothing is held out, so there is no validation");
  settings.hold_out = 50;
  CHECK(
      contains(app::data_summary(settings, report),
               "no validation (of so few sources, --hold-out 50 chose none; give a smaller number, "
               "or --valid-source)"));
  report.validated = 20;
  report.left_out.too_long = 2;
  report.tokens = 200;
  report.unknown = 3;
  CHECK(app::data_summary(settings, report) ==
        "1,000 pairs of a and b; left out: 2 too long; validated with 20 others, one "
        "source in 50, chosen by its hash; 1.5 % of the tokens are unknown");
  settings.valid_source = "c";
  report.left_out = {};
  report.left_out_of_validated.empty = 1;
  CHECK(contains(app::data_summary(settings, report),
                 "; validated with 20; left out: 1 with an empty side; 1.5 %"));
}

TEST_CASE("lines that look like others are counted where they are validated with as well") {
  const Corpus corpus;
  const std::string source = corpus.directory.path("v.source"),
                    target = corpus.directory.path("v.target");
  write_file(source, "a\nb\u00A0\n");
  write_file(target, "a\nb\n");
  CHECK(
      contains(corpus.train("--steps 0 --valid-source " + source + " --valid-target " + target).err,
               "; other tokens than they look: 1 with U+00A0 for a space"));
}

TEST_CASE("a path that is not UTF-8 is named before anything is made") {
  const Corpus corpus;
  check_fails(run("train text --source " + corpus.directory.path("a\xFF") + " --target " +
                  corpus.directory.path("target") + kTiny + "--out " + corpus.made),
              "--source: '" + corpus.directory.path("a\xFF") + "' is not UTF-8 at byte ", 2);
  CHECK(!exists(corpus.made));
}

TEST_CASE("a run on text resumes with its own vocabulary and the same batches") {
  const Corpus corpus;
  // More pairs than a batch holds, so that it is stopped in the middle of a later epoch.
  std::string source, target;
  for (int i = 0; i < 40; ++i) {
    source += "un chat " + std::to_string(i) + '\n';
    target += "a cat " + std::to_string(i) + '\n';
  }
  write_file(corpus.directory.path("source"), source);
  write_file(corpus.directory.path("target"), target);
  // In the second, it is stopped between two validations, and so has one that the whole one lacks.
  for (const std::string& options :
       {std::string(), "--averaging 0.9 --accumulate 2 --validate-every 4" + corpus.valid}) {
    CAPTURE(options);
    std::vector<std::string> files;
    for (const int stopped_at : {22, 9}) {
      std::filesystem::remove_all(corpus.made);
      worked(corpus.train(text(options, " --quiet --vocabulary 270 --steps ", stopped_at)));
      if (stopped_at < 22) worked(run("train --resume " + corpus.made + " --steps 22 --quiet"));
      for (const char* file : {"/model.safetensors", "/training.safetensors"}) {
        files.push_back(read_file(corpus.made + file));
      }
    }
    CHECK(files[0] == files[2]);
    CHECK(files[1] == files[3]);
  }
}

TEST_CASE("a tokenizer that exists is taken as it is, and a resumed run keeps its own") {
  const Corpus corpus;
  const std::string file = corpus.directory.path("tokenizer");
  worked(run("tokenizer train --vocabulary 270 --source " + corpus.directory.path("source") +
             " --out " + file));
  const std::string words = "attention-tokenizer 1 words\n5\n<unk>\n<bos>\n<eos>\nle\nthe\n";
  const std::string learned = read_file(file);
  for (const std::string& contents : {learned, words}) {
    write_file(file, contents);
    const Outcome outcome = worked(corpus.train("--steps 4 --tokenizer " + file));
    CHECK(read_file(corpus.made + "/tokenizer.txt") == contents);
    // Of 22 words, three are le and three the.
    CHECK(contains(outcome.err, "; 72.7 % of the tokens are unknown\n") == (contents == words));
    const std::string resume = "train --quiet --resume " + corpus.made;
    std::filesystem::remove(file);
    CHECK(run(resume + " --steps 6").status == 0);
    CHECK(read_file(corpus.made + "/tokenizer.txt") == contents);
    CHECK(contains(run(resume + " --tokenizer words").err, "it is fixed by the run"));
    std::filesystem::remove_all(corpus.made);
  }
  write_file(file, words);
  check_fails(corpus.train("--vocabulary 300 --tokenizer " + file),
              "--vocabulary is for a tokenizer that is learned; that in " + file, 2);
  check_fails(corpus.train("--tokenizer " + corpus.directory.path("source")),
              corpus.directory.path("source") + ", line 1: expected");
}

TEST_CASE("a run does not go on with a corpus that has changed") {
  for (const char* name : {"source", "target", "valid-source", "valid-target"}) {
    CAPTURE(name);
    const Corpus corpus;
    const TemporaryDirectory& directory = corpus.directory;
    worked(corpus.train("--steps 2 --quiet --valid-source " +
                        directory.file("valid-source", "le chat\n") + " --valid-target " +
                        directory.file("valid-target", "the cat\n")));
    const std::string good = read_file(directory.path(name));
    const std::string resume = "train --quiet --resume " + directory.path("run") + " --steps 3";
    write_file(directory.path(name), "un" + good);  // as many lines
    const Outcome outcome = run(resume);
    check_fails(outcome, "the run was trained with other lines than are in " + directory.path());
    CHECK(contains(outcome.err, directory.path(name)));
    write_file(directory.path(name), good);
    CHECK(run(resume).status == 0);
  }
}

TEST_CASE("a run resumes from any directory, and names a file that is gone") {
  const Corpus corpus;
  const TemporaryDirectory& directory = corpus.directory;
  worked(run_script(
      "cd " + directory.path() + " && \"$attention\" train text --source source --target target " +
      kTiny + "--steps 2 --quiet --out run && cd / && \"$attention\" train --quiet --resume " +
      directory.path("run") + " --steps 3"));

  std::filesystem::remove(directory.path("source"));
  const std::string resume = "train --quiet --resume " + directory.path("run");
  check_fails(run(resume), directory.path("source") + ", with which the run in " +
                               directory.path("run") + " was trained, is missing");
  check_fails(run(resume + " --source " + directory.path("target")),
              "--source cannot be given with --resume: it is fixed by the run", 2);
}

TEST_CASE("pairs of one file are trained in either direction, and some are held out") {
  const TemporaryDirectory directory;
  std::string lines;
  for (int i = 0; i < 120; ++i) {
    lines += text("one ", i / 10, ' ', i % 10, " t", i, "\tun ", i / 10, ' ', i % 10, "\tmore\n");
  }
  lines += "one 0 7 t7\tun 0 7\nalone\t\n";
  const std::string train = "train text --pairs " + directory.file("pairs", lines) + kTiny +
                            "--steps 3 --hold-out 10 --out " + directory.path("run");
  const Outcome outcome = worked(run(train + " --swap --tokenizer words"));
  CHECK_MESSAGE(contains(outcome.err, "; left out: 1 with an empty side; validated with "),
                outcome.err);
  CHECK(
      contains(outcome.err, " others, one source in 10, chosen by its hash; left out: 1 repeated"));
  CHECK(contains(outcome.err, ", BLEU "));

  const Run loaded = resume_run(directory.path("run"));
  CHECK(loaded.tokenizer.units() == Units::words);
  TrainingSettings settings = loaded.trainer.settings;
  const TrainingData data = training_data(settings, kAnyLength, {loaded.tokenizer});
  CHECK(data.validation.sample.front().source.substr(0, 3) == "un ");

  const std::string without = train.substr(0, train.find("--hold-out"));
  check_fails(run(without + "--hold-out 0 --patience 2 --out " + directory.path("other")),
              "nothing is held out, and --patience requires pairs to validate with");
  check_fails(run(without + "--hold-out 0 --keep best --out " + directory.path("other")),
              "--keep best needs sentences to validate with, and none are held out", 2);
  const Outcome none = run(without + "--hold-out 1000000 --out " + directory.path("none"));
  CHECK_MESSAGE(contains(none.err, "(of so few sources, --hold-out 1000000 chose none; give a"),
                none.err);
  // Without --steps there is a limit of time.
  CHECK(!contains(none.err, "; at most"));
  const std::string endless = directory.path("endless");
  CHECK(run(without.substr(0, without.find("--steps")) + "--steps 0 --out " + endless).status == 0);
  CHECK(contains(run("train --resume " + endless).err, "; at most 60 minutes\n"));
  CHECK(contains(run("train --minutes 1 --resume " + endless).err, "; at most 1 minute\n"));
}

TEST_CASE("training stops when validations bring no gain; the last weights decode, or the best") {
  const Corpus corpus;
  // At such a rate no validation is better than the first for long.
  const std::string options =
      "--steps 100000 --warmup 1 --learning-rate-scale 50 --patience 2 --validate-every 5 "
      "--save-every 5" +
      corpus.valid;
  const auto step_after = [](const std::string& words, const std::string& said) {
    const std::size_t begin = said.find(words);
    REQUIRE_MESSAGE(begin != std::string::npos, said);
    return std::stoi(said.substr(said.find("step ", begin) + 5));
  };
  const auto checkpoint = [&](int step) {
    const std::string digits = std::to_string(100'000'000 + step).substr(1);
    return read_file(corpus.made + "/checkpoints/step-" + digits + ".safetensors");
  };
  const Outcome outcome = worked(corpus.train(options));
  CHECK(contains(outcome.err, "; no gain in 2 validations in a row. To continue:"));
  const int best = step_after("kept for translating: the last weights;", outcome.err);
  CHECK(read_file(corpus.made + "/model.safetensors") == checkpoint(best + 10));

  std::filesystem::remove_all(corpus.made);
  const Outcome chosen = worked(corpus.train(options + " --keep best"));
  CHECK(step_after("kept for translating: the weights of step", chosen.err) == best);
  CHECK(read_file(corpus.made + "/model.safetensors") == checkpoint(best));
  CHECK(checkpoint(best) != checkpoint(best + 10));
  // What is proposed goes on, also where fewer are asked for than there were.
  const std::string again = "train --patience 1 --resume " + corpus.made;
  CHECK(contains(run(again).err, " --patience 4\n"));
  const std::string at_the_end = again + " --steps " + std::to_string(best + 10);
  CHECK(contains(run(at_the_end).err,
                 " --patience 4 --steps " + std::to_string(2 * (best + 10)) + "\n"));
}

TEST_CASE("a run that diverges leaves what was saved before, says so, and can be resumed") {
  const Corpus corpus;
  worked(corpus.train("--tie-embeddings no --clip 0 --hold-out 0 --steps 2 --quiet"));
  {
    // The logits' gradients are multiplied by these weights.
    const Run kept = resume_run(corpus.made);
    kept.model->visit_parameters([](const std::string& name, Parameter& p) {
      if (name != "projection.weight") return;
      for (Index i = 0; i < p.value.elements(); ++i) p.value[i] *= Real(1e22);
    });
    save_run(kept, false);
  }
  const Outcome outcome = run("train --steps 9 --resume " + corpus.made);
  check_fails(outcome,
              "the gradient is too large at step 3: training has diverged; try a lower --");
  CHECK_MESSAGE(contains(outcome.err, "; " + corpus.made + " keeps the run as it was at step 2\n"),
                outcome.err);
  CHECK(resume_run(corpus.made).trainer.step == 2);
}

TEST_CASE("text has defaults of its own; a preset that is named changes sizes alone") {
  struct Case {
    const char* options;
    const char *d_model, *d_k;
  };
  for (const Case& c : {Case{"", "192", "48"}, Case{"--preset small", "256", "64"}}) {
    CAPTURE(c.options);
    const Corpus corpus;
    worked(run("train text" + corpus.files + c.options + " --layers 1 --steps 0 --out " +
               corpus.made));
    const Run loaded = resume_run(corpus.made);
    const Settings model = loaded.model->facts.settings;
    const Settings training = to_settings(loaded.trainer.settings);
    CHECK(model.at("d_model") == c.d_model);
    CHECK(model.at("d_k") == c.d_k);
    CHECK(model.at("dropout") == "0.3");
    CHECK(training.at("batch_tokens") == "1024");
    CHECK(training.at("warmup") == "1000");
    CHECK(training.at("averaging") == "0.999");
    CHECK(training.at("hold_out") == "50");
  }
}

TEST_CASE("a file without an end is refused, with the line where reading stopped") {
  const Corpus corpus;
  if (!std::filesystem::exists("/dev/full")) return;
  const std::string options =
      " --target " + corpus.directory.path("target") + kTiny + "--out " + corpus.made;
  const std::string train = "\"$attention\" train text --threads 1 --source ";
  for (const std::string file : {"/dev/full", "/dev/zero"}) {
    check_fails(run_script(limit_memory(2'000'000'000) + train + file + options),
                file + ", line 1: longer than 1,048,576 bytes");
  }
  if (limit_memory(1).empty()) return;
  const std::string pipe = corpus.directory.path("pipe");
  check_fails(run_script("mkfifo " + pipe + "; yes > " + pipe + " & " + limit_memory(500'000'000) +
                         train + pipe + options),
              "the lines so far take half of the memory");
}

TEST_SUITE_END();

}  // namespace attn::test
