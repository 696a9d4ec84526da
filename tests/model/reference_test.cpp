// The library against the reference: packed, fused and fast against sentence by sentence in plain
// loops, for every kind of model.
#include "support/reference_transformer.h"

#include <doctest/doctest.h>

#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

using Matrix = ReferenceTransformer::Matrix;

// ‖a − b‖/‖b‖ of rows first, first + 1, … of a and all of b.
double relative_error_of_rows(const Tensor& a, Index first, const Matrix& b) {
  std::vector<double> numbers;
  for (const std::vector<double>& row : b) numbers.insert(numbers.end(), row.begin(), row.end());
  return relative_error(static_cast<Index>(numbers.size()), a.row(first), numbers.data());
}

// False for NaN.
bool small(double error) {
  return error <= (sizeof(Real) == 8 ? 1e-12 : 1e-5);
}

void check_against_reference(const TransformerConfig& config, const Batch& batch) {
  Transformer model = random_model(config);
  const ReferenceTransformer reference(model);
  const Tensor logits = model.logits(batch);
  const Offsets& offsets = batch.target_input.offsets;
  REQUIRE(logits.shape() == Shape{offsets.back(), config.target_vocabulary});
  double loss = 0;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const std::vector<int> source = sentence(batch.source, b);
    const std::vector<int> target = sentence(batch.target_input, b);
    CHECK(small(relative_error_of_rows(logits, offsets[b], reference.logits(source, target))));
    loss += reference.loss(source, target, target_output(batch, b));
  }
  const double library_loss = model.loss(batch).loss;
  CHECK(small(std::abs(library_loss - loss) / loss));

  // The training step, with dropout off, sees the same loss.
  const LossSums sums = model.loss_and_gradients(batch, {}, 1);
  CHECK(sums.loss == library_loss);
  CHECK(sums.tokens == offsets.back());
}

}  // namespace

TEST_SUITE("3.1 stacks") {
  TEST_CASE("logits and loss equal the reference's, for every kind of model") {
    for (const SmallModel& small_model : small_models()) {
      CAPTURE(small_model.name);
      check_against_reference(small_model.config, small_batch());
    }
  }

  TEST_CASE("the same for sizes around the vector width, one head, one layer, long sentences") {
    TransformerConfig config = small_config();
    config.layers = 1;
    config.heads = 1;
    config.d_model = 33;
    config.d_ff = 130;
    config.d_k = 17;
    config.d_v = 16;
    config.label_smoothing = 0;
    Batch batch;
    std::vector<int> source = random_ids(1, 300), target = random_ids(2, 70);
    source.push_back(kEos);
    target.insert(target.begin(), kBos);
    target.push_back(kEos);
    batch.append(source, target);
    batch.append({2}, {1, 2});
    check_against_reference(config, batch);
  }

  TEST_CASE("an odd d_model works") {
    TransformerConfig config = small_config();
    config.d_model = 5;
    check_against_reference(config, small_batch());
  }
}

TEST_SUITE("3.2.3 three uses") {
  TEST_CASE("packed sentences equal padded ones with a padding mask") {
    Transformer model = random_model(small_config());
    const ReferenceTransformer reference(model);
    const Batch batch = small_batch();
    const Tensor logits = model.logits(batch);
    for (std::size_t b = 0; b < 3; ++b) {
      // Both sides filled up with <unk>, as a rectangular batch would have it.
      std::vector<int> source = sentence(batch.source, b);
      std::vector<int> target = sentence(batch.target_input, b);
      const std::size_t source_length = source.size(), target_length = target.size();
      source.resize(7, 0);
      target.resize(6, 0);
      const auto legal = ReferenceTransformer::without_padding(source_length);
      Matrix padded =
          reference.project(reference.decoder(target, reference.encoder(source, legal), legal));
      padded.resize(target_length);
      CHECK(small(relative_error_of_rows(logits, batch.target_input.offsets[b], padded)));

      // The mask is needed: without it, padding leaks into the sentence.
      if (source_length == 7) continue;
      Matrix leaking = reference.logits(source, target);
      leaking.resize(target_length);
      CHECK(relative_error_of_rows(logits, batch.target_input.offsets[b], leaking) > 1e-3);
    }
  }
}
