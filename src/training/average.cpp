// w ← (w_1 + … + w_n)/n    §6.1
#include <map>

#include "base/check.h"
#include "training/trained_model.h"

namespace attn {

TrainedModel load_average(const std::vector<std::string>& paths, PlanModel* plan) {
  ATTN_CHECK(!paths.empty(), "no models to take the mean of");
  TrainedModel mean = load_trained_model(paths[0], plan);
  // Sums in double, so that the mean of a model with itself is that model.
  std::map<std::string, std::vector<double>> sums;
  for (const std::string& path : paths) {
    const TrainedModel one = load_trained_model(path, plan);
    ATTN_CHECK(one.model->facts.settings == mean.model->facts.settings, path,
               " is of another configuration than ", paths[0], ": inspect both");
    ATTN_CHECK(one.tokenizer.text() == mean.tokenizer.text(), path, " has another tokenizer than ",
               paths[0], ", so the same row of their embeddings is another token");
    ATTN_CHECK(one.context == mean.context, path, " has another context than ", paths[0],
               ": one may be a language model and the other a translator; inspect both");
    read_parameters(*one.model, [&](const std::string& name, const Parameter& p) {
      std::vector<double>& sum = sums[name];
      sum.resize(p.value.elements());
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += p.value.data()[i];
    });
  }
  mean.model->visit_parameters([&](const std::string& name, Parameter& p) {
    const std::vector<double>& sum = sums.at(name);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      p.value.data()[i] = static_cast<Real>(sum[i] / static_cast<double>(paths.size()));
    }
  });
  return mean;
}

}  // namespace attn
