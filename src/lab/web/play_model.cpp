// Looking at a model changes a copy of it.
#include "lab/web/play_model.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "model/architectures.h"

namespace attn::web {

namespace {

// Head i writes columns i·d_v to (i + 1)·d_v of Concat, which these rows of W^O read.
void turn_off(Transformer& model, const Head& head) {
  const TransformerConfig& config = model.config();
  ATTN_CHECK(
      head.layer >= 0 && head.layer < config.layers && head.head >= 0 && head.head < config.heads,
      "off: there is no layer ", head.layer, ", head ", head.head, ", only ", config.layers,
      " layers of ", config.heads, " heads");
  const std::size_t layer = static_cast<std::size_t>(head.layer);
  MultiHeadAttention& attention =
      head.attends == Attends::encoder_to_encoder   ? model.encoder.layers[layer].self_attention
      : head.attends == Attends::decoder_to_decoder ? model.decoder.layers[layer].self_attention
                                                    : model.decoder.layers[layer].cross_attention;
  Tensor& W = attention.output.weight.value;  // [h·d_v, d_model]
  for (Index row = head.head * config.d_v; row < (head.head + 1) * config.d_v; ++row) {
    std::fill_n(W.row(row), W.cols(), Real{0});
  }
}

}  // namespace

Transformer& transformer_of(const PlayModel& play, const char* what) {
  Transformer* transformer = dynamic_cast<Transformer*>(play.model.get());
  ATTN_CHECK(transformer != nullptr, what, " needs a Transformer, and this model is a ",
             play.model->settings().at("architecture"));
  return *transformer;
}

std::unique_ptr<Transformer> copy_of(const PlayModel& play, const std::vector<Head>& off,
                                     const char* what) {
  auto copy = std::make_unique<Transformer>(transformer_of(play, what));
  if (play.lesson && !play.lesson->trainer.mean.empty()) {
    copy->visit_parameters([&](const std::string& name, Parameter& p) {
      p.value = play.lesson->trainer.mean.at(name);
    });
  }
  for (const Head& head : off) turn_off(*copy, head);
  return copy;
}

std::shared_ptr<const SequenceModel> view_of(const PlayModel& play, const std::vector<Head>& off) {
  if (off.empty() && !play.lesson) return play.model;
  return copy_of(play, off, "turning a head off");
}

std::unique_ptr<SequenceModel> copy_of(const PlayModel& play) {
  if (dynamic_cast<Transformer*>(play.model.get()) != nullptr) return copy_of(play, {}, "");
  std::map<std::string, const Tensor*> weights;
  read_parameters(*play.model, [&](const std::string& name, const Parameter& parameter) {
    weights[name] = &parameter.value;
  });
  std::unique_ptr<SequenceModel> copy = make_model(play.model->settings(), "a copy");
  copy->visit_parameters(
      [&](const std::string& name, Parameter& parameter) { parameter.value = *weights.at(name); });
  return copy;
}

}  // namespace attn::web
