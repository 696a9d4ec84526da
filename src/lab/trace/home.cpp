#include "lab/trace/home.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/check.h"
#include "base/number.h"
#include "text/lines.h"

namespace attn {

namespace {

// The number after a part of a name; −1 if there is none.
Index number_after(const std::string& name, const char* part) {
  const std::vector<std::string> parts = split(name, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == part) return number_in<Index>(parts[i + 1]).value_or(-1);
  }
  return -1;
}

}  // namespace

const Home& home_of(const std::string& file) {
  static const std::map<std::string, Home> all{
      {"attention", {"§3.2.1, eq. (1)", "attention", "_forward", "_backward"}},
      {"multi_head_attention", {"§3.2.2", "MultiHeadAttention"}},
      {"layer_norm", {"§3.1", "LayerNorm"}},
      {"residual", {"§3.1", "Residual", "::forward", "::backward"}},
      {"feed_forward", {"§3.3, eq. (2)", "FeedForward"}},
      {"linear", {"", "Linear"}},
      {"embedding", {"§3.4", "Embedding"}},
      {"positional_encoding", {"§3.5", "PositionalEncoding"}},
      {"output_projection", {"§3.4", "OutputProjection", "::loss", "::loss_and_gradients"}},
      {"cross_entropy", {"§5.4", "cross_entropy", "_forward", "_backward"}},
      {"encoder_layer", {"§3.1", "EncoderLayer"}},
      {"decoder_layer", {"§3.1", "DecoderLayer"}},
      {"stack", {"§3.1", "Stack"}},
      {"embed", {"§3.4", "embed", "", "_backward"}},
      {"transformer", {"§3", "Transformer"}},
  };
  const auto home = all.find(file);
  ATTN_CHECK(home != all.end(), "a trace knows no section for the values of ", file, ".cpp");
  return home->second;
}

Index layer_of(const std::string& name) {
  return std::max(number_after(name, "encoder"), number_after(name, "decoder"));
}

Index head_of(const std::string& name) {
  return number_after(name, "heads");
}

}  // namespace attn
