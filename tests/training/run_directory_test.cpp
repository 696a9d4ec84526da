#include "training/run_directory.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <limits>
#include <string>

#include "support/compare.h"
#include "support/run_check.h"
#include "support/safetensors_bytes.h"
#include "support/strings.h"

using namespace attn;
using namespace attn::test;

namespace {

namespace fs = std::filesystem;

TransformerConfig run_config(const Task& task) {
  TransformerConfig config = with_dropout(small_config());
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  config.max_positions = 32;
  return config;
}

// A run of `steps` steps in `directory`, saved once, at the end.
Run make_run(const std::string& directory, int steps, bool checkpoint = false) {
  Run run = new_run(directory, random_model(run_config(find_task("reverse"))));
  take_steps(run, steps);
  save_run(run, checkpoint);
  run.lock.reset();
  return run;
}

// A run in a directory of its own.
struct SavedRun {
  const TemporaryDirectory directory;
  const std::string path = directory.path("run");
  const std::string model = path + "/model.safetensors", tokenizer = path + "/tokenizer.txt";
  const std::string training = path + "/training.safetensors";

  explicit SavedRun(int steps, bool checkpoint = false) { make_run(path, steps, checkpoint); }
};

}  // namespace

TEST_SUITE("training: run directory") {
  TEST_CASE("stopped, saved and resumed, training gives the same files as without the stop") {
    check_resumed<Transformer>(TemporaryDirectory(), run_config(find_task("reverse")), 8, 5);
  }

  TEST_CASE("with every other kind of positions, stopping and resuming leaves no trace either") {
    for (const char* positions : {"learned", "none", "rotary"}) {
      CAPTURE(positions);
      TransformerConfig config = run_config(find_task("reverse"));
      set(config, "positions", positions);
      check_resumed<Transformer>(TemporaryDirectory(), config);
    }
  }

  TEST_CASE("training.safetensors alone is enough: missing and older files are made again") {
    const SavedRun run(4), older(2);
    const std::string model = read_file(run.model), tokenizer = read_file(run.tokenizer);
    fs::remove(run.model);
    fs::remove(run.tokenizer);
    CHECK_ERROR(load_model(run.path), Contains("; `resume` makes it again"));
    repair_run(resume_run(run.path));
    CHECK(read_file(run.model) == model);
    CHECK(read_file(run.tokenizer) == tokenizer);
    // A kill between two files leaves an older model.
    write_file(run.model, read_file(older.model));
    repair_run(resume_run(run.path));
    CHECK(read_file(run.model) == model);
    // What could not be saved is not begun.
    const std::string training = run.path + "/training.safetensors";
    fs::permissions(training, fs::perms::owner_read);
    CHECK_ERROR(repair_run(resume_run(run.path)),
                Contains("training.safetensors: it is read-only"));
  }

  TEST_CASE("a kill before the checkpoint is written loses none: resuming writes it") {
    const TemporaryDirectory directory;
    const std::string run = directory.path("run");
    const std::string checkpoint = run + "/checkpoints/step-00000004.safetensors";
    Run made = make_run(run, 4);
    made.trainer.settings.save_every = 2;
    save_run(made, true);
    const std::string whole = read_file(checkpoint);
    for (const char* path :
         {"/checkpoints/step-00000004.safetensors", "/checkpoints/./step-00000004.safetensors"}) {
      CHECK(fs::equivalent(tokenizer_path(run + path), run + "/tokenizer.txt"));
    }
    CHECK_ERROR(load_model(run + "/training.safetensors"),
                Contains("training.safetensors is the state of a training; name its directory"));
    fs::remove(checkpoint);
    // Of a step that is never written again.
    const std::string left = run + "/checkpoints/step-00000003.safetensors.tmp-0123456789abcdef";
    write_file(left, whole);
    // Of another program, which does not know the names that are used here.
    const std::string foreign = run + "/thesis.tmp-2026112915000000";
    write_file(foreign, "precious");
    for (const std::string& old : {left, foreign}) {
      fs::last_write_time(old, fs::last_write_time(old) - std::chrono::hours(1));
    }
    repair_run(resume_run(run));
    CHECK(read_file(checkpoint) == whole);
    CHECK(!fs::exists(left));
    CHECK(fs::exists(foreign));
    fs::remove(foreign);
    // At other steps, and in runs that keep none, there is nothing to write.
    take_steps(made, 1);
    save_run(made, false);
    fs::remove_all(run + "/checkpoints");
    repair_run(resume_run(run));
    CHECK(!fs::exists(run + "/checkpoints"));
    make_run(directory.path("none"), 4);
    repair_run(resume_run(directory.path("none")));
    CHECK(!fs::exists(directory.path("none/checkpoints")));
  }

  TEST_CASE("a file of a few kilobytes cannot make a model of thousands of layers") {
    const SavedRun run(1);
    for (const std::string& file : {run.model, run.training}) {
      alter(file, [](TensorFile& f) {
        f.metadata["config.layers"] = "20000";
        for (const char* size : {"d_model", "d_ff", "heads", "d_k", "d_v"}) {
          f.metadata[std::string("config.") + size] = "1";
        }
      });
    }
    const Index before = tensor_allocations();
    CHECK_ERROR(load_model(run.path), Contains("asks for"));
    CHECK_ERROR(resume_run(run.path), Contains("asks for"));
    CHECK(tensor_allocations() - before < 1000);
  }

  TEST_CASE("what decodes is the mean of the weights, and the state keeps both") {
    const SavedRun run(3);
    const std::string name = "decoder.1.feed_forward.inner.weight";
    const TensorFile state = read_safetensors(run.training);
    CHECK(!same(state.tensors.at("mean." + name), state.tensors.at(name)));
    load_model(run.path)->visit_parameters([&](const std::string& parameter, Parameter& p) {
      CHECK(same(p.value, state.tensors.at("mean." + parameter)));
    });
  }

  TEST_CASE("between validations the best weights decode, and training.safetensors has them") {
    const SavedRun run(3);
    const std::string& file = run.model;
    const std::string at_three = read_file(file);
    {
      Run loaded = resume_run(run.path);
      loaded.trainer.best = {2.5, 3, 1, loaded.trainer.mean};
      take_steps(loaded, 1);
      save_run(loaded, true);
    }
    CHECK(read_file(file) == at_three);
    CHECK(read_file(run.path + "/checkpoints/step-00000004.safetensors") != at_three);
    // With the last to be kept, only what the validation found is saved.
    Run loaded = resume_run(run.path);
    loaded.trainer.settings.keep_last = true;
    loaded.trainer.best.weights.clear();
    save_run(loaded, false);
    CHECK(read_file(file) == read_file(run.path + "/checkpoints/step-00000004.safetensors"));
    loaded.lock.reset();
    const Run again = resume_run(run.path);
    CHECK(again.trainer.best.step == 3);
    CHECK(again.trainer.best.perplexity == 2.5);
    CHECK(again.trainer.best.since == 1);
    CHECK(again.trainer.best.weights.empty());
  }

  TEST_CASE("the mean of models is taken weight by weight, and that of one is itself") {
    const TemporaryDirectory directory;
    const Task task = find_task("copy");
    const TransformerConfig config = run_config(task);
    std::vector<std::string> paths;
    std::vector<TrainedModel> models;
    const auto made = [&](const std::string& name, const TransformerConfig& of,
                          const Tokenizer& tokenizer, Index context = 0) {
      Transformer model(of);
      initialise_parameters(model, hash(name));
      create_model(directory.path(name), model, tokenizer, context);
      return directory.path(name);
    };
    for (const char* name : {"1", "2", "3"}) {
      paths.push_back(made(name, config, task.tokenizer));
      models.push_back(load_trained_model(paths.back()));
    }
    const auto values = [](const TrainedModel& trained) {
      std::vector<double> all;
      read_parameters(*trained.model, [&](const std::string&, const Parameter& p) {
        for (Index i = 0; i < p.value.elements(); ++i) all.push_back(p.value[i]);
      });
      return all;
    };
    CHECK(values(load_average({paths[1]})) == values(models[1]));
    CHECK(values(load_average({paths[1], paths[1]})) == values(models[1]));
    const std::vector<double> mean = values(load_average(paths)), a = values(models[0]),
                              b = values(models[1]), c = values(models[2]);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      REQUIRE(mean[i] == doctest::Approx((a[i] + b[i] + c[i]) / 3).epsilon(1e-6));
    }
    CHECK_THROWS_AS(load_average({}), Error);
    // Whichever is first.
    const auto refused = [&](const std::string& one, const std::string& other,
                             const std::string& message) {
      CHECK_ERROR(load_average({one, other}), Contains(message.c_str()));
      CHECK_ERROR(load_average({other, one}), Contains(message.c_str()));
    };
    TransformerConfig another = config;
    another.heads = 1;
    another.d_k = another.d_v = another.d_model;
    refused(paths[0], made("other", another, task.tokenizer), "is of another configuration than");
    std::vector<std::string> words(26);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = "w" + std::to_string(i);
    refused(paths[0], made("words", config, Tokenizer(words)), "has another tokenizer than");
    refused(paths[0], made("writer", config, task.tokenizer, 16), "has another context than");
  }

  TEST_CASE("only one process trains in a run, whether it made or resumed it") {
    const TemporaryDirectory directory;
    const std::string run = directory.path("run");
    const std::string busy = "another process trains in " + run;
    RunLock lock = create_run(run);
    CHECK_ERROR(create_run(run), Contains(busy.c_str()));
    lock.reset();
    make_run(run, 1);  // what was begun and not saved is begun again
    Run loaded = resume_run(run);
    CHECK_ERROR(resume_run(run), Contains(busy.c_str()));
    CHECK(load_model(run) != nullptr);  // decoding waits for nobody
    loaded.lock.reset();
    CHECK(resume_run(run).trainer.step == 1);
  }

  TEST_CASE("a run whose directory or lock was replaced is not saved over what is there now") {
    const SavedRun run(1);
    const std::string moved = " was moved or replaced, or its lock removed";
    for (const bool whole : {true, false}) {
      const Run old = resume_run(run.path);
      check_place(old);
      if (whole) {
        fs::rename(run.path, run.directory.path("moved"));
      } else {
        fs::remove(run.path + "/lock");
      }
      CHECK_ERROR(check_place(old), Contains(moved.c_str()));
      if (whole) make_run(run.path, 2);
      CHECK_ERROR(save_run(old, true), Contains(moved.c_str()));
      CHECK_ERROR(repair_run(old), Contains(moved.c_str()));
      CHECK(resume_run(run.path).trainer.step == 2);
    }
  }

  TEST_CASE("a run is made only where nothing else is") {
    const TemporaryDirectory directory;
    const Task task = find_task("reverse");
    const Transformer model = random_model(run_config(task));
    for (const char* name : {"tokenizer.txt", "log.tsv", "checkpoints", "thesis.tex", ".hidden"}) {
      CAPTURE(name);
      const std::string place = directory.path("place");
      make_directories(place);
      write_file(place + "/" + name, "mine");
      const std::string message = place + " is neither empty nor a run: " + name + " is in it";
      CHECK_ERROR(create_run(place), Contains(message.c_str()));
      CHECK_ERROR(create_model(place, model, task.tokenizer), Contains(message.c_str()));
      CHECK(read_file(place + "/" + name) == "mine");
      CHECK(std::distance(fs::directory_iterator(place), {}) == 1);
      fs::remove_all(place);
    }
    // What a run left whose weights were removed is not overwritten; what was only begun is.
    const std::string begun = directory.path("begun");
    make_run(begun, 1);
    fs::remove(begun + "/training.safetensors");
    fs::remove(begun + "/model.safetensors");
    CHECK_ERROR(create_run(begun), Contains("tokenizer.txt is in it"));
    const std::string words = read_file(begun + "/tokenizer.txt");
    for (const char* name : {"tokenizer.txt", "log.tsv", "curves.svg", "log.tsv.tmp-20261129"}) {
      write_file(begun + "/" + name, "mine");
      CHECK_ERROR(create_run(begun), Contains(name));
      CHECK_ERROR(create_model(begun, model, task.tokenizer), Contains(name));
      fs::remove(begun + "/" + name);
    }
    write_file(begun + "/tokenizer.txt", words);
    create_model(begun, model, task.tokenizer);
    for (const char* name : {"tokenizer.txt", "model.safetensors"}) fs::remove(begun + "/" + name);
    write_file(begun + "/training.safetensors.tmp-0123456789abcdef", "");
    make_run(begun, 1);
    // What cannot be listed may hold anything.
    fs::create_directory_symlink("loop", directory.path("loop"));
    CHECK_ERROR(create_run(directory.path("loop")), Contains("cannot read "));
    make_directories(directory.path("empty"));
    make_run(directory.path("empty"), 1);
    CHECK_ERROR(create_run(directory.path("empty")), Contains("`resume`"));
    CHECK_ERROR(create_model(directory.path("empty"), model, task.tokenizer),
                Contains("holds a run already; remove it, or choose"));
  }

  TEST_CASE("a checkpoint is the model at its step, and decodes with the vocabulary of its run") {
    const SavedRun run(2, true);
    const std::string checkpoint = run.path + "/checkpoints/step-00000002.safetensors";
    CHECK(read_file(checkpoint) == read_file(run.model));
    const std::string tokenizer = read_file(run.tokenizer);
    const auto same_model = [&](const std::string& path) {
      const TrainedModel trained = load_trained_model(path);
      CHECK(trained.tokenizer.text() == tokenizer);
      const TensorFile saved = read_safetensors(run.model);
      trained.model->visit_parameters([&](const std::string& name, Parameter& p) {
        CHECK(same(p.value, saved.tensors.at(name)));
      });
    };
    same_model(checkpoint);
    same_model(run.model);
#ifndef _WIN32
    // On another disk, it is as if it were here.
    const std::string disk = run.directory.path("disk");
    fs::rename(run.path + "/checkpoints", disk);
    fs::create_symlink(disk, run.path + "/checkpoints");
    same_model(checkpoint);
#endif
    // Elsewhere, it needs a tokenizer.txt next to it.
    const std::string moved = run.directory.path("moved.safetensors"),
                      beside = run.directory.path("tokenizer.txt");
    fs::copy_file(checkpoint, moved);
    CHECK_ERROR(load_trained_model(moved), Contains(beside.c_str()));
    write_file(beside, tokenizer);
    same_model(moved);
  }

  TEST_CASE("what would be refused on reading is not saved over what is not") {
    const SavedRun run(1);
    const std::string before = read_file(run.training);
    const std::string name = "embedding.weight";
    using Choice = std::function<Tensor&(Run&)>;
    const Choice choices[] = {
        [](Run& r) -> Tensor& {
          return dynamic_cast<Transformer&>(*r.model).source_embedding.weight.value;
        },
        [&](Run& r) -> Tensor& { return r.trainer.adam.moments.at(name).m; },
        [&](Run& r) -> Tensor& { return r.trainer.adam.moments.at(name).v; },
        [&](Run& r) -> Tensor& { return r.trainer.mean.at(name); },
        [&](Run& r) -> Tensor& { return r.trainer.best.weights.at(name); },
    };
    for (const Choice& tensor : choices) {
      Run loaded = resume_run(run.path);
      loaded.trainer.best = {2.5, 1, 0, loaded.trainer.mean};
      tensor(loaded)[5] = std::numeric_limits<Real>::infinity();
      CHECK_THROWS_WITH_AS(save_run(loaded, true), Contains("training has diverged"), Diverged);
      CHECK(read_file(run.training) == before);
      CHECK(!fs::exists(run.path + "/checkpoints"));
    }
    CHECK(resume_run(run.path).trainer.step == 1);
  }

  TEST_CASE("a last validation that is the best makes the last weights decode, until a step") {
    const TemporaryDirectory directory;
    const std::string run = directory.path("run"), file = run + "/model.safetensors";
    Run made = make_run(run, 3);
    const std::string mean_at_three = read_file(file);
    made.trainer.best = {2.5, 3, 0, made.trainer.mean};
    take_steps(made, 1);
    for (const double perplexity : {2.0, 3.0, kNoPerplexity}) {
      CAPTURE(perplexity);
      made.trainer.last_perplexity = perplexity;
      save_run(made, true);
      const std::string decodes = read_file(file);
      CHECK((decodes == mean_at_three) == !(perplexity < 2.5));
      CHECK((decodes == read_file(run + "/checkpoints/step-00000004.safetensors")) ==
            (perplexity < 2.5));
      // Lost, it is made again.
      fs::remove(file);
      repair_run(resume_run(run));
      CHECK(read_file(file) == decodes);
    }
  }

  TEST_CASE("what is missing, too much, or of the wrong shape is named") {
    const SavedRun run(1);
    const std::string good = read_file(run.model), inner = "encoder.1.feed_forward.inner.bias";
    const auto refuses = [&](const std::string& message, const auto& change) {
      alter(run.model, change);
      CHECK_ERROR(load_model(run.path), Contains(message.c_str()));
      write_file(run.model, good);
    };
    refuses("'" + inner + "'", [&](TensorFile& f) { f.tensors.erase(inner); });
    refuses("'extra'", [](TensorFile& f) { f.tensors["extra"] = Tensor::zeros({100}); });
    refuses("[6, 29], expected [29, 6]", [](TensorFile& f) {
      f.tensors["embedding.weight"] = Tensor::zeros({6, 29});
    });
    refuses("not finite", [](TensorFile& f) { f.tensors["embedding.weight"][5] = INFINITY; });
    refuses("'heads' is missing", [](TensorFile& f) { f.metadata.erase("config.heads"); });
    refuses("asks for", [](TensorFile& f) { f.metadata["config.d_model"] = "1048576"; });
    refuses("expected 'attention 1'", [](TensorFile& f) { f.metadata["format"] = "attention 2"; });
    write_file(run.model, good.substr(0, good.size() / 2));
    const std::string native = (fs::path(run.path) / "model.safetensors").string();
    CHECK_ERROR(load_model(run.path), Contains(native.c_str()));
    write_file(run.model, good);
    write_file(run.tokenizer, Tokenizer({"a", "b"}).text());
    CHECK_ERROR(load_trained_model(run.path), Contains("5 tokens"));
    CHECK_ERROR(load_model(run.directory.path("nowhere")), Contains("no such directory"));
  }

  TEST_CASE("a damaged training state is refused, whatever part of it is damaged") {
    const SavedRun run(1);
    const std::string good = read_file(run.training), mean = "mean.embedding.weight";
    const auto refuses = [&](const char* message, const auto& change) {
      alter(run.training, change);
      CHECK_ERROR(resume_run(run.path), Contains(message));
      write_file(run.training, good);
    };
    refuses("'adam.v.embedding.weight'",
            [](TensorFile& f) { f.tensors.erase("adam.v.embedding.weight"); });
    refuses("'mean.embedding.weight'", [&](TensorFile& f) { f.tensors.erase(mean); });
    refuses("'mean.embedding.weight' holds numbers that are not finite",
            [&](TensorFile& f) { f.tensors[mean][5] = NAN; });
    refuses("'mean.extra'", [](TensorFile& f) { f.tensors["mean.extra"] = Tensor::zeros({100}); });
    refuses("'state.step'", [](TensorFile& f) { f.metadata["state.step"] = "-3"; });
    refuses("seed", [](TensorFile& f) { f.metadata["training.seed"] = "x"; });
    refuses("clip", [](TensorFile& f) { f.metadata["training.clip"] = "nan"; });
    refuses("'tokenizer'", [](TensorFile& f) { f.metadata.erase("tokenizer"); });
    fs::remove(run.training);
    CHECK_ERROR(resume_run(run.path), Contains("nothing to resume"));
  }
}
