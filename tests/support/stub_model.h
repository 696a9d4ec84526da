// A model whose probabilities are whatever a test says, as a function of the source sentence and
// the tokens before.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.h"
#include "model/sequence_model.h"

namespace attn::test {

using Ids = std::vector<int>;

class StubModel : public SequenceModel {
 public:
  // The logits of the next token.
  using Logits = std::function<std::vector<Real>(const Ids& source, const Ids& target)>;

  StubModel(Index vocabulary, Logits logits)
      : SequenceModel(facts_of(vocabulary)), logits_(std::move(logits)) {}

  void visit_parameters(const ParameterVisitor&) override {}
  LossSums loss(const Batch&, const Pass&) const override { return {}; }
  LossSums loss_and_gradients(const Batch&, const Pass&, Real) override { return {}; }
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override {
    return std::make_unique<State>(*this, source);
  }

  mutable int steps = 0;  // calls of next_logits

 private:
  struct Row {
    Ids source, target;
  };
  struct State final : DecodingState {
    const StubModel& model;
    std::vector<Row> rows;

    State(const StubModel& its_model, const PackedIds& source) : model(its_model) {
      const auto ids = source.ids.begin();
      for (std::size_t b = 0; b + 1 < source.offsets.size(); ++b) {
        rows.push_back({Ids(ids + source.offsets[b], ids + source.offsets[b + 1]), {}});
      }
    }

    Tensor next_logits(const Ids& tokens) override {
      ATTN_CHECK_EQ(rows.size(), tokens.size(), "rows");
      ATTN_CHECK(!rows.empty(), "a step without rows");
      ++model.steps;
      Tensor result =
          Tensor::uninitialised({static_cast<Index>(rows.size()), model.facts.target_vocabulary});
      for (std::size_t r = 0; r < rows.size(); ++r) {
        // What was read is <bos> and the target after it.
        rows[r].target.push_back(tokens[r]);
        const std::vector<Real> row =
            model.logits_(rows[r].source, Ids(rows[r].target.begin() + 1, rows[r].target.end()));
        for (Index v = 0; v < result.cols(); ++v) {
          result(r, v) = row[v];
        }
      }
      return result;
    }

    void reorder(const std::vector<Index>& order) override {
      std::vector<Row> moved;
      for (const Index r : order) moved.push_back(rows.at(r));
      rows = moved;
    }
  };

  static ModelFacts facts_of(Index vocabulary) {
    ModelFacts facts;
    facts.settings = {{"architecture", "stub"}};
    facts.source_vocabulary = facts.target_vocabulary = vocabulary;
    facts.d_model = 1;
    return facts;
  }

  Logits logits_;
};

// Random logits, a pure function of everything before, normal with the given deviation.
inline StubModel::Logits random_logits(Index vocabulary, std::uint64_t seed, double deviation) {
  return [=](const Ids& source, const Ids& target) {
    std::uint64_t key = seed;
    for (const int id : source) key = mix(key, static_cast<std::uint64_t>(id) + 1);
    key = mix(key, 1000);
    for (const int id : target) key = mix(key, static_cast<std::uint64_t>(id) + 1);
    const RandomStream random{seed, key};
    std::vector<Real> logits;
    for (Index v = 0; v < vocabulary; ++v) {
      logits.push_back(static_cast<Real>(deviation * random.normal(static_cast<std::uint64_t>(v))));
    }
    return logits;
  };
}

}  // namespace attn::test
