// Where a model looks: the attention weights of a sentence pair, seen by observing a pass.
#pragma once

#include <string>
#include <vector>

#include "trace/subject.h"

namespace attn {

// Who asks, and who is asked (§3.2.3). In a decoder-only model, both are the whole sequence.
enum class Attends { encoder_to_encoder, decoder_to_decoder, decoder_to_encoder, within_sequence };

struct AttentionHead {
  std::string name;  // of the weights in a trace: "decoder.0.cross_attention.heads.1.P"
  Index number = 0;  // from 0; an attention without heads has one
  Tensor weights;    // P [queries, keys]: a row adds up to 1
};

// One attention of a model, all its heads.
struct AttentionMaps {
  Attends attends;
  std::string name;               // "Encoder–decoder attention"
  Labels reads, writes, columns;  // the tokens that ask, what follows them, who is asked
  Index layer = -1;               // −1: on top of the stack, in none of its layers (Luong's)
  std::vector<AttentionHead> heads = {};

  // "Encoder–decoder attention, layer 0"
  std::string title() const;
  // As a picture names them: an encoder–decoder attention by the tokens that it helps to write.
  const Labels& rows() const { return attends == Attends::decoder_to_encoder ? writes : reads; }
};

// Every attention while the subject's model reads its sentences, in the order of computation,
// without dropout. Throws Error if the model attends to nothing.
std::vector<AttentionMaps> attention_maps(const TraceSubject& subject);

// Only those of this layer, this head; −1: all. Throws Error if none is left.
std::vector<AttentionMaps> selected(std::vector<AttentionMaps> attentions, Index layer, Index head);

}  // namespace attn
