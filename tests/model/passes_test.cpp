// What a pass through a model keeps, and what its watchers see.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// The tensors of a cache.
using Tensors = std::vector<const Tensor*>;

void add_tensors(const LayerNorm::Cache& cache, Tensors& all) {
  all.insert(all.end(), {&cache.x_hat, &cache.inv_std});
}
void add_tensors(const FeedForward::Cache& cache, Tensors& all) {
  all.push_back(&cache.hidden);
}
void add_tensors(const MultiHeadAttention::Cache& cache, Tensors& all) {
  all.insert(all.end(), {&cache.Q, &cache.K, &cache.V, &cache.P, &cache.concat});
}
// Only pre-norm keeps what the sub-layer read.
void add_tensors(const Residual::Cache& cache, Tensors& all, bool pre) {
  add_tensors(cache.norm, all);
  if (pre) all.push_back(&cache.normed);
}
void add_tensors(const EncoderLayer::Cache& cache, Tensors& all, bool pre) {
  add_tensors(cache.self_attention, all);
  add_tensors(cache.self_attention_residual, all, pre);
  all.push_back(&cache.attended);
  add_tensors(cache.feed_forward, all);
  add_tensors(cache.feed_forward_residual, all, pre);
}
void add_tensors(const DecoderLayer::Cache& cache, Tensors& all, bool pre) {
  add_tensors(cache.self_attention, all);
  add_tensors(cache.self_attention_residual, all, pre);
  add_tensors(cache.cross_attention, all);
  add_tensors(cache.cross_attention_residual, all, pre);
  all.insert(all.end(), {&cache.attended, &cache.informed});
  add_tensors(cache.feed_forward, all);
  add_tensors(cache.feed_forward_residual, all, pre);
}
template <class StackCache>
void add_stack(const StackCache& cache, Tensors& all, bool pre) {
  for (const auto& layer : cache.layers) add_tensors(layer, all, pre);
  for (const Tensor& input : cache.inputs) all.push_back(&input);
  if (pre) add_tensors(cache.final_norm, all);
}
void add_tensors(const Transformer::Cache& cache, Tensors& all, bool pre) {
  add_stack(cache.encoder, all, pre);
  add_stack(cache.decoder, all, pre);
  all.push_back(&cache.z);
}

// How many of a cache's tensors are empty, as "none", "all" or a number.
template <class Cache, class... Options>
std::string empty_tensors(const Cache& cache, Options... options) {
  Tensors all;
  add_tensors(cache, all, options...);
  const auto empty =
      std::count_if(all.begin(), all.end(), [](const Tensor* tensor) { return tensor->empty(); });
  if (empty == 0) return "none";
  return empty == static_cast<std::ptrdiff_t>(all.size()) ? "all" : text(empty);
}

// forward(pass, cache) keeps all with a backward pass to follow, nothing without, and computes the
// same.
template <class Cache, class Forward, class... Options>
void check_keeping(const Forward& forward, Options... options) {
  Cache kept, unused;
  const Tensor training = forward(Pass(DropoutMasks()), kept);
  const Tensor inference = forward(Pass(), unused);
  CHECK(empty_tensors(kept, options...) == "none");
  CHECK(empty_tensors(unused, options...) == "all");
  CHECK(same(training, inference));
}

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
  TEST_CASE("a pass that no backward pass follows keeps nothing, and computes the same bits") {
    const Offsets offsets = {0, 3, 4, 9}, z_offsets = {0, 1, 5, 7};
    for (const NormPlacement norm : {NormPlacement::post, NormPlacement::pre}) {
      const bool pre = norm == NormPlacement::pre;
      CAPTURE(pre);
      TransformerConfig config = with_dropout(small_config());
      config.norm = norm;
      const Tensor x = random_tensor({9, config.d_model}, 1), z = random_tensor({7, 6}, 2);

      LayerNorm layer_norm(config.d_model);
      randomise(layer_norm, 1);
      check_keeping<LayerNorm::Cache>(
          [&](const Pass& pass, auto& cache) { return layer_norm.forward(x, pass, cache); });
      FeedForward feed_forward(config.d_model, config.d_ff, config.relu_dropout);
      randomise(feed_forward, 1);
      check_keeping<FeedForward::Cache>(
          [&](const Pass& pass, auto& cache) { return feed_forward.forward(x, pass, cache); });
      MultiHeadAttention attention = make_attention(config);
      randomise(attention, 1);
      check_keeping<MultiHeadAttention::Cache>([&](const Pass& pass, auto& cache) {
        return attention.forward({x, offsets, z, z_offsets, Mask::none}, pass, cache);
      });
      EncoderLayer encoder_layer(config);
      randomise(encoder_layer, 1);
      check_keeping<EncoderLayer::Cache>(
          [&](const Pass& pass, auto& cache) {
            return encoder_layer.forward(x, offsets, pass, cache);
          },
          pre);
      DecoderLayer decoder_layer(config);
      randomise(decoder_layer, 1);
      check_keeping<DecoderLayer::Cache>(
          [&](const Pass& pass, auto& cache) {
            return decoder_layer.forward(x, {offsets, z, z_offsets}, pass, cache);
          },
          pre);
    }
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      const Transformer model = random_model(small.config);
      check_keeping<Transformer::Cache>(
          [&](const Pass& pass, auto& cache) { return model.forward(small_batch(), pass, cache); },
          small.config.norm == NormPlacement::pre);
    }
  }
}

TEST_SUITE("pass") {
  TEST_CASE(
      "watching changes no bit of loss and gradients, with dropout, on any number of threads") {
    const Watcher values{[](const SeenValue&) {}, {}, {}};
    const Watcher stopwatch{{}, [](const Pass&) {}, [](const Pass&) {}};
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      const Batch batch = small_batch();
      double loss = 0;
      const Tensor gradients = gradients_and_loss(model, batch, DropoutMasks(3, 4), loss);
      const double validation = model.loss(batch).loss;
      CHECK(validation != loss);
      for (const Watcher* watcher : {&values, &stopwatch}) {
        for (const int count : {1, 2, 5}) {
          const WithThreads threads(count);
          double watched_loss = 0;
          CHECK(same(gradients_and_loss(model, batch, {DropoutMasks(3, 4), watcher}, watched_loss),
                     gradients));
          CHECK(watched_loss == loss);
          CHECK(model.loss(batch, Pass(*watcher)).loss == validation);
        }
      }
    }
  }

  TEST_CASE("every value of one sentence pair has a name of its own, forward and backward") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      std::set<std::string> names;
      std::size_t forward = 0, backward = 0;
      Watcher watcher;
      watcher.value = [&](const SeenValue& seen) {
        const std::string name = seen.full_name();
        CAPTURE(name);
        CHECK(names.insert(name).second);
        CHECK(std::string(seen.called.file).find("src/") != std::string::npos);
        CHECK(seen.numbers.rows * seen.numbers.cols > 0);
        ++(seen.where.is_backward() ? backward : forward);
      };
      model.loss(one_pair(), Pass(watcher));
      // Of every head in three attentions in each of two layers: Q, K, V, S, P and O.
      CHECK(forward > 3 * 2 * 3 * 6);
      CHECK(backward == 0);
      CHECK(names.count("losses") == 1);

      const std::size_t before = forward;
      names.clear();
      forward = 0;
      model.loss_and_gradients(one_pair(), {DropoutMasks(3, 4), &watcher}, 1);
      CHECK(forward == before);
      // dO, dV, dP, dS, dQ and dK.
      CHECK(backward > 3 * 2 * 3 * 6);
      CHECK(names.count("decoder.1.cross_attention.heads.2.dS") == 1);
    }
  }

  TEST_CASE(
      "parts of a model end in the order opposite to their beginning, on the caller's thread") {
    const WithThreads three(3);
    const std::thread::id here = std::this_thread::get_id();
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      std::vector<std::string> open;
      std::set<std::string> seen;
      int wrong = 0;
      const auto name_of = [](const Pass& part) {
        return (part.is_backward() ? "back " : "") + part.name();
      };
      Watcher watcher;
      watcher.begin = [&](const Pass& part) {
        wrong += std::this_thread::get_id() != here;
        open.push_back(name_of(part));
        seen.insert(open.back());
      };
      watcher.end = [&](const Pass& part) {
        wrong += std::this_thread::get_id() != here || open.empty() || open.back() != name_of(part);
        if (!open.empty()) open.pop_back();
      };
      model.loss_and_gradients(small_batch(), {DropoutMasks(3, 4), &watcher}, 1);
      CHECK(wrong == 0);
      CHECK(open.empty());
      for (const std::string direction : {"", "back "}) {
        for (const char* const part :
             {"source", "encoder.1.self_attention", "encoder.0.feed_forward_norm", "target.dropout",
              "decoder.1.cross_attention_norm", "decoder.0.feed_forward", "output"}) {
          CAPTURE(part);
          CHECK(seen.count(direction + part) == 1);
        }
      }
    }
  }
}
