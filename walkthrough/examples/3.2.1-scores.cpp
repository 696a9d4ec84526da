// Additive attention, the dot product, and the dot product over √d_k (§3.2.1), each in the smallest
// model in which one attention does all the work. For target position t, one head looks at the
// source and writes the word that it finds there:
//
//     q_t = PE(t) W_Q      k_j = [PE(j); PE(n − 1 − j)] W_K      v_j = E[x_j] W_V
//     logits_t = Σ_j softmax_j(score(q_t, k_j)) v_j W_O
//
// A key says where its word is, from the start and from the end, which is what copy and reverse
// need to know. Nothing but the scores depends on d_k. W_Q and W_K start such that q and k have
// components of mean 0 and variance about 1, as the paper's footnote 4 supposes, for any d_k.
//
//     example-3.2.1-scores [TASK] [SEEDS] [STEPS]        reverse, 3, 1000: three minutes or so
//
// Prints the percentage of words that are right in the test set, the mean over the seeds, and the
// milliseconds of a step.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/clock.h"
#include "lab/predecessors/alignment.h"
#include "layers/cross_entropy.h"
#include "layers/embedding.h"
#include "layers/positional_encoding.h"
#include "tasks/task.h"
#include "text/batch.h"

using namespace attn;

namespace {

enum class Score { scaled_dot, dot, additive };

constexpr Index kWidth = 64, kBatchTokens = 512;
constexpr double kRate = 0.002;

// The numbers of PE have mean square 1/2.
Linear unit_variance(Index in, Index out) {
  Linear layer(in, out, false);
  layer.weight = Parameter({in, out}, Parameter::Start::normal, std::sqrt(2 / to_double(in)));
  return layer;
}

// PE(t) of every position of every sentence; from both ends, [PE(t); PE(n − 1 − t)].
Tensor positions_of(const Offsets& offsets, bool from_both_ends) {
  Tensor x = Tensor::uninitialised({offsets.back(), from_both_ends ? 2 * kWidth : kWidth});
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) {
      sinusoidal_encoding(t - offsets[b], kWidth, x.row(t));
      if (from_both_ends) sinusoidal_encoding(offsets[b + 1] - 1 - t, kWidth, x.row(t) + kWidth);
    }
  }
  return x;
}

struct OneHead {
  Embedding embedding;              // E [V, width]
  Linear query, key;                // W_Q [width, d_k], W_K [2·width, d_k]
  Linear value, output;             // W_V [width, width], W_O [width, V]
  Alignment attention;              // score = scale · q · k, or v · tanh(q + k)
  std::vector<Parameter*> weights;  // all of the above

  OneHead(Score score, Index vocabulary, Index d_k, std::uint64_t seed)
      : embedding(vocabulary, kWidth),
        query(unit_variance(kWidth, d_k)),
        key(unit_variance(2 * kWidth, d_k)),
        value(kWidth, kWidth, false),
        output(kWidth, vocabulary, true) {
    const double root = std::sqrt(to_double(d_k));
    if (score == Score::scaled_dot) attention.scale = static_cast<Real>(1 / root);
    const auto start = [&](const std::string& name, Parameter& p) {
      initialise(name, p, seed);
      weights.push_back(&p);
    };
    embedding.visit("embedding", start);
    query.visit("query", start);
    key.visit("key", start);
    value.visit("value", start);
    output.visit("output", start);
    if (score != Score::additive) return;
    attention.kind = Alignment::Kind::additive;
    attention.v = Parameter({d_k}, Parameter::Start::normal, 1 / root);
    start("v", attention.v);
  }
  OneHead(const OneHead&) = delete;  // weights point into this one

  // What the backward pass needs.
  struct Cache {
    Tensor at_query, at_key, e;  // [T_target, width], [T_source, 2·width], [T_source, width]
    Tensor Q, K, V;              // [T_target, d_k], [T_source, d_k], [T_source, width]
    Tensor P, O;                 // all weights; [T_target, width]
    Looks looks;                 // target sentence b looks at source sentence b
  };

  Tensor forward(const Batch& batch, Cache& c) const {
    c.looks = looks_of_sentences(batch.target_input.offsets, batch.source.offsets);
    c.at_query = positions_of(batch.target_input.offsets, false);
    c.at_key = positions_of(batch.source.offsets, true);
    c.e = embedding.forward(batch.source.ids);
    c.Q = query.forward(c.at_query);
    c.K = key.forward(c.at_key);
    c.V = value.forward(c.e);
    c.O = attention.forward(c.Q, {c.K, c.V, c.looks}, Pass(), c.P);
    return output.forward(c.O);
  }

  // The gradients of the mean loss of a batch.
  void learn_from(const Batch& batch) {
    for (Parameter* p : weights) p->gradient = Tensor::zeros(p->value.shape());
    Cache c;
    Tensor logits = forward(batch, c);
    const Real scale = 1 / static_cast<Real>(batch.target_output.size());
    cross_entropy_backward(logits, batch.target_output.data(), 0, scale);
    const Tensor dO = output.backward(logits, c.O);
    Tensor dK = Tensor::zeros(c.K.shape()), dV = Tensor::zeros(c.V.shape());
    const Tensor dQ = attention.backward(dO, c.Q, {c.K, c.V, c.looks}, Pass(), c.P, dK, dV);
    query.backward(dQ, c.at_query);
    key.backward(dK, c.at_key);
    embedding.backward(value.backward(dV, c.e), batch.source.ids);
  }

  double share_right(const Batch& batch) const {
    Cache unused;
    const Tensor logits = forward(batch, unused);
    return cross_entropy_forward(logits, batch.target_output.data(), 0).accuracy();
  }
};

// Adam (§5.3) at one rate.
struct Optimizer {
  std::vector<Tensor> m, v;

  void update(const std::vector<Parameter*>& weights, Index step) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      Parameter& p = *weights[i];
      if (step == 1) m.push_back(Tensor::zeros(p.value.shape())), v.push_back(m.back());
      for (Index j = 0; j < p.value.elements(); ++j) {
        const Real g = p.gradient[j];
        m[i][j] = Real(0.9) * m[i][j] + Real(0.1) * g;
        v[i][j] = Real(0.98) * v[i][j] + Real(0.02) * g * g;
        const double corrected_m = static_cast<double>(m[i][j]) / (1 - std::pow(0.9, step));
        const double corrected_v = static_cast<double>(v[i][j]) / (1 - std::pow(0.98, step));
        p.value[j] -= static_cast<Real>(kRate * corrected_m / (std::sqrt(corrected_v) + 1e-9));
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const Task task = find_task(argc > 1 ? argv[1] : "reverse");
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 3, steps = argc > 3 ? std::atoi(argv[3]) : 1000;
  Batch test;
  for (const TextPair& pair : task.test_set()) {
    const SentencePair ids = encode_pair(task.tokenizer, pair);
    test.append(ids.source, ids.target);
  }
  std::printf("%s, %d steps, %d seeds: %% right, ms per step\n", task.name.c_str(), steps, seeds);
  std::printf("%5s %18s %18s %18s\n", "d_k", "q.k / sqrt(d_k)", "q.k", "additive");
  for (const Index d_k : {4, 64, 256, 512}) {
    std::printf("%5d", static_cast<int>(d_k));
    for (const Score score : {Score::scaled_dot, Score::dot, Score::additive}) {
      double right = 0, seconds = 0;
      for (int seed = 1; seed <= seeds; ++seed) {
        const auto s = static_cast<std::uint64_t>(seed);
        OneHead model(score, task.tokenizer.size(), d_k, s);
        Optimizer adam;
        for (int step = 1; step <= steps; ++step) {
          const Batch batch = task_batch(task, s, static_cast<std::uint64_t>(step), kBatchTokens);
          const double start = now();
          model.learn_from(batch);
          adam.update(model.weights, step);
          seconds += now() - start;
        }
        right += model.share_right(test);
      }
      std::printf("%10.1f %7.2f", 100 * right / seeds, 1000 * seconds / seeds / steps);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  return 0;
}
