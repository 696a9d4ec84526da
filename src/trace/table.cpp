// S | Q Kᵀ | §3.2.1
#include "trace/table.h"

#include <cstring>

namespace attn {

namespace {

constexpr const char *kAddNorm = "§3.1", *kDotProduct = "§3.2.1, eq. (1)", *kHeads = "§3.2.2",
                     *kFeedForward = "§3.3, eq. (2)", *kEmbedding = "§3.4", *kPositions = "§3.5",
                     *kLoss = "§5.4";
constexpr const char *kPost = "norm=post", *kPre = "norm=pre", *kTied = "tie_embeddings=yes",
                     *kUntied = "tie_embeddings=no", *kRotary = "positions=rotary",
                     *kLearned = "positions=learned",
                     *kSinusoidal = "positions=sinusoidal", *kUnturned = "positions!=rotary";

// dx of y = γ ⊙ (x − μ)/σ + β.
constexpr const char* kNormBackward =
    "gamma[j] dnormed[ij] inv_std[i] − gamma[k] dnormed[ik] inv_std[i] 1/d_model − "
    "x_hat[ij] gamma[k] dnormed[ik] x_hat[ik] inv_std[i] 1/d_model";

const std::vector<Row> kRows{
    {"mask|*.mask|*.*.*.mask|*.*.*.heads.*.mask", "", "mask", kLoss, ""},

    // From tokens to vectors.
    {"x", "", "x", kAddNorm, "", "", "ids"},
    {"y_shifted", "", "y_shifted = <bos> y_1 … y_m", kAddNorm, "", "", "ids"},
    {"source.embedding", "", "√d_model E[x]", kEmbedding,
     "x=[ik] source_embedding.weight|embedding.weight[kj] √d_model"},
    {"target.embedding", "", "√d_model E[y_shifted]", kEmbedding,
     "y_shifted=[ik] target_embedding.weight|embedding.weight[kj] √d_model"},
    {"*.position", kSinusoidal, "PE = sin, cos, sin, cos, …", kPositions, "sinusoid:"},
    {"source.position", kLearned, "PE = PE[pos]", kPositions,
     "position=[ik] source_positions.weight[kj]"},
    {"target.position", kLearned, "PE = PE[pos]", kPositions,
     "position=[ik] target_positions.weight[kj]"},
    {"e", "", "e = √d_model E[x]{ + PE}", kPositions,
     "source.embedding[ij] source.mask?[ij] + source.position?[ij] source.mask?[ij]"},
    {"g", "", "g = √d_model E[y_shifted]{ + PE}", kPositions,
     "target.embedding[ij] target.mask?[ij] + target.position?[ij] target.mask?[ij]"},

    // Add & Norm. A sub-layer reads u; with pre-norm the norm comes first.
    {"*.*.*.u", kPost, "u = %1", kAddNorm, "read[ij]"},
    {"*.*.*.u", kPre, "u = γ ⊙ x̂ + β", kAddNorm,
     "%_norm.gamma[j] %_norm.x_hat[ij] + %_norm.beta[j]"},
    {"*.*.*_norm.sum", "", "s = u + %2", kAddNorm, "%.u[ij] + %.output[ij] mask?[ij]"},
    {"*.*.*_norm.mean|*.norm.mean", "", "μ = mean of %1", kAddNorm, "sum|read[ik] 1/d_model"},
    {"*.*.*_norm.inv_std|*.norm.inv_std", "", "1/σ = 1/√(variance + 1e-5)", kAddNorm,
     "1/√: sum|read[ik] sum|read[ik] 1/d_model − mean[i] mean[i]"},
    {"*.*.*_norm.x_hat|*.norm.x_hat", "", "x̂ = (%1 − μ)/σ", kAddNorm,
     "sum|read[ij] inv_std[i] − mean[i] inv_std[i]"},
    {"*.*.attended", kPost, "attended = γ ⊙ x̂ + β", kAddNorm,
     "self_attention_norm.gamma[j] self_attention_norm.x_hat[ij] + self_attention_norm.beta[j]"},
    {"*.*.informed", kPost, "informed = γ ⊙ x̂ + β", kAddNorm,
     "cross_attention_norm.gamma[j] cross_attention_norm.x_hat[ij] + cross_attention_norm.beta[j]"},
    {"*.*.output", kPost, "output = γ ⊙ x̂ + β", kAddNorm,
     "feed_forward_norm.gamma[j] feed_forward_norm.x_hat[ij] + feed_forward_norm.beta[j]"},
    {"z|h", kPost, "%0 = %1", kAddNorm, "previous[ij]"},
    {"*.*.attended", kPre, "attended = %1 + MultiHead", kAddNorm,
     "previous[ij] + self_attention.output[ij] self_attention_norm.mask?[ij]"},
    {"*.*.informed", kPre, "informed = attended + MultiHead", kAddNorm,
     "attended[ij] + cross_attention.output[ij] cross_attention_norm.mask?[ij]"},
    {"*.*.output", kPre, "output = %1 + FFN", kAddNorm,
     "informed|attended[ij] + feed_forward.output[ij] feed_forward_norm.mask?[ij]"},
    {"z|h", kPre, "%0 = γ ⊙ x̂ + β", kAddNorm,
     "stack.norm.gamma[j] stack.norm.x_hat[ij] + stack.norm.beta[j]"},

    // Multi-head attention.
    {"*.*.*.heads.*.Q", kUnturned, "Q = u W^Q_i{ + b^Q_i}", kHeads,
     "u[ik] query.weight[kj] + query.bias?[j]", "", "queries"},
    {"*.*.self_attention.heads.*.K", kUnturned, "K = u W^K_i{ + b^K_i}", kHeads,
     "u[ik] key.weight[kj] + key.bias?[j]", "", "keys"},
    {"*.*.cross_attention.heads.*.K", kUnturned, "K = z W^K_i{ + b^K_i}", kHeads,
     "z[ik] key.weight[kj] + key.bias?[j]", "", "keys"},
    {"*.*.self_attention.heads.*.V", "", "V = u W^V_i{ + b^V_i}", kHeads,
     "u[ik] value.weight[kj] + value.bias?[j]", "", "values"},
    {"*.*.cross_attention.heads.*.V", "", "V = z W^V_i{ + b^V_i}", kHeads,
     "z[ik] value.weight[kj] + value.bias?[j]", "", "values"},
    {"*.*.*.Q_0", "", "Q_0 = u W^Q{ + b^Q}", kHeads, "u[ik] query.weight[kj] + query.bias?[j]"},
    {"*.*.self_attention.K_0", "", "K_0 = u W^K{ + b^K}", kHeads,
     "u[ik] key.weight[kj] + key.bias?[j]"},
    {"*.*.cross_attention.K_0", "", "K_0 = z W^K{ + b^K}", kHeads,
     "z[ik] key.weight[kj] + key.bias?[j]"},
    {"*.*.*.heads.*.Q", kRotary, "Q = each pair turned by pos·10000^(−2i/d_k)", kHeads,
     "turned: Q_0[ij]", "", "queries"},
    {"*.*.*.heads.*.K", kRotary, "K = each pair turned by pos·10000^(−2i/d_k)", kHeads,
     "turned: K_0[ij]", "", "keys"},
    {"*.*.*.heads.*.S", "", "S = Q Kᵀ", kDotProduct, "Q[ik] K[jk]", "", "scores"},
    {"encoder.*.*.heads.*.A|*.*.cross_attention.heads.*.A", "", "A = S/√d_k", kDotProduct,
     "S[ij] 1/√d_k", "*.*.*.heads.*.S", "masked"},
    {"decoder.*.self_attention.heads.*.A", "", "A = S/√d_k, −∞ behind the mask", kDotProduct,
     "causal: S[ij] 1/√d_k", "*.*.*.heads.*.S", "masked"},
    {"*.*.*.heads.*.P", "", "P = softmax(A)", kDotProduct, "softmax: A[ij]", "", "weights"},
    {"*.*.*.heads.*.P_dropped", "", "Dropout(P)", kLoss, "P[ij] mask[ij]"},
    {"*.*.*.heads.*.O", "", "O = P V", kDotProduct, "P_dropped|P[ik] V[kj]", "", "outputs"},
    {"*.*.*.concat", "", "Concat = [head_1; …; head_h]", kHeads, "heads.*.O[ij]"},
    {"*.*.self_attention.output|*.*.cross_attention.output", "",
     "MultiHead = Concat W^O{ + b^O}", kHeads, "concat[ik] output.weight[kj] + output.bias?[j]"},

    // The feed-forward network.
    {"*.*.feed_forward.inner", "", "a = u W₁ + b₁", kFeedForward,
     "u[ik] inner.weight[kj] + inner.bias[j]"},
    {"*.*.feed_forward.hidden", "", "max(0, a)", kFeedForward, "max(0, ·): inner[ij] mask?[ij]"},
    {"*.*.feed_forward.output", "", "FFN = max(0, a) W₂ + b₂", kFeedForward,
     "hidden[ik] outer.weight[kj] + outer.bias[j]"},

    // The distribution over the vocabulary, and the loss.
    {"logits", kTied, "logits = h Eᵀ", kEmbedding, "h[ik] embedding.weight[jk]"},
    {"logits", kUntied, "logits = h W", kEmbedding, "h[ik] projection.weight[kj]"},
    {"p", "", "p = softmax(logits)", kLoss, "softmax: logits[ij]", "logits", "distribution"},
    {"y", "", "y = the tokens to predict", kLoss, "", "logits", "ids"},
    {"q", "", "q = (1 − ε_ls) onehot(y) + ε_ls/V", kLoss, "y=[ij] 1−ε_ls + ε_ls/V", "logits",
     "targets"},
    {"losses", "", "L_t = −Σ_v q_v ln p_v", kLoss, "− q[ik] ln:p[ik]"},
    {"loss", "", "L = mean of L_t", kLoss, "losses[k] 1/T"},

    // Back from the loss.
    {"dlogits", "", "dlogits = (p − q)/T", kLoss, "p[ij] 1/T − q[ij] 1/T"},
    {"output.dE", kTied, "dE = dlogitsᵀ h", kEmbedding, "dlogits[ki] h[kj]", "dlogits"},
    {"dh", kTied, "dh = dlogits E", kEmbedding, "dlogits[ik] embedding.weight[kj]"},
    {"dh", kUntied, "dh = dlogits Wᵀ", kEmbedding, "dlogits[ik] projection.weight[jk]"},
    {"dz", "", "dz = Σ (dz_K + dz_V)", kHeads,
     "decoder.*.cross_attention.dz_K[ij] + decoder.*.cross_attention.dz_V[ij]"},
    {"target.dembedding", "", "dembedding = dg", kEmbedding, "dg[ij] target.mask?[ij]"},
    {"source.dembedding", "", "dembedding = de", kEmbedding, "de[ij] source.mask?[ij]"},
    {"target.dE", kTied, "dE = √d_model Σ dembedding", kEmbedding,
     "y_shifted=[ki] dembedding[kj] √d_model", "target.dembedding"},
    {"source.dE", kTied, "dE = √d_model Σ dembedding", kEmbedding,
     "x=[ki] dembedding[kj] √d_model", "source.dembedding"},

    // Back through Add & Norm.
    {"*.*.*_norm.dsum", kPost, "ds = (d − mean(d) − x̂ mean(d ⊙ x̂))/σ, d = γ ⊙ %1", kAddNorm,
     kNormBackward},
    {"*.*.*_norm.dsum", kPre, "ds = %1", kAddNorm, "dafter[ij]"},
    {"*.*.*_norm.dnorm|*.norm.dnorm", "", "dx = (d − mean(d) − x̂ mean(d ⊙ x̂))/σ, d = γ ⊙ %1",
     kAddNorm, kNormBackward},
    {"*.*.dinformed", kPost, "dinformed = ds + du", kAddNorm,
     "feed_forward_norm.dsum[ij] + feed_forward.du[ij]"},
    {"*.*.dinformed", kPre, "dinformed = ds + dx", kAddNorm,
     "feed_forward_norm.dsum[ij] + feed_forward_norm.dnorm[ij]"},
    {"encoder.*.dattended", kPost, "dattended = ds + du", kAddNorm,
     "feed_forward_norm.dsum[ij] + feed_forward.du[ij]"},
    {"encoder.*.dattended", kPre, "dattended = ds + dx", kAddNorm,
     "feed_forward_norm.dsum[ij] + feed_forward_norm.dnorm[ij]"},
    {"decoder.*.dattended", kPost, "dattended = ds + du_Q", kAddNorm,
     "cross_attention_norm.dsum[ij] + cross_attention.du_Q[ij]"},
    {"decoder.*.dattended", kPre, "dattended = ds + dx", kAddNorm,
     "cross_attention_norm.dsum[ij] + cross_attention_norm.dnorm[ij]"},
    {"*.*.doutput|de|dg", kPost, "%0 = %1{ + du}", kAddNorm,
     "next.self_attention_norm.dsum|dend[ij] + next.self_attention.du?[ij]"},
    {"*.*.doutput|de|dg", kPre, "%0 = %1{ + dx}", kAddNorm,
     "next.self_attention_norm.dsum|stack.norm.dnorm[ij] + next.self_attention_norm.dnorm?[ij]"},

    // Back through attention.
    {"*.*.self_attention.doutput|*.*.cross_attention.doutput", "", "dMultiHead = ds", kAddNorm,
     "%_norm.dsum[ij] %_norm.mask?[ij]"},
    {"*.*.*.dconcat", "", "dConcat = dMultiHead W^Oᵀ", kHeads, "doutput[ik] output.weight[jk]"},
    {"*.*.*.heads.*.dO", "", "dO = dConcat_i", kHeads, "dconcat[ij]", "", "outputs"},
    {"*.*.*.heads.*.dV", "", "dV = Pᵀ dO", kDotProduct, "P_dropped|P[ki] dO[kj]", "", "values"},
    {"*.*.*.heads.*.dP", "", "dP = dO Vᵀ", kDotProduct, "dO[ik] V[jk] mask?[ij]", "", "weights"},
    {"*.*.*.heads.*.dS", "", "dS = P ⊙ (dP − rowsum(P ⊙ dP))/√d_k", kDotProduct,
     "P[ij] dP[ij] 1/√d_k − P[ij] P[ik] dP[ik] 1/√d_k", "", "scores"},
    {"*.*.*.heads.*.dQ", "", "dQ = dS K", kDotProduct, "dS[ik] K[kj]", "", "queries"},
    {"*.*.*.heads.*.dK", "", "dK = dSᵀ Q", kDotProduct, "dS[ki] Q[kj]", "", "keys"},
    {"*.*.*.dQ_0", "", "dQ_0 = dQ turned back", kHeads, "turned back: heads.*.dQ[ij]"},
    {"*.*.*.dK_0", "", "dK_0 = dK turned back", kHeads, "turned back: heads.*.dK[ij]"},
    {"*.*.*.du_Q", "", "du_Q = dQ W^Qᵀ", kHeads, "dQ_0|heads.*.dQ[ik] query.weight[jk]"},
    {"*.*.*.du_K", "", "du_K = dK W^Kᵀ", kHeads, "dK_0|heads.*.dK[ik] key.weight[jk]"},
    {"*.*.*.du_V", "", "du_V = dV W^Vᵀ", kHeads, "heads.*.dV[ik] value.weight[jk]"},
    {"*.*.*.dz_K", "", "dz_K = dK W^Kᵀ", kHeads, "dK_0|heads.*.dK[ik] key.weight[jk]"},
    {"*.*.*.dz_V", "", "dz_V = dV W^Vᵀ", kHeads, "heads.*.dV[ik] value.weight[jk]"},
    {"*.*.self_attention.du", "", "du = du_Q + du_K + du_V", kHeads,
     "du_Q[ij] + du_K[ij] + du_V[ij]"},

    // Back through the feed-forward network.
    {"*.*.feed_forward.doutput", "", "dFFN = ds", kAddNorm, "%_norm.dsum[ij] %_norm.mask?[ij]"},
    {"*.*.feed_forward.dhidden", "", "dmax(0, a) = dFFN W₂ᵀ", kFeedForward,
     "doutput[ik] outer.weight[jk]"},
    {"*.*.feed_forward.dinner", "", "da = dmax(0, a) where max(0, a) > 0, else 0", kFeedForward,
     "hidden>[ij] dhidden[ij] mask?[ij]"},
    {"*.*.feed_forward.du", "", "du = da W₁ᵀ", kFeedForward, "dinner[ik] inner.weight[jk]"},

    // The parameters, and their gradients.
    {"embedding.weight|*_embedding.weight", "", "E", kEmbedding, ""},
    {"projection.weight", "", "W", kEmbedding, ""},
    {"*_positions.weight", "", "PE", kPositions, ""},
    {"*.*.*.query.weight", "", "W^Q", kHeads, ""},
    {"*.*.*.key.weight", "", "W^K", kHeads, ""},
    {"*.*.*.value.weight", "", "W^V", kHeads, ""},
    {"*.*.*.output.weight", "", "W^O", kHeads, ""},
    {"*.*.*.query.bias", "", "b^Q", kHeads, ""},
    {"*.*.*.key.bias", "", "b^K", kHeads, ""},
    {"*.*.*.value.bias", "", "b^V", kHeads, ""},
    {"*.*.*.output.bias", "", "b^O", kHeads, ""},
    {"*.*.*.inner.weight", "", "W₁", kFeedForward, ""},
    {"*.*.*.inner.bias", "", "b₁", kFeedForward, ""},
    {"*.*.*.outer.weight", "", "W₂", kFeedForward, ""},
    {"*.*.*.outer.bias", "", "b₂", kFeedForward, ""},
    {"*.*.*_norm.gamma|*.norm.gamma", "", "γ", kAddNorm, ""},
    {"*.*.*_norm.beta|*.norm.beta", "", "β", kAddNorm, ""},
    {"embedding.dweight", "", "dE = output.dE + target.dE + source.dE", kEmbedding,
     "output.dE[ij] + target.dE[ij] + source.dE[ij]"},
    {"source_embedding.dweight", "", "dE = √d_model Σ dembedding", kEmbedding,
     "x=[ki] source.dembedding[kj] √d_model"},
    {"target_embedding.dweight", "", "dE = √d_model Σ dembedding", kEmbedding,
     "y_shifted=[ki] target.dembedding[kj] √d_model"},
    {"projection.dweight", "", "dW = hᵀ dlogits", kEmbedding, "h[ki] dlogits[kj]"},
    {"source_positions.dweight", "", "dPE = Σ dembedding", kPositions,
     "position=[ki] source.dembedding[kj]"},
    {"target_positions.dweight", "", "dPE = Σ dembedding", kPositions,
     "position=[ki] target.dembedding[kj]"},
    {"*.*.*.query.dweight", "", "dW^Q = uᵀ dQ", kHeads, "u[ki] dQ_0|heads.*.dQ[kj]"},
    {"*.*.self_attention.key.dweight", "", "dW^K = uᵀ dK", kHeads, "u[ki] dK_0|heads.*.dK[kj]"},
    {"*.*.self_attention.value.dweight", "", "dW^V = uᵀ dV", kHeads, "u[ki] heads.*.dV[kj]"},
    {"*.*.cross_attention.key.dweight", "", "dW^K = zᵀ dK", kHeads, "z[ki] dK_0|heads.*.dK[kj]"},
    {"*.*.cross_attention.value.dweight", "", "dW^V = zᵀ dV", kHeads, "z[ki] heads.*.dV[kj]"},
    {"*.*.*.output.dweight", "", "dW^O = Concatᵀ dMultiHead", kHeads, "concat[ki] doutput[kj]"},
    {"*.*.*.query.dbias", "", "db^Q = Σ_t dQ_t", kHeads, "dQ_0|heads.*.dQ[kj]"},
    {"*.*.*.key.dbias", "", "db^K = Σ_t dK_t", kHeads, "dK_0|heads.*.dK[kj]"},
    {"*.*.*.value.dbias", "", "db^V = Σ_t dV_t", kHeads, "heads.*.dV[kj]"},
    {"*.*.*.output.dbias", "", "db^O = Σ_t dMultiHead_t", kHeads, "doutput[kj]"},
    {"*.*.*.inner.dweight", "", "dW₁ = uᵀ da", kFeedForward, "u[ki] dinner[kj]"},
    {"*.*.*.inner.dbias", "", "db₁ = Σ_t da_t", kFeedForward, "dinner[kj]"},
    {"*.*.*.outer.dweight", "", "dW₂ = max(0, a)ᵀ dFFN", kFeedForward, "hidden[ki] doutput[kj]"},
    {"*.*.*.outer.dbias", "", "db₂ = Σ_t dFFN_t", kFeedForward, "doutput[kj]"},
    {"*.*.*_norm.dgamma|*.norm.dgamma", "", "dγ = Σ_t %1_t ⊙ x̂_t", kAddNorm,
     "dnormed[kj] x_hat[kj]"},
    {"*.*.*_norm.dbeta|*.norm.dbeta", "", "dβ = Σ_t %1_t", kAddNorm, "dnormed[kj]"},
};

bool fits_one(const char* pattern, const char* name) {
  for (; *pattern != '*'; ++pattern, ++name) {
    const bool ends = *pattern == '\0' || *pattern == '|';
    if (ends || *pattern != *name) return ends && *name == '\0';
  }
  for (;; ++name) {
    if (fits_one(pattern + 1, name)) return true;
    if (*name == '\0' || *name == '.') return false;
  }
}

}  // namespace

const std::vector<Row>& table() {
  return kRows;
}

bool fits(const char* patterns, const std::string& name) {
  const char* next = std::strchr(patterns, '|');
  return fits_one(patterns, name.c_str()) || (next != nullptr && fits(next + 1, name));
}

bool is_for(const Row& row, const Settings& settings) {
  const std::string when = row.when;
  if (when.empty()) return true;
  const bool other = when.find("!=") != when.npos;
  const auto setting = settings.find(when.substr(0, when.find_first_of("!=")));
  const bool is = setting != settings.end() && setting->second == when.substr(when.find('=') + 1);
  return is != other;
}

}  // namespace attn
