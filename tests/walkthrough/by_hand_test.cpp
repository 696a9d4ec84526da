// The models whose weights are set by hand (chapter 3.5.1) are proven for every sequence up to 64
// letters, and tried on the test sets.
#include "examples/by_hand.h"

#include <doctest/doctest.h>

#include "decoding/greedy.h"
#include "tasks/task.h"
#include "text/corpus.h"

using namespace attn;

namespace {

Transformer by_hand_model(const std::string& task) {
  return task == "copy" ? by_hand::copy() : by_hand::reverse();
}

// How many outputs of ordinary greedy decoding are the target, word by word.
int exact_matches(const SequenceModel& model, const Task& task,
                  const std::vector<TextPair>& pairs) {
  PackedIds source;
  for (const TextPair& pair : pairs) source.append(encode_source(task.tokenizer, pair.source));
  const std::vector<std::vector<int>> outputs = decode_greedily(model, source);
  int matches = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    matches += task.tokenizer.decode(outputs[i]) == pairs[i].target;
  }
  return matches;
}

// For each letter v the pair v v … v → v v … v of n letters. What a position of the source becomes
// depends on its letter and its number alone (the encoder's attention is 0), and so does what the
// decoder asks, but for n: together these pairs hold every key and every query that any sequence of
// n letters can give.
Batch all_keys_and_queries(int n) {
  Batch batch;
  for (int letter = kSpecialTokens; letter < by_hand::kTokens; ++letter) {
    std::vector<int> source(n, letter), target = source;
    source.push_back(kEos);
    target.insert(target.begin(), kBos);
    target.push_back(kEos);
    batch.append(source, target);
  }
  return batch;
}

// The smallest lead of the right source position over any other, as scores that softmax sees, over
// all sequences of n letters and all steps t: the worst letter there against the best one
// elsewhere.
double smallest_lead(const std::string& task, const Transformer& model, int n) {
  const Batch batch = all_keys_and_queries(n);
  Transformer::Cache cache;
  model.forward(batch, DropoutMasks(), cache);
  const MultiHeadAttention::Cache& look = cache.decoder.back().cross_attention;
  Tensor scores = Tensor::uninitialised({look.Q.rows(), look.projected.K.rows()});
  matmul(look.Q, transposed(look.projected.K), scores);

  double lead = 1e30;
  const Index length = n + 1;
  for (Index q = 0; q < scores.rows(); ++q) {
    const Index t = q % length;
    const Index right = t == n ? n : task == "copy" ? t : n - 1 - t;
    double worst_right = 1e30, best_wrong = -1e30;
    for (Index k = 0; k < scores.cols(); ++k) {
      const double score = static_cast<double>(scores(q, k));
      if (k % length == right) {
        worst_right = std::min(worst_right, score);
      } else {
        best_wrong = std::max(best_wrong, score);
      }
    }
    lead = std::min(lead, worst_right - best_wrong);
  }
  return lead / std::sqrt(static_cast<double>(by_hand::kQuery));
}

}  // namespace

TEST_SUITE("3.5.1 copy and reverse by hand") {
  TEST_CASE("by hand, without training: every test sequence is copied and reversed") {
    for (const std::string name : {"copy", "reverse"}) {
      const Task task = find_task(name);
      const Transformer model = by_hand_model(name);
      CHECK(exact_matches(model, task, task.test_set()) == 1000);
      CHECK(exact_matches(model, task, task.longer_test_set()) == 200);
    }
  }

  TEST_CASE("by hand: the right token has all of the probability that a float can say") {
    for (const std::string name : {"copy", "reverse"}) {
      const Task task = find_task(name);
      Batch batch;
      for (const TextPair& pair : task.longer_test_set()) {
        batch.append(encode_source(task.tokenizer, pair.source),
                     encode_target(task.tokenizer, pair.target));
      }
      CHECK(by_hand_model(name).loss(batch).mean_loss() == 0);
    }
  }

  TEST_CASE("by hand: whatever the letters, the right position leads by 20, up to 64 letters") {
    // Then it has 1 − 64·e^-20 of the weight at least, and 3/4 is enough.
    for (const std::string name : {"copy", "reverse"}) {
      const Transformer model = by_hand_model(name);
      for (int n = 1; n <= by_hand::kLongest; ++n) {
        CAPTURE(name);
        CAPTURE(n);
        CHECK(smallest_lead(name, model, n) > 20);
      }
    }
  }

  TEST_CASE("reverse by hand: the first layer finds the end, and the ruler is right to a quarter") {
    const Transformer model = by_hand::reverse();
    for (const int n : {1, 20, 64}) {
      Transformer::Cache cache;
      model.forward(all_keys_and_queries(n), DropoutMasks(), cache);
      const DecoderLayer::Cache& first = cache.decoder[0];
      double least_weight = 1, worst = 0;
      for (Index row = 0; row < 26 * (n + 1); ++row) {
        // P has 26 sentences, each [n + 1, n + 1]; <eos> is the last column.
        const Tensor& P = first.cross_attention.P;
        least_weight = std::min(least_weight, static_cast<double>(P[row * (n + 1) + n]));

        // Position/1000 is in column 192; 0 and 1 are in the last sine and cosine.
        const Real* x = first.ffn_residual.u.row(row);
        const double zero = static_cast<double>(x[254]), one = static_cast<double>(x[255]) - zero;
        const double a_position = one * (1e-3 - std::pow(10000.0, -127 / 128.0));
        const double position = (static_cast<double>(x[192]) - zero) / a_position;
        worst = std::max(worst, std::abs(position - static_cast<double>(row % (n + 1) - n)));
      }
      CHECK(least_weight == 1);
      CHECK(worst < 0.25);
      // A sine bends: sin x = x − x³/6. Layer norm's σ at <eos> differs from that at t by less
      // than 3 in 1000.
      CHECK(worst < 1e-6 * n * n * n / 6 + 0.003 * n);
    }
  }

  TEST_CASE("by hand: looking k positions further on is a rotation, and copies what comes there") {
    const Task task = find_task("copy");
    Transformer model = by_hand::blank(1);
    by_hand::look(model.decoder[0].cross_attention, 2);
    const PackedIds source = packed(encode_source(task.tokenizer, "h e l l o"));
    CHECK(task.tokenizer.decode(decode_greedily(model, source)[0]) == "l l o");
  }
}
