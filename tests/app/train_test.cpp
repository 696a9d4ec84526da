#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "app/defaults.h"
#include "app/terminal/console.h"
#include "app/train.h"
#include "model/config.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/defaults_in_help.h"
#include "support/program.h"
#include "training/run_directory.h"

namespace attn::test {

namespace fs = std::filesystem;

TEST_SUITE_BEGIN("train");

namespace {
std::string file(const std::string& run, const std::string& name) {
  return read_file((fs::path(run) / name).string());
}

// Trains for the given arguments; it must succeed and say nothing.
void train_quietly(const std::string& arguments) {
  const Outcome outcome = worked(run("train " + arguments + " --quiet"));
  CHECK(outcome.err.empty());
  CHECK(outcome.out.empty());
}
}  // namespace

TEST_CASE("a run that was stopped and resumed is the same, byte by byte, on any threads") {
  const TemporaryDirectory directory;
  const std::string all = directory.path("all"), parts = directory.path("parts"),
                    threads = directory.path("threads");
  const std::string options = "reverse --dropout 0.2 --accumulate 2 --seed 7" + kTiny;
  train_quietly(options + "--steps 40 --out " + all);
  train_quietly(options + "--steps 13 --out " + parts);
  train_quietly("--resume " + parts + " --steps 40 --threads 1");
  train_quietly(options + "--steps 40 --threads 2 --out " + threads);
  for (const char* name : {"model.safetensors", "training.safetensors", "tokenizer.txt"}) {
    CAPTURE(name);
    CHECK(file(all, name) == file(threads, name));
    CHECK(file(all, name) == file(parts, name));
  }
  train_quietly("reverse --dropout 0.2 --accumulate 2 --seed 8" + kTiny + "--steps 40 --out " +
                directory.path("other"));
  CHECK(file(all, "model.safetensors") != file(directory.path("other"), "model.safetensors"));
}

TEST_CASE("a run can be resumed before its first step") {
  const TemporaryDirectory directory;
  const std::string late = directory.path("late"), at_once = directory.path("at_once");
  train_quietly("copy --steps 0 --save-every 1 --out " + late + kTiny);
  CHECK(!fs::exists(late + "/checkpoints"));  // which a run that is not stopped has from step 1 on
  train_quietly("copy --resume " + late + " --steps 3");
  train_quietly("copy --steps 3 --out " + at_once + kTiny);
  CHECK(file(late, "model.safetensors") == file(at_once, "model.safetensors"));
}

TEST_CASE("a run that is killed can be resumed") {
  const TemporaryDirectory directory;
  const std::string killed = directory.path("killed"), whole = directory.path("whole");
  const std::string options = "copy --seed 3 --save-every 7" + kTiny;
  const Outcome outcome = run_script("\"$attention\" train " + options +
                                     "--steps 1000000 --quiet --out " + killed + R"( & pid=$!
      while ! test -e )" + killed + R"(/checkpoints/step-00000014.safetensors
      do sleep 0.01; done
      kill -9 $pid; wait $pid)");
  REQUIRE(outcome.status == 128 + 9);
  // Wherever it was by then.
  const Index step = resume_run(killed).trainer.step;
  CHECK(step >= 14);
  const std::string steps = " --steps " + std::to_string(step + 5);
  train_quietly("--resume " + killed + steps);
  train_quietly(options + steps + " --out " + whole);
  CHECK(file(killed, "model.safetensors") == file(whole, "model.safetensors"));
}

TEST_CASE("training succeeds where the current directory was removed") {
  const TemporaryDirectory directory;
  const std::string gone = directory.path("gone"), path = directory.path("run");
  const Outcome outcome =
      worked(run_script("mkdir " + gone + "; cd " + gone + "; rmdir " + gone +
                        "; \"$attention\" train copy --steps 1 --out " + path + kTiny));
  CHECK(contains(outcome.err, "translate --model " + path));
}

TEST_CASE("a run that is asked to stop saves, says how to go on, and goes on as if nothing was") {
  const std::pair<std::string, int> signals[] = {
      {"TERM", 15}, {"INT", 2}, {"HUP", 1}, {"XCPU", SIGXCPU}};
  for (const auto& sent : signals) {
    const std::string signal = sent.first;
    CAPTURE(signal);
    // A terminal that is closed sends SIGHUP twice: the system does, and the shell.
    const std::string again = signal == "HUP" ? "; kill -HUP $(cat $pid)" : "";
    const TemporaryDirectory directory;
    const std::string stopped = directory.path("stopped"), whole = directory.path("whole");
    const std::string options = "copy" + kTiny;
    // The program runs in the foreground: what a shell starts in the background ignores SIGINT.
    const Outcome outcome = run_script("pid=" + directory.path("pid") + "; log=" + stopped +
                                       "/log.tsv; export attention" + R"(
        (until test -s $log && test $(wc -l < $log) -ge 3; do sleep 0.01; done
         kill -)" + signal + " $(cat $pid)" +
                                       again + R"() &
        sh -c 'echo $$ > $0; exec "$attention" "$@"' $pid train )" +
                                       options + "--steps 1000000 --out " + stopped);
    CHECK(outcome.status == 128 + sent.second);
    CHECK_MESSAGE(contains(outcome.err, "train --resume " + stopped), outcome.err);
    CHECK(contains(outcome.err, "stopping and saving; Ctrl-C again") == (signal == "INT"));
    const Index step = resume_run(stopped).trainer.step;
    REQUIRE(step > 0);
    const std::string steps = " --steps " + std::to_string(step + 5);
    train_quietly("--resume " + stopped + steps);
    train_quietly(options + steps + " --out " + whole);
    CHECK(file(stopped, "model.safetensors") == file(whole, "model.safetensors"));
  }
}

namespace {
// For a script: waits until log.tsv of $run is there, and the process that $pid names has then
// computed for another 0.2 s, in ticks of 0.01 s, however busy the machine is.
const std::string kUntilItComputes = R"(
      ticks() { cut -d ' ' -f 14 /proc/$(cat $pid)/stat; }
      until test -s $run/log.tsv; do sleep 0.01; done
      if test -e /proc/self/stat; then begin=$(ticks); else sleep 0.5; fi
      while test -n "$begin" && kill -0 $(cat $pid) && test $(ticks) -lt $((begin + 20))
      do sleep 0.01; done
)";
}  // namespace

TEST_CASE("signals at once are one request to save, as timeout sends them") {
  const TemporaryDirectory directory;
  const std::string stopped = directory.path("stopped");
  const Outcome outcome =
      run_script("pid=" + directory.path("pid") + "; run=" + stopped + "; export attention; (" +
                 kUntilItComputes +
                 R"(p=$(cat $pid); for i in 1 2 3 4 5 6 7 8 9; do kill -TERM $p; done) &
      sh -c 'echo $$ > $0; exec "$attention" "$@"' $pid train copy --out )" +
                 stopped + kTiny);
  CHECK(outcome.status == 128 + 15);
  CHECK_MESSAGE(contains(outcome.err, " and saved"), outcome.err);
  CHECK(resume_run(stopped).trainer.step > 0);
}

TEST_CASE("a run goes on where it is when the link that it was named by is changed") {
  const TemporaryDirectory directory;
  const std::string link = directory.path("latest"), here = directory.path("here");
  const Outcome outcome = run_script("mkdir " + here + " " + here + "-not; ln -s here " + link +
                                     "; pid=" + directory.path("pid") + "; run=" + here +
                                     "; link=" + link + "; export attention; (" + kUntilItComputes +
                                     R"(ln -sfn here-not $link; kill -TERM $(cat $pid)) &
      sh -c 'echo $$ > $0; exec "$attention" "$@"' $pid train copy --out )" +
                                     link + "/" + kTiny);
  CHECK(outcome.status == 128 + 15);
  CHECK_MESSAGE(contains(outcome.err, "train --resume " + here + "\n"), outcome.err);
  CHECK(resume_run(here).trainer.step > 0);
  CHECK(fs::is_empty(here + "-not"));
}

TEST_CASE("Ctrl-C half a second after Ctrl-C ends the program at once, and no other signal does") {
  // Longer than the half second. However much longer, the rest is the same.
  const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(600)); };
  catch_signals();
  std::raise(SIGHUP);
  CHECK(caught_signal() == SIGHUP);
  wait();
  for (const int signal : {SIGTERM, SIGHUP, SIGXCPU, SIGINT}) std::raise(signal);
  wait();
  for (const int signal : {SIGTERM, SIGHUP, SIGXCPU}) std::raise(signal);
  const pid_t child = fork();
  if (child == 0) {
    std::raise(SIGINT);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
  CHECK(caught_signal() == SIGHUP);
  leave_signals();
}

TEST_CASE("Ctrl-C within a step of many batches saves the step before it, however large it is") {
  const TemporaryDirectory directory;
  const std::string stopped = directory.path("stopped");
  // The step would take hours, and its batches all memory.
  train_quietly("copy --accumulate 100000000 --steps 0 --out " + stopped + kTiny);
  fs::remove(fs::path(stopped) / "log.tsv");  // which resuming writes again
  const Outcome outcome = run_script("pid=" + directory.path("pid") + "; run=" + stopped +
                                     "; export attention; (" + kUntilItComputes +
                                     R"(kill -INT $(cat $pid)) &
      sh -c 'echo $$ > $0; exec "$attention" "$@"' $pid train --steps 2 --resume )" +
                                     stopped);
  CHECK(outcome.status == 128 + 2);
  CHECK_MESSAGE(contains(outcome.err, "0 steps in "), outcome.err);
  CHECK_MESSAGE(contains(outcome.err, "stopped at step 0 of 2 and saved"), outcome.err);
  CHECK(!contains(outcome.err, "nan"));
  CHECK(resume_run(stopped).trainer.next_batch == 0);
}

TEST_CASE("Ctrl-C during a long validation is answered, and the validation made up for") {
  const TemporaryDirectory directory;
  const std::string lines = directory.path("lines"), stopped = directory.path("stopped"),
                    whole = directory.path("whole");
  const std::string letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z ";
  std::string text;
  for (int i = 0; i < 10'000; ++i) text += letters + std::to_string(i) + "\n";
  write_file(lines, text);
  write_file(directory.path("few"), letters + "\na\n");
  const std::string few = directory.path("few"),
                    options = "text --tokenizer words --validate-every 1 --source " + few +
                              " --target " + few + " --valid-source " + lines + " --valid-target " +
                              lines + kTiny;
  // The first validation takes half a second and more.
  const Outcome outcome =
      run_script("pid=" + directory.path("pid") + "; run=" + stopped + "; export attention; (" +
                 kUntilItComputes + R"(kill -INT $(cat $pid)) &
      sh -c 'echo $$ > $0; exec "$attention" "$@"' $pid train )" +
                 options + " --steps 100 --out " + stopped);
  CHECK(outcome.status == 128 + 2);
  CHECK_MESSAGE(contains(outcome.err, "stopped at step 1 of 100 and saved"), outcome.err);
  CHECK(!contains(outcome.err, "validation: loss"));
  const Outcome resumed = worked(run("train --steps 2 --resume " + stopped));
  CHECK_MESSAGE(contains(resumed.err, "step 1/2  validation: loss "), resumed.err);
  train_quietly(options + " --steps 2 --out " + whole);
  CHECK(file(stopped, "training.safetensors") == file(whole, "training.safetensors"));
}

TEST_CASE("in a pipe there are plain lines, and the result alone goes to standard output") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  const Index every = defaults_of("copy").training.validate_every;
  const std::string total = std::to_string(2 * every);
  const Outcome outcome = worked(run("train copy --steps " + total + " --out " + made + kTiny));
  for (const char* byte : {"\x1b", "\r"}) CHECK(!contains(outcome.err, byte));
  CHECK(contains(outcome.err, "step " + std::to_string(every) + "/" + total + "  loss "));
  CHECK(contains(outcome.err, "step " + total + "/" + total + "  loss "));
  CHECK(count(outcome.err, "  validation: loss ") == 2);
  CHECK(contains(outcome.err, "guessing among 29 tokens gives 3.37"));
  CHECK(contains(outcome.err, "translate --model " + app::typed_path(made)));
  CHECK(app::typed_path("./--x") == "./--x");
  CHECK(contains(outcome.out, " of 1,000  never seen in training, 3 to 20 words\n"));
  CHECK(contains(outcome.out, " of   200  longer than any in training, 21 to 30 words\n"));
  CHECK(!contains(outcome.out, "loss"));
}

TEST_CASE("the log has ten lines between two validations, cut back when a run resumes") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  const Index every = defaults_of("copy").training.validate_every, line = every / 10;
  train_quietly("copy --steps " + std::to_string(every) + " --out " + made + kTiny);
  CHECK(count(file(made, "log.tsv"), "\n") == 1 + 10);
  // Only the last of them is of a step that was validated.
  CHECK(count(file(made, "log.tsv"), "\t\t\n") == 9);
  const auto steps_drawn = [&](Index steps) {
    return count(file(made, "curves.svg"), " over " + std::to_string(steps) + " steps.");
  };
  CHECK(steps_drawn(every) == 1);
  // Lines of steps that were lost, the last of them not even whole.
  const std::string before = file(made, "log.tsv"), lost = std::to_string(every + line);
  write_file((fs::path(made) / "log.tsv").string(), before + lost + "\t1\t1\t1\t1\t\t\n99");
  train_quietly("--resume " + made + " --steps " + std::to_string(every + 2 * line));
  const std::string after = file(made, "log.tsv");
  CHECK(after.substr(0, before.size()) == before);
  CHECK(count(after, "\n") == 1 + 12);
  CHECK(count(after, "\n" + lost + "\t") == 1);
  CHECK(steps_drawn(every + 2 * line) == 1);
  // A process may be killed before it draws.
  fs::remove(fs::path(made) / "curves.svg");
  train_quietly("--resume " + made);
  CHECK(steps_drawn(every + 2 * line) == 1);
}

TEST_CASE(
    "what training says of its end is plain: one step is one, and what was not reached is said") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  const Outcome one = run("train copy --steps 1 --out " + made + kTiny);
  CHECK_MESSAGE(contains(one.err, "\n1 step in "), one.err);
  CHECK(contains(one.err, "; 10,000 fresh sequences without a mistake were not reached. For more"));
  CHECK(contains(run("train --resume " + made).err, "step 1 of 1 was taken already. For more"));
}

TEST_CASE("a loss has exploded far above that of guessing, or at ten times the best perplexity") {
  const double guessing = std::log(29), best = 0.7;
  for (const double fine : {best, 2.9, 0.8, best + std::log(10) - 0.01}) {
    CHECK(!app::has_exploded(fine, guessing, best));
  }
  CHECK(app::has_exploded(best + std::log(10) + 0.01, guessing, best));
  CHECK(!app::has_exploded(2 * guessing + 4.99, guessing, 11));
  CHECK(app::has_exploded(2 * guessing + 5.01, guessing, 11));
  // A fresh language model of seven tokens, which is pre-norm, has this loss and learns well.
  CHECK(!app::has_exploded(6.64, std::log(7), 6.64));
}

TEST_CASE("a loss that explodes but stays finite is warned of once, with what to try") {
  const TemporaryDirectory directory;
  const Outcome outcome =
      worked(run("train copy --quiet --warmup 1 --learning-rate-scale 30 --steps 200 " +
                 ("--out " + directory.path("run")) + kTiny));
  CHECK(count(outcome.err, "attention: warning: the loss is ") == 1);
  CHECK_MESSAGE(contains(outcome.err, "; guessing gives 3.37"), outcome.err);
  CHECK(contains(outcome.err, "a lower --learning-rate-scale"));
}

TEST_CASE("--minutes ends a run in time, and it can be resumed") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  const Outcome outcome =
      worked(run("train copy --steps 100000000 --minutes 0.005 --out " + made + kTiny));
  CHECK(contains(outcome.err, "stopped at step "));
  CHECK(contains(outcome.err, "train --resume " + made));
  CHECK(resume_run(made).trainer.step > 0);
}

TEST_CASE("sizes reach the model: d_k and d_v follow d_model and heads unless they are given") {
  struct Case {
    const char* options;
    Index d_k, d_v, d_model;
  };
  for (const Case& c :
       {Case{"", 16, 16, 64}, Case{"--heads 8", 8, 8, 64},
        Case{"--d-model 32 --heads 1", 32, 32, 32}, Case{"--d-k 3", 3, 16, 64},
        Case{"--heads 2 --d-v 5", 32, 5, 64}, Case{"--heads 3 --d-k 7 --d-v 6", 7, 6, 64},
        Case{"--preset small", 64, 64, 256}}) {
    CAPTURE(c.options);
    const TemporaryDirectory directory;
    const std::string made = directory.path("run");
    train_quietly("copy --layers 1 --d-ff 8 --steps 0 --out " + made + " " + c.options);
    const Settings settings = load_model(made)->facts.settings;
    const TransformerConfig config = from_settings<TransformerConfig>(settings, made);
    CHECK(config.d_k == c.d_k);
    CHECK(config.d_v == c.d_v);
    CHECK(config.d_model == c.d_model);
    CHECK(config.layers == 1);
    CHECK(config.d_ff == 8);
    // The defaults of the task, whatever the preset.
    for (const auto& setting : defaults_of("copy").model) {
      CHECK_MESSAGE(settings.at(setting.first) == setting.second, setting.first);
    }
  }
}

TEST_CASE("every option reaches the run") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  const std::string options =
      "--layers 1 --d-model 8 --d-ff 4 --heads 2 --d-k 3 --d-v 5 --dropout 0.25 "
      "--attention-dropout 0.125 --relu-dropout 0.5 --label-smoothing 0.2 --positions learned "
      "--max-positions 33 --norm pre --tie-embeddings no --steps 1 --batch-tokens 100 "
      "--accumulate 3 --clip 0.75 --warmup 17 --learning-rate-scale 0.3 --seed 9 --save-every 11 ";
  train_quietly("copy " + options + "--attention-bias --out " + made);
  const Run loaded = resume_run(made);
  Settings settings = to_settings(loaded.trainer.settings);
  for (const auto& setting : loaded.model->facts.settings) settings.insert(setting);
  CHECK(settings.at("task") == "copy");
  CHECK(settings.at("attention_bias") == "yes");
  std::istringstream words(options);
  for (std::string option, value; words >> option >> value;) {
    std::replace(option.begin(), option.end(), '-', '_');
    CHECK_MESSAGE(settings.at(option.substr(2)) == value, option);
  }
}

TEST_CASE("resuming takes the settings of the run, and refuses others") {
  for (const char* option : {"--d-model 8", "--seed 2", "--out x", "--preset tiny", "--dropout 0",
                             "--batch-tokens 9", "--source x", "--attention-bias"}) {
    CAPTURE(option);
    check_fails(run("train --resume " + small_run() + " " + option),
                "cannot be given with --resume: it is fixed by the run", 2);
  }
  check_fails(run("train reverse --resume " + small_run()), "learns copy, not reverse", 2);
  check_fails(run("train --resume " + small_run() + " --steps 3"),
              "is at step 10 already; --steps is the total", 2);
}

TEST_CASE("a run that is not resumed is left as it was, to its last file") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run"), model = made + "/model.safetensors";
  train_quietly("copy --steps 2 --out " + made + kTiny);
  write_file(model, "older");
  check_fails(run("train --resume " + made + " --steps 1"), "is at step 2 already", 2);
  CHECK(read_file(model) == "older");
  train_quietly("--resume " + made);
  CHECK(read_file(model) != "older");
}

TEST_CASE("a log that can no longer be written, or read, costs no step that was trained") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run"), log = made + "/log.tsv";
  const Outcome outcome = run_script("log=" + log + R"(
      (until test -s $log && test $(wc -l < $log) -ge 2; do sleep 0.01; done
       rm $log; mkdir $log) &
      "$attention" train copy --steps 1000000 --validate-every 2000 --quiet --out )" +
                                     made + kTiny);
  check_fails(outcome, "cannot write " + log);
  CHECK(resume_run(made).trainer.step > 0);
  // What cannot be looked at is not taken for missing.
  fs::remove(log);
  fs::create_symlink("log.tsv", log);
  check_fails(run("train --resume " + made), "cannot read " + log);
}

TEST_CASE("a picture that cannot be drawn ends no training") {
  const TemporaryDirectory directory;
  const std::string made = directory.path("run");
  train_quietly("copy --steps 2 --validate-every 1 --out " + made + kTiny);
  fs::remove(made + "/curves.svg");
  fs::create_directory(made + "/curves.svg");
  const Outcome outcome = worked(run("train --quiet --resume " + made + " --steps 4"));
  CHECK(count(outcome.err, "curves.svg: Is a directory") == 1);
  CHECK(contains(outcome.err, "training goes on without the picture"));
  CHECK(resume_run(made).trainer.step == 4);
}

TEST_CASE("where the system refuses threads, training goes on with those that there are") {
  const TemporaryDirectory directory;
  const std::string all = directory.path("all"), refused = directory.path("refused");
  const std::string options = "copy --steps 3 --batch-tokens 2048 --out ";
  train_quietly(options + all);
  // Threads whose stacks would not fit into the addresses that there are.
  worked(run_script("ulimit -s 274877906944 && exec \"$attention\" train " + options + refused +
                    " --quiet --threads 3"));
  CHECK(file(all, "training.safetensors") == file(refused, "training.safetensors"));
}

TEST_CASE("a place that holds a run, or cannot hold one, is refused") {
  check_fails(run("train copy --out " + small_run()),
              small_run() + " holds a run already; continue it with --resume");

  const TemporaryDirectory directory;
  write_file(directory.path("file"), "x");
  make_directories(directory.path("a model"));
  write_file(directory.path("a model/model.safetensors"), "x");
  check_fails(run("train copy --steps 1 --out '" + directory.path("a model'") + kTiny),
              directory.path("a model") + " holds a model already; remove it, or choose another");
  check_fails(run("train copy --steps 1 --out " + directory.path("file/run") + kTiny),
              directory.path("file") + " is a file");

  fs::create_directories(directory.path("run/training.safetensors.d"));
  fs::create_directories(directory.path("odd/tokenizer.txt"));
  write_file(directory.path("odd/lock"), "");  // as if a run had been begun
  check_fails(run("train copy --steps 1 --out " + directory.path("odd") + kTiny),
              "neither empty nor a run: tokenizer.txt is in it");
  const std::string misspelt = directory.path("misspelt");
  check_fails(run_script("ATTENTION_ISA=avx-2 \"$attention\" train copy --steps 1 --out " +
                         misspelt + kTiny),
              "avx-2");
  CHECK(!exists(misspelt));
}

TEST_CASE("two processes never train in one run; one that was killed does not count") {
  const TemporaryDirectory directory;
  const std::string place = directory.path("run");
  const Outcome outcome = run_script("\"$attention\" train copy --steps 100000 --quiet --out " +
                                     place + kTiny + R"( & trainer=$!
      while ! test -e )" + place + R"(/tokenizer.txt && kill -0 $trainer; do sleep 0.02; done
      "$attention" train --resume )" +
                                     place + R"( --quiet; echo $?
      kill -9 $trainer; wait $trainer
      "$attention" train --resume )" +
                                     place + " --steps 100 --quiet; echo $?");
  CHECK(outcome.out == "1\n0\n");
  CHECK_MESSAGE(contains(outcome.err, "another process trains in " + place), outcome.err);
}

TEST_CASE("a model or a batch that no memory holds, or that holds nothing, is refused at once") {
  const TemporaryDirectory directory;
  check_fails(run("train copy --batch-tokens 20 --out " + directory.path("run")),
              "--batch-tokens 20 is too few: a sequence takes up to 21", 2);
  for (const std::string& options :
       {std::string("--layers 100000 --d-model 512"), std::string("--preset big --layers 1000"),
        std::string("--preset base --batch-tokens 16777216")}) {
    CAPTURE(options);
    // The limit only keeps a program that takes it all from disturbing others.
    const Outcome outcome =
        run_script(limit_memory(4'000'000'000) + "\"$attention\" train copy --out " +
                   directory.path("run") + " --threads 1 " + options);
    check_fails(outcome, "attention: error: training this model with these batches takes about ");
    CHECK(contains(outcome.err, " GB are available; choose smaller --batch-tokens"));
    CHECK(!fs::exists(directory.path("run")));
  }
}

TEST_CASE("what is written to a stream that was closed goes to no file, and is an error") {
  const TemporaryDirectory directory;
  const auto train = [&](const std::string& name, const std::string& streams) {
    return run_script("\"$attention\" train copy --steps 1 --out " + directory.path(name) + kTiny +
                      streams);
  };
  check_fails(train("silent", ">&-"), "cannot write to standard output: Bad file descriptor");
  worked(train("unseen", "2>&-"));
  train("closed", "<&- >&- 2>&-");
  for (const char* run : {"silent", "unseen", "closed"}) {
    CHECK(fs::file_size(directory.path(run) + "/lock") == 0);
    CHECK(fs::exists(directory.path(run) + "/model.safetensors"));
  }
}

TEST_CASE("a limit on the size of files is an error like a full disk, and nothing is left behind") {
  const TemporaryDirectory directory;
  const std::string path = directory.path("run");
  check_fails(
      run_script("ulimit -f 16; \"$attention\" train copy --steps 1 --quiet --out " + path + kTiny),
      "File too large; allow larger files (ulimit -f)");
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    CHECK_FALSE(contains(entry.path().string(), ".tmp-"));
  }
}

TEST_CASE("help shows the defaults that the tasks have") {
  CHECK(compare_defaults_in_help(app::paper_program()) == 26);
}

TEST_SUITE_END();

}  // namespace attn::test
