// The library against the last program of walkthrough/grow/, given the same weights: packed, fused
// and fast against one sentence at a time in plain loops. The program's gradients are checked by
// differences, and it shares no line with the library. (The kinds of model that the program has
// not are in pytorch_golden_test.cpp.)
#include <doctest/doctest.h>

#define GROW_NO_MAIN
#include "grow/13-transformer.cpp"
#include "support/compare.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// The paper's model, of sizes on both sides of the vector width.
TransformerConfig random_config(std::uint64_t seed) {
  const RandomStream random{seed, 7};
  std::uint64_t draw = 0;
  const auto from = [&](Index least, std::uint64_t n) {
    return least + static_cast<Index>(random.below(draw++, n));
  };
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = from(11, 20);
  config.layers = from(1, 3);
  config.heads = from(1, 4);
  config.d_k = from(1, 18);
  config.d_v = from(1, 18);
  config.d_model = from(3, 32);
  config.d_ff = from(1, 130);
  config.dropout = 0;
  config.label_smoothing = 0.1 * static_cast<double>(from(0, 3));
  return config;
}

Batch random_batch(std::uint64_t seed, std::vector<grow::Pair>& pairs) {
  Batch batch;
  for (std::uint64_t b = 0; b < 4; ++b) {
    // 0 to 19 words, and one long sentence.
    const std::uint64_t words = b < 3 ? 7 * b % 20 : seed == 1 ? 300 : 70;
    std::vector<int> source = random_ids(10 * seed + b, static_cast<Index>(words));
    std::vector<int> target =
        random_ids(1000 + 10 * seed + b, static_cast<Index>((5 * b + seed) % 20));
    source.push_back(kEos);
    target.push_back(kEos);
    pairs.push_back({source, target});
    target.insert(target.begin(), kBos);
    batch.append(source, target);
  }
  return batch;
}

// The program's model, with the same weights.
grow::Model twin_of(SequenceModel& model, const TransformerConfig& c) {
  const auto number = [](Index n) { return static_cast<int>(n); };
  grow::Model twin;
  twin.config = {number(c.target_vocabulary),
                 number(c.layers),
                 number(c.d_model),
                 number(c.d_ff),
                 number(c.heads),
                 number(c.d_k),
                 number(c.d_v),
                 0,
                 c.label_smoothing};
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    auto& q = twin.parameter(name, number(p.value.rows()), number(p.value.cols()));
    std::copy_n(p.value.data(), p.value.elements(), q.value.numbers.begin());
  });
  return twin;
}

// False for NaN.
bool small(double error) {
  return error <= (sizeof(Real) == 8 ? 1e-12 : 1e-5);
}

}  // namespace

TEST_SUITE("3.1 stacks") {
  TEST_CASE("logits, loss and every gradient equal those of the last program of walkthrough/grow") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      const TransformerConfig config = random_config(seed);
      Transformer model = random_model(config, seed);
      grow::Model twin = twin_of(model, config);
      std::vector<grow::Pair> pairs;
      const Batch batch = random_batch(seed, pairs);

      const double tokens = static_cast<double>(batch.target_input.tokens());
      const LossSums sums = model.loss_and_gradients(batch, {}, static_cast<Real>(1 / tokens));
      const double loss = grow::loss_and_gradients(twin, pairs);
      CHECK(small(std::abs(sums.loss / tokens - loss) / loss));
      CHECK(sums.loss == model.loss(batch).loss);
      CHECK(sums.tokens == batch.target_input.tokens());
      const Tensor logits = model.logits(batch);
      for (std::size_t b = 0; b < pairs.size(); ++b) {
        const grow::Matrix plain =
            grow::forward(twin, sentence(batch.source, b), sentence(batch.target_input, b));
        const Real* const packed = logits.row(batch.target_input.offsets[b]);
        CHECK(small(relative_error(plain.rows * plain.cols, packed, plain.numbers.data())));
      }
      const double tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-3;
      std::size_t compared = 0;
      model.visit_parameters([&](const std::string& name, Parameter& p) {
        CAPTURE(name);
        const grow::Parameter& q = twin.parameters.at(name);
        CHECK(relative_error(p.gradient.elements(), p.gradient.data(), q.gradient.numbers.data()) <=
              tolerance);
        ++compared;
      });
      CHECK(compared == twin.parameters.size());  // it made none that the library has not
    }
  }

  TEST_CASE("the check of the last program of walkthrough/grow finds its gradient right") {
    CHECK(grow::check(1));
  }
}
