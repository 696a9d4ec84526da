// The Transformer as the paper writes it: its whole forward pass in plain loops over doubles, one
// sentence at a time, section by section. Nothing is fast, packed, fused or clever. Read it first;
// everything in src/ computes the same numbers, and tests compare them with these.
//
// From the library it takes the parameters, by name, and the configuration. Nothing else.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/sequence_model.h"

namespace attn::test {

class ReferenceTransformer {
 public:
  using Vector = std::vector<double>;
  using Matrix = std::vector<Vector>;  // a list of rows; a sentence is a row for each token
  using Ids = std::vector<int>;

  explicit ReferenceTransformer(SequenceModel& model)
      : config(config_from_settings(model.settings(), "the model")) {
    model.visit_parameters([&](const std::string& name, Parameter& parameter) {
      weights[name] = to_matrix(parameter.value);
    });
  }

  // The logits of the token after each target token                            [n_target, V]
  Matrix logits(const Ids& source, const Ids& target) const {
    const Matrix z = encoder(source, everything());
    return project(decoder(target, z, everything()));
  }

  // Which tokens may look at which: legal(i, j) says whether query i may look at key j.
  using Legal = std::function<bool(std::size_t i, std::size_t j)>;
  static Legal everything() {
    return [](std::size_t, std::size_t) { return true; };
  }
  static Legal past_and_present() {
    return [](std::size_t i, std::size_t j) { return j <= i; };
  }
  // Other implementations pad the sentences of a batch to one length; the padding is illegal.
  static Legal without_padding(std::size_t length) {
    return [=](std::size_t, std::size_t j) { return j < length; };
  }

  // §3.1 Encoder and decoder stacks

  // Figure 1, left. source [n] → z [n, d_model]
  Matrix encoder(const Ids& source, const Legal& legal) const {
    Matrix x = embedding_and_position("source", source);
    for (Index i = 0; i < config.layers; ++i) {
      const std::string layer = "encoder." + std::to_string(i);
      x = add_and_norm(layer + ".self_attention_norm", x, [&](const Matrix& u) {
        return multi_head(layer + ".self_attention", u, u, legal);
      });
      x = add_and_norm(layer + ".feed_forward_norm", x,
                       [&](const Matrix& u) { return feed_forward(layer + ".feed_forward", u); });
    }
    return config.norm == NormPlacement::pre ? layer_norm("encoder.norm", x) : x;
  }

  // Figure 1, right. target [m], z [n, d_model] → h [m, d_model]
  Matrix decoder(const Ids& target, const Matrix& z, const Legal& legal_source) const {
    Matrix x = embedding_and_position("target", target);
    for (Index i = 0; i < config.layers; ++i) {
      const std::string layer = "decoder." + std::to_string(i);
      x = add_and_norm(layer + ".self_attention_norm", x, [&](const Matrix& u) {
        return multi_head(layer + ".self_attention", u, u, past_and_present());
      });
      x = add_and_norm(layer + ".cross_attention_norm", x, [&](const Matrix& u) {
        return multi_head(layer + ".cross_attention", u, z, legal_source);
      });
      x = add_and_norm(layer + ".feed_forward_norm", x,
                       [&](const Matrix& u) { return feed_forward(layer + ".feed_forward", u); });
    }
    return config.norm == NormPlacement::pre ? layer_norm("decoder.norm", x) : x;
  }

  // "the output of each sub-layer is LayerNorm(x + Sublayer(x))"; pre-norm is not in the paper.
  using Sublayer = std::function<Matrix(const Matrix&)>;
  Matrix add_and_norm(const std::string& norm, const Matrix& x, const Sublayer& sublayer) const {
    if (config.norm == NormPlacement::post) return layer_norm(norm, sum(x, sublayer(x)));
    return sum(x, sublayer(layer_norm(norm, x)));
  }

  // γ ⊙ (x − mean)/√(variance + ε) + β, over each row by itself.
  Matrix layer_norm(const std::string& name, const Matrix& x) const {
    const Vector gamma = vector(name + ".gamma"), beta = vector(name + ".beta");
    Matrix y = x;
    for (Vector& row : y) {
      const double d = static_cast<double>(row.size());
      double mean = 0, variance = 0;
      for (const double value : row) mean += value / d;
      for (const double value : row) variance += (value - mean) * (value - mean) / d;
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = gamma[j] * (row[j] - mean) / std::sqrt(variance + 1e-5) + beta[j];
      }
    }
    return y;
  }

  // §3.2.1 Scaled dot-product attention

  // Attention(Q, K, V) = softmax(Q Kᵀ/√d_k) V, illegal connections set to −∞            eq. (1)
  static Matrix attention(const Matrix& Q, const Matrix& K, const Matrix& V, const Legal& legal) {
    const double d_k = static_cast<double>(K[0].size());
    Matrix scores = product(Q, transposed(K));
    for (std::size_t i = 0; i < Q.size(); ++i) {
      for (std::size_t j = 0; j < K.size(); ++j) {
        scores[i][j] /= std::sqrt(d_k);
        if (!legal(i, j)) scores[i][j] = -std::numeric_limits<double>::infinity();
      }
    }
    return product(softmax(scores), V);
  }

  // e^(s_j) / Σ_l e^(s_l), row by row. (e^s overflows at s = 709; scores here are far below.)
  static Matrix softmax(Matrix s) {
    for (Vector& row : s) {
      double total = 0;
      for (const double value : row) total += std::exp(value);
      for (double& value : row) value = std::exp(value) / total;
    }
    return s;
  }

  // §3.2.2 Multi-head attention, §3.2.3 and its three uses

  // Concat(head_1, …, head_h) W^O with head_i = Attention(x W^Q_i, memory W^K_i, memory W^V_i).
  // W^Q holds the matrices W^Q_i side by side; so do W^K and W^V.
  Matrix multi_head(const std::string& name, const Matrix& x, const Matrix& memory,
                    const Legal& legal) const {
    const Matrix Q = linear(name + ".query", x);
    const Matrix K = linear(name + ".key", memory);
    const Matrix V = linear(name + ".value", memory);
    Matrix concat(x.size());
    for (Index i = 0; i < config.heads; ++i) {
      const Matrix head =
          attention(columns(Q, i * config.d_k, config.d_k), columns(K, i * config.d_k, config.d_k),
                    columns(V, i * config.d_v, config.d_v), legal);
      for (std::size_t t = 0; t < x.size(); ++t) {
        concat[t].insert(concat[t].end(), head[t].begin(), head[t].end());
      }
    }
    return linear(name + ".output", concat);
  }

  // §3.3 Position-wise feed-forward networks

  // FFN(x) = max(0, x W₁ + b₁) W₂ + b₂                                                   eq. (2)
  Matrix feed_forward(const std::string& name, const Matrix& x) const {
    Matrix hidden = linear(name + ".inner", x);
    for (Vector& row : hidden) {
      for (double& value : row) value = std::max(0.0, value);
    }
    return linear(name + ".outer", hidden);
  }

  // x W + b, or x W where there is no b.
  Matrix linear(const std::string& name, const Matrix& x) const {
    Matrix y = product(x, weights.at(name + ".weight"));
    if (weights.count(name + ".bias") == 0) return y;
    const Vector b = vector(name + ".bias");
    for (Vector& row : y) {
      for (std::size_t j = 0; j < b.size(); ++j) row[j] += b[j];
    }
    return y;
  }

  // §3.4 Embeddings and softmax

  // √d_model · E[id] + PE(position). side: "source" or "target"; one E for both if it is tied.
  Matrix embedding_and_position(const std::string& side, const Ids& ids) const {
    const Matrix& E =
        weights.at(config.tie_embeddings ? "embedding.weight" : side + "_embedding.weight");
    Matrix x;
    for (std::size_t pos = 0; pos < ids.size(); ++pos) {
      Vector row = E.at(static_cast<std::size_t>(ids[pos]));
      const Vector pe = position(side, pos);
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = row[j] * std::sqrt(static_cast<double>(config.d_model)) + pe[j];
      }
      x.push_back(row);
    }
    return x;
  }

  // h Eᵀ, with the same E; or, untied, h times the projection's own matrix.
  Matrix project(const Matrix& h) const {
    if (config.tie_embeddings) return product(h, transposed(weights.at("embedding.weight")));
    return product(h, weights.at("projection.weight"));
  }

  // §3.5 Positional encoding

  // PE(pos, 2i) = sin(pos/10000^(2i/d_model)),  PE(pos, 2i+1) = cos(pos/10000^(2i/d_model))
  Vector position(const std::string& side, std::size_t pos) const {
    if (config.positions == Positions::learned) {
      return weights.at(side + "_positions.weight").at(pos);
    }
    Vector pe;
    for (Index j = 0; j < config.d_model; ++j) {
      const double two_i = static_cast<double>(j - j % 2);
      const double angle =
          static_cast<double>(pos) / std::pow(10000.0, two_i / static_cast<double>(config.d_model));
      pe.push_back(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
    return pe;
  }

  // §5.4 Label smoothing

  // −Σ_t Σ_v q_v ln p_v, summed over the tokens; q is 1 − ε on the right token plus ε/V on all.
  double loss(const Ids& source, const Ids& target_input, const Ids& target_output) const {
    const Matrix p = softmax(logits(source, target_input));
    double total = 0;
    for (std::size_t t = 0; t < p.size(); ++t) {
      for (std::size_t v = 0; v < p[t].size(); ++v) {
        double q = config.label_smoothing / static_cast<double>(p[t].size());
        if (static_cast<int>(v) == target_output[t]) q += 1 - config.label_smoothing;
        total -= q * std::log(p[t][v]);
      }
    }
    return total;
  }

  // Arithmetic on lists of rows.

  static Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.size(), Vector(b[0].size(), 0.0));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b[0].size(); ++j) {
        for (std::size_t k = 0; k < b.size(); ++k) c[i][j] += a[i][k] * b[k][j];
      }
    }
    return c;
  }

  static Matrix transposed(const Matrix& a) {
    Matrix b(a[0].size(), Vector(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a[0].size(); ++j) b[j][i] = a[i][j];
    }
    return b;
  }

  static Matrix sum(Matrix a, const Matrix& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a[i].size(); ++j) a[i][j] += b[i][j];
    }
    return a;
  }

  // Columns first, first + 1, … of a.
  static Matrix columns(const Matrix& a, Index first, Index count) {
    Matrix b;
    for (const Vector& row : a) b.emplace_back(row.begin() + first, row.begin() + first + count);
    return b;
  }

 private:
  // A parameter of one axis is a matrix of one row.
  const Vector& vector(const std::string& name) const { return weights.at(name).at(0); }

  static Matrix to_matrix(const Tensor& x) {
    Matrix rows;
    for (Index i = 0; i < x.rows(); ++i) rows.emplace_back(x.row(i), x.row(i) + x.cols());
    return rows;
  }

  TransformerConfig config;
  std::map<std::string, Matrix> weights;
};

}  // namespace attn::test
