// Random models are run twice, and the rows that differ are the answer.
#include "model/transformer.h"
#include "support/checks.h"
#include "support/small_models.h"

static const exercises::Exercise who_sees_whom("3.2.3-who-sees-whom", [](exercises::Answers&
                                                                             answers) {
  using attn::test::small_config;
  const std::vector<int> source = {5, 6, 7, 2}, target = {1, 4, 5, 6, 7, 2};
  const auto with = [](std::vector<int> ids, std::size_t position) {
    ids[position - 1] = 9;
    return ids;
  };
  // Rows first … last of the logits, or of z, that differ between two batches.
  const auto changed = [](const Tensor& a, const Tensor& b, Index first, Index last) {
    std::vector<Index> rows;
    for (Index t = first; t < last; ++t) {
      bool same = true;
      for (Index j = 0; j < a.cols(); ++j) same = same && a(t, j) == b(t, j);
      if (!same) rows.push_back(t - first + 1);
    }
    return rows;
  };
  const auto run = [](const attn::Transformer& model, const std::vector<std::vector<int>>& sources,
                      const std::vector<int>& target_ids, bool encoder_output) {
    attn::Batch batch;
    for (const std::vector<int>& ids : sources) batch.append(ids, target_ids);
    if (!encoder_output) return model.logits(batch);
    attn::Transformer::Cache cache;
    model.forward(batch, attn::DropoutMasks(), cache);
    return cache.z;
  };
  attn::TransformerConfig config = small_config();
  const attn::Transformer model = attn::test::random_model(config);
  config.layers = 6;
  const attn::Transformer deep = attn::test::random_model(config);

  answers.set("a",
              changed(run(model, {source}, target, true),
                      run(model, {with(source, 2)}, target, true), 0, 4),
              "Does the encoder mask anything?");
  answers.set("b",
              changed(run(model, {source}, target, false),
                      run(model, {with(source, 2)}, target, false), 0, 5),
              "Which target positions look at z?");
  answers.set("c",
              changed(run(model, {source}, target, true),
                      run(model, {source}, with(target, 3), true), 0, 4),
              "What does the encoder read?");
  answers.set("d",
              changed(run(model, {source}, target, false),
                      run(model, {source}, with(target, 3), false), 0, 5),
              "Position 3 may look at itself. Who else may look at it?");
  answers.set(
      "e",
      changed(run(deep, {source}, target, false), run(deep, {source}, with(target, 3), false), 0,
              5),
      "Through how many layers can position 2 hear of position 3, if each layer looks back only?");
  answers.set("f",
              changed(run(model, {source, source}, target, false),
                      run(model, {with(source, 2), source}, target, false), 5, 10),
              "Does a sentence look at another?");
  answers.set("g", {1, 2, 3, 4, 5}, "In that layer position 1 looks at position 3.");
  answers.set("h",
              changed(run(model, {source}, target, false),
                      run(model, {source}, with(target, 5), false), 0, 5),
              "Who may look at position 5?");
});
