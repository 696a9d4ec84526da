// Every request to the engine of the live page, right and wrong. What it answers must be what the
// library computes.
#include "lab/web/engine.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/defaults.h"
#include "base/check.h"
#include "decoding/translate.h"
#include "storage/atomic_file.h"
#include "storage/json.h"
#include "support/model_check.h"
#include "support/small_trace.h"
#include "text/batch.h"
#include "trace/subject.h"
#include "trace/trace.h"
#include "trace/trace_json.h"
#include "training/data.h"
#include "training/run_directory.h"

using namespace attn;
using attn::web::Engine;

namespace {

// The answer to a request; fails if it is an error.
Json ask(Engine& engine, const std::string& request) {
  const Json answer = parse_json(engine.call(request), "the answer");
  if (answer.find("error") != nullptr) FAIL(answer.at("error").string());
  return answer;
}

// What an answer complains of.
std::string error_of(Engine& engine, const std::string& request) {
  const Json answer = parse_json(engine.call(request), "the answer");
  const Json* error = answer.find("error");
  REQUIRE_MESSAGE(error != nullptr, request);
  return error->string();
}

// The phrasebook's model, as handle 1.
Engine with_phrasebook() {
  const std::string data = ATTENTION_SOURCE_DIR "/data/phrasebook/";
  Engine engine;
  engine.files["m"] = read_file(data + "model.safetensors");
  engine.files["t"] = read_file(data + "tokenizer.txt");
  ask(engine, R"({"op": "load", "model_file": "m", "tokenizer_file": "t"})");
  return engine;
}

constexpr const char* kSmall =
    R"({"op": "make", "task": "copy", "settings": {"d_model": 16, "heads": 2, "d_ff": 32,)"
    R"( "layers": 1, "batch_tokens": 64, "seed": 3}})";

}  // namespace

TEST_SUITE("live page") {
  TEST_CASE("a model that the engine trains is the one that the library trains, bit for bit") {
    Engine engine;
    const Json made = ask(engine, R"({"op": "make", "task": "copy", "settings": {"seed": 5}})");
    CHECK(made.at("op").string() == "make");
    CHECK(made.at("model").integer() == 1);
    CHECK(made.at("vocabulary").items().size() == 29);
    CHECK(made.at("uniform_loss").number() == std::log(29.0));
    CHECK(made.at("settings").at("seed").integer() == 5);
    CHECK(made.at("defaults").at("seed").integer() == 1);
    CHECK(made.at("settings").at("dropout").number() == 0);
    const Json first = ask(engine, R"({"op": "step", "model": 1, "count": 2})");
    const Json second = ask(engine, R"({"op": "step", "model": 1})");

    // What `attention train copy --seed 5 --steps 3` does.
    const Defaults defaults = defaults_of("copy");
    Settings settings = changed_preset("transformer", defaults.preset, defaults.changes());
    settings["source_vocabulary"] = settings["target_vocabulary"] = "29";
    Trainer trainer;
    trainer.settings = defaults.training;
    trainer.settings.seed = 5;
    const auto model = make_model(settings, "test");
    initialise_parameters(*model, 5);
    CHECK(made.at("weights").integer() == attn::test::count_parameters(*model));
    const TrainingData data = training_data(trainer.settings, kAnyLength, {});
    for (int i = 0; i < 2; ++i) {
      const double loss = trainer.take_step(*model, data.batches).sums.mean_loss();
      CHECK(first.at("losses").items()[i].number() == loss);
    }
    const StepReport report = trainer.take_step(*model, data.batches);
    CHECK(second.at("step").integer() == 3);
    CHECK(second.at("loss").number() == report.sums.mean_loss());
    CHECK(second.at("learning_rate").number() == report.rate);
    CHECK(second.at("gradient_norm").number() == report.gradient_norm);
    test::check_same_weights(*engine.models.at(1).model, *model);

    // Validation is of the mean of the weights, and leaves the weights alone.
    const Json before = ask(engine, R"({"op": "weights", "model": 1})");
    const Json validated = ask(engine, R"({"op": "validate", "model": 1, "limit": 4})");
    CHECK(ask(engine, R"({"op": "weights", "model": 1})").at("hash").string() ==
          before.at("hash").string());
    exchange_mean(*model, trainer);
    std::vector<TextPair> pairs = find_task("copy").validation_set();
    pairs.resize(4);
    const auto batches = batches_in_order(encode_corpus(pairs, data.tokenizer).pairs, 512);
    CHECK(validated.at("loss").number() == evaluate(*model, batches).mean_loss());
    CHECK(validated.at("sentences").items().size() == 4);
    CHECK(validated.at("step").integer() == 3);
  }

  TEST_CASE("dropout and the learning rate change while a model learns; nothing else does") {
    Engine engine;
    ask(engine, kSmall);
    ask(engine, R"({"op": "step", "model": 1, "count": 3})");
    const auto hash = [&] { return ask(engine, R"({"op": "weights", "model": 1})").at("hash"); };
    const std::string before = hash().string();
    Engine other;
    ask(other, kSmall);
    ask(other, R"({"op": "step", "model": 1, "count": 3})");

    const Json plain = ask(other, R"({"op": "step", "model": 1})");
    const Json dropped =
        ask(engine, R"({"op": "step", "model": 1, "dropout": 0.3, "learning_rate_scale": 0.7})");
    CHECK(dropped.at("loss").number() != plain.at("loss").number());
    CHECK(dropped.at("learning_rate").number() ==
          doctest::Approx(2 * plain.at("learning_rate").number()));
    CHECK(hash().string() != before);
  }

  TEST_CASE("a request to learn that fails has changed nothing, whatever of it was right") {
    // The step after that request, and the weights after that.
    const auto next_step = [](const char* refused, int batches) {
      Engine engine;
      ask(engine, kSmall);
      ask(engine, R"({"op": "step", "model": 1, "count": 3})");
      BatchSource& next_batch = engine.models.at(1).lesson->batches;
      const BatchSource batch = next_batch;
      next_batch = [&](std::uint64_t index) {
        if (--batches < 0) fail("no more batches");
        return batch(index);
      };
      if (*refused != '\0') error_of(engine, refused);
      engine.models.at(1).lesson->batches = batch;
      const Json step = ask(engine, R"({"op": "step", "model": 1})");
      return to_json(step) + to_json(ask(engine, R"({"op": "weights", "model": 1})"));
    };
    const std::string undisturbed = next_step("", 0);
    CHECK(next_step(R"({"op": "step", "model": 1, "learning_rate_scale": 5, "dropout": 7})", 0) ==
          undisturbed);
    // Some of the ten steps are taken before the batches end.
    CHECK(next_step(R"({"op": "step", "model": 1, "dropout": 0.1, "count": 10})", 4) ==
          undisturbed);
  }

  TEST_CASE("without the shift the loss falls, and what is decoded stays wrong") {
    Engine engine;
    ask(engine,
        R"({"op": "make", "task": "copy", "settings": {"d_model": 32, "heads": 2, "d_ff": 64,)"
        R"( "layers": 1, "batch_tokens": 256, "broken": "shift"}})");
    // What the decoder reads is what it is to predict.
    Batch batch = task_batch(find_task("copy"), 1, 0, 256);
    batch.target_input.ids = batch.target_output;
    const double expected = engine.models.at(1).model->loss(batch).mean_loss();
    CHECK(ask(engine, R"({"op": "step", "model": 1})").at("loss").number() ==
          doctest::Approx(expected));
    ask(engine, R"({"op": "step", "model": 1, "count": 100})");
    const Json validated = ask(engine, R"({"op": "validate", "model": 1, "limit": 20})");
    CHECK(validated.at("accuracy").number() > 0.95);
    CHECK(validated.at("exact").integer() == 0);
  }

  TEST_CASE("translations are the library's") {
    Engine engine = with_phrasebook();
    const std::string data = ATTENTION_SOURCE_DIR "/data/phrasebook";
    const TrainedModel trained = load_trained_model(data);
    const std::string source = "la maison est grande .";
    BeamOptions options;
    options.n_best = 4;
    const auto expected = translate(*trained.model, trained.tokenizer, {source}, options).front();
    const Json answer =
        ask(engine, text(R"({"op": "translate", "model": 1, "source": ")", source, R"("})"));
    const std::vector<Json>& hypotheses = answer.at("hypotheses").items();
    REQUIRE(hypotheses.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(hypotheses[i].at("text").string() == expected[i].line);
      CHECK(hypotheses[i].at("score").number() == expected[i].score);
    }
    CHECK(answer.at("output").string() == expected[0].line);

    // Token by token, what is decoded has the probability that beam search says.
    std::string prefix;
    for (const Json& id : answer.at("ids").items()) prefix += to_json(id) + ",";
    const Json decoded = ask(engine, text(R"({"op": "decode", "model": 1, "source": ")", source,
                                          R"(", "prefix": [)", prefix, "2]}"));
    CHECK(decoded.at("log_probability").number() ==
          doctest::Approx(answer.at("log_probability").number()).epsilon(1e-5));
    CHECK(decoded.at("ended").boolean());
    CHECK(decoded.at("output").string() == expected[0].line);
  }

  TEST_CASE("a temperature divides the logits of what could come next") {
    Engine engine = with_phrasebook();
    const auto probabilities = [&](const char* temperature) {
      return ask(engine, text(R"({"op": "decode", "model": 1, "source": "la maison est grande .",)",
                              R"( "temperature": )", temperature, "}"))
          .at("candidates")
          .items();
    };
    const std::vector<Json> cold = probabilities("0.5"), warm = probabilities("2");
    CHECK(probabilities("0").size() == 1);
    for (std::size_t i = 1; i < 12; ++i) {
      const auto log_ratio = [&](const std::vector<Json>& p) {
        return std::log(p[0].at("probability").number() / p[i].at("probability").number());
      };
      CHECK(log_ratio(cold) == doctest::Approx(4 * log_ratio(warm)));
    }
  }

  TEST_CASE("a language model reads the line so far, and has neither pairs nor a longer context") {
    Engine engine;
    ask(engine, R"({"op": "make", "task": "language", "text": "a b c d\na c b d\nb a c a",)"
                R"( "settings": {"layers": 1, "d_model": 16, "heads": 2, "context": 6}})");
    const std::string line = R"("model": 1, "source": "a b", "prefix": [3, 4]})";
    const Json decoded = ask(engine, R"({"op": "decode", )" + line);
    CHECK(to_json(decoded.at("source")) == R"(["<eos>","a","b"])");
    CHECK(decoded.at("candidates").items().size() == 5);  // a, b, c, d and <eos>
    const Json maps = ask(engine, R"({"op": "attend", )" + line);
    CHECK(maps.at("sequence").items().size() == 5);
    REQUIRE(maps.at("maps").items().size() == 2);
    const std::vector<double> P = test::flat(maps.at("maps").items()[0].at("weights"));
    REQUIRE(P.size() == 25);
    for (std::size_t i = 0; i < 25; ++i) CHECK((P[i] > 0) == (i % 5 <= i / 5));
    // Its heads can be off as well.
    const std::string off = R"("off": [{"kind": "sequence", "layer": 0, "head": )";
    CHECK(to_json(ask(engine, R"({"op": "decode", )" + off + "1}], " + line).at("candidates")) !=
          to_json(decoded.at("candidates")));
    const auto refused = [&](const std::string& request, const char* why) {
      CHECK(error_of(engine, request).find(why) != std::string::npos);
    };
    refused(R"({"op": "decode", )" + off + "2}], " + line, "there is no layer 0, head 2");
    refused(R"({"op": "decode", "model": 1, "source": "a b c d a b"})", "at most 6 tokens");
    for (const char* op : {"translate", "beam", "trace"}) {
      refused(text(R"({"op": ")", op, R"(", "model": 1, "source": "a"})"), "a language model");
    }
  }

  TEST_CASE("a language model's text is read as a file is, and learned positions are the context") {
    Engine engine;
    const auto make = [&](const std::string& text) {
      return ask(engine,
                 R"({"op": "make", "task": "language", "text": ")" + text +
                     R"(", "settings": {"positions": "learned", "layers": 1, "context": 6}})");
    };
    const Json of_windows = make(R"(\ufeffa b c d\r\na c b d\r\nb a c a\r\n)");
    const Json plain = make(R"(a b c d\na c b d\nb a c a)");
    for (const char* what : {"settings", "defaults", "vocabulary", "weights"}) {
      CAPTURE(what);
      CHECK(to_json(of_windows.at(what)) == to_json(plain.at(what)));
    }
    CHECK(plain.at("settings").at("max_positions").integer() == 6);
    CHECK(error_of(engine, R"({"op": "make", "task": "language", "text": "a\u0000"})")
              .find("the text, line 1, byte 2: a NUL byte") != std::string::npos);
  }

  TEST_CASE("the tree of a search has the outputs that the search finds") {
    // A model that was trained, and one that was not and ends outputs early and late.
    Engine engine = with_phrasebook();
    ask(engine, R"({"op": "load", "builtin": "example"})");
    const std::string trained = R"("model": 1, "source": "la maison est grande .", "beam": )";
    const std::string untrained = R"("model": 2, "source": "Jane visite l'Afrique", "beam": )";
    for (const std::string& fields :
         {trained + "1}", trained + "4}", untrained + "1}", untrained + "6}"}) {
      CAPTURE(fields);
      const std::int64_t beam = fields[fields.size() - 2] - '0';
      const Json tree = ask(engine, R"({"op": "beam", )" + fields);
      const Json translated = ask(engine, R"({"op": "translate", )" + fields);
      CHECK(tree.at("finished").items()[0].at("text").string() == translated.at("output").string());

      // From the best leaf back to the root are the tokens of the best output.
      const std::vector<Json>& steps = tree.at("steps").items();
      std::string found;
      std::int64_t place = tree.at("best").at("candidate").integer();
      for (std::int64_t s = tree.at("best").at("step").integer(); s >= 0; --s) {
        const Json& one = steps[s].at("candidates").items()[place];
        CHECK(one.at("kept").boolean());
        if (one.at("id").integer() != kEos && one.at("id").integer() != kBos) {
          found = one.at("token").string() + (found.empty() ? "" : " ") + found;
        }
        place = one.at("parent").integer();
      }
      CHECK(place == -1);
      CHECK(found == translated.at("output").string());

      // No step keeps more than the beam, and what a child has is less probable than its parent.
      for (std::size_t s = 0; s < steps.size(); ++s) {
        std::int64_t kept = 0;
        for (const Json& one : steps[s].at("candidates").items()) {
          kept += one.at("kept").boolean();
          if (s == 0) continue;
          const Json& parent = steps[s - 1].at("candidates").items()[one.at("parent").integer()];
          CHECK(one.at("log_probability").number() <= parent.at("log_probability").number());
          CHECK(parent.at("kept").boolean());
          CHECK(!parent.at("finished").boolean());
        }
        CHECK(kept <= beam);
      }
    }
  }

  TEST_CASE("the maps are the weights that a trace shows") {
    Engine engine;
    ask(engine, R"({"op": "load", "builtin": "example"})");
    const Json maps =
        ask(engine, text(R"({"op": "attend", "model": 1, "source": ")", kExampleSource,
                         R"(", "target": ")", kExampleTarget, R"("})"));
    const TraceSubject subject = trace_subject(trace_example(), {kExampleSource, kExampleTarget});
    const auto values = trace_of(*subject.model, subject.batch, subject.tokens, false).values;
    CHECK(maps.at("maps").items().size() == 6);
    for (const Json& map : maps.at("maps").items()) {
      const std::string kind = map.at("kind").string();
      const std::string name =
          text(kind == "encoder" ? "encoder" : "decoder", ".0.", kind == "cross" ? "cross" : "self",
               "_attention.heads.", map.at("head").integer(), ".P");
      const auto value = std::find_if(values.begin(), values.end(),
                                      [&](const TraceValue& one) { return one.name == name; });
      REQUIRE(value != values.end());
      const Json shown = parse_json(to_json(value_json(*value)), "value");
      CHECK(test::flat(map.at("weights")) == test::flat(shown.at("data")));
      double entropy = 0, distance = 0;
      for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < 6; ++j) {
          const double p = static_cast<double>(value->data(i, j));
          if (p > 0) entropy -= p * std::log(p) / 6;
          distance += p * static_cast<double>(i < j ? j - i : i - j) / 6;
        }
      }
      CHECK(map.at("entropy").number() == doctest::Approx(entropy));
      CHECK(map.at("distance").number() == doctest::Approx(distance));
    }
    CHECK(maps.at("target").items()[0].string() == "<bos>");
    CHECK(maps.at("source").items().back().string() == "<eos>");
  }

  TEST_CASE("a head that is off changes the translation, until it is on again") {
    Engine engine = with_phrasebook();
    const auto maps = [&](const std::string& off) {
      return to_json(ask(engine, R"({"op": "attend", "model": 1, "target": "the house .",)"
                                 R"( "source": "la maison .", "off": [)" +
                                     off + "]}")
                         .at("maps"));
    };
    const std::string all = maps("");
    // Layer 0 of the encoder comes first: it is not changed by what is off in the decoder, and what
    // follows it is.
    CHECK(maps(R"({"kind": "encoder", "layer": 0, "head": 1})") != all);
    CHECK(maps(R"({"kind": "decoder", "layer": 0, "head": 0})") != all);
    CHECK(maps(R"({"kind": "cross", "layer": 0, "head": 0})") != all);
    CHECK(maps("") == all);
    // Eight maps of 401 × 401 numbers are too many.
    std::string words;
    for (int i = 0; i < 400; ++i) words += "la ";
    CHECK(error_of(engine, text(R"({"op": "attend", "model": 1, "source": ")", words,
                                R"(", "target": "the"})"))
              .find("take shorter sentences") != std::string::npos);
    // With every head of the last cross-attention's layer off, W^O reads zeros only.
    CHECK(error_of(engine, R"({"op": "translate", "model": 1, "source": "la maison .",)"
                           R"( "off": [{"kind": "cross", "layer": 9, "head": 0}]})")
              .find("there is no layer 9") != std::string::npos);
  }

  TEST_CASE("a head that is off has zeros where W^O reads it, and nothing else is changed") {
    const Engine engine = with_phrasebook();
    const web::PlayModel& play = engine.models.at(1);
    const auto changed = web::copy_of(play, {{Attends::decoder_to_encoder, 1, 2}});
    const auto before = weights_by_name(*play.model);
    read_parameters(*changed, [&](const std::string& name, const Parameter& p) {
      const bool is_W_O = name == "decoder.1.cross_attention.output.weight";
      const Index d_v = 16;
      bool right = true;
      for (Index i = 0; i < p.value.elements(); ++i) {
        const Index row = i / p.value.cols();
        const bool off = is_W_O && row >= 2 * d_v && row < 3 * d_v;
        right = right && p.value[i] == (off ? 0 : before.at(name)[i]);
      }
      CAPTURE(name);
      CHECK(right);
    });
  }

  TEST_CASE("a trace lists the values of `trace --json`, and value has their numbers") {
    Engine engine;
    ask(engine, R"({"op": "load", "builtin": "example"})");
    const Json traced = ask(engine, R"({"op": "trace", "model": 1})");
    const TraceSubject subject = trace_subject(trace_example(), {kExampleSource, kExampleTarget});
    const std::vector<TraceValue> values =
        trace_of(*subject.model, subject.batch, subject.tokens, true).values;
    const std::vector<Json>& listed = traced.at("values").items();
    REQUIRE(listed.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Json expected = value_json(values[i]);
      CHECK(listed[i].at("name").string() == values[i].name);
      CHECK(listed[i].at("gradient").boolean() == values[i].backward);
      const Json answer =
          ask(engine, text(R"({"op": "value", "model": 1, "name": ")", values[i].name, R"("})"));
      for (const Json::Member& member : expected.members()) {
        CHECK(to_json(answer.at(member.key)) == to_json(member.value));
        if (member.key != "data") CHECK(to_json(listed[i].at(member.key)) == to_json(member.value));
      }
    }
  }

  TEST_CASE("whatever is wrong with a request is answered, and nothing happens") {
    Engine engine;
    ask(engine, R"({"op": "load", "builtin": "example"})");
    const std::pair<const char*, const char*> wrong[] = {
        {"", "the request"},
        {"[]", "a request is an object, not an array"},
        {"{}", "a request says in 'op' what it is for"},
        {R"({"op": "stepp"})", "there is no op \"stepp\"; did you mean step?"},
        {R"({"op": "step"})", "the field 'model' is missing"},
        {R"({"op": "step", "model": 7})", "there is no model 7"},
        {R"({"op": "step", "model": 1})", "this model was trained elsewhere"},
        {R"({"op": "step", "model": 1, "cuont": 3})", "unknown field \"cuont\"; there are: op"},
        {R"({"op": "make"})", "the field 'task' is missing"},
        {R"({"op": "make", "task": "sort"})", "there is no task \"sort\""},
        {R"({"op": "make", "task": "copy", "settings": {"heads": "many"}})",
         "heads: expected a whole number"},
        {R"({"op": "make", "task": "copy", "settings": {"heads": [1]}})",
         "heads must be a number, a word"},
        {R"({"op": "make", "task": "copy", "settings": {"colour": 1}})",
         "unknown setting 'colour'"},
        {R"({"op": "make", "task": "copy", "settings": {"source_vocabulary": 9}})",
         "unknown setting 'source_vocabulary'"},
        {R"({"op": "make", "task": "copy", "settings": {"warmup": 0}})", "warmup must be 1 to"},
        {R"({"op": "make", "task": "copy", "settings": {"d_model": 2048, "d_ff": 8192}})",
         "is too large for a page"},
        {R"({"op": "make", "task": "copy", "settings": {"batch_tokens": 99999}})",
         "batch_tokens must be at most"},
        {R"({"op": "make", "task": "copy", "settings": {"broken": "mask"}})", "broken must be"},
        {R"({"op": "load"})", "the field 'model_file' is missing"},
        {R"({"op": "load", "builtin": "gpt"})", "there is no builtin \"gpt\""},
        {R"({"op": "load", "model_file": "m", "tokenizer_file": "t"})", "there is no file 'm'"},
        {R"({"op": "translate", "model": 1})", "the field 'source' is missing"},
        {R"({"op": "translate", "model": 1, "source": "  "})", "the source sentence has no words"},
        {R"({"op": "translate", "model": 1, "source": "Jane", "beam": 0})",
         "beam must be a whole number from 1 to 32"},
        {R"({"op": "translate", "model": 1, "source": "Jane", "alpha": -1})",
         "alpha must be a number from 0 to 10"},
        {R"({"op": "translate", "model": 1, "source": "Jane", "off": 3})", "off must be an array"},
        {R"({"op": "translate", "model": 1, "source": "Jane",)"
         R"( "off": [{"kind": "x", "layer": 0, "head": 0}]})",
         "kind must be encoder, decoder, cross or sequence"},
        {R"({"op": "decode", "model": 1, "source": "Jane", "prefix": [99]})",
         "prefix: there is no token 99"},
        {R"({"op": "decode", "model": 1, "source": "Jane", "temperature": -1})",
         "temperature must be a number from 0"},
        {R"({"op": "make", "task": "language"})", "the field 'text' is missing"},
        {R"({"op": "value", "model": 1, "name": "z"})", "nothing was traced yet"},
    };
    for (const auto& one : wrong) {
      CAPTURE(one.first);
      const std::string error = error_of(engine, one.first);
      CAPTURE(error);
      CHECK(error.find(one.second) != std::string::npos);
    }
    ask(engine, R"({"op": "trace", "model": 1})");
    CHECK(error_of(engine, R"({"op": "value", "model": 1, "name": "zz"})") ==
          "the trace has no value \"zz\"");
    CHECK(error_of(engine, R"({"op": "explain", "model": 1, "name": "z", "row": 6, "column": 0})")
              .find("row must be a whole number from 0 to 5") == 0);
    CHECK(engine.models.size() == 1);
  }

  TEST_CASE("a damaged file is refused with its name, and no bytes of it reach the answer") {
    Engine engine = with_phrasebook();
    const std::string model = engine.files.at("m"), tokenizer = engine.files.at("t");
    const std::string request = R"({"op": "load", "model_file": "m", "tokenizer_file": "t"})";
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{7}, std::size_t{100}, model.size() / 2, model.size() - 1}) {
      engine.files["m"] = model.substr(0, size);
      CHECK(error_of(engine, request).find("m: ") == 0);
    }
    engine.files["m"] = model;
    engine.files["t"] = "\xff\xfe nonsense";
    error_of(engine, request);
    engine.files["t"] = tokenizer.substr(0, tokenizer.size() / 2);
    error_of(engine, request);
    engine.files["t"] = "attention-tokenizer 1 words\n4\n<unk>\n<bos>\n<eos>\na\n";
    CHECK(error_of(engine, request).find("t has 4 tokens, but m reads") == 0);
    CHECK(engine.models.size() == 1);
  }

  TEST_CASE("the C interface hands over files and answers") {
    const std::string tokenizer = "attention-tokenizer 1 words\n";
    char* bytes = static_cast<char*>(engine_allocate(static_cast<int>(tokenizer.size())));
    REQUIRE(bytes != nullptr);
    tokenizer.copy(bytes, tokenizer.size());
    CHECK(engine_file("t", bytes, static_cast<int>(tokenizer.size())) == 1);
    engine_release(bytes);
    CHECK(std::string(engine_call(R"({"op": "load", "builtin": "example"})"))
              .find(R"({"op":"load","model":1,)") == 0);
    CHECK(std::string(engine_call("{")).find(R"({"op":"","error":)") == 0);
    CHECK(std::string(engine_call(R"({"op": "free", "model": 1})")) == R"({"op":"free"})");
  }
}
