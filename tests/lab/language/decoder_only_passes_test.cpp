// A watched pass of a decoder-only model.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "lab/support/small_decoder_only.h"

using namespace attn;
using namespace attn::test;

namespace {

Batch one_pair() {
  Batch batch;
  batch.append({5, 3, 5, 2}, {1, 4, 9, 4, 3, 2});
  return batch;
}

}  // namespace

TEST_SUITE("7 conclusion") {
  TEST_CASE(
      "a watcher changes no bit of a decoder-only model, whose parts are its input, its decoder "
      "and output") {
    for (const SmallDecoderOnly& small : small_decoder_only_models()) {
      CAPTURE(small.name);
      DecoderOnly model = random_model(with_dropout(small.config));
      std::set<std::string> names, parts;
      Watcher watcher;
      watcher.value = [&](const SeenValue& seen) {
        CHECK(names.insert(seen.full_name()).second);
        CHECK(seen.numbers.rows * seen.numbers.cols > 0);
      };
      watcher.begin = [&](const Pass& part) { parts.insert(part.name()); };
      const double loss = model.loss_and_gradients(one_pair(), DropoutMasks(3, 4), 1).loss;
      CHECK(model.loss_and_gradients(one_pair(), {DropoutMasks(3, 4), &watcher}, 1).loss == loss);
      CHECK(names.count("decoder.1.self_attention.heads.2.dS") == 1);
      CHECK(names.count("losses") == 1);
      for (const char* part : {"input.dropout", "decoder.1.feed_forward_norm", "output"}) {
        CHECK(parts.count(part) == 1);
      }
    }
  }
}
