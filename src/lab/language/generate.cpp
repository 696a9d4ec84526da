// The window is what the model reads; its state has read all of it but the last token.
#include "lab/language/generate.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "text/vocabulary.h"

namespace attn {

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
  const Index read = std::min<Index>(text.size(), std::max<Index>(options.context, 1));
  std::vector<int> window(text.end() - read, text.end());

  std::unique_ptr<DecodingState> state;
  for (Index i = 0; i < options.tokens; ++i) {
    if (static_cast<Index>(window.size()) > options.context) {
      window.erase(window.begin(), window.begin() + std::max<Index>(options.context / 2, 1));
      state = nullptr;  // a window that is new is read from its beginning
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
