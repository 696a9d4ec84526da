// The library against the last program of walkthrough/grow/, given the same weights: packed, fused
// and fast against one sentence at a time in plain loops. The program's gradients are checked by
// differences, and it shares no line with the library.
//
// The program is the paper's model. The library has other kinds: pre-norm, learned positions, an
// embedding for each side, biases in attention. The class AnyKind builds those from the program's
// functions, forward only.
#include <doctest/doctest.h>

#define GROW_NO_MAIN
#include "grow/13-transformer.cpp"
#include "support/compare.h"
#include "support/grow_twin.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// Post-norm, tied embeddings, sinusoidal positions, no attention biases: the paper's model.
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
  config.d_k = from(1, 8);
  config.d_v = from(1, 8);
  config.d_model = from(3, 12);
  config.d_ff = from(1, 20);
  config.dropout = 0;
  config.label_smoothing = 0.1 * static_cast<double>(from(0, 3));
  return config;
}

Batch random_batch(std::uint64_t seed, std::vector<grow::Pair>& pairs) {
  Batch batch;
  for (std::uint64_t b = 0; b < 4; ++b) {
    // 0 to 19 words, and one long sentence.
    std::vector<int> source =
        random_ids(10 * seed + b, static_cast<Index>(b == 3 ? 70 : 7 * b % 20));
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

class AnyKind {
 public:
  using Matrix = grow::Matrix;
  using Name = grow::Name;
  using Ids = grow::Ids;

  AnyKind(Transformer& model, const TransformerConfig& config)
      : c(config), m(with_weights_of<grow::Model>(model, config)) {}

  // Only the first `length` source tokens are seen. Others pad the sentences of a batch so.
  Matrix logits(const Ids& source, const Ids& target, int length) {
    const bool pre = c.norm == NormPlacement::pre;
    Matrix z = embed("source", source);
    for (Index i = 0; i < c.layers; ++i) z = layer("encoder." + std::to_string(i), z, length);
    if (pre) z = grow::layer_norm(m, "encoder.norm", z);
    Matrix h = embed("target", target);
    for (Index i = 0; i < c.layers; ++i) h = layer("decoder." + std::to_string(i), h, length, &z);
    if (pre) h = grow::layer_norm(m, "decoder.norm", h);
    return grow::product(
        h, c.tie_embeddings ? grow::transposed(weight("embedding")) : weight("projection"));
  }

  Matrix logits(const Ids& source, const Ids& target) {
    return logits(source, target, static_cast<int>(source.size()));
  }

 private:
  const Matrix& weight(const Name& name) const { return m.parameters.at(name + ".weight").value; }

  Matrix embed(const Name& side, const Ids& ids) const {
    const Matrix& E = weight(c.tie_embeddings ? "embedding" : side + "_embedding");
    const Matrix e = grow::scaled(std::sqrt(E.cols), grow::product(grow::one_hot(ids, E.rows), E));
    // The first rows of a table may be all that is added.
    return e + (c.positions == Positions::learned ? weight(side + "_positions")
                                                  : grow::positional_encoding(e.rows, e.cols));
  }

  // A layer of the encoder or, if it is given z, of the decoder.
  Matrix layer(const Name& name, Matrix x, int length, const Matrix* z = nullptr) {
    const auto add_and_norm = [&](const Name& part, const auto& sublayer) {
      const Name norm = name + part + "_norm";
      x = c.norm == NormPlacement::pre ? x + sublayer(name + part, grow::layer_norm(m, norm, x))
                                       : grow::layer_norm(m, norm, x + sublayer(name + part, x));
    };
    add_and_norm(".self_attention", [&](const Name& part, const Matrix& u) {
      return z ? attend(part, u, u, u.rows, true) : attend(part, u, u, length, false);
    });
    if (z) {
      add_and_norm(".cross_attention", [&](const Name& part, const Matrix& u) {
        return attend(part, u, *z, length, false);
      });
    }
    add_and_norm(".feed_forward",
                 [&](const Name& part, const Matrix& u) { return grow::feed_forward(m, part, u); });
    return x;
  }

  Matrix attend(const Name& name, const Matrix& x, const Matrix& memory, int length, bool causal) {
    const auto heads = [&](const Name& role, const Matrix& a) {
      return grow::split(linear(name + role, a), m.config.heads);
    };
    const auto Q = heads(".query", x), K = heads(".key", memory), V = heads(".value", memory);
    std::vector<Matrix> O;
    for (std::size_t i = 0; i < Q.size(); ++i) {
      Matrix S = grow::scaled(1 / std::sqrt(K[i].cols), product(Q[i], grow::transposed(K[i])));
      for (int t = 0; t < S.rows; ++t) {
        for (int j = causal ? t + 1 : length; j < S.cols; ++j) S.row(t)[j] = -HUGE_VAL;
      }
      O.push_back(product(grow::softmax(S), V[i]));
    }
    return linear(name + ".output", grow::concat(O));
  }

  Matrix linear(const Name& name, const Matrix& x) {
    Matrix y = grow::product(x, weight(name));
    return c.attention_bias ? grow::with_bias(m, name + ".bias", y) : y;
  }

  TransformerConfig c;
  grow::Model m;
};

// ‖a − b‖/‖b‖ of rows first, first + 1, … of a, and the first `count` rows of b.
double relative_error_of_rows(const Tensor& a, Index first, const grow::Matrix& b, Index count) {
  return relative_error(count * b.cols, a.row(first), b.numbers.data());
}

// False for NaN.
bool small(double error) {
  return error <= (sizeof(Real) == 8 ? 1e-12 : 1e-5);
}

void check_against_program(const TransformerConfig& config, const Batch& batch) {
  Transformer model = random_model(config);
  AnyKind twin(model, config);
  const Tensor logits = model.logits(batch);
  const Offsets& offsets = batch.target_input.offsets;
  REQUIRE(logits.shape() == Shape{offsets.back(), config.target_vocabulary});
  double loss = 0;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    const std::vector<int> target = sentence(batch.target_input, b);
    grow::Matrix expected = twin.logits(sentence(batch.source, b), target);
    CHECK(small(relative_error_of_rows(logits, offsets[b], expected, expected.rows)));
    loss += grow::cross_entropy(expected, target_output(batch, b), config.label_smoothing);
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
  TEST_CASE("logits and loss equal those of plain loops, for every kind of model") {
    for (const SmallModel& small_model : small_models()) {
      CAPTURE(small_model.name);
      check_against_program(small_model.config, small_batch());
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
    check_against_program(config, batch);
  }

  TEST_CASE("an odd d_model works") {
    TransformerConfig config = small_config();
    config.d_model = 5;
    check_against_program(config, small_batch());
  }

  TEST_CASE("loss and every gradient equal those of the last program of walkthrough/grow") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      const TransformerConfig config = random_config(seed);
      Transformer model = random_model(config, seed);
      grow::Model twin = with_weights_of<grow::Model>(model, config);
      std::vector<grow::Pair> pairs;
      const Batch batch = random_batch(seed, pairs);

      const double tokens = static_cast<double>(batch.target_input.tokens());
      const LossSums sums = model.loss_and_gradients(batch, {}, static_cast<Real>(1 / tokens));
      const double loss = grow::loss_and_gradients(twin, pairs);
      const double tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-3;
      CHECK(std::abs(sums.loss / tokens - loss) <= tolerance * loss);
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
}

#ifdef ATTENTION_DOUBLE  // its arithmetic is its own, so once is enough
TEST_CASE("the check of the last program of walkthrough/grow finds its gradient right") {
  CHECK(grow::check(1));
}
#endif

TEST_SUITE("3.2.3 three uses") {
  TEST_CASE("packed sentences equal padded ones with a padding mask") {
    Transformer model = random_model(small_config());
    AnyKind twin(model, small_config());
    const Batch batch = small_batch();
    const Tensor logits = model.logits(batch);
    for (std::size_t b = 0; b < 3; ++b) {
      // Both sides filled up with <unk>, as a rectangular batch would have it.
      std::vector<int> source = sentence(batch.source, b);
      std::vector<int> target = sentence(batch.target_input, b);
      const Index length = static_cast<Index>(source.size()),
                  rows = static_cast<Index>(target.size());
      source.resize(7, 0);
      target.resize(6, 0);
      const Index first = batch.target_input.offsets[b];
      const grow::Matrix padded = twin.logits(source, target, static_cast<int>(length));
      CHECK(small(relative_error_of_rows(logits, first, padded, rows)));

      // The mask is needed: without it, padding leaks into the sentence.
      if (length == 7) continue;
      const grow::Matrix leaking = twin.logits(source, target);
      CHECK(relative_error_of_rows(logits, first, leaking, rows) > 1e-3);
    }
  }
}
