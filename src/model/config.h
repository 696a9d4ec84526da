// The shape of a model and its regularisation: everything that Table 3 varies.
#pragma once

#include <string>

#include "base/settings.h"
#include "layers/positional_encoding.h"
#include "layers/residual.h"
#include "model/model_facts.h"

namespace attn {

// Paper symbols in the comments. The defaults are the base model's.
struct TransformerConfig {
  Index source_vocabulary = 0;  // V; the same for both if the embeddings are tied
  Index target_vocabulary = 0;
  Index layers = 6;  // N, in the encoder and again in the decoder
  Index d_model = 512;
  Index d_ff = 2048;
  Index heads = 8;  // h
  Index d_k = 64;
  Index d_v = 64;
  double dropout = 0.1;          // P_drop, on each sub-layer's output and on embedding + position
  double attention_dropout = 0;  // on attention weights (the authors' code, not the paper)
  double relu_dropout = 0;       // on the hidden layer of the feed-forward network (likewise)
  double label_smoothing = 0.1;  // ε_ls
  Positions positions = Positions::sinusoidal;
  Index max_positions = 512;  // rows of a learned position table
  NormPlacement norm = NormPlacement::post;
  bool attention_bias = false;
  bool tie_embeddings = true;
};

// Throws attn::Error naming the first setting that no model can have.
void check(const TransformerConfig& config);

// Sets d_k = d_v = d_model/h (§3.2.2). Throws Error unless h divides d_model.
void set_head_sizes(TransformerConfig& config);

// The configurations that have a name: tiny, small, base, big. Throws, listing them, for any other.
TransformerConfig preset(const std::string& name);

// The number of weights.
Index parameter_count(const TransformerConfig& config);

ModelFacts facts_of(const TransformerConfig& config);

// The weights of a model that stacks these layers differently, and what it keeps (in its facts). N
// layers, of all stacks together, have this many attentions and one feed-forward network per stack,
// all of them inside Add & Norm. A stack has a table of positions if they are learned, and a norm
// of its own with pre-norm. vocabulary: rows of all other tables.
Index count_weights(const TransformerConfig& config, double vocabulary, double attentions,
                    double stacks);
void estimate_kept(const TransformerConfig& config, double attentions, double stacks,
                   ModelFacts& facts);

// Large enough for anything that fits in memory, small enough that products of three fit an Index.
constexpr Index kLargestSize = 1 << 20;
constexpr Bounds kSize{1, kLargestSize};
constexpr Bounds kVocabularySize{3, 16 * kLargestSize, false,
                                 ": it has at least the 3 special tokens"};

// The members, by the names that the command line uses without the dashes ("d_model"), for
// base/settings.h.
template <class Visit>
void visit_settings(TransformerConfig& c, const Visit& visit) {
  visit_constant("architecture", "transformer", visit);
  visit_layer_settings(c, visit);
}
template <class Visit>
void visit_layer_settings(TransformerConfig& c, const Visit& visit) {
  visit("source_vocabulary", c.source_vocabulary, kVocabularySize);
  visit("target_vocabulary", c.target_vocabulary, kVocabularySize);
  visit("layers", c.layers, kSize);
  visit("d_model", c.d_model, kSize);
  visit("d_ff", c.d_ff, kSize);
  visit("heads", c.heads, kSize);
  visit("d_k", c.d_k, kSize);
  visit("d_v", c.d_v, kSize);
  visit("dropout", c.dropout, kProbability);
  visit("attention_dropout", c.attention_dropout, kProbability);
  visit("relu_dropout", c.relu_dropout, kProbability);
  visit("label_smoothing", c.label_smoothing, kProbability);
  visit("positions", c.positions,
        OneOf<Positions>{{"sinusoidal", Positions::sinusoidal},
                         {"learned", Positions::learned},
                         {"none", Positions::none},
                         {"rotary", Positions::rotary}});
  visit("max_positions", c.max_positions, kSize);
  visit("norm", c.norm,
        OneOf<NormPlacement>{{"post", NormPlacement::post}, {"pre", NormPlacement::pre}});
  visit("attention_bias", c.attention_bias, yes_or_no());
  visit("tie_embeddings", c.tie_embeddings, yes_or_no());
}

}  // namespace attn
