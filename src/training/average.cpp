// w ← (w_1 + … + w_n)/n    §6.1
#include "training/average.h"

#include <map>
#include <utility>

#include "base/check.h"
#include "training/run_directory.h"

namespace attn {

std::unique_ptr<SequenceModel> load_average(const std::vector<std::string>& paths,
                                            PlanModel* plan) {
  ATTN_CHECK(!paths.empty(), "no models to take the mean of");
  // Sums in double, so that the mean of a model with itself is that model.
  std::unique_ptr<SequenceModel> mean;
  std::map<std::string, std::vector<double>> sums;
  std::string tokenizer;
  for (const std::string& path : paths) {
    std::unique_ptr<SequenceModel> model = load_model(path, plan);
    const std::string its_tokenizer = load_tokenizer(path, *model).text();
    if (mean != nullptr) {
      ATTN_CHECK(model->settings() == mean->settings(), path, " is of another configuration than ",
                 paths[0], ": inspect both");
      ATTN_CHECK(its_tokenizer == tokenizer, path, " has another tokenizer than ", paths[0],
                 ", so the same row of their embeddings is another token");
    }
    read_parameters(*model, [&](const std::string& name, const Parameter& p) {
      std::vector<double>& sum = sums[name];
      sum.resize(static_cast<std::size_t>(p.value.elements()));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += p.value[static_cast<Index>(i)];
    });
    tokenizer = its_tokenizer;
    mean = std::move(model);
  }
  mean->visit_parameters([&](const std::string& name, Parameter& p) {
    const std::vector<double>& sum = sums.at(name);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      p.value[static_cast<Index>(i)] =
          static_cast<Real>(sum[i] / static_cast<double>(paths.size()));
    }
  });
  return mean;
}

}  // namespace attn
