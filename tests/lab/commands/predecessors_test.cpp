// The architectures that the Transformer replaced, and the decoder-only one, through the whole
// program.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/format.h"
#include "base/settings.h"
#include "decoding/beam_search.h"
#include "decoding/greedy.h"
#include "lab/models.h"
#include "storage/atomic_file.h"
#include "storage/json.h"
#include "support/program.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("predecessors");

namespace {

struct Predecessor {
  std::string options;
  Settings settings;  // of the model that the options ask for
};

const std::vector<Predecessor> kPredecessors{
    {"lstm --attention bahdanau", {{"architecture", "lstm"}, {"attention", "bahdanau"}}},
    {"rnn --attention luong-concat", {{"architecture", "rnn"}, {"attention", "luong-concat"}}},
    {"gru --attention none", {{"architecture", "gru"}, {"attention", "none"}}},
    {"convs2s --encoder-kernel 5 --decoder-kernel 2",
     {{"architecture", "convs2s"}, {"encoder_kernel", "5"}, {"decoder_kernel", "2"}}},
    {"decoder --positions rotary", {{"architecture", "decoder"}, {"positions", "rotary"}}},
    {"decoder --positions none --attention-dropout 0.1",
     {{"architecture", "decoder"}, {"positions", "none"}}},
};

const std::string kSizes = " --d-model 16 --layers 1 --dropout 0.2";
const Settings kSizesOfModel{{"d_model", "16"}, {"layers", "1"}, {"dropout", "0.2"}};

// A run of 12 steps, or of 5 that is then resumed on one thread.
std::string train(const std::string& options, const std::string& place, bool resumed) {
  worked(run("train reverse --quiet --architecture " + options + kSizes +
             " --batch-tokens 64 --accumulate 2 --warmup 4 --seed 7 --out " + place + " --steps " +
             (resumed ? "5" : "12")));
  if (resumed) worked(run("train --quiet --resume " + place + " --steps 12 --threads 1"));
  return place;
}

}  // namespace

TEST_CASE("each architecture resumes to the same bits, translates, and is evaluated") {
  for (const Predecessor& predecessor : kPredecessors) {
    CAPTURE(predecessor.options);
    const TemporaryDirectory directory;
    const std::string whole = train(predecessor.options, directory.path("whole"), false);
    const std::string place = train(predecessor.options, directory.path("parts"), true);
    for (const std::string name :
         {"/model.safetensors", "/training.safetensors", "/tokenizer.txt"}) {
      CAPTURE(name);
      CHECK(read_file(whole + name) == read_file(place + name));
    }
    const auto model = load_model(place, plan_any_model);
    const Settings settings = model->facts.settings;
    for (const Settings& asked : {predecessor.settings, kSizesOfModel}) {
      for (const auto& setting : asked) {
        CHECK_MESSAGE(settings.at(setting.first) == setting.second, setting.first);
      }
    }

    // What the program should write is what the library's model says, sentence by sentence.
    const Tokenizer vocabulary = load_trained_model(place, plan_any_model).tokenizer;
    std::string source, target, greedy, best;
    LossSums sums;
    for (const TextPair& pair : find_task("reverse").test_set()) {
      if (pair.source.size() % 5 != 0) continue;
      const PackedIds ids = packed(encode_source(vocabulary, pair.source));
      greedy += vocabulary.decode(decode_greedily(*model, ids)[0]) + '\n';
      best += vocabulary.decode(beam_search(*model, ids)[0][0].tokens) + '\n';
      Batch batch;
      batch.append(ids.ids, encode_target(vocabulary, pair.target));
      sums += model->loss(batch);
      source += pair.source + '\n';
      target += pair.target + '\n';
      if (source.size() > 400) break;
    }
    const std::string of_model = " --model " + place + " ";
    CHECK(run("translate --beam 1" + of_model, source).out == greedy);
    CHECK(run("translate --beam 4" + of_model, source).out == best);
    CHECK(greedy != best);

    write_file(directory.path("source"), source);
    write_file(directory.path("target"), target);
    const Json result =
        json_of(run("evaluate --json --beam 4" + of_model + "--source " + directory.path("source") +
                    " --target " + directory.path("target")));
    CHECK(result.at("tokens").integer() == sums.tokens);
    CHECK(result.at("loss").number() == doctest::Approx(sums.mean_loss()).epsilon(1e-9));
    const Outcome scored = run("bleu --reference " + directory.path("target"), best);
    CHECK_MESSAGE(contains(scored.out, "= " + fixed(result.at("bleu").number(), 2)), scored.out);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
