// The public functions of the layers, with invented ids, offsets, targets, widths and learned
// positions. What a layer accepts, it computes: a finite result of the right shape, forward and
// backward. Sizes and offsets are single bytes, so that invention often meets what fits.
#include "fuzz/fuzz.h"

#include "base/parallel.h"
#include "layers/feed_forward.h"
#include "layers/multi_head_attention.h"
#include "layers/output_projection.h"
#include "layers/positional_encoding.h"
#include "layers/residual.h"
#include "support/random_tensors.h"

using namespace attn;

namespace {

constexpr Index kModel = 4, kVocabulary = 6;

// Bytes, taken one after another; zeros after their end.
struct Bytes {
  std::string_view left;

  int next() {
    if (left.empty()) return 0;
    const auto byte = static_cast<signed char>(left.front());
    left.remove_prefix(1);
    return byte;
  }
  // Mostly `usual`, sometimes any number: 0 too, and never large.
  Index size(Index usual) {
    const int byte = next();
    return byte >= 0 ? usual : -byte % 9;
  }
  template <class Number>
  std::vector<Number> numbers() {
    std::vector<Number> result(size(3));
    for (Number& number : result) number = static_cast<Number>(next());
    return result;
  }
};

// A layer with random weights; one in eight was never given room for gradients.
template <class Layer>
Layer random_layer(Layer layer, Bytes& bytes) {
  const bool ready = bytes.next() % 8 != 1;
  layer.visit("layer", [&](const std::string& name, Parameter& p) {
    p.value = test::random_tensor(p.value.shape(), hash(name));
    if (ready) p.gradient = Tensor::zeros(p.value.shape());
  });
  return layer;
}

template <class Layer>
void require_finite_gradients(Layer& layer) {
  layer.visit("layer", [](const std::string&, Parameter& p) {
    fuzz::require(is_finite(p.gradient), "gradients of parameters are finite");
  });
}

void require_like(const Tensor& x, Index rows, Index cols) {
  fuzz::require(x.rows() == rows && x.cols() == cols, "a result has its shape");
  fuzz::require(is_finite(x), "a result is finite");
}

// Rows and columns are mostly as they should be.
Tensor input(Bytes& bytes, Index rows, Index cols = kModel) {
  const Index r = bytes.size(rows), c = bytes.size(cols);
  return test::random_tensor({r, c}, 1);
}

void embedding(Bytes& bytes) {
  Embedding layer = random_layer(Embedding(kVocabulary, kModel), bytes);
  const std::vector<int> ids = bytes.numbers<int>();
  const Index T = ids.size();
  const Tensor de = input(bytes, T);
  if (fuzz::accepts([&] { layer.backward(de, ids); })) require_finite_gradients(layer);
  require_like(layer.forward(ids), T, kModel);
}

void positions(Bytes& bytes) {
  const Positions kind = bytes.next() % 2 == 0 ? Positions::learned : Positions::sinusoidal;
  PositionalEncoding layer = random_layer(PositionalEncoding(kind, 5, kModel), bytes);
  const Offsets offsets = bytes.numbers<Index>();
  Tensor x = input(bytes, offsets.empty() ? 0 : std::abs(offsets.back()));
  if (fuzz::accepts([&] { layer.backward(x, offsets); })) require_finite_gradients(layer);
  const Index pos = 3 * bytes.next();
  if (fuzz::accepts([&] { layer.forward_at(pos, x); })) require_like(x, x.rows(), kModel);
  layer.forward(x, offsets);
  require_like(x, offsets.back(), kModel);
}

void multi_head(Bytes& bytes) {
  const bool biases = bytes.next() % 2 == 0;
  MultiHeadAttention layer = random_layer(MultiHeadAttention(kModel, 2, 3, 2, biases, 0.2), bytes);
  const Mask mask = bytes.next() % 2 == 0 ? Mask::causal : Mask::none;
  const Offsets x_offsets = bytes.numbers<Index>(), offsets = bytes.numbers<Index>();
  const Offsets other = bytes.next() % 4 == 1 ? bytes.numbers<Index>() : x_offsets;
  const Tensor x = input(bytes, x_offsets.empty() ? 0 : std::abs(x_offsets.back()));
  const Tensor memory = input(bytes, offsets.empty() ? 0 : std::abs(offsets.back()));
  const Tensor dy = input(bytes, x.rows());
  Tensor dx = input(bytes, x.rows()), dmemory = input(bytes, memory.rows());

  const Pass pass(DropoutMasks(1, 2));
  MultiHeadAttention::Cache cache;
  const AttentionPattern pattern = sentence_by_sentence(x_offsets, offsets, mask);
  require_like(layer.forward(x, memory, pattern, pass, cache), x.rows(), kModel);
  layer.backward(dy, x, memory, sentence_by_sentence(other, offsets, mask), pass, cache, dx,
                 dmemory);
  require_like(dx, x.rows(), kModel);
  require_like(dmemory, memory.rows(), kModel);
  require_finite_gradients(layer);
}

void output(Bytes& bytes) {
  const bool shared = bytes.next() % 2 == 0;
  Embedding embedding = random_layer(Embedding(bytes.size(kVocabulary), kModel), bytes);
  OutputProjection layer =
      random_layer(shared ? OutputProjection() : OutputProjection(kModel, kVocabulary), bytes);
  const std::vector<int> targets = bytes.numbers<int>();
  const Tensor h = input(bytes, static_cast<Index>(targets.size()));
  const Observer observer = [](const std::string&, const ConstMatrixView&) {};
  const Pass pass(DropoutMasks(), bytes.next() % 2 == 0 ? &observer : nullptr);
  fuzz::accepts([&] { layer.loss(h, embedding, targets, 0.1, pass); });
  Tensor dh;
  const Real scale = static_cast<Real>(bytes.next());
  const LossSums sums = layer.loss_and_gradients(h, embedding, targets, 0.1, scale, pass, dh);
  fuzz::require(sums.tokens == h.rows() && std::isfinite(sums.loss), "a loss is finite");
  require_like(dh, h.rows(), h.cols());
  require_finite_gradients(layer);
  require_finite_gradients(embedding);
}

void position_wise(Bytes& bytes) {
  FeedForward ffn = random_layer(FeedForward(kModel, 5, 0.3), bytes);
  const NormPlacement placement = bytes.next() % 2 == 0 ? NormPlacement::pre : NormPlacement::post;
  Residual residual = random_layer(Residual(kModel, placement, 0.2), bytes);
  const Tensor x = input(bytes, 3), dy = input(bytes, x.rows());
  const bool keeps = bytes.next() % 8 != 1;
  const Pass pass = keeps ? Pass(DropoutMasks(1, 2)) : Pass();
  FeedForward::Cache inside;
  Residual::Cache around;
  const Tensor& u = residual.before(x, pass, around);
  require_like(residual.after(ffn.forward(u, pass, inside), pass, around), x.rows(), kModel);
  auto [dx_around, df] = residual.after_backward(dy, pass, around);
  const Tensor du = ffn.backward(df, u, pass, inside);
  const Tensor dx = residual.before_backward(du, std::move(dx_around), pass, around);
  require_like(dx, x.rows(), kModel);
  require_finite_gradients(ffn);
  require_finite_gradients(residual);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  set_threads(1);
  Bytes bytes{fuzz::view(data, size)};
  void (*const layers[])(Bytes&) = {embedding, positions, multi_head, output, position_wise};
  const auto layer = layers[static_cast<std::size_t>(std::abs(bytes.next())) % std::size(layers)];
  fuzz::accepts([&] { layer(bytes); });
  return 0;
}
