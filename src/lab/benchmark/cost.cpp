// Operations are Σ 2 m n k over the products; bytes are those of the tensors read and written.
#include "lab/benchmark/cost.h"

#include <algorithm>

#include "model/decoder_only.h"
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

std::vector<Product> step_products(const TransformerConfig& c, const Offsets& source,
                                   const Offsets& target) {
  std::vector<Product> all;
  add(attention_products(c, source, source), c.layers, all);  // of the encoder
  add(attention_products(c, target, target), c.layers, all);  // of the decoder, masked
  add(attention_products(c, target, source), c.layers, all);  // of the decoder over the encoder
  add(feed_forward_products(c, source.back()), c.layers, all);
  add(feed_forward_products(c, target.back()), c.layers, all);
  add(output_products(c, target.back()), 1, all);
  return all;
}

std::vector<Product> step_products(const DecoderOnlyConfig& c, const Offsets& x, Index predicted) {
  std::vector<Product> all;
  add(attention_products(c, x, x), c.layers, all);
  add(feed_forward_products(c, x.back()), c.layers, all);
  add(output_products(c, predicted), 1, all);
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
          {operations(products, true), backward * bytes}};
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

std::vector<LayerKind> present(std::vector<LayerKind> kinds) {
  const auto absent = [](const LayerKind& kind) { return kind.count == 0; };
  kinds.erase(std::remove_if(kinds.begin(), kinds.end(), absent), kinds.end());
  return kinds;
}

}  // namespace

std::vector<LayerKind> layer_kinds(const TransformerConfig& c, const Offsets& source,
                                   const Offsets& target) {
  const Index S = source.back(), T = target.back(), N = c.layers;
  const Index last_norms = c.norm == NormPlacement::pre ? 1 : 0;
  const Index dropped = c.dropout > 0 ? 1 : 0;  // the embeddings, and each sub-layer's output
  const Index weights = parameter_count(c);
  return present({
      // Rows of E and of the position table; e. Backward: de, rows of dE; rows of dE.
      {"embeddings and positions", 1, passes_of(c, S + T, 3)},
      {"encoder self-attention", N, attention_cost(c, source, source, true)},
      {"softmax", N, softmax_cost(c, source, source), true},
      {"encoder feed-forward", N, feed_forward_cost(c, S)},
      {"encoder add & norm", 2 * N, add_and_norm_cost(c, S)},
      {"encoder norm", last_norms, passes_of(c, S, 3)},  // x; x̂, y and dy, x̂; dx
      {"encoder dropout", dropped * (1 + 2 * N), passes_of(c, S, 2)},
      {"decoder self-attention", N, attention_cost(c, target, target, true)},
      {"softmax", N, softmax_cost(c, target, target), true},
      {"encoder-decoder attention", N, attention_cost(c, target, source, false)},
      {"softmax", N, softmax_cost(c, target, source), true},
      {"decoder feed-forward", N, feed_forward_cost(c, T)},
      {"decoder add & norm", 3 * N, add_and_norm_cost(c, T)},
      {"decoder norm", last_norms, passes_of(c, T, 3)},
      {"decoder dropout", dropped * (1 + 3 * N), passes_of(c, T, 2)},
      {"output projection and loss", 1, output_cost(c, T)},
      {"Adam", 1, adam_cost(weights)},
      {"zeroing gradients", 1, cost_of({}, to_double(weights), 0)},
  });
}

std::vector<LayerKind> layer_kinds(const DecoderOnlyConfig& c, const Offsets& x, Index predicted) {
  const Index T = x.back(), N = c.layers, weights = parameter_count(c);
  return present({
      {"embeddings and positions", 1, passes_of(c, T, 3)},
      {"decoder self-attention", N, attention_cost(c, x, x, true)},
      {"softmax", N, softmax_cost(c, x, x), true},
      {"decoder feed-forward", N, feed_forward_cost(c, T)},
      {"decoder add & norm", 2 * N, add_and_norm_cost(c, T)},
      {"decoder norm", c.norm == NormPlacement::pre ? 1 : 0, passes_of(c, T, 3)},
      {"decoder dropout", c.dropout > 0 ? 1 + 2 * N : 0, passes_of(c, T, 2)},
      {"output projection and loss", 1, output_cost(c, predicted)},
      {"Adam", 1, adam_cost(weights)},
      {"zeroing gradients", 1, cost_of({}, to_double(weights), 0)},
  });
}

StepCost step_cost(const SequenceModel& model, const Batch& batch) {
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  if (const auto* const transformer = dynamic_cast<const Transformer*>(&model)) {
    const TransformerConfig& c = transformer->config();
    return {c,
            step_products(c, source, target),
            layer_kinds(c, source, target),
            {{source, source, Mask::none},
             {target, target, Mask::causal},
             {target, source, Mask::none}}};
  }
  const auto* const decoder_only = dynamic_cast<const DecoderOnly*>(&model);
  ATTN_CHECK(decoder_only != nullptr, "the layers of the architecture ",
             model.settings().at("architecture"), " are not known here");
  const DecoderOnlyConfig& c = decoder_only->config();
  Offsets x;
  for (std::size_t b = 0; b < target.size(); ++b) x.push_back(source[b] + target[b]);
  const Index predicted = model.predicted_tokens(batch);
  return {c, step_products(c, x, predicted), layer_kinds(c, x, predicted), {{x, x, Mask::causal}}};
}

}  // namespace attn
