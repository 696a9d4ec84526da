// Decoding step by step against the whole forward pass.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <utility>
#include <vector>

#include "support/small_models.h"

namespace attn::test {

template <class Model>
Tensor logits_of(const Model& model, const Batch& batch) {
  return model.logits(batch);
}

// Decodes and, after every step, computes every row's logits again from nothing. The state refers
// to the model, which therefore stays where it is when this is moved.
template <class Model>
class Decoding {
 public:
  Decoding(Model model, const std::vector<std::vector<int>>& sources)
      : model_(std::make_unique<Model>(std::move(model))) {
    PackedIds packed;
    for (const std::vector<int>& source : sources) {
      packed.append(source);
      rows_.push_back({source, {}});
    }
    state_ = model_->start_decoding(packed);
  }

  // Reads one token a row; false if any logit differs from the full pass by a bit.
  bool step_agrees() {
    std::vector<int> tokens;
    Batch batch;
    for (Row& row : rows_) {
      row.target.push_back(static_cast<int>(1 + RandomStream{9, 9}.below(tokens_read_++, 10)));
      tokens.push_back(row.target.back());
      batch.source.append(row.source);
      batch.target_input.append(row.target);
    }
    batch.target_output = batch.target_input.ids;  // whatever is to be predicted
    const Tensor cached = next(tokens), full = logits_of(*model_, batch);
    if (cached.shape() != Shape{static_cast<Index>(rows_.size()), full.cols()}) return false;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const Index row = static_cast<Index>(r), last = batch.target_input.offsets[r + 1] - 1;
      if (!same_rows(cached, row, row + 1, full, last)) return false;
    }
    return is_finite(full);
  }

  void reorder(const std::vector<Index>& rows) {
    state_->reorder(rows);
    std::vector<Row> moved;
    for (const Index r : rows) moved.push_back(rows_[r]);
    rows_ = moved;
  }

  Tensor next(const std::vector<int>& tokens) { return state_->next_logits(tokens); }

 private:
  struct Row {
    std::vector<int> source, target;
  };
  std::unique_ptr<const Model> model_;
  std::unique_ptr<DecodingState> state_;
  std::vector<Row> rows_;
  std::uint64_t tokens_read_ = 0;
};

// The rows that take the place of those before, and how many steps follow.
struct Move {
  std::vector<Index> rows;
  int steps;
};

// Every step after every move agrees with the full pass.
template <class Model>
void check_moves(Decoding<Model>& decoding, const std::vector<Move>& moves) {
  for (const Move& move : moves) {
    decoding.reorder(move.rows);
    for (int step = 0; step < move.steps; ++step) REQUIRE(decoding.step_agrees());
  }
}

inline const std::vector<std::vector<int>> kSources = {{5, 3, 5, 2}, {2}, {10, 4, 2}};

// The last sentence is longer than the first capacity of the cache.
inline const std::vector<std::vector<int>> kUnequalSources = {
    {5, 3, 5, 2}, {}, {10, 2}, {3, 4, 5, 6, 7, 8, 9, 10, 3, 4, 5, 6, 7, 8, 9, 10, 3, 4, 2}};

template <class Config>
Config roomy(Config config) {
  config.max_positions = 64;
  return config;
}

// Random rows of every sentence continue, as beam search does it, more and fewer than before.
template <class Model>
void check_continuing(Decoding<Model> decoding, Index sentence_count) {
  std::vector<Index> sentences;
  for (Index b = 0; b < sentence_count; ++b) sentences.push_back(b);
  const RandomStream random{3, 3};
  std::uint64_t index = 0;
  for (int step = 0; step < 40; ++step) {
    CAPTURE(step);
    std::vector<Index> rows, of_rows;
    for (Index b = 0; b < sentence_count; ++b) {
      std::vector<Index> old;
      for (std::size_t r = 0; r < sentences.size(); ++r) {
        if (sentences[r] == b) old.push_back(r);
      }
      for (std::uint64_t count = 1 + random.below(index++, 5); count > 0; --count) {
        rows.push_back(old[random.below(index++, old.size())]);
        of_rows.push_back(b);
      }
    }
    decoding.reorder(rows);
    sentences = of_rows;
    REQUIRE(decoding.step_agrees());
  }
}

}  // namespace attn::test
