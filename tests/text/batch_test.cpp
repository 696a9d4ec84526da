#include "text/batch.h"

#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>
#include "base/check.h"
#include "base/random.h"
#include "support/small_models.h"

using namespace attn;

namespace {

// A pair with so many source ids and target ids, all of them `name`.
SentencePair pair_of(int source, int target, int name) {
  return {std::vector<int>(source, name), std::vector<int>(target, name)};
}

// Pairs 0, 1, … n - 1 with lengths as in real text: the target about as long as the source.
std::vector<SentencePair> corpus(int n) {
  const RandomStream random{1, 2};
  std::vector<SentencePair> pairs;
  for (int name = 0; name < n; ++name) {
    const auto i = static_cast<std::uint64_t>(name);
    const int source = 2 + static_cast<int>(random.below(2 * i, 30));
    const int target = std::max(2, source - 2 + static_cast<int>(random.below(2 * i + 1, 5)));
    pairs.push_back(pair_of(source, target, name));
  }
  return pairs;
}

// The names of the pairs in a batch. The batch has to be made of whole pairs.
std::vector<int> names_in(const Batch& batch, const std::vector<SentencePair>& pairs) {
  std::vector<int> names;
  Batch whole;
  for (Index b = 0; b < batch.source.sentences(); ++b) {
    names.push_back(test::sentence(batch.source, static_cast<std::size_t>(b))[0]);
    const SentencePair& pair = pairs[names.back()];
    whole.append(pair.source, pair.target);
  }
  REQUIRE(test::same(batch, whole));
  return names;
}

using Epoch = std::vector<std::vector<int>>;

Epoch epoch_of(CorpusBatches& batches, std::uint64_t epoch,
               const std::vector<SentencePair>& pairs) {
  Epoch names;
  for (std::uint64_t b = 0; b < batches.batches_per_epoch(); ++b) {
    names.push_back(names_in(batches.at(epoch * batches.batches_per_epoch() + b), pairs));
  }
  return names;
}

Index largest_side(const Batch& batch) {
  return std::max(batch.source.tokens(), batch.target_input.tokens());
}

}  // namespace

TEST_SUITE("5.1 batching") {
  TEST_CASE("every epoch has each pair exactly once, and no batch of several exceeds the budget") {
    for (const int n : {1, 2, 97, 1000}) {
      const std::vector<SentencePair> pairs = corpus(n);
      for (const Index budget : {1, 20, 31, 32, 40, 100, 500, 997, 1000000}) {
        CorpusBatches batches(pairs, budget, 7);
        const std::uint64_t count = batches.batches_per_epoch();
        for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
          std::vector<int> names;
          for (std::uint64_t i = epoch * count; i < (epoch + 1) * count; ++i) {
            const Batch batch = batches.at(i);
            REQUIRE((largest_side(batch) <= budget || batch.source.sentences() == 1));
            for (const int name : names_in(batch, pairs)) names.push_back(name);
          }
          std::sort(names.begin(), names.end());
          REQUIRE(names.size() == pairs.size());
          for (int name = 0; name < n; ++name) {
            REQUIRE(names[name] == name);
          }
        }
      }
    }
  }

  TEST_CASE("batches are nearly full, with pairs of about the same length") {
    const std::vector<SentencePair> pairs = corpus(2000);
    CorpusBatches batches(pairs, 500, 3);
    Index tokens = 0;
    std::size_t spread = 0;
    for (const auto& names : epoch_of(batches, 0, pairs)) {
      std::size_t shortest = 1000, longest = 0;
      for (const int name : names) {
        const std::size_t length = pairs[name].source.size();
        tokens += static_cast<Index>(length);
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
      }
      spread += longest - shortest;
    }
    const auto capacity = static_cast<double>(500 * batches.batches_per_epoch());
    CHECK(static_cast<double>(tokens) > 0.9 * capacity);
    // Lengths are 2 to 31, and sorted: all batches together spread over no more than that.
    CHECK(spread <= 29);
    CHECK(batches.batches_per_epoch() > 29);
  }

  TEST_CASE("a batch depends on seed and index alone, in whatever order batches are asked for") {
    const std::vector<SentencePair> pairs = corpus(300);
    CorpusBatches forwards(pairs, 200, 11);
    CorpusBatches backwards(pairs, 200, 11);
    const std::uint64_t count = 3 * forwards.batches_per_epoch();
    std::map<std::uint64_t, std::vector<int>> expected;
    for (std::uint64_t i = 0; i < count; ++i) expected[i] = names_in(forwards.at(i), pairs);
    for (std::uint64_t i = count; i-- > 0;) CHECK(names_in(backwards.at(i), pairs) == expected[i]);
    // As if a run was resumed there.
    for (const std::uint64_t i : {std::uint64_t{1}, count / 2, count - 1}) {
      CorpusBatches resumed(pairs, 200, 11);
      CHECK(names_in(resumed.at(i), pairs) == expected[i]);
    }
    // The sequence has no end that a run could reach.
    CHECK(!names_in(forwards.at(~std::uint64_t{0}), pairs).empty());
  }

  TEST_CASE("epochs and seeds differ in the order of batches and in who shares a batch") {
    const std::vector<SentencePair> pairs = corpus(3000);
    CorpusBatches one(pairs, 200, 1), two(pairs, 200, 2);
    const Epoch first = epoch_of(one, 0, pairs);
    const auto companions = [](Epoch epoch) {
      for (auto& batch : epoch) std::sort(batch.begin(), batch.end());
      return std::set<std::vector<int>>(epoch.begin(), epoch.end());
    };
    const auto differs = [&](const Epoch& other) {
      std::vector<std::vector<int>> common;
      const auto a = companions(first), b = companions(other);
      std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
      CHECK(first.front().size() > 0);
      CHECK(other != first);
      CHECK(common.size() < first.size() / 10);
    };
    differs(epoch_of(one, 1, pairs));
    differs(epoch_of(two, 0, pairs));
    // Nor does an epoch begin with the short sentences.
    std::vector<std::size_t> lengths;
    for (const auto& batch : first) {
      lengths.push_back(pairs[batch[0]].source.size());
    }
    CHECK(!std::is_sorted(lengths.begin(), lengths.end()));
  }

  TEST_CASE("each batch comes first equally often, and so does each of equally long pairs") {
    // Six pairs of one length, two to a batch: every pair is equally likely to be anywhere.
    std::vector<SentencePair> pairs;
    for (int name = 0; name < 6; ++name) pairs.push_back(pair_of(5, 5, name));
    CorpusBatches batches(pairs, 10, 5);
    REQUIRE(batches.batches_per_epoch() == 3);
    std::map<std::pair<int, int>, int> counts;
    constexpr int kEpochs = 30000;
    for (std::uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
      const std::vector<int> names = names_in(batches.at(3 * epoch), pairs);
      ++counts[{names[0], names[1]}];
    }
    // 30 ordered pairs, 1000 times each; the standard deviation is 31.
    CHECK(counts.size() == 30);
    for (const auto& [names, count] : counts) {
      CHECK(count > 800);
      CHECK(count < 1200);
    }
    // Six pairs of different lengths, one to a batch: every batch is equally likely to come first.
    pairs.clear();
    for (int name = 0; name < 6; ++name) pairs.push_back(pair_of(5 + name, 5, name));
    CorpusBatches single(pairs, 1, 5);
    REQUIRE(single.batches_per_epoch() == 6);
    std::map<int, int> firsts;
    for (std::uint64_t epoch = 0; epoch < 6000; ++epoch) {
      ++firsts[names_in(single.at(6 * epoch), pairs)[0]];
    }
    CHECK(firsts.size() == 6);
    for (const auto& [name, count] : firsts) {
      CHECK(count > 800);
      CHECK(count < 1200);
    }
  }

  TEST_CASE("for evaluation the pairs come once, in their order") {
    const std::vector<SentencePair> pairs = corpus(301);
    for (const Index budget : {1, 50, 100000}) {
      std::vector<int> names;
      const std::vector<Batch> batches = batches_in_order(pairs, budget);
      for (std::size_t b = 0; b < batches.size(); ++b) {
        const bool within =
            largest_side(batches[b]) <= budget || batches[b].source.sentences() == 1;
        CHECK(within);
        const std::vector<int> here = names_in(batches[b], pairs);
        // The first pair of a batch is there because it did not fit into the one before.
        if (b > 0) {
          const SentencePair& next = pairs[here[0]];
          const Index source =
              batches[b - 1].source.tokens() + static_cast<Index>(next.source.size());
          const Index target =
              batches[b - 1].target_input.tokens() + static_cast<Index>(next.target.size()) - 1;
          CHECK(std::max(source, target) > budget);
        }
        names.insert(names.end(), here.begin(), here.end());
      }
      REQUIRE(names.size() == pairs.size());
      CHECK(std::is_sorted(names.begin(), names.end()));
    }
    CHECK(batches_in_order({}, 10).empty());
  }

  TEST_CASE("a target counts without the token that is read or predicted only") {
    // Two pairs of 3 source ids and 5 target ids: 6 and 2 × 4 tokens.
    const std::vector<SentencePair> pairs = {pair_of(3, 5, 0), pair_of(3, 5, 1)};
    CHECK(batches_in_order(pairs, 8).size() == 1);
    CHECK(batches_in_order(pairs, 7).size() == 2);
    // And the source counts as well.
    const std::vector<SentencePair> sources = {pair_of(5, 2, 0), pair_of(5, 2, 1)};
    CHECK(batches_in_order(sources, 10).size() == 1);
    CHECK(batches_in_order(sources, 9).size() == 2);
  }

  TEST_CASE("nothing to make batches of is an error") {
    CHECK_THROWS_AS(CorpusBatches({}, 10, 1), Error);
    for (const Index budget : {0, -1}) {
      CHECK_THROWS_AS(CorpusBatches({pair_of(2, 2, 0)}, budget, 1), Error);
      CHECK_THROWS_AS(batches_in_order({pair_of(2, 2, 0)}, budget), Error);
      CHECK_THROWS_AS(batches_in_order({}, budget), Error);
    }
    CHECK_THROWS_AS(CorpusBatches({pair_of(0, 2, 0)}, 10, 1), Error);
    CHECK_THROWS_AS(CorpusBatches({pair_of(2, 1, 0)}, 10, 1), Error);
    CHECK_THROWS_AS(batches_in_order({pair_of(2, 2, 0), pair_of(2, 0, 1)}, 10), Error);
  }
}
