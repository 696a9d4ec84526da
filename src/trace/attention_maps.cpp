#include "trace/attention_maps.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "trace/table.h"

namespace attn {

// Whether a value of this name is the weights of an attention.
static bool is_attention_weights(const std::string& name) {
  return fits("P|alpha", name) && name.find("attention") != name.npos;
}

static Attends attends_of(const std::string& name, const SequenceModel& model) {
  if (model.facts.one_sequence) return Attends::within_sequence;
  if (name.rfind("encoder.", 0) == 0) return Attends::encoder_to_encoder;
  const bool self = name.find(".self_attention.") != name.npos;
  return self ? Attends::decoder_to_decoder : Attends::decoder_to_encoder;
}

std::string AttentionMaps::title() const {
  return layer < 0 ? name : text(name, ", layer ", layer);
}

std::vector<AttentionMaps> attention_maps(const TraceSubject& subject) {
  const SequenceModel& model = *subject.model;
  const TraceTokens& t = subject.tokens;
  const AttentionMaps kinds[] = {
      {Attends::encoder_to_encoder, "Encoder self-attention", t.source, {}, t.source},
      {Attends::decoder_to_decoder, "Decoder self-attention", t.target_input, t.target_output,
       t.target_input},
      {Attends::decoder_to_encoder, "Encoder–decoder attention", t.target_input, t.target_output,
       t.source},
      {Attends::within_sequence, "Decoder self-attention", t.sequence, t.following, t.sequence}};
  Trace trace;
  const Observer observer = [&](const std::string& name, const ConstMatrixView& P) {
    if (is_attention_weights(name)) keep(name, copy_of(P), trace);
  };
  model.loss(subject.batch, Pass(observer));
  std::vector<AttentionMaps> attentions;
  for (TraceValue& P : trace.values) {
    const Index head = std::max<Index>(head_of(P.name), 0);
    // Head 0 is the first that an attention shows.
    if (head == 0) {
      attentions.push_back(kinds[static_cast<std::size_t>(attends_of(P.name, model))]);
      attentions.back().layer = layer_of(P.name);
    }
    ATTN_CHECK(is_finite(P.data), P.name, ": the weights of this attention are not numbers");
    attentions.back().heads.push_back({P.name, head, std::move(P.data)});
  }
  ATTN_CHECK(!attentions.empty(), "this model attends to nothing: its architecture is ",
             model.facts.settings.at("architecture"), ", without attention");
  return attentions;
}

std::vector<AttentionMaps> selected(std::vector<AttentionMaps> attentions, Index layer,
                                    Index head) {
  std::vector<AttentionMaps> result;
  for (AttentionMaps& attention : attentions) {
    if (layer >= 0 && attention.layer != layer) continue;
    std::vector<AttentionHead> heads;
    for (AttentionHead& one : attention.heads) {
      if (head < 0 || one.number == head) heads.push_back(std::move(one));
    }
    attention.heads = std::move(heads);
    result.push_back(std::move(attention));
  }
  ATTN_CHECK(!result.empty(), "no attention of this model is in layer ", layer,
             attentions[0].layer < 0 ? "; it attends after its last layer" : "");
  ATTN_CHECK(!result[0].heads.empty(), "no attention of this model has a head ", head,
             ", counted from 0");
  return result;
}

}  // namespace attn
