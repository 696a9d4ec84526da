// Counted sentence by sentence; the budgets are the library's.
#include <numeric>

#include "support/checks.h"
#include "text/batch.h"

static const exercises::Exercise padding_exercise("5.1-padding", [](exercises::Answers& answers) {
  std::vector<Index> lengths = {3, 9, 4, 20, 4, 8}, sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  const Index tokens = std::accumulate(lengths.begin(), lengths.end(), Index{0});
  const Index padded = static_cast<Index>(lengths.size()) * sorted.back();
  Index by_twos = 0, scores = 0;
  for (std::size_t i = 0; i < sorted.size(); i += 2) by_twos += 2 * sorted[i + 1];
  for (const Index n : lengths) scores += n * n;
  const auto batches = [](const std::vector<Index>& of) {
    std::vector<attn::SentencePair> pairs;
    for (const Index n : of)
      pairs.push_back({std::vector<int>(static_cast<std::size_t>(n), 3), {1, 2}});
    std::vector<Index> sizes;
    for (const attn::Batch& batch : attn::batches_in_order(pairs, 16))
      sizes.push_back(batch.source.tokens());
    return sizes;
  };
  answers.count("a", padded, "Six rows, as long as the longest.");
  answers.number("b", static_cast<double>(padded - tokens) / static_cast<double>(padded),
                 "What is not padding are the tokens of c.");
  answers.count("c", tokens, "Just the tokens.");
  answers.count("d", by_twos, "3 4, 4 8, 9 20: each pair padded to the longer.");
  answers.count("e", padded * sorted.back(), "Each of 6 sentences has 20 × 20 scores.");
  answers.count("f", scores, "The sum of the squares of the lengths.",
                {{static_cast<double>(tokens * tokens), "A sentence does not look at another."}});
  answers.list("g", batches(lengths), "3 + 9 + 4 is 16, which is allowed.");
  answers.list("h", batches(sorted), "3, 4, 4, 8, 9, 20 in this order.");
});
