#include "app/benchmark_products.h"

#include <algorithm>

namespace attn::app {

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

}  // namespace

const char* to_string(Kind kind) {
  return kind == Kind::NN ? "NN" : kind == Kind::NT ? "NT" : "TN";
}

std::vector<Product> attention_products(const Config& c, const Offsets& x, const Offsets& memory) {
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

std::vector<Product> feed_forward_products(const Config& c, Index tokens) {
  std::vector<Product> all;
  add(linear_products("feed-forward inner", tokens, c.d_model, c.d_ff), 1, all);
  add(linear_products("feed-forward outer", tokens, c.d_ff, c.d_model), 1, all);
  return all;
}

std::vector<Product> output_products(const Config& c, Index tokens) {
  const std::string what = "output projection";
  const Index V = c.target_vocabulary;
  if (!c.tie_embeddings) return linear_products(what, tokens, c.d_model, V);
  // Tied, it is y = x Eᵀ with E [V, d_model], so the transposes change places.
  return {{what, Kind::NT, tokens, V, c.d_model},
          {what + ", dx", Kind::NN, tokens, c.d_model, V, true},
          {what + ", dW", Kind::TN, V, c.d_model, tokens, true}};
}

std::vector<Product> step_products(const Config& c, const Batch& batch) {
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  std::vector<Product> all;
  add(attention_products(c, source, source), c.layers, all);  // of the encoder
  add(attention_products(c, target, target), c.layers, all);  // of the decoder, masked
  add(attention_products(c, target, source), c.layers, all);  // of the decoder over the encoder
  add(feed_forward_products(c, source.back()), c.layers, all);
  add(feed_forward_products(c, target.back()), c.layers, all);
  add(output_products(c, target.back()), 1, all);
  return all;
}

double operations(const std::vector<Product>& products) {
  return operations(products, false) + operations(products, true);
}

double operations(const std::vector<Product>& products, bool backward) {
  double sum = 0;
  for (const Product& product : products) {
    if (product.backward == backward) {
      sum += static_cast<double>(product.count) * product.operations();
    }
  }
  return sum;
}

}  // namespace attn::app
