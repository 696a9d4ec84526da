#include "lab/language/windows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/check.h"
#include "support/small_models.h"

using namespace attn;
using attn::test::sentence;

namespace {

using Ids = std::vector<int>;

// Tokens that are all different, so that a token says where it is from.
Ids stream_of(Index tokens) {
  Ids stream(tokens);
  std::iota(stream.begin(), stream.end(), 100);
  return stream;
}

}  // namespace

TEST_SUITE("5.1 batching") {
  TEST_CASE("an epoch predicts every token once, but fewer than a window, others each time") {
    struct Case {
      Index tokens, context, budget;
    };
    for (const Case& one : {Case{100, 10, 25},
                            {101, 10, 30},
                            {99, 7, 7},
                            {50, 50, 10},
                            {64, 2, 1},
                            {1000, 13, 100}}) {
      const Index tokens = one.tokens, context = one.context, budget = one.budget;
      CAPTURE(tokens);
      CAPTURE(context);
      WindowBatches batches(stream_of(tokens), context, budget, 7);
      const Index windows = tokens / context, per_batch = std::max<Index>(1, budget / context);
      CHECK(batches.batch_tokens() == per_batch * context);
      CHECK(static_cast<Index>(batches.batches_per_epoch()) ==
            (windows + per_batch - 1) / per_batch);
      std::set<int> begins, left_over;
      for (std::uint64_t epoch = 0; epoch < 8; ++epoch) {
        std::set<int> predicted;
        Ids order;
        for (std::uint64_t b = 0; b < batches.batches_per_epoch(); ++b) {
          const Batch batch = batches.at(epoch * batches.batches_per_epoch() + b);
          CHECK(batch.source.tokens() == 0);
          CHECK(batch.source.sentences() == batch.target_input.sentences());
          CHECK(batch.target_input.tokens() <= batches.batch_tokens());
          for (std::size_t i = 0; i < batch.target_output.size(); ++i) {
            // The next token, or the first after the last.
            const int next = batch.target_input.ids[i] + 1;
            CHECK(batch.target_output[i] == (next == 100 + tokens ? 100 : next));
            CHECK(predicted.insert(batch.target_output[i]).second);
          }
          for (std::size_t w = 0; w + 1 < batch.target_input.offsets.size(); ++w) {
            const Ids window = sentence(batch.target_input, w);
            CHECK(static_cast<Index>(window.size()) == context);
            order.push_back(window[0]);
          }
        }
        CHECK(static_cast<Index>(predicted.size()) == windows * context);
        CHECK(static_cast<Index>(order.size()) == windows);
        begins.insert(*std::min_element(order.begin(), order.end()) % static_cast<int>(context));
        if (windows > 6) CHECK(!std::is_sorted(order.begin(), order.end()));
      }
      if (context > 2) CHECK(begins.size() > 2);  // wherever it begins to cut
    }
  }

  TEST_CASE("a batch of windows depends on its number alone, and on the seed") {
    WindowBatches one(stream_of(300), 8, 32, 3), other(stream_of(300), 8, 32, 3),
        third(stream_of(300), 8, 32, 4);
    const std::uint64_t n = 3 * one.batches_per_epoch();
    std::vector<Ids> forward;
    for (std::uint64_t i = 0; i < n; ++i) forward.push_back(one.at(i).target_input.ids);
    for (std::uint64_t i = n; i-- > 0;) {
      CHECK(other.at(i).target_input.ids == forward[i]);
    }
    CHECK(third.at(0).target_input.ids != forward[0]);
    CHECK(forward[0] != forward[one.batches_per_epoch()]);
  }

  TEST_CASE("a text shorter than a window is an error") {
    CHECK_THROWS_WITH_AS(WindowBatches(stream_of(9), 10, 100, 1),
                         "there are only 9 tokens to learn from, fewer than a context of 10",
                         Error);
    CHECK(WindowBatches(stream_of(10), 10, 100, 1).batches_per_epoch() == 1);
  }

  TEST_CASE("windows to score predict each token once, from half a window before it at least") {
    for (const Index context : {1, 2, 3, 8, 9}) {
      for (const Index tokens : {0, 1, 2, 7, 8, 9, 12, 13, 100}) {
        for (const Index budget : {1, 40}) {
          CAPTURE(context);
          CAPTURE(tokens);
          const Ids stream = stream_of(tokens);
          Ids predicted;
          for (const Batch& batch : scored_windows(stream, context, budget)) {
            CHECK(batch.source.sentences() == batch.target_input.sentences());
            const Index all = batch.source.tokens() + batch.target_input.tokens();
            CHECK((all <= budget || batch.source.sentences() == 1));
            for (std::size_t w = 0; w + 1 < batch.source.offsets.size(); ++w) {
              Ids window = sentence(batch.source, w);
              const Ids input = sentence(batch.target_input, w);
              REQUIRE(!input.empty());
              // What is read is the stream without a gap, after the end of a line.
              window.insert(window.end(), input.begin(), input.end());
              CHECK(static_cast<Index>(window.size()) <= context);
              const std::size_t next = predicted.size();  // that the window predicts first
              const std::size_t known = window.size() - input.size() + 1;
              CHECK(known <= next + 1);
              CHECK((known == next + 1 || 2 * static_cast<Index>(known) >= context));
              for (std::size_t i = 0; i < window.size(); ++i) {
                const std::size_t place = next + 1 - known + i;  // 0: the end of a line
                CHECK(window[i] == (place == 0 ? kEos : stream[place - 1]));
              }
              const auto output = batch.target_output.begin() + batch.target_input.offsets[w];
              predicted.insert(predicted.end(), output,
                               output + static_cast<std::ptrdiff_t>(input.size()));
            }
          }
          CHECK(predicted == stream);
        }
      }
    }
  }
}
