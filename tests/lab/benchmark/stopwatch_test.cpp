#include "lab/benchmark/stopwatch.h"

#include <doctest/doctest.h>

#include "base/clock.h"

namespace attn::test {

TEST_SUITE_BEGIN("benchmark");

TEST_CASE("a part of a pass is of the kind of layer that its name says") {
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"source", "embeddings and positions"},
      {"target.positions", "embeddings and positions"},
      {"source.dropout", "encoder dropout"},
      {"target.dropout", "decoder dropout"},
      {"input", "embeddings and positions"},
      {"input.dropout", "decoder dropout"},
      {"encoder", ""},
      {"encoder.11", ""},
      {"encoder.11.self_attention", "encoder self-attention"},
      {"encoder.0.self_attention.query", "encoder self-attention"},
      {"encoder.0.self_attention_norm", "encoder add & norm"},
      {"encoder.0.self_attention_norm.dropout", "encoder dropout"},
      {"encoder.0.self_attention.dropout", "encoder self-attention"},
      {"encoder.0.feed_forward", "encoder feed-forward"},
      {"encoder.0.feed_forward.dropout", "encoder feed-forward"},
      {"encoder.norm", "encoder norm"},
      {"decoder.3.self_attention", "decoder self-attention"},
      {"decoder.3.cross_attention", "encoder-decoder attention"},
      {"decoder.3.cross_attention_norm", "decoder add & norm"},
      {"decoder.3.cross_attention_norm.dropout", "decoder dropout"},
      {"decoder.3.feed_forward", "decoder feed-forward"},
      {"decoder.norm", "decoder norm"},
      {"output", "output projection and loss"},
      {"adam", "Adam"},
      {"zero_gradients", "zeroing gradients"},
      {"elsewhere", ""},
      {"", ""},
  };
  for (const auto& each : kinds) {
    CAPTURE(each.first);
    CHECK(kind_of_part(each.first) == each.second);
  }
}

TEST_CASE("a layer's time leaves out the layers inside it, and all times are the whole time") {
  const auto wait = [](double seconds) {
    for (const double end = now() + seconds; now() < end;) {
    }
  };
  Stopwatch watch;
  watch.start();
  wait(0.001);
  watch.begin("encoder.0.self_attention_norm", false);
  wait(0.002);
  watch.begin("encoder.0.self_attention", false);
  wait(0.004);
  watch.begin("encoder.0.unknown", false);
  wait(0.008);
  watch.end();
  watch.end();
  watch.end();
  watch.begin("encoder.1.self_attention", true);
  wait(0.016);
  watch.end();
  const double whole = watch.stop();

  const double rest = watch.seconds(Stopwatch::kRest, false);
  const double norm = watch.seconds("encoder add & norm", false);
  const double forward = watch.seconds("encoder self-attention", false);
  const double backward = watch.seconds("encoder self-attention", true);
  CHECK(rest >= 0.001);
  CHECK(norm >= 0.002);
  CHECK(forward >= 0.004 + 0.008);
  CHECK(backward >= 0.016);
  CHECK(rest + norm + forward + backward == doctest::Approx(whole));
  CHECK(watch.seconds("decoder norm", false) == 0);
  watch.start();
  CHECK(watch.seconds("encoder add & norm", false) == 0);
}

TEST_SUITE_END();

}  // namespace attn::test
