// Copy and reverse by hand (chapter 3.5.1): the weights of two Transformers, set without training.
//
// Both are ordinary models of the library, post-norm with tied embeddings, over the vocabulary of
// the tasks: <unk>, <bos>, <eos> and 26 letters. Every weight that is not set here is 0, so a
// sub-layer without weights passes its input on. Self-attention has none: it is not needed.
//
// The d_model = 256 columns of a token's vector are 128 sines and cosines, pair i turning by
// 10^(-i/32) a position. What each pair is used for:
//
//     pairs 0 to 15     fast waves: where a position is, exactly
//     pair 96           1/1000 a position: its sine is a ruler, position/1000
//     pairs 97 to 125   as good as still: the sine, near 0, is free for one token each
//     pair 126          likewise, for the wish "I want <eos>"
//     pair 127          the stillest: its sine is our 0 and its cosine our 1
#pragma once

#include <algorithm>
#include <cmath>

#include "model/transformer.h"
#include "text/vocabulary.h"

namespace attn::by_hand {

constexpr Index kDModel = 256, kTokens = 29;
constexpr Index kFastPairs = 16;                      // columns 0 to 31
constexpr Index kRuler = 2 * 96;                      // sine of pair 96
constexpr Index kFirstToken = 2 * 97;                 // sine of pair 97; the next token's: + 2
constexpr Index kWish = 2 * 126;                      // sine of pair 126
constexpr Index kZero = 2 * 127, kOne = 2 * 127 + 1;  // sine and cosine of pair 127
constexpr Index kQuery = 2 * kFastPairs + 1;          // d_k: the fast waves and the wish
constexpr Index kLongest = 64;                        // letters that can be reversed

constexpr double kLoud = 160;   // a token, where the waves are 1
constexpr double kSigma = 10;   // so layer norm divides by √(160²/256)
constexpr double kSharp = 100;  // of queries and of keys: how hard the softmax is

inline Index column_of(int token) {
  return kFirstToken + 2 * token;
}
inline double frequency(Index pair) {
  return std::pow(10000.0, -static_cast<double>(2 * pair) / kDModel);
}

// W[from, to] = weight, read against our 0: layer norm subtracts a mean that depends on the
// position, from all columns alike, so the difference of two columns does not have it.
inline void connect(Linear& W, Index from, Index to, double weight) {
  W.weight.value(from, to) += static_cast<Real>(weight);
  W.weight.value(kZero, to) -= static_cast<Real>(weight);
}

// E: token v is a 1 in a column of its own, loud. Embedding multiplies by √d_model = 16.
inline void set_tokens(Embedding& E) {
  for (int token = 0; token < kTokens; ++token) {
    E.weight.value(token, column_of(token)) = static_cast<Real>(kLoud / std::sqrt(kDModel));
  }
}

// Look at position t + k of the source, where t is the position that x holds; if x holds the wish
// instead, at <eos>. Fetch the letter there, twice as loud as the one that x is about.
inline void look(MultiHeadAttention& attention, int k) {
  for (Index i = 0; i < kFastPairs; ++i) {
    // sin(a + b) = sin a cos b + cos a sin b,   cos(a + b) = cos a cos b − sin a sin b
    const Index sine = 2 * i, cosine = 2 * i + 1;
    const double b = frequency(i) * k;
    connect(attention.query, sine, sine, kSharp * std::cos(b));
    connect(attention.query, cosine, sine, kSharp * std::sin(b));
    connect(attention.query, cosine, cosine, kSharp * std::cos(b));
    connect(attention.query, sine, cosine, -kSharp * std::sin(b));
    connect(attention.key, sine, sine, kSharp);
    connect(attention.key, cosine, cosine, kSharp);
  }
  // A wish of 1 finds <eos> as a position finds itself: that score is 16, one for each pair.
  connect(attention.query, kWish, kQuery - 1, kSharp);
  connect(attention.key, column_of(kEos), kQuery - 1, kSharp * kFastPairs / kLoud);

  for (int token = 0; token < kTokens; ++token) {
    connect(attention.value, column_of(token), token, 1);
    attention.output.weight.value(token, column_of(token)) = 2;
  }
}

// Where does the source end? Look at <eos>, whatever x is, and fetch its place on the ruler with
// a minus sign. x + Sublayer(x) then has t − n on its ruler.
inline void subtract_end(MultiHeadAttention& attention) {
  connect(attention.query, kOne, 0, kSharp);
  connect(attention.key, column_of(kEos), 0, kSharp);
  connect(attention.value, kRuler, 0, 1);
  attention.output.weight.value(0, kRuler) = -1;
}

// From the number r = n − t on the ruler to the waves of position r, a hundred times as loud as
// those of t, which are still there; from r = 0 to the wish for <eos>. A table: f(0), f(1), f(2), …
// with straight lines between, which bend at 0, 1, 2, …:
//
//     f(r) = f(0) + Σ_j (f(j+1) − 2 f(j) + f(j−1)) max(0, r − j)        j = 0, 1, …
//
// with f(−1) = f(0).
inline void look_up(FeedForward& table) {
  // Hidden unit j is max(0, r − j): r from the ruler, j from our 1.
  const double step = frequency(kRuler / 2) - frequency(kZero / 2);
  for (Index j = 0; j < kLongest; ++j) {
    connect(table.inner, kRuler, j, -kSigma / step);
    connect(table.inner, kOne, j, -kSigma * static_cast<double>(j));
  }

  // f(0) is the wish, f(r) the encoding of position r.
  Tensor f = Tensor::zeros({kLongest + 1, kDModel});
  f(0, kWish) = 1;
  for (Index r = 1; r <= kLongest; ++r) {
    sinusoidal_encoding(r, kDModel, f.row(r));
    std::fill(f.row(r) + 2 * kFastPairs, f.row(r) + kDModel, Real{0});
  }
  const Real loud = static_cast<Real>(100 / kSigma);
  for (Index c = 0; c < kDModel; ++c) {
    table.outer.bias.value[c] = loud * f(0, c);
    for (Index j = 0; j < kLongest; ++j) {
      const Real before = f(j, c) - f(std::max<Index>(j - 1, 0), c);
      table.outer.weight.value(j, c) = loud * (f(j + 1, c) - f(j, c) - before);
    }
  }
}

inline Transformer blank(Index layers) {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = kTokens;
  config.layers = layers;
  config.d_model = kDModel;
  config.d_ff = kLongest;
  config.heads = 1;
  config.d_k = kQuery;
  config.d_v = kTokens;
  config.dropout = config.label_smoothing = 0;
  Transformer model(config);
  set_tokens(model.source_embedding);
  return model;
}

// Target word t is source word t: look at your own position.
inline Transformer copy() {
  Transformer model = blank(1);
  look(model.decoder[0].cross_attention, 0);
  return model;
}

// Target word t is source word n − t − 1: subtract, look the difference up, step back by one, look.
inline Transformer reverse() {
  Transformer model = blank(2);
  subtract_end(model.decoder[0].cross_attention);
  look_up(model.decoder[0].feed_forward);
  look(model.decoder[1].cross_attention, -1);
  return model;
}

}  // namespace attn::by_hand
