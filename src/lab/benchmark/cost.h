// The cost of a model: the floating-point operations of its matrix products, and the bytes that its
// layers read and write, from a configuration and the lengths of a batch's sentences alone.
//
// Products are nearly all that a training step computes, so its operations are counted from them:
// 2 m n k for C [m, n] = A [m, k] B [k, n]. Masked scores are computed and counted. Softmax, norms,
// dropout, embeddings and Adam count no operations; their cost is that of memory. Bytes: each
// tensor that a layer reads or writes, once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/decoder_only_config.h"
#include "layers/softmax.h"
#include "model/batch.h"
#include "model/config.h"
#include "model/sequence_model.h"

namespace attn {

// C [m, n] = A [m, k] B [k, n]. NN: both as they are in memory; NT: B is stored as [n, k]; TN: A is
// stored as [k, m].
struct Product {
  enum class Kind { NN, NT, TN };
  std::string what;
  Kind kind;
  Index m, n, k;
  bool backward = false;
  Index count = 1;  // per step
  // Attention's products are many small ones, one per head per sentence, each computed by one
  // thread. The others are computed one after another, each by all threads.
  bool per_head = false;

  double operations() const {  // 2 m n k, of one
    return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};
const char* to_string(Product::Kind kind);

// Σ count · 2 m n k: of all, or of the forward or the backward pass.
double operations(const std::vector<Product>& products);
double operations(const std::vector<Product>& products, bool backward);

// What one pass of a layer computes, reads and writes.
struct PassCost {
  double operations = 0, bytes = 0;
};
struct LayerCost {
  PassCost forward, backward;
  std::vector<Product> products;
};

// What an attention reads: the sentences of its queries and of its keys.
struct AttentionShape {
  Offsets x, memory;
  Mask mask;
  Index heads;
};

// One kind of work in a training step: its name for people, how many times a step does it, and the
// cost of one.
struct LayerKind {
  std::string name;
  Index count;
  LayerCost cost;
  // Of a softmax, which is a part of the attention before it and included in its cost.
  std::optional<AttentionShape> softmax_of = std::nullopt;
};

// All kinds of a step, in the order of the forward pass; of a decoder-only model, which reads the
// sequences x and predicts so many of their tokens; of a model on a batch, for which it throws
// Error unless the model is a Transformer or a decoder-only one.
std::vector<LayerKind> layer_kinds(const TransformerConfig& config, const Offsets& source,
                                   const Offsets& target);
std::vector<LayerKind> layer_kinds(const DecoderOnlyConfig& config, const Offsets& x,
                                   Index predicted);
std::vector<LayerKind> layer_kinds(const SequenceModel& model, const Batch& batch);

// The products of such a step. One that occurs several times is listed once, with its count.
std::vector<Product> step_products(const std::vector<LayerKind>& kinds);

}  // namespace attn
