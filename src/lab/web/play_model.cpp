// Looking at a model changes a copy of it.
#include "lab/web/play_model.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "lab/models.h"

namespace attn::web {

namespace {

// Head i writes columns i·d_v to (i + 1)·d_v of Concat, which these rows of W^O read.
void turn_off(SequenceModel& model, const Head& head) {
  const bool cross = head.attends == Attends::decoder_to_encoder;
  const std::string output =
      text(head.attends == Attends::encoder_to_encoder ? "encoder." : "decoder.", head.layer,
           cross ? ".cross_attention" : ".self_attention", ".output.weight");
  const Settings settings = model.facts.settings;
  const auto h = settings.find("heads");
  const Index heads = h == settings.end() ? 0 : parse_number<Index>(h->second, "a whole number");
  bool found = false;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    if (name != output || head.head >= heads) return;
    Tensor& W = p.value;  // [h·d_v, d_model]
    const Index d_v = W.rows() / heads;
    std::fill_n(W.row(head.head * d_v), d_v * W.cols(), Real{0});
    found = true;
  });
  ATTN_CHECK(found, "off: there is no layer ", head.layer, ", head ", head.head,
             " in that attention of this model");
}

}  // namespace

std::unique_ptr<SequenceModel> copy_with(const SequenceModel& model, const Settings& settings) {
  std::map<std::string, const Parameter*> parameters;
  read_parameters(model,
                  [&](const std::string& name, const Parameter& p) { parameters[name] = &p; });
  std::unique_ptr<SequenceModel> copy = make_model(settings, "a copy", plan_any_model);
  copy->visit_parameters([&](const std::string& name, Parameter& p) { p = *parameters.at(name); });
  return copy;
}

std::unique_ptr<SequenceModel> copy_of(const PlayModel& play, const std::vector<Head>& off) {
  std::unique_ptr<SequenceModel> copy = copy_with(*play.model, play.model->facts.settings);
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
  return copy_of(play, off);
}

}  // namespace attn::web
