// What a pass through a model keeps, and what an observer sees.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

Batch one_pair() {
  Batch batch;
  batch.append({5, 3, 5, 2}, {1, 4, 9, 4, 3, 2});
  return batch;
}

Tensor gradients_and_loss(Transformer& model, const Batch& batch, const Pass& pass, double& loss) {
  zero_gradients(model);
  loss = model.loss_and_gradients(batch, pass, Real(0.1)).loss;
  return gradients_in(model);
}

}  // namespace

TEST_SUITE("C backpropagation") {
  TEST_CASE("where no backward pass follows, layers share a cache, and compute the same bits") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      const Transformer model = random_model(small.config);
      Transformer::Cache kept, shared;
      const Tensor training = model.forward(small_batch(), DropoutMasks(), kept);
      CHECK(same(model.forward(small_batch(), Pass(), shared), training));
      CHECK(kept.encoder.size() == 2);
      CHECK(kept.decoder.size() == 2);
      CHECK(shared.encoder.size() == 1);
      CHECK(shared.decoder.size() == 1);
    }
  }
}

TEST_SUITE("pass") {
  TEST_CASE("watching changes no bit of loss and gradients, with dropout, on any threads") {
    const Observer observer = [](const std::string&, const ConstMatrixView&) {};
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      const Batch batch = small_batch();
      double loss = 0;
      const Tensor gradients = gradients_and_loss(model, batch, DropoutMasks(3, 4), loss);
      const double validation = model.loss(batch).loss;
      CHECK(validation != loss);
      for (const int count : {1, 2, 5}) {
        const WithThreads threads(count);
        double watched_loss = 0;
        CHECK(same(gradients_and_loss(model, batch, {DropoutMasks(3, 4), &observer}, watched_loss),
                   gradients));
        CHECK(watched_loss == loss);
        CHECK(model.loss(batch, Pass(observer)).loss == validation);
      }
    }
  }

  TEST_CASE("every value of one sentence pair has a name of its own, forward and backward") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      std::set<std::string> names;
      const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
        CAPTURE(name);
        CHECK(names.insert(name).second);
        CHECK(value.rows * value.cols > 0);
      };
      // Gradients' last names begin with a d.
      const auto gradients = [&] {
        return std::count_if(names.begin(), names.end(), [](const std::string& name) {
          return name[name.rfind('.') + 1] == 'd';
        });
      };
      model.loss(one_pair(), Pass(observer));
      // Of every head in three attentions in each of two layers: Q, K, V, S, P and O.
      CHECK(names.size() > 3 * 2 * 3 * 6);
      CHECK(gradients() == 0);
      CHECK(names.count("losses") == 1);

      names.clear();
      model.loss_and_gradients(one_pair(), {DropoutMasks(3, 4), &observer}, 1);
      // dO, dV, dP, dS, dQ and dK.
      CHECK(gradients() > 3 * 2 * 3 * 6);
      const std::set<std::string> dropped = names;
      CHECK(names.count("decoder.1.cross_attention.heads.2.dS") == 1);
      for (const char* const name :
           {"source.mask", "encoder.1.self_attention.u", "target.dembedding",
            "decoder.0.feed_forward_norm.dsum", "logits"}) {
        CAPTURE(name);
        CHECK(names.count(name) == 1);
      }

      // Without dropout, the same except what the masks made.
      names.clear();
      model.loss_and_gradients(one_pair(), Pass(observer), 1);
      CHECK(gradients() > 3 * 2 * 3 * 6);
      CHECK(std::includes(dropped.begin(), dropped.end(), names.begin(), names.end()));
    }
  }
}
