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
      : vocabulary_(vocabulary), logits_(std::move(logits)) {}

  Settings settings() const override { return {{"architecture", "stub"}}; }
  Index source_vocabulary() const override { return vocabulary_; }
  Index target_vocabulary() const override { return vocabulary_; }
  Index d_model() const override { return 1; }
  void visit_parameters(const ParameterVisitor&) override {}
  LossSums loss(const Batch&, const Pass&) const override { return {}; }
  LossSums loss_and_gradients(const Batch&, const Pass&, Real) override { return {}; }

  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override {
    auto state = std::make_unique<State>();
    for (std::size_t b = 0; b + 1 < source.offsets.size(); ++b) {
      state->rows.push_back(
          {Ids(source.ids.begin() + source.offsets[b], source.ids.begin() + source.offsets[b + 1]),
           {}});
    }
    return state;
  }

  Tensor next_logits(DecodingState& base, const Ids& tokens) const override {
    auto& rows = static_cast<State&>(base).rows;
    ATTN_CHECK_EQ(rows.size(), tokens.size(), "rows");
    ATTN_CHECK(!rows.empty(), "a step without rows");
    ++steps;
    Tensor result = Tensor::uninitialised({static_cast<Index>(rows.size()), vocabulary_});
    for (std::size_t r = 0; r < rows.size(); ++r) {
      // What was read is <bos> and the target after it.
      rows[r].target.push_back(tokens[r]);
      const std::vector<Real> row =
          logits_(rows[r].source, Ids(rows[r].target.begin() + 1, rows[r].target.end()));
      for (Index v = 0; v < result.cols(); ++v) {
        result(static_cast<Index>(r), v) = row[static_cast<std::size_t>(v)];
      }
    }
    return result;
  }

  void reorder(DecodingState& base, const std::vector<Index>& order) const override {
    auto& rows = static_cast<State&>(base).rows;
    std::vector<Row> moved;
    for (const Index r : order) moved.push_back(rows.at(static_cast<std::size_t>(r)));
    rows = moved;
  }

  mutable int steps = 0;  // calls of next_logits

 private:
  struct Row {
    Ids source, target;
  };
  struct State final : DecodingState {
    std::vector<Row> rows;
  };

  Index vocabulary_;
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
