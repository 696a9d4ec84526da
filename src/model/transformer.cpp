// Forward along Figure 1, and backward along it the other way.
#include "model/transformer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {
// Before any memory is taken for it.
const Config& checked(const Config& config) {
  check(config);
  return config;
}
}  // namespace

Transformer::Transformer(const Config& c)
    : source_embedding(checked(c).source_vocabulary, c.d_model),
      source_positions(c.positions, c.max_positions, c.d_model),
      target_positions(c.positions, c.max_positions, c.d_model),
      encoder(c),
      decoder(c),
      config_(c) {
  if (!c.tie_embeddings) {
    target_embedding = Embedding(c.target_vocabulary, c.d_model);
    // Unit-scale logits at first, as the tied matrix would give.
    projection = Parameter({c.d_model, c.target_vocabulary}, Parameter::Start::normal,
                           1 / std::sqrt(static_cast<double>(c.d_model)));
  }
}

void Transformer::visit_parameters(const ParameterVisitor& visitor) {
  if (config_.tie_embeddings) {
    source_embedding.visit("embedding", visitor);
  } else {
    source_embedding.visit("source_embedding", visitor);
    target_embedding.visit("target_embedding", visitor);
    visitor("projection.weight", projection);
  }
  source_positions.visit("source_positions", visitor);
  target_positions.visit("target_positions", visitor);
  encoder.visit("encoder", visitor);
  decoder.visit("decoder", visitor);
}

const Embedding& Transformer::target_embedding_used() const {
  return config_.tie_embeddings ? source_embedding : target_embedding;
}

Embedding& Transformer::target_embedding_used() {
  return config_.tie_embeddings ? source_embedding : target_embedding;
}

ConstMatrixView Transformer::output_matrix() const {
  if (config_.tie_embeddings) return transposed(source_embedding.weight.value);
  return projection.value;
}

void Transformer::forward(const Batch& batch, DropoutMasks& masks, Cache& cache) const {
  // Source tokens become vectors that know their place, then pass through the encoder.
  Tensor e = source_embedding.forward(batch.source.ids);  // [T_source, d_model]
  source_positions.forward(e, batch.source.offsets);
  cache.source_mask = masks.next(config_.dropout);
  dropout(cache.source_mask, e);
  cache.z = encoder.forward(std::move(e), batch.source.offsets, masks, cache.encoder);

  // Target tokens likewise, through the decoder, which looks at the encoder's output.
  Tensor g = target_embedding_used().forward(batch.target_input.ids);  // [T_target, d_model]
  target_positions.forward(g, batch.target_input.offsets);
  cache.target_mask = masks.next(config_.dropout);
  dropout(cache.target_mask, g);
  cache.h = decoder.forward(std::move(g), batch.target_input.offsets,
                            {cache.z, batch.source.offsets}, masks, cache.decoder);
}

void Transformer::backward(Tensor dh, const Batch& batch, const Cache& cache) {
  // Through the decoder, whose every layer adds its part to dz.
  Tensor dz = Tensor::zeros(cache.z.shape());
  Tensor dg = decoder.backward(std::move(dh), batch.target_input.offsets,
                               {cache.z, batch.source.offsets}, cache.decoder, dz);
  dropout(cache.target_mask, dg);
  target_positions.backward(dg, batch.target_input.offsets);
  target_embedding_used().backward(dg, batch.target_input.ids);

  // Through the encoder.
  Tensor de = encoder.backward(std::move(dz), batch.source.offsets, cache.encoder);
  dropout(cache.source_mask, de);
  source_positions.backward(de, batch.source.offsets);
  source_embedding.backward(de, batch.source.ids);
}

namespace {
// Rows of logits that are in memory at once: about 8 million numbers, but never under 16 rows.
Index logits_rows(Index vocabulary) {
  return std::max<Index>(16, (Index{1} << 23) / vocabulary);
}

void check_targets(const Batch& batch) {
  ATTN_CHECK_EQ(batch.target_input.ids.size(), batch.target_output.size(),
                "target tokens to read and to predict");
}
}  // namespace

LossSums Transformer::loss_and_gradients(const Batch& batch, DropoutMasks masks, Real scale) {
  check_targets(batch);
  Cache cache;
  forward(batch, masks, cache);

  // The output projection, the loss and both their backward passes, a few tokens at a time.
  //     logits = h W,   dlogits = scale (p − q),   dW += hᵀ dlogits,   dh = dlogits Wᵀ,   W = Eᵀ if
  //     tied
  const Index T = cache.h.rows(), V = config_.target_vocabulary;
  const Index at_once = std::min(T, logits_rows(V));
  Tensor room = Tensor::uninitialised({at_once, V});  // for the logits of one part after another
  Tensor dh = Tensor::uninitialised(cache.h.shape());
  LossSums sums;
  for (Index begin = 0; begin < T; begin += at_once) {
    const Index end = std::min(T, begin + at_once);
    const ConstMatrixView h = rows_of(std::as_const(cache.h), begin, end);
    const MatrixView logits = rows_of(room, 0, end - begin);
    matmul(h, output_matrix(), logits);
    sums += cross_entropy_backward(logits, batch.target_output.data() + begin,
                                   static_cast<Real>(config_.label_smoothing), scale);
    const ConstMatrixView dlogits = logits;
    if (config_.tie_embeddings) {
      matmul(transposed(dlogits), h, source_embedding.weight.gradient, Write::add);
    } else {
      matmul(transposed(h), dlogits, projection.gradient, Write::add);
    }
    matmul(dlogits, transposed(output_matrix()), rows_of(dh, begin, end));
  }

  backward(std::move(dh), batch, cache);
  return sums;
}

LossSums Transformer::loss(const Batch& batch) const {
  check_targets(batch);
  DropoutMasks off;
  Cache cache;
  forward(batch, off, cache);
  const Index T = cache.h.rows(), V = config_.target_vocabulary;
  const Index at_once = std::min(T, logits_rows(V));
  Tensor room = Tensor::uninitialised({at_once, V});  // for the logits of one part after another
  LossSums sums;
  for (Index begin = 0; begin < T; begin += at_once) {
    const Index end = std::min(T, begin + at_once);
    const MatrixView logits = rows_of(room, 0, end - begin);
    matmul(rows_of(std::as_const(cache.h), begin, end), output_matrix(), logits);
    sums += cross_entropy_forward(logits, batch.target_output.data() + begin,
                                  static_cast<Real>(config_.label_smoothing));
  }
  return sums;
}

Tensor Transformer::logits(const Batch& batch) const {
  DropoutMasks off;
  Cache cache;
  forward(batch, off, cache);
  Tensor logits = Tensor::uninitialised({cache.h.rows(), config_.target_vocabulary});
  matmul(cache.h, output_matrix(), logits);
  return logits;
}

std::unique_ptr<SequenceModel> make_model(const Config& config) {
  return std::make_unique<Transformer>(config);
}

}  // namespace attn
