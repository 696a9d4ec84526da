// A Transformer's weights as torch.nn has them: under the names of its state dict, matrices
// transposed ([out, in]), and query, key and value of an attention stacked in one in_proj_weight.
//
//     here                                     torch.nn
//     encoder.0.self_attention.key.weight      encoder.layers.0.self_attn.in_proj_weight, 2nd third
//     decoder.0.cross_attention.output.weight  decoder.layers.0.multihead_attn.out_proj.weight
//     encoder.0.feed_forward.inner.bias        encoder.layers.0.linear1.bias
//     decoder.0.feed_forward_norm.gamma        decoder.layers.0.norm3.weight
//     encoder.norm.beta                        encoder.norm.bias, with pre-norm only
//     embedding.weight, source_embedding.weight, source_positions.weight, …: the same, [V, d_model]
//     projection.weight                        the same, as an nn.Linear: [V, d_model]
//
// A decoder-only model is a torch.nn.TransformerEncoder, to be called with a causal mask:
//
//     decoder.0.feed_forward_norm.gamma        layers.0.norm2.weight
//     decoder.norm.beta                        norm.bias, with pre-norm only
#pragma once

#include <map>
#include <memory>
#include <string>

#include "lab/language/decoder_only.h"
#include "model/transformer.h"
#include "storage/safetensors.h"
#include "text/tokenizer.h"

namespace attn {

using TensorsByName = std::map<std::string, Tensor>;

// A layer of torch.nn has biases everywhere or, its feed-forward network included, nowhere; so a
// model without attention biases gets zeros. Throws Error if d_k or d_v is not d_model/h, which
// torch.nn cannot have, if positions are neither sinusoidal nor learned, and for a model that is
// neither a Transformer nor a decoder-only one.
TensorsByName to_pytorch(SequenceModel& model);

// The other way. Sizes, tied embeddings, learned positions and attention biases (absent or all
// zero: none) are the tensors'; the rest is as `said`, by name, or else as in TransformerConfig.
// Names may share a prefix; equal embeddings and projection are tied, unless said not to be; our
// sinusoids are left out. Throws Error naming a tensor that is missing, superfluous, not finite or
// of the wrong shape. Model is Transformer or DecoderOnly.
template <class Model = Transformer>
std::unique_ptr<Model> from_pytorch(TensorsByName tensors, Index heads, NormPlacement norm,
                                    const Settings& said = {});

// Those tensors as a safetensors file, with the configuration, which they do not determine, and
// `more` in the metadata. Throws Error as to_pytorch does, and if the file cannot be written.
void write_pytorch(const std::string& path, SequenceModel& model, const Metadata& more = {});

// The model whose tensors are in a file, and are moved out of it. Throws Error, naming the file, as
// from_pytorch does, and for metadata with another number of heads, norm placement or architecture.
// Dropout and label smoothing are the metadata's, if any.
template <class Model = Transformer>
std::unique_ptr<Model> take_pytorch(TensorFile& file, const std::string& path, Index heads,
                                    NormPlacement norm);

// For a model whose words are not known: token 7 is the word "7".
Tokenizer ids_as_words(Index size);

}  // namespace attn
