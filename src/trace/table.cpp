// S | Q Kᵀ | §3.2.1
#include "trace/table.h"

#include <algorithm>
#include <cstring>

#include "text/lines.h"

namespace attn {

namespace {

constexpr const char *kPost = "norm=post", *kPre = "norm=pre", *kTied = "tie_embeddings=yes",
                     *kUntied = "tie_embeddings=no", *kRotary = "positions=rotary",
                     *kLearned = "positions=learned", *kSinusoidal = "positions=sinusoidal",
                     *kUnturned = "positions=sinusoidal|learned|none";

// y = γ ⊙ x̂ + β, and dx of it.
constexpr const char *kNorm = "norm.gamma[j] norm.x_hat[ij] + norm.beta[j]",
                     *kNormBackward =
                         "gamma[j] dstream[ij] inv_std[i] − "
                         "gamma[k] dstream[ik] inv_std[i] 1/d_model − "
                         "x_hat[ij] gamma[k] dstream[ik] x_hat[ik] inv_std[i] 1/d_model";

// A row that is a name alone begins what a section of the paper defines.
constexpr Row kRows[] = {
    // What the model reads, and Add & Norm: a sub-layer reads u, with pre-norm after the norm.
    {"§3.1"},
    {"x", "x", ""},
    {"y_shifted", "y_shifted = <bos> y_1 … y_m", ""},
    {"u", "u = %1", "stream[ij]", kPost},
    {"sum", "s = u + %2", "input[ij] + sublayer[ij] mask?[ij]"},
    {"mean", "μ = mean of %1", "sum|stream[ik] 1/d_model"},
    {"inv_std", "1/σ = 1/√(variance + 1e-5)",
     "1/√: sum|stream[ik] sum|stream[ik] 1/d_model − mean[i] mean[i]"},
    {"x_hat", "x̂ = (%1 − μ)/σ", "sum|stream[ij] inv_std[i] − mean[i] inv_std[i]"},
    {"attended|informed|encoder.*.output|decoder.*.output", "%0 = γ ⊙ x̂ + β", kNorm, kPost},
    {"attended|informed|encoder.*.output|decoder.*.output", "%0 = %1 + %2",
     "stream[ij] + sublayer[ij] norm.mask?[ij]", kPre},
    {"z|h", "%0 = %1", "stream[ij]", kPost},
    {"u|z|h", "%0 = γ ⊙ x̂ + β", kNorm, kPre},
    {"dsum", "ds = (d − mean(d) − x̂ mean(d ⊙ x̂))/σ, d = γ ⊙ dy", kNormBackward, kPost},
    {"dsum", "ds = %1", "dstream[ij]", kPre},
    {"dnorm", "dx = (d − mean(d) − x̂ mean(d ⊙ x̂))/σ, d = γ ⊙ dy", kNormBackward},
    {"dinformed|dattended|encoder.*.doutput|decoder.*.doutput|de|dg", "%0 = %1? + %2",
     "daround[ij] + dthrough?[ij]"},
    {"self_attention.doutput|cross_attention.doutput", "dMultiHead = ds",
     "norm.dsum[ij] norm.mask?[ij]"},
    {"feed_forward.doutput", "dFFN = ds", "norm.dsum[ij] norm.mask?[ij]"},
    {"gamma", "γ", ""},
    {"beta", "β", ""},
    {"dgamma", "dγ = Σ_t %1_t ⊙ x̂_t", "dstream[kj] x_hat[kj]"},
    {"dbeta", "dβ = Σ_t %1_t", "dstream[kj]"},
    // Scaled dot-product attention.
    {"§3.2.1, eq. (1)"},
    {"heads.*.S", "S = Q Kᵀ", "Q[ik] K[jk]"},
    {"encoder.*.*.heads.*.A|cross_attention.heads.*.A", "A = S/√d_k", "S[ij] 1/√d_k", "",
     "heads.*.S"},
    {"decoder.*.self_attention.heads.*.A", "A = S/√d_k, −∞ behind the mask", "causal: S[ij] 1/√d_k",
     "", "heads.*.S"},
    {"heads.*.P", "P = softmax(A)", "softmax: A[ij]"},
    {"heads.*.O", "O = P V", "P_dropped|P[ik] V[kj]"},
    {"heads.*.dV", "dV = Pᵀ dO", "P_dropped|P[ki] dO[kj]"},
    {"heads.*.dP", "dP = dO Vᵀ", "dO[ik] V[jk] mask?[ij]"},
    {"heads.*.dS", "dS = P ⊙ (dP − rowsum(P ⊙ dP))/√d_k",
     "P[ij] dP[ij] 1/√d_k − P[ij] P[ik] dP[ik] 1/√d_k"},
    {"heads.*.dQ", "dQ = dS K", "dS[ik] K[kj]"},
    {"heads.*.dK", "dK = dSᵀ Q", "dS[ki] Q[kj]"},
    // Multi-head attention.
    {"§3.2.2"},
    {"heads.*.Q", "Q = u W^Q_i? + b^Q_i", "u[ik] query.weight[kj] + query.bias?[j]", kUnturned},
    {"heads.*.K", "K = %1 W^K_i? + b^K_i", "memory[ik] key.weight[kj] + key.bias?[j]", kUnturned},
    {"heads.*.V", "V = %1 W^V_i? + b^V_i", "memory[ik] value.weight[kj] + value.bias?[j]"},
    {"Q_0", "Q_0 = u W^Q? + b^Q", "u[ik] query.weight[kj] + query.bias?[j]"},
    {"K_0", "K_0 = %1 W^K? + b^K", "memory[ik] key.weight[kj] + key.bias?[j]"},
    {"heads.*.Q", "Q = each pair turned by pos·10000^(−2i/d_k)", "Q_0[ij] cos_φ + Q_0[ip] ±sin_φ",
     kRotary},
    {"heads.*.K", "K = each pair turned by pos·10000^(−2i/d_k)", "K_0[ij] cos_φ + K_0[ip] ±sin_φ",
     kRotary},
    {"concat", "Concat = [head_1; …; head_h]", "heads.*.O[ij]"},
    {"self_attention.output|cross_attention.output", "MultiHead = Concat W^O? + b^O",
     "concat[ik] output.weight[kj] + output.bias?[j]"},
    {"dz", "dz = Σ (dz_K + dz_V)",
     "decoder.*.cross_attention.dz_K[ij] + decoder.*.cross_attention.dz_V[ij]"},
    {"dconcat", "dConcat = dMultiHead W^Oᵀ", "doutput[ik] output.weight[jk]"},
    {"heads.*.dO", "dO = dConcat_i", "dconcat[ij]"},
    {"dQ_0", "dQ_0 = dQ turned back", "heads.*.dQ[ij] cos_φ − heads.*.dQ[ip] ±sin_φ"},
    {"dK_0", "dK_0 = dK turned back", "heads.*.dK[ij] cos_φ − heads.*.dK[ip] ±sin_φ"},
    {"du_Q", "du_Q = %1 W^Qᵀ", "dQ_0|heads.*.dQ[ik] query.weight[jk]"},
    {"du_K|dz_K", "%0 = %1 W^Kᵀ", "dK_0|heads.*.dK[ik] key.weight[jk]"},
    {"du_V|dz_V", "%0 = dV W^Vᵀ", "heads.*.dV[ik] value.weight[jk]"},
    {"self_attention.du", "du = du_Q + du_K + du_V", "du_Q[ij] + du_K[ij] + du_V[ij]"},
    {"query.weight", "W^Q", ""},
    {"key.weight", "W^K", ""},
    {"value.weight", "W^V", ""},
    {"output.weight", "W^O", ""},
    {"query.bias", "b^Q", ""},
    {"key.bias", "b^K", ""},
    {"value.bias", "b^V", ""},
    {"output.bias", "b^O", ""},
    {"query.dweight", "dW^Q = uᵀ %1", "dQ_0|heads.*.dQ[kj] u[ki]"},
    {"self_attention.key.dweight", "dW^K = uᵀ %1", "dK_0|heads.*.dK[kj] u[ki]"},
    {"cross_attention.key.dweight", "dW^K = zᵀ %1", "dK_0|heads.*.dK[kj] z[ki]"},
    {"value.dweight", "dW^V = %1ᵀ dV", "memory[ki] heads.*.dV[kj]"},
    {"output.dweight", "dW^O = Concatᵀ dMultiHead", "concat[ki] doutput[kj]"},
    {"query.dbias", "db^Q = Σ_t %1_t", "dQ_0|heads.*.dQ[kj]"},
    {"key.dbias", "db^K = Σ_t %1_t", "dK_0|heads.*.dK[kj]"},
    {"value.dbias", "db^V = Σ_t dV_t", "heads.*.dV[kj]"},
    {"output.dbias", "db^O = Σ_t dMultiHead_t", "doutput[kj]"},
    // The feed-forward network.
    {"§3.3, eq. (2)"},
    {"feed_forward.inner", "a = u W₁ + b₁", "u[ik] inner.weight[kj] + inner.bias[j]"},
    {"feed_forward.hidden", "max(0, a)", "max(0, ·): inner[ij] mask?[ij]"},
    {"feed_forward.output", "FFN = max(0, a) W₂ + b₂",
     "hidden[ik] outer.weight[kj] + outer.bias[j]"},
    {"feed_forward.dhidden", "dmax(0, a) = dFFN W₂ᵀ", "doutput[ik] outer.weight[jk]"},
    {"feed_forward.dinner", "da = dmax(0, a) where max(0, a) > 0, else 0",
     "hidden>[ij] dhidden[ij] mask?[ij]"},
    {"feed_forward.du", "du = da W₁ᵀ", "dinner[ik] inner.weight[jk]"},
    {"inner.weight", "W₁", ""},
    {"inner.bias", "b₁", ""},
    {"outer.weight", "W₂", ""},
    {"outer.bias", "b₂", ""},
    {"inner.dweight", "dW₁ = uᵀ da", "u[ki] dinner[kj]"},
    {"inner.dbias", "db₁ = Σ_t da_t", "dinner[kj]"},
    {"outer.dweight", "dW₂ = max(0, a)ᵀ dFFN", "hidden[ki] doutput[kj]"},
    {"outer.dbias", "db₂ = Σ_t dFFN_t", "doutput[kj]"},
    // Embeddings, and the logits.
    {"§3.4"},
    {"source.embedding", "√d_model E[x]",
     "x=[ik] source_embedding.weight|embedding.weight[kj] √d_model"},
    {"target.embedding", "√d_model E[y_shifted]",
     "y_shifted=[ik] target_embedding.weight|embedding.weight[kj] √d_model"},
    {"logits", "logits = h Eᵀ", "h[ik] embedding.weight[jk]", kTied},
    {"logits", "logits = h W", "h[ik] projection.weight[kj]", kUntied},
    {"output.dE", "dE = dlogitsᵀ h", "dlogits[ki] h[kj]", kTied, "dlogits"},
    {"dh", "dh = dlogits E", "dlogits[ik] embedding.weight[kj]", kTied},
    {"dh", "dh = dlogits Wᵀ", "dlogits[ik] projection.weight[jk]", kUntied},
    {"target.dembedding", "dembedding = dg", "dg[ij] target.mask?[ij]"},
    {"source.dembedding", "dembedding = de", "de[ij] source.mask?[ij]"},
    {"target.dE", "dE = √d_model Σ dembedding", "y_shifted=[ki] dembedding[kj] √d_model", kTied,
     "target.dembedding"},
    {"source.dE", "dE = √d_model Σ dembedding", "x=[ki] dembedding[kj] √d_model", kTied,
     "source.dembedding"},
    {"embedding.weight|*_embedding.weight", "E", ""},
    {"projection.weight", "W", ""},
    {"embedding.dweight", "dE = output.dE + target.dE + source.dE",
     "output.dE[ij] + target.dE[ij] + source.dE[ij]"},
    {"source_embedding.dweight", "dE = √d_model Σ dembedding",
     "x=[ki] source.dembedding[kj] √d_model"},
    {"target_embedding.dweight", "dE = √d_model Σ dembedding",
     "y_shifted=[ki] target.dembedding[kj] √d_model"},
    {"projection.dweight", "dW = hᵀ dlogits", "h[ki] dlogits[kj]"},
    // Positional encodings.
    {"§3.5"},
    {"position", "PE = sin, cos, sin, cos, …", "PE(pos,j)", kSinusoidal},
    {"source.position", "PE = PE[pos]", "source_positions.weight[ij]", kLearned},
    {"target.position", "PE = PE[pos]", "target_positions.weight[ij]", kLearned},
    {"e", "e = √d_model E[x]? + PE",
     "source.embedding[ij] source.mask?[ij] + source.position?[ij] source.mask?[ij]"},
    {"g", "g = √d_model E[y_shifted]? + PE",
     "target.embedding[ij] target.mask?[ij] + target.position?[ij] target.mask?[ij]"},
    {"*_positions.weight", "PE", ""},
    {"source_positions.dweight", "dPE = Σ dembedding", "source.dembedding[ij]"},
    {"target_positions.dweight", "dPE = Σ dembedding", "target.dembedding[ij]"},
    // Dropout, and the loss with label smoothing.
    {"§5.4"},
    {"mask", "mask", ""},
    {"heads.*.P_dropped", "Dropout(P)", "P[ij] mask[ij]"},
    {"p", "p = softmax(logits)", "softmax: logits[ij]", "", "logits"},
    {"y", "y = the tokens to predict", "", "", "logits"},
    {"q", "q = (1 − ε_ls) onehot(y) + ε_ls/V", "y=[ij] 1−ε_ls + ε_ls/V", "", "logits"},
    {"losses", "L_t = −Σ_v q_v ln p_v", "− q[ik] ln:p[ik]"},
    {"loss", "L = mean of L_t", "losses[k] 1/T"},
    {"dlogits", "dlogits = (p − q)/T", "p[ij] 1/T − q[ij] 1/T"},
};

// The number after a part of a name; −1 if there is none.
Index number_after(const std::string& name, const char* part) {
  const std::vector<std::string> parts = split(name, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == part) return number_in<Index>(parts[i + 1]).value_or(-1);
  }
  return -1;
}

// Whether a name is like a pattern, which ends at a |.
bool is_like(const char* pattern, const char* name) {
  for (; *pattern != '*'; ++pattern, ++name) {
    const bool at_end = *pattern == '\0' || *pattern == '|';
    if (at_end || *pattern != *name) return at_end && *name == '\0';
  }
  for (; !is_like(pattern + 1, name); ++name) {
    if (*name == '\0' || *name == '.') return false;
  }
  return true;
}

}  // namespace

const std::vector<Row>& table() {
  static const std::vector<Row> rows(std::begin(kRows), std::end(kRows));
  return rows;
}

bool is_for(const Row& row, const Settings& settings) {
  const std::string when = row.when;
  const std::size_t equals = when.find('=');
  return when.empty() || fits(row.when + equals + 1, settings.at(when.substr(0, equals)));
}

const Row* row_of(const std::string& name, const Settings& settings) {
  const auto architecture = settings.find("architecture");
  if (architecture == settings.end() || architecture->second != "transformer") return nullptr;
  for (const Row& row : table()) {
    if (fits(row.name, name) && is_for(row, settings)) return &row;
  }
  return nullptr;
}

std::string section_of(const Row& row) {
  const Row* section = &row;
  while (section->formula != nullptr) --section;
  return section->name;
}

bool fits(const char* patterns, const std::string& name) {
  for (const char* pattern = patterns; pattern != nullptr; pattern = std::strchr(pattern, '|')) {
    pattern += *pattern == '|';
    std::size_t part = 0;
    do {
      if (is_like(pattern, name.c_str() + part)) return true;
      part = name.find('.', part) + 1;  // 0 after the last
    } while (part > 0);
  }
  return false;
}

std::string part_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "" : name.substr(0, dot);
}

std::string last_of(const std::string& name) {
  return name.substr(name.rfind('.') + 1);
}

Index layer_of(const std::string& name) {
  return std::max(number_after(name, "encoder"), number_after(name, "decoder"));
}

Index head_of(const std::string& name) {
  return number_after(name, "heads");
}

std::string stack_of(const std::string& name) {
  const std::string first = name.substr(0, name.find('.'));
  const bool is_encoder = fits("encoder|source|source_positions|x|e|z|de|dz", first);
  return is_encoder ? "encoder" : "decoder";
}

bool is_cross(const std::string& name) {
  return name.find(".cross_attention.") != name.npos;
}

std::string gradient_name(const std::string& name) {
  return name.substr(0, name.size() - last_of(name).size()) + 'd' + last_of(name);
}

}  // namespace attn
