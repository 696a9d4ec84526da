// The functions that make a trace's values, and the files that define them.
#pragma once

#include "app/trace_value.h"

namespace attn::app {

// Forward.
constexpr Maker kEmbeddingForward{"Embedding::forward", "src/layers/embedding.cpp"};
constexpr Maker kSinusoidalEncoding{"sinusoidal_encoding", "src/layers/positional_encoding.cpp"};
constexpr Maker kPositionalEncodingForward{"PositionalEncoding::forward",
                                           "src/layers/positional_encoding.cpp"};
constexpr Maker kSoftmaxForward{"softmax", "src/layers/softmax.cpp"};
constexpr Maker kEncodeSource{"encode_source", "src/text/corpus.cpp"};
constexpr Maker kBatch{"Batch::append", "src/tensor/packed.h"};
constexpr Maker kLogitsForward{"Transformer::logits", "src/model/transformer.cpp"};
constexpr Maker kCrossEntropyForward{"cross_entropy_forward", "src/layers/cross_entropy.cpp"};
constexpr Maker kLinearForward{"Linear::forward", "src/layers/linear.cpp"};
constexpr Maker kLinearReluForward{"Linear::forward_relu", "src/layers/linear.cpp"};
constexpr Maker kAttentionForward{"attention_forward", "src/layers/attention.cpp"};
constexpr Maker kMultiHeadAttentionForward{"MultiHeadAttention::forward",
                                           "src/layers/multi_head_attention.cpp"};
constexpr Maker kResidualForward{"Residual::forward", "src/layers/residual.cpp"};
constexpr Maker kLayerNormForward{"LayerNorm::forward", "src/layers/layer_norm.cpp"};

// Backward.
constexpr Maker kLayerNormBackward{"LayerNorm::backward", "src/layers/layer_norm.cpp"};
constexpr Maker kResidualBackward{"Residual::backward", "src/layers/residual.cpp"};
constexpr Maker kFeedForwardBackward{"FeedForward::backward", "src/layers/feed_forward.cpp"};
constexpr Maker kLinearBackward{"Linear::backward", "src/layers/linear.cpp"};
constexpr Maker kLinearBackwardAdd{"Linear::backward_add", "src/layers/linear.cpp"};
constexpr Maker kMultiHeadAttentionBackward{"MultiHeadAttention::backward",
                                            "src/layers/multi_head_attention.cpp"};
constexpr Maker kAttentionBackward{"attention_backward", "src/layers/attention.cpp"};
constexpr Maker kSoftmaxBackward{"softmax_backward", "src/layers/softmax.cpp"};
constexpr Maker kSelfAttentionBackward{"self_attention_backward", "src/model/encoder_layer.cpp"};
constexpr Maker kCrossEntropyBackward{"cross_entropy_backward", "src/layers/cross_entropy.cpp"};
constexpr Maker kProjectionBackward{"Transformer::loss_and_gradients", "src/model/transformer.cpp"};
constexpr Maker kTransformerBackward{"Transformer::backward", "src/model/transformer.cpp"};
constexpr Maker kEmbeddingBackward{"Embedding::backward", "src/layers/embedding.cpp"};
constexpr Maker kPositionalEncodingBackward{"PositionalEncoding::backward",
                                            "src/layers/positional_encoding.cpp"};

// Parameters are not made by a function, but held by a layer.
constexpr Maker kEmbeddingWeights{"Embedding", "src/layers/embedding.h"};
constexpr Maker kPositionWeights{"PositionalEncoding", "src/layers/positional_encoding.h"};
constexpr Maker kProjectionWeights{"Transformer", "src/model/transformer.h"};
constexpr Maker kLinearWeights{"Linear", "src/layers/linear.h"};
constexpr Maker kLayerNormWeights{"LayerNorm", "src/layers/layer_norm.h"};

}  // namespace attn::app
