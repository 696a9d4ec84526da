// Every kind of layer that a training step has: what is at the ends of the model, and the list.
#include <algorithm>

#include "app/benchmark_layers.h"
#include "app/benchmark_products.h"
#include "app/benchmark_sublayers.h"

namespace attn::app {

namespace {

LayerKind embeddings_kind(Transformer& model, const Batch& batch, const SharedSide& source,
                          const SharedSide& target) {
  Embedding& target_embedding =
      model.config().tie_embeddings ? model.source_embedding : model.target_embedding;
  LayerKind kind{"embeddings and positions", 1};
  kind.forward.run = [&] {
    Tensor e = model.source_embedding.forward(batch.source.ids);
    model.source_positions.forward(e, batch.source.offsets);
    Tensor g = target_embedding.forward(batch.target_input.ids);
    model.target_positions.forward(g, batch.target_input.offsets);
  };
  kind.backward.run = [&, source, target] {
    model.target_positions.backward(target->dy, batch.target_input.offsets);
    target_embedding.backward(target->dy, batch.target_input.ids);
    model.source_positions.backward(source->dy, batch.source.offsets);
    model.source_embedding.backward(source->dy, batch.source.ids);
  };
  const double all = size(source->x) + size(target->x);
  kind.forward.bytes = bytes(3 * all);   // rows of E, rows of the table; e
  kind.backward.bytes = bytes(3 * all);  // de, rows of dE; rows of dE
  return kind;
}

// As in Transformer::loss_and_gradients: as many rows of logits at a time. Forward is the product,
// backward all the rest.
LayerKind output_kind(Transformer& model, const Batch& batch, const SharedSide& target) {
  const Config& config = model.config();
  const Index T = target->x.rows(), V = config.target_vocabulary, d = config.d_model;
  const Index at_once = std::min(T, std::max<Index>(16, (Index{1} << 23) / V));
  const bool tied = config.tie_embeddings;
  const Real epsilon = static_cast<Real>(config.label_smoothing);
  Parameter& E = tied ? model.source_embedding.weight : model.projection;
  const auto W = [&E, tied]() -> ConstMatrixView {
    return tied ? transposed(E.value) : ConstMatrixView(E.value);
  };
  struct State {
    Tensor logits, dh;
  };
  const auto state = std::make_shared<State>();
  state->logits = random_tensor({at_once, V}, 4);
  state->dh = target->dy;
  const auto by_rows = [=](auto body) {
    for (Index begin = 0; begin < T; begin += at_once) {
      const Index end = std::min(T, begin + at_once);
      body(begin, end, rows_of(target->x, begin, end), rows_of(state->logits, 0, end - begin));
    }
  };

  LayerKind kind{"output projection and loss", 1};
  kind.forward.run = [=] {
    by_rows([&](Index, Index, const ConstMatrixView& h, const MatrixView& logits) {
      matmul(h, W(), logits);
    });
  };
  kind.backward.run = [=, &batch, &E] {
    by_rows([&](Index begin, Index end, const ConstMatrixView& h, const MatrixView& logits) {
      cross_entropy_backward(logits, batch.target_output.data() + begin, epsilon, Real(0.001));
      if (tied) {
        matmul(transposed(logits), h, E.gradient, Write::add);
      } else {
        matmul(transposed(h), logits, E.gradient, Write::add);
      }
      matmul(logits, transposed(W()), rows_of(state->dh, begin, end));
    });
  };
  const std::vector<Product> products = output_products(config, T);
  kind.forward.operations = operations(products, false);
  kind.backward.operations = operations(products, true);
  const double weights = static_cast<double>(V * d), logits = static_cast<double>(T * V);
  kind.forward.bytes = bytes(size(target->x) + weights + logits);
  kind.backward.bytes = bytes(2 * size(target->x) + 3 * weights + 2 * logits);
  return kind;
}

LayerKind adam_kind(Transformer& model, Adam& adam) {
  LayerKind kind{"Adam", 1};
  kind.forward.run = [&] { adam.update(model, 1000, 1e-9); };
  kind.forward.bytes =
      bytes(7.0 * static_cast<double>(count_parameters(model)));  // w, g, m, v; w, m, v
  return kind;
}

LayerKind zeroing_kind(Transformer& model) {
  LayerKind kind{"zeroing gradients", 1};
  kind.forward.run = [&] { zero_gradients(model); };
  kind.forward.bytes = bytes(static_cast<double>(count_parameters(model)));
  return kind;
}

// Pointers to a member of each layer.
template <class Layer, class Member>
void collect(std::vector<Layer>& layers, Member Layer::*member, std::vector<Member*>& all) {
  for (Layer& layer : layers) all.push_back(&(layer.*member));
}
template <class Layer, class Member>
std::vector<Member*> each(std::vector<Layer>& layers, Member Layer::*member) {
  std::vector<Member*> all;
  collect(layers, member, all);
  return all;
}

}  // namespace

std::vector<std::function<LayerKind()>> layer_kinds(Transformer& model, Adam& adam,
                                                    const Batch& batch) {
  const Config& c = model.config();
  const auto source = std::make_shared<const Side>("encoder", batch.source.offsets, c.d_model);
  const auto target =
      std::make_shared<const Side>("decoder", batch.target_input.offsets, c.d_model);
  std::vector<EncoderLayer>& encoder = model.encoder.layers;
  std::vector<DecoderLayer>& decoder = model.decoder.layers;
  std::vector<Residual*> encoder_residuals, decoder_residuals;
  collect(encoder, &EncoderLayer::self_attention_residual, encoder_residuals);
  collect(encoder, &EncoderLayer::feed_forward_residual, encoder_residuals);
  collect(decoder, &DecoderLayer::self_attention_residual, decoder_residuals);
  collect(decoder, &DecoderLayer::cross_attention_residual, decoder_residuals);
  collect(decoder, &DecoderLayer::feed_forward_residual, decoder_residuals);

  std::vector<std::function<LayerKind()>> kinds;
  const auto add = [&](auto make) { kinds.push_back(make); };
  add([=, &model, &batch] { return embeddings_kind(model, batch, source, target); });
  add([=, &c, &encoder] {
    return attention_kind(c, "encoder self-attention", each(encoder, &EncoderLayer::self_attention),
                          source, source, Mask::none);
  });
  add([=, &c] { return softmax_kind(c, c.layers, source, source, Mask::none); });
  add([=, &c, &encoder] {
    return feed_forward_kind(c, each(encoder, &EncoderLayer::feed_forward), source);
  });
  add([=] { return add_and_norm_kind(encoder_residuals, source); });
  // On the embeddings and on each sub-layer's output.
  if (c.dropout > 0) add([=, &c] { return dropout_kind(c.dropout, 2 * c.layers + 1, source); });
  add([=, &c, &decoder] {
    return attention_kind(c, "decoder self-attention", each(decoder, &DecoderLayer::self_attention),
                          target, target, Mask::causal);
  });
  add([=, &c] { return softmax_kind(c, c.layers, target, target, Mask::causal); });
  add([=, &c, &decoder] {
    return attention_kind(c, "encoder-decoder attention",
                          each(decoder, &DecoderLayer::cross_attention), target, source,
                          Mask::none);
  });
  add([=, &c] { return softmax_kind(c, c.layers, target, source, Mask::none); });
  add([=, &c, &decoder] {
    return feed_forward_kind(c, each(decoder, &DecoderLayer::feed_forward), target);
  });
  add([=] { return add_and_norm_kind(decoder_residuals, target); });
  if (c.dropout > 0) add([=, &c] { return dropout_kind(c.dropout, 3 * c.layers + 1, target); });
  add([=, &model, &batch] { return output_kind(model, batch, target); });
  add([&] { return adam_kind(model, adam); });
  add([&] { return zeroing_kind(model); });
  return kinds;
}

}  // namespace attn::app
