// An observed pass of a decoder-only model.
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
  TEST_CASE("an observer changes no bit of a decoder-only model, whose values each have a name") {
    for (const SmallDecoderOnly& small : small_decoder_only_models()) {
      CAPTURE(small.name);
      DecoderOnly model = random_model(with_dropout(small.config));
      std::set<std::string> names;
      const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
        CHECK(names.insert(name).second);
        CHECK(value.rows * value.cols > 0);
      };
      const double loss = model.loss_and_gradients(one_pair(), DropoutMasks(3, 4), 1).loss;
      CHECK(model.loss_and_gradients(one_pair(), {DropoutMasks(3, 4), &observer}, 1).loss == loss);
      CHECK(names.count("decoder.1.self_attention.heads.2.dS") == 1);
      CHECK(names.count("losses") == 1);
      for (const char* name : {"input.mask", "decoder.1.feed_forward_norm.mask", "logits"}) {
        CHECK(names.count(name) == 1);
      }
    }
  }
}
