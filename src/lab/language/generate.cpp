// The window is what the model reads; its state has read all of it but the last token.
#include "lab/language/generate.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "text/vocabulary.h"

namespace attn {

namespace {
void keep_last(std::vector<int>& window, Index n) {
  const Index more = static_cast<Index>(window.size()) - std::max<Index>(n, 1);
  window.erase(window.begin(), window.begin() + std::max<Index>(more, 0));
}
}  // namespace

void forbid_special_tokens(Tensor& logits) {
  for (const int never : {kUnknown, kBos}) {
    logits[never] = -std::numeric_limits<Real>::infinity();
  }
}

RandomStream drawing_stream(std::uint64_t seed) {
  return {seed, hash("generate")};
}

void generate(const SequenceModel& model, const std::vector<int>& text,
              const GenerateOptions& options, const std::function<void(int token)>& write) {
  ATTN_CHECK(!text.empty(), "there is no text to continue");
  const RandomStream random = drawing_stream(options.seed);
  std::vector<int> window = text;
  keep_last(window, options.context);

  std::unique_ptr<DecodingState> state;
  for (Index i = 0; i < options.tokens; ++i) {
    // A window that is new is read from its beginning.
    if (static_cast<Index>(window.size()) > options.context) {
      keep_last(window, options.context / 2);
      state = nullptr;
    }
    if (!state) state = model.start_decoding(packed({window.begin(), window.end() - 1}));
    Tensor logits = state->next_logits({window.back()});  // [1, V]
    forbid_special_tokens(logits);
    const int token = draw(sampling_distribution(options.sampling, logits.cols(), logits.data()),
                           random.uniform(static_cast<std::uint64_t>(i)));
    window.push_back(token);
    write(token);
  }
}

}  // namespace attn
