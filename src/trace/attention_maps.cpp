#include "trace/attention_maps.h"

#include <algorithm>

#include "base/check.h"
#include "storage/safetensors.h"
#include "text/lines.h"
#include "trace/names.h"
#include "trace/trace.h"
#include "trace/trace_text.h"

namespace attn {

namespace {

const char* name_of(Attends attends) {
  if (attends == Attends::encoder_to_encoder) return "Encoder self-attention";
  const bool cross = attends == Attends::decoder_to_encoder;
  return cross ? "Encoder–decoder attention" : "Decoder self-attention";
}

}  // namespace

bool is_attention_weights(const std::string& name) {
  const std::string last = last_of(name);
  return (last == "P" || last == "alpha") && name.find("attention") != name.npos;
}

Attends attends_of(const std::string& name, const SequenceModel& model) {
  if (model.facts.one_sequence) return Attends::within_sequence;
  if (name.rfind("encoder.", 0) == 0) return Attends::encoder_to_encoder;
  const bool self = name.find(".self_attention.") != name.npos;
  return self ? Attends::decoder_to_decoder : Attends::decoder_to_encoder;
}

std::string title_of(const AttentionMaps& attention) {
  const std::string layer = attention.layer < 0 ? "" : ", layer " + std::to_string(attention.layer);
  return name_of(attention.attends) + layer;
}

const Labels& row_labels(const AttentionMaps& attention, const TraceTokens& tokens) {
  const bool cross = attention.attends == Attends::decoder_to_encoder;
  return cross ? tokens.target_output : column_labels(attention, tokens);
}

const Labels& column_labels(const AttentionMaps& attention, const TraceTokens& tokens) {
  if (attention.attends == Attends::within_sequence) return tokens.sequence;
  return attention.attends == Attends::decoder_to_decoder ? tokens.target_input : tokens.source;
}

std::vector<AttentionMaps> attention_maps(const SequenceModel& model, const Batch& batch) {
  std::vector<AttentionMaps> attentions;
  const Observer observer = [&](const std::string& name, const ConstMatrixView& P) {
    if (!is_attention_weights(name)) return;
    const Index head = std::max<Index>(head_of(name), 0);
    // A decoder that attends in every step shows one row at a time.
    if (!attentions.empty() && attentions.back().heads.back().name == name) {
      append(copy_of(P), attentions.back().heads.back().weights);
      return;
    }
    // Head 0 is the first that an attention shows.
    if (head == 0) attentions.push_back({attends_of(name, model), layer_of(name), {}});
    attentions.back().heads.push_back({name, head, copy_of(P)});
  };
  model.loss(batch, Pass(observer));
  ATTN_CHECK(!attentions.empty(), "this model attends to nothing: its architecture is ",
             model.facts.settings.at("architecture"), ", without attention");
  return attentions;
}

std::vector<AttentionMaps> selected(std::vector<AttentionMaps> attentions, Index layer,
                                    Index head) {
  std::vector<AttentionMaps> result;
  for (AttentionMaps& attention : attentions) {
    if (layer >= 0 && attention.layer != layer) continue;
    result.push_back({attention.attends, attention.layer, {}});
    for (AttentionHead& one : attention.heads) {
      if (head < 0 || one.number == head) result.back().heads.push_back(std::move(one));
    }
  }
  ATTN_CHECK(!result.empty(), "no attention of this model is in layer ", layer,
             attentions[0].layer < 0 ? "; it attends after its last layer" : "");
  ATTN_CHECK(!result[0].heads.empty(), "no attention of this model has a head ", head,
             ", counted from 0");
  return result;
}

Json attention_json(const TraceSubject& subject, const std::vector<AttentionMaps>& attentions) {
  Json result = Json::object({{"attend", subject_json(subject)}});
  for (const AttentionMaps& attention : attentions) {
    const bool decoder = attention.attends != Attends::encoder_to_encoder;
    const bool sequence = attention.attends == Attends::within_sequence;
    for (const AttentionHead& head : attention.heads) {
      const TraceTokens& tokens = subject.tokens;
      result.add(head.name,
                 Json::object({{"attention", name_of(attention.attends)},
                               {"layer", attention.layer < 0 ? Json() : Json(attention.layer)},
                               {"head", head.number},
                               {"shape", sizes_json(head.weights.shape())},
                               {"rows", texts_json(sequence  ? tokens.sequence
                                                   : decoder ? tokens.target_input
                                                             : tokens.source)},
                               {"writes", sequence  ? texts_json(tokens.following)
                                          : decoder ? texts_json(tokens.target_output)
                                                    : Json()},
                               {"columns", texts_json(column_labels(attention, tokens))},
                               {"data", rows_json(head.weights)}}));
    }
  }
  return result;
}

}  // namespace attn
