// Operations are Σ 2 m n k over the products; bytes are those of the tensors read and written.
#include "lab/benchmark/cost.h"

#include <algorithm>

#include "lab/language/decoder_only.h"
#include "model/transformer.h"

namespace attn {

namespace {

using Kind = Product::Kind;

// y = x W for x [T, in] and W [in, out], and dx = dy Wᵀ, dW = xᵀ dy.
std::vector<Product> linear_products(const std::string& what, Index T, Index in, Index out) {
  return {{what, Kind::NN, T, out, in},
          {what + ", dx", Kind::NT, T, in, out, true},
          {what + ", dW", Kind::TN, in, out, T, true}};
}

// One head of one sentence: m queries, n keys.
std::vector<Product> head_products(Index m, Index n, Index d_k, Index d_v) {
  return {{"S = Q Kᵀ", Kind::NT, m, n, d_k, false, 1, true},
          {"O = P V", Kind::NN, m, d_v, n, false, 1, true},
          {"dV = Pᵀ dO", Kind::TN, n, d_v, m, true, 1, true},
          {"dP = dO Vᵀ", Kind::NT, m, n, d_v, true, 1, true},
          {"dQ = dS K", Kind::NN, m, d_k, n, true, 1, true},
          {"dK = dSᵀ Q", Kind::TN, n, d_k, m, true, 1, true}};
}

// Adds `times` of each of them.
void add(const std::vector<Product>& products, Index times, std::vector<Product>& all) {
  for (Product product : products) {
    product.count *= times;
    const auto same = std::find_if(all.begin(), all.end(), [&](const Product& other) {
      return other.what == product.what && other.kind == product.kind && other.m == product.m &&
             other.n == product.n && other.k == product.k;
    });
    if (same == all.end()) {
      all.push_back(product);
    } else {
      same->count += product.count;
    }
  }
}

// The products of one layer, forward and backward. x and memory are the offsets of the sentences
// that queries and keys are computed from; the same for self-attention.
std::vector<Product> attention_products(const TransformerConfig& c, const Offsets& x,
                                        const Offsets& memory) {
  std::vector<Product> all;
  const std::string what = "attention's projections";
  add(linear_products(what, x.back(), c.d_model, c.heads * c.d_k), 1, all);       // W^Q
  add(linear_products(what, memory.back(), c.d_model, c.heads * c.d_k), 1, all);  // W^K
  add(linear_products(what, memory.back(), c.d_model, c.heads * c.d_v), 1, all);  // W^V
  add(linear_products(what, x.back(), c.heads * c.d_v, c.d_model), 1, all);       // W^O
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    add(head_products(x[b + 1] - x[b], memory[b + 1] - memory[b], c.d_k, c.d_v), c.heads, all);
  }
  return all;
}

std::vector<Product> feed_forward_products(const TransformerConfig& c, Index tokens) {
  std::vector<Product> all;
  add(linear_products("feed-forward inner", tokens, c.d_model, c.d_ff), 1, all);
  add(linear_products("feed-forward outer", tokens, c.d_ff, c.d_model), 1, all);
  return all;
}

std::vector<Product> output_products(const TransformerConfig& c, Index tokens) {
  const std::string what = "output projection";
  const Index V = c.target_vocabulary;
  if (!c.tie_embeddings) return linear_products(what, tokens, c.d_model, V);
  // Tied, it is y = x Eᵀ with E [V, d_model], so the transposes swap.
  return {{what, Kind::NT, tokens, V, c.d_model},
          {what + ", dx", Kind::NN, tokens, c.d_model, V, true},
          {what + ", dW", Kind::TN, V, c.d_model, tokens, true}};
}

}  // namespace

const char* to_string(Kind kind) {
  return kind == Kind::NN ? "NN" : kind == Kind::NT ? "NT" : "TN";
}

std::vector<Product> step_products(const std::vector<LayerKind>& kinds) {
  std::vector<Product> all;
  for (const LayerKind& kind : kinds) add(kind.cost.products, kind.count, all);
  return all;
}

double operations(const std::vector<Product>& products) {
  return operations(products, false) + operations(products, true);
}

double operations(const std::vector<Product>& products, bool backward) {
  double sum = 0;
  for (const Product& product : products) {
    if (product.backward == backward) {
      sum += to_double(product.count) * product.operations();
    }
  }
  return sum;
}

namespace {

// The numbers of a tensor [rows, cols].
double size(Index rows, Index cols) {
  return to_double(rows) * to_double(cols);
}

// Σ m n over the sentences: the scores of one head.
double scores(const Offsets& x, const Offsets& memory) {
  double sum = 0;
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    sum += size(x[b + 1] - x[b], memory[b + 1] - memory[b]);
  }
  return sum;
}

// The cost of a layer with these products that reads and writes these counts of numbers.
LayerCost cost_of(const std::vector<Product>& products, double forward, double backward) {
  constexpr double bytes = sizeof(Real);
  return {{operations(products, false), forward * bytes},
          {operations(products, true), backward * bytes},
          products};
}

// self: x and the memory are one tensor.
LayerCost attention_cost(const TransformerConfig& c, const Offsets& x, const Offsets& memory,
                         bool self) {
  const Index wide = c.heads * (c.d_k + c.d_v);
  const double y = size(x.back(), c.d_model);
  const double inputs = self ? y : size(x.back() + memory.back(), c.d_model);
  const double qkvo = size(x.back() + memory.back(), wide);  // Q and heads; K and V
  const double P = to_double(c.heads) * scores(x, memory);
  const double activations = inputs + qkvo + P + y, weights = 2 * size(c.d_model, wide);
  // Backward reads or writes the gradients of all activations as well; those of the weights are
  // read and written.
  return cost_of(attention_products(c, x, memory), activations + weights,
                 2 * activations + 3 * weights);
}

// Attention's softmax alone, of all heads and sentences.
LayerCost softmax_cost(const TransformerConfig& c, const Offsets& x, const Offsets& memory) {
  const double P = to_double(c.heads) * scores(x, memory);
  return cost_of({}, 2 * P, 3 * P);  // scores, P; P, dP, dS
}

LayerCost feed_forward_cost(const TransformerConfig& c, Index tokens) {
  const double x = size(tokens, c.d_model), hidden = size(tokens, c.d_ff);
  const double weights = 2 * size(c.d_model, c.d_ff);
  return cost_of(feed_forward_products(c, tokens), 2 * x + hidden + weights,
                 3 * x + 2 * hidden + 3 * weights);
}

// Without dropout.
LayerCost add_and_norm_cost(const TransformerConfig& c, Index tokens) {
  const double x = size(tokens, c.d_model);
  // Read: x, the sub-layer's output; written: x̂, y. Backward: dy, x̂, the sub-layer's dx; its dy,
  // dx.
  return cost_of({}, 4 * x, 5 * x);
}

// The output projection and the loss. Forward: up to the logits; backward: all the rest.
LayerCost output_cost(const TransformerConfig& c, Index tokens) {
  const double h = size(tokens, c.d_model), logits = size(tokens, c.target_vocabulary);
  const double weights = size(c.d_model, c.target_vocabulary);
  return cost_of(output_products(c, tokens), h + weights + logits,
                 2 * h + 3 * weights + 2 * logits);
}

LayerCost adam_cost(Index weights) {
  return cost_of({}, 7 * to_double(weights), 0);  // w, g, m, v; w, m, v
}

// Reading or writing `times` tensors [tokens, d_model], forward and again backward.
LayerCost passes_of(const TransformerConfig& c, Index tokens, double times) {
  const double numbers = times * size(tokens, c.d_model);
  return cost_of({}, numbers, numbers);
}

// An attention of each of N layers, and its softmax.
void add_attention(const TransformerConfig& c, const std::string& name, const Offsets& x,
                   const Offsets& memory, Mask mask, std::vector<LayerKind>& kinds) {
  kinds.push_back({name, c.layers, attention_cost(c, x, memory, &x == &memory)});
  kinds.push_back(
      {"softmax", c.layers, softmax_cost(c, x, memory), AttentionShape{x, memory, mask, c.heads}});
}

// A stack of N layers over x; `memory`, if not null, is the encoder's.
void add_stack(const TransformerConfig& c, const std::string& side, const Offsets& x, Mask mask,
               const Offsets* memory, std::vector<LayerKind>& kinds) {
  const Index T = x.back(), sublayers = c.layers * (memory != nullptr ? 3 : 2);
  add_attention(c, side + " self-attention", x, x, mask, kinds);
  if (memory != nullptr) {
    add_attention(c, "encoder-decoder attention", x, *memory, Mask::none, kinds);
  }
  kinds.push_back({side + " feed-forward", c.layers, feed_forward_cost(c, T)});
  kinds.push_back({side + " add & norm", sublayers, add_and_norm_cost(c, T)});
  if (c.norm == NormPlacement::pre) {
    kinds.push_back({side + " norm", 1, passes_of(c, T, 3)});  // x; x̂, y and dy, x̂; dx
  }
  if (c.dropout > 0) {  // the embeddings, and each sub-layer's output
    kinds.push_back({side + " dropout", 1 + sublayers, passes_of(c, T, 2)});
  }
}

// What surrounds the stacks. Embeddings: rows of E and of the position table; e. Backward: de, rows
// of dE; rows of dE.
LayerKind embeddings(const TransformerConfig& c, Index tokens) {
  return {"embeddings and positions", 1, passes_of(c, tokens, 3)};
}
void add_output(const TransformerConfig& c, Index predicted, Index weights,
                std::vector<LayerKind>& kinds) {
  kinds.push_back({"output projection and loss", 1, output_cost(c, predicted)});
  kinds.push_back({"Adam", 1, adam_cost(weights)});
  kinds.push_back({"zeroing gradients", 1, cost_of({}, to_double(weights), 0)});
}

}  // namespace

std::vector<LayerKind> layer_kinds(const TransformerConfig& c, const Offsets& source,
                                   const Offsets& target) {
  std::vector<LayerKind> kinds{embeddings(c, source.back() + target.back())};
  add_stack(c, "encoder", source, Mask::none, nullptr, kinds);
  add_stack(c, "decoder", target, Mask::causal, &source, kinds);
  add_output(c, target.back(), parameter_count(c), kinds);
  return kinds;
}

std::vector<LayerKind> layer_kinds(const DecoderOnlyConfig& c, const Offsets& x, Index predicted) {
  std::vector<LayerKind> kinds{embeddings(c, x.back())};
  add_stack(c, "decoder", x, Mask::causal, nullptr, kinds);
  add_output(c, predicted, parameter_count(c), kinds);
  return kinds;
}

std::vector<LayerKind> layer_kinds(const SequenceModel& model, const Batch& batch) {
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  if (const auto* const transformer = dynamic_cast<const Transformer*>(&model)) {
    return layer_kinds(transformer->config(), source, target);
  }
  const auto* const decoder_only = dynamic_cast<const DecoderOnly*>(&model);
  ATTN_CHECK(decoder_only != nullptr, "the layers of the architecture ",
             model.settings().at("architecture"), " are not known here");
  Offsets x;
  for (std::size_t b = 0; b < target.size(); ++b) x.push_back(source[b] + target[b]);
  return layer_kinds(decoder_only->config(), x, model.predicted_tokens(batch));
}

}  // namespace attn
