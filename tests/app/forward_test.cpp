#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "model/transformer.h"
#include "storage/safetensors.h"
#include "support/program.h"
#include "support/small_models.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("forward");

namespace {
struct Ids {
  const TemporaryDirectory directory;
  const std::string source, target, out = directory.path("out.safetensors");
  Ids(const std::string& sources, const std::string& targets)
      : source(directory.file("source", sources)), target(directory.file("target", targets)) {}
  Outcome forward(const std::string& options = "", const std::string& model = small_run()) const {
    return run("forward --model " + model + " --source-ids " + source + " --target-ids " + target +
               " --out " + out + " " + options);
  }
};
}  // namespace

TEST_CASE(
    "the file has the library's logits and loss, gradients if they are asked for, and nothing "
    "else") {
  // Lines end as they please, and no <bos> or <eos> is asked for.
  const Ids ids("7 4 11 2\r\n3\n28  0\t1\n", "1 7 4 11 2\n1 2\n5 6 7");
  const Outcome outcome = worked(ids.forward("--gradients"));
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  TensorFile file = read_safetensors(ids.out);

  const auto model = load_model(small_run());
  Batch batch;
  batch.append({7, 4, 11, 2}, {1, 7, 4, 11, 2});
  batch.append({3}, {1, 2});
  batch.append({28, 0, 1}, {5, 6, 7});
  const Tensor logits = dynamic_cast<Transformer&>(*model).logits(batch);
  CHECK(logits.shape() == Shape{7, 29});
  CHECK(same(file.tensors.at("logits"), logits));

  // The loss from the logits, by its definition: smoothed by 0.1.
  double loss = 0;
  for (Index t = 0; t < 7; ++t) {
    double sum = 0;
    for (Index v = 0; v < 29; ++v) sum += std::exp(static_cast<double>(logits(t, v)));
    for (Index v = 0; v < 29; ++v) {
      const double q = 0.1 / 29 + (v == batch.target_output[t] ? 0.9 : 0.0);
      loss -= q * (static_cast<double>(logits(t, v)) - std::log(sum)) / 7;
    }
  }
  CHECK(file.tensors.at("loss").shape() == Shape{1});
  CHECK(static_cast<double>(file.tensors.at("loss")[0]) == doctest::Approx(loss).epsilon(1e-5));

  zero_gradients(*model);
  model->loss_and_gradients(batch, DropoutMasks(), Real(1) / 7);
  std::size_t parameters = 0;
  model->visit_parameters([&](const std::string& name, Parameter& p) {
    CAPTURE(name);
    ++parameters;
    CHECK(same(file.tensors.at("grad." + name), p.gradient));
  });
  CHECK(file.tensors.size() == parameters + 2);

  worked(ids.forward());
  const TensorFile without = read_safetensors(ids.out);
  CHECK(without.tensors.size() == 2);
  CHECK(same(without.tensors.at("logits"), logits));
  CHECK(same(without.tensors.at("loss"), file.tensors.at("loss")));
}

TEST_CASE("ids that make no sense are refused with file and line") {
  const auto refused = [](const std::string& source, const std::string& target,
                          const std::string& message) {
    const Ids ids(source, target);
    check_fails(ids.forward(), "attention: error: " + ids.directory.path() + "/" + message);
    CHECK(!std::filesystem::exists(ids.out));
  };
  refused("3\n29\n", "1 2\n1 2\n", "source, line 2: expected ids from 0 to 28, not '29'");
  refused("-1\n", "1 2\n", "source, line 1: expected ids from 0 to 28, not '-1'");
  refused("3 x\n", "1 2\n", "source, line 1: expected ids from 0 to 28, not 'x'");
  refused("3.0\n", "1 2\n", "source, line 1: expected ids from 0 to 28, not '3.0'");
  refused("99999999999999999999\n", "1 2\n", "source, line 1: expected ids from 0 to 28");
  refused("3\n\n", "1 2\n1 2\n", "source, line 2: 0 ids, expected at least 1");
  refused("3\n", "1\n", "target, line 1: 1 id, expected at least 2");
  refused("3\n", "1 29\n", "target, line 1: expected ids from 0 to 28, not '29'");
  refused("", "1 2\n", "source is empty");
  refused("3\n3\n", "1 2\n", "source has 2 lines and ");
  refused("3 \xFF\n", "1 2\n", "source, line 1, byte 3: not UTF-8");
}

TEST_CASE("dropout is off, and each side has a vocabulary and is as long as the model can read") {
  TransformerConfig config = with_dropout(small_config());  // 11 source tokens, 8 positions
  config.norm = NormPlacement::pre;
  config.tie_embeddings = false;
  config.target_vocabulary = 13;
  config.positions = Positions::learned;
  config.attention_bias = true;
  const Transformer model = random_model(config);
  const TemporaryDirectory directory;
  const std::string made = directory.path("model");
  create_model(made, model, std::nullopt);
  const Ids ids("7 4 2\n10\n", "1 12 2\n1 2");
  worked(ids.forward("--gradients", made));
  const TensorFile file = read_safetensors(ids.out);
  Batch batch;
  batch.append({7, 4, 2}, {1, 12, 2});
  batch.append({10}, {1, 2});
  CHECK(same(file.tensors.at("logits"), model.logits(batch)));
  for (const char* name : {"grad.projection.weight", "grad.source_positions.weight",
                           "grad.encoder.norm.gamma", "grad.target_embedding.weight"}) {
    CHECK_MESSAGE(file.tensors.count(name) == 1, name);
  }
  // Of nine target ids, eight are read.
  worked(Ids("3 3 3 3 3 3 3 3\n", "1 3 3 3 3 3 3 3 2\n").forward("", made));

  const auto refused = [&](const std::string& source, const std::string& target,
                           const char* message) {
    check_fails(Ids(source, target).forward("", made), message);
  };
  refused("11\n", "1 2\n", "source, line 1: expected ids from 0 to 10, not '11'");
  refused("3\n", "1 13\n", "target, line 1: expected ids from 0 to 12, not '13'");
  refused("3\n3 3 3 3 3 3 3 3 3\n", "1 2\n1 2\n",
          "source, line 2: 9 ids to read, but the model reads at most 8");
  refused("3\n", "1 3 3 3 3 3 3 3 3 2\n", "9 ids to read, but the model reads at most 8");
}

TEST_SUITE_END();

}  // namespace attn::test
