// Where a Transformer looks.
#include "trace/attention_maps.h"

#include <doctest/doctest.h>

#include <limits>
#include <map>

#include "base/check.h"
#include "support/small_maps.h"
#include "trace/trace.h"

namespace attn::test {

TEST_SUITE("trace") {
  TEST_CASE("every head of every attention of a Transformer is shown, with a trace's weights") {
    const TraceSubject subject = subject_of(random_model(small_config()));
    const std::vector<AttentionMaps> attentions = attention_maps(subject);
    CHECK(titles(attentions) ==
          std::vector<std::string>{
              "Encoder self-attention, layer 0", "Encoder self-attention, layer 1",
              "Decoder self-attention, layer 0", "Encoder–decoder attention, layer 0",
              "Decoder self-attention, layer 1", "Encoder–decoder attention, layer 1"});
    check_rows(attentions);

    std::map<std::string, TraceValue> traced;
    Trace trace = trace_of(*subject.model, subject.batch, subject.tokens, false);
    for (TraceValue& value : trace.values) traced[value.name] = std::move(value);
    for (const AttentionMaps& attention : attentions) {
      REQUIRE(attention.heads.size() == 3);
      for (std::size_t i = 0; i < 3; ++i) {
        const AttentionHead& head = attention.heads[i];
        CHECK(head.number == static_cast<Index>(i));
        const TraceValue& value = traced.at(head.name);
        CHECK(layer_of(value.name) == attention.layer);
        CHECK(head_of(value.name) == head.number);
        CHECK(attention.columns == value.columns);
        REQUIRE(head.weights.shape() == value.data.shape());
        for (Index j = 0; j < value.data.elements(); ++j) CHECK(head.weights[j] == value.data[j]);
      }
    }
    // What the future may not be asked for is exactly 0.
    CHECK(attentions[2].heads[0].weights(0, 1) == 0);
    CHECK(attentions[2].heads[0].weights(1, 0) > 0);
  }

  TEST_CASE(
      "an encoder–decoder attention is named by what is written, the others by what is read") {
    const TraceSubject subject = subject_of(random_model(small_config()));
    const std::vector<AttentionMaps> attentions = attention_maps(subject);
    CHECK(attentions[0].rows() == Labels{"c", "a", "h", "<eos>"});
    CHECK(attentions[2].rows() == Labels{"<bos>", "b", "a"});
    CHECK(attentions[2].columns == Labels{"<bos>", "b", "a"});
    CHECK(attentions[3].rows() == Labels{"b", "a", "<eos>"});
    CHECK(attentions[3].columns == Labels{"c", "a", "h", "<eos>"});
  }

  TEST_CASE("weights that are not numbers are an error, not a picture") {
    Transformer model = random_model(small_config());
    Tensor& W = model.encoder[0].self_attention.query.weight.value;
    for (Index i = 0; i < W.elements(); ++i) W[i] = std::numeric_limits<Real>::max();
    CHECK_THROWS_WITH_AS(attention_maps(subject_of(std::move(model))),
                         doctest::Contains("are not numbers"), Error);
  }

  TEST_CASE("attentions are narrowed to a layer and a head, and what is not there is an error") {
    const TraceSubject subject = subject_of(random_model(small_config()));
    const auto narrowed = [&](Index layer, Index head) {
      std::string names;
      for (const AttentionMaps& attention : selected(attention_maps(subject), layer, head)) {
        for (const AttentionHead& one : attention.heads) names += one.name + ' ';
      }
      return names;
    };
    CHECK(narrowed(1, 2) ==
          "encoder.1.self_attention.heads.2.P decoder.1.self_attention.heads.2.P "
          "decoder.1.cross_attention.heads.2.P ");
    CHECK(narrowed(-1, 0) ==
          "encoder.0.self_attention.heads.0.P encoder.1.self_attention.heads.0.P "
          "decoder.0.self_attention.heads.0.P decoder.0.cross_attention.heads.0.P "
          "decoder.1.self_attention.heads.0.P decoder.1.cross_attention.heads.0.P ");
    CHECK_THROWS_WITH_AS(narrowed(2, -1), "no attention of this model is in layer 2", Error);
    CHECK_THROWS_WITH_AS(narrowed(-1, 3), "no attention of this model has a head 3, counted from 0",
                         Error);
  }
}

}  // namespace attn::test
