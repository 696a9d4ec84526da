// A window of N inputs is N + 1 tokens of the stream: it shares its last with the next one.
#include "lab/language/windows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/random.h"
#include "text/vocabulary.h"

namespace attn {

WindowBatches::WindowBatches(std::vector<int> stream, Index context, Index tokens_per_batch,
                             std::uint64_t seed)
    : stream_(std::move(stream)),
      context_(context),
      per_batch_(static_cast<std::size_t>(std::max<Index>(1, tokens_per_batch / context))),
      seed_(seed) {
  ATTN_CHECK(static_cast<Index>(stream_.size()) >= context_, "there are only ",
             counted(stream_.size(), "token"), " to learn from, fewer than a context of ",
             context_);
  plan(0);
}

void WindowBatches::plan(std::uint64_t epoch) {
  epoch_ = epoch;
  const RandomStream random{seed_, mix(hash("order of windows"), epoch)};
  order_.resize(stream_.size() / static_cast<std::size_t>(context_));
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  shuffle(order_, 0, order_.size(), random);
  begin_ = static_cast<std::size_t>(random.below(order_.size(), stream_.size()));
}

std::uint64_t WindowBatches::batches_per_epoch() const {
  return (order_.size() + per_batch_ - 1) / per_batch_;
}

Batch WindowBatches::at(std::uint64_t index) {
  const std::uint64_t epoch = index / batches_per_epoch();
  if (epoch != epoch_) plan(epoch);
  const std::size_t first = static_cast<std::size_t>(index % batches_per_epoch()) * per_batch_;
  const std::size_t context = static_cast<std::size_t>(context_);
  Batch batch;
  for (std::size_t i = first; i < std::min(first + per_batch_, order_.size()); ++i) {
    std::vector<int> window;
    for (std::size_t t = 0; t <= context; ++t) {
      window.push_back(stream_[(begin_ + order_[i] * context + t) % stream_.size()]);
    }
    batch.append({}, window);
  }
  return batch;
}

std::vector<Batch> scored_windows(const std::vector<int>& stream, Index context,
                                  Index tokens_per_batch) {
  std::vector<int> ids{kEos};
  ids.insert(ids.end(), stream.begin(), stream.end());
  const Index end = stream.size();  // the last token that is only predicted
  std::vector<Batch> batches;
  // Token `next` is the first that the window predicts.
  for (Index next = 1, begin = 0; next <= end; begin += std::max<Index>(1, context / 2)) {
    const Index last = std::min(begin + context, end);
    const auto at = [&](Index i) { return ids.begin() + i; };
    const bool full = !batches.empty() && batches.back().source.tokens() +
                                                  batches.back().target_input.tokens() + context >
                                              tokens_per_batch;
    if (batches.empty() || full) batches.emplace_back();
    batches.back().append({at(begin), at(next - 1)}, {at(next - 1), at(last + 1)});
    next = last + 1;
  }
  return batches;
}

}  // namespace attn
