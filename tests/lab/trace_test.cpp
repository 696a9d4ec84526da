// Traces and attention maps of what the Transformer is compared with.
#include "trace/trace.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "app/drawing/value_text.h"
#include "base/check.h"
#include "lab/predecessors/convs2s.h"
#include "lab/support/small_decoder_only.h"
#include "lab/support/small_recurrent_models.h"
#include "support/small_maps.h"
#include "support/small_trace.h"

namespace attn::test {

namespace {

RecurrentModel recurrent(RecurrentAttention attention) {
  RecurrentConfig config = small_recurrent_models()[0].config;
  config.attention = attention;
  config.tie_embeddings = true;
  config.target_vocabulary = config.source_vocabulary = 11;
  return random_recurrent_model(config);
}

ConvS2S convolutional() {
  ConvS2SConfig config;
  config.source_vocabulary = config.target_vocabulary = 11;
  config.layers = 2;
  config.d_model = 6;
  config.dropout = 0;
  config.max_positions = 8;
  ConvS2S model(config);
  initialise_parameters(model, 1);
  return model;
}

}  // namespace

TEST_SUITE_BEGIN("trace");

TEST_CASE("a recurrent model's values have as many labels as rows and columns, or none") {
  // Five queries, four keys, and five columns, which are no tokens.
  const Traced traced = small_sentence();
  for (const SmallRecurrentModel& small : small_recurrent_models()) {
    CAPTURE(small.name);
    RecurrentModel model = random_recurrent_model(small.config);
    const Trace trace = trace_of(model, traced.batch, traced.tokens, true);
    for (const TraceValue& value : trace.values) {
      CAPTURE(value.name);
      check_labels(value, traced.tokens);
      CHECK_FALSE(value_text(value, true).empty());
    }
  }
}

TEST_CASE("steps that go back in time are shown in the order of their words") {
  const Traced traced = small_sentence();
  int read_backwards = 0;
  for (const SmallRecurrentModel& small : small_recurrent_models()) {
    RecurrentModel model = random_recurrent_model(small.config);
    const Trace trace = trace_of(model, traced.batch, traced.tokens, true);
    const TraceValue* const h = trace.find("encoder.0.backwards.h");
    if (h == nullptr) continue;
    ++read_backwards;
    CAPTURE(small.name);
    // The right half of what the layer gives.
    const TraceValue* const z = trace.find("encoder.0.z");
    REQUIRE(z != nullptr);
    for (Index t = 0; t < h->data.rows(); ++t) {
      for (Index j = 0; j < h->data.cols(); ++j) {
        CHECK(h->data(t, j) == z->data(t, z->data.cols() - h->data.cols() + j));
      }
    }
  }
  CHECK(read_backwards > 0);
}

TEST_CASE("a decoder-only model's values have the labels of its one sequence") {
  const Labels sequence{"c", "a", "c", "<eos>", "<bos>", "b", "g", "b", "a"};
  const Labels following{"a", "c", "<eos>", "<bos>", "b", "g", "b", "a", "<eos>"};
  for (const SmallDecoderOnly& small : small_decoder_only_models()) {
    CAPTURE(small.name);
    DecoderOnly model = random_model(small.config);
    const Traced traced = small_sentence();
    CHECK(traced.tokens.sequence == sequence);
    for (const bool backward : {false, true}) {
      std::set<std::string> names;
      for (const TraceValue& value : traced_values(model, traced, backward)) {
        CAPTURE(value.name);
        CHECK(names.insert(value.name).second);
        const std::string last = value.name.substr(value.name.rfind('.') + 1);
        // With the loss on all, h is the decoder's output itself.
        const Labels predicting =
            small.config.loss_on_all ? sequence : Labels(sequence.begin() + 4, sequence.end());
        if (last == "S" || last == "dS")
          CHECK((value.rows == sequence && value.columns == sequence));
        if (last == "x" || last == "z" || last == "dz" || last == "e")
          CHECK(value.rows == sequence);
        if (last == "h" || last == "dh" || last == "logits") CHECK(value.rows == predicting);
        if (last == "y") {
          CHECK(value.rows == (small.config.loss_on_all
                                   ? following
                                   : Labels(following.begin() + 4, following.end())));
        }
        if (value.name.rfind("decoder.1.", 0) == 0) CHECK(layer_of(value.name) == 1);
      }
      CHECK(names.count(backward ? "dz" : "z") == (small.config.loss_on_all ? 0 : 1));
      CHECK(names.count(backward ? "de" : "e") == 1);
    }
  }
}

TEST_CASE("a decoder-only model attends within its one sequence, never forward") {
  const TraceSubject subject = subject_of(random_model(DecoderOnlyConfig{small_config()}));
  const std::vector<AttentionMaps> attentions = attention_maps(subject);
  CHECK(titles(attentions) == std::vector<std::string>{"Decoder self-attention, layer 0",
                                                       "Decoder self-attention, layer 1"});
  check_rows(attentions);
  const Labels sequence{"c", "a", "h", "<eos>", "<bos>", "b", "a"};
  CHECK(attentions[1].rows() == sequence);
  CHECK(attentions[1].columns == sequence);
  REQUIRE(attentions[0].heads.size() == 3);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = i + 1; j < 7; ++j) CHECK(attentions[0].heads[2].weights(i, j) == 0);
  }
  CHECK(attentions[0].writes == Labels{"a", "h", "<eos>", "<bos>", "b", "a", "<eos>"});
}

TEST_CASE("what the Transformer replaces is shown too, wherever it attends") {
  const auto shown = [](const TraceSubject& subject) {
    const std::vector<AttentionMaps> attentions = attention_maps(subject);
    check_rows(attentions);
    return titles(attentions);
  };
  using Titles = std::vector<std::string>;
  const std::string title = "Encoder–decoder attention";
  CHECK(shown(subject_of(convolutional())) == Titles{title + ", layer 0", title + ", layer 1"});
  CHECK(shown(subject_of(recurrent(RecurrentAttention::bahdanau))) == Titles{title + ", layer 0"});
  CHECK(shown(subject_of(recurrent(RecurrentAttention::luong_dot))) == Titles{title});
  CHECK(shown(subject_of(recurrent(RecurrentAttention::luong_concat))) == Titles{title});
  CHECK_THROWS_WITH_AS(attention_maps(subject_of(recurrent(RecurrentAttention::none))),
                       "this model attends to nothing: its architecture is rnn, without attention",
                       Error);
}

TEST_CASE("of a recurrent model, attentions are narrowed to what it has") {
  const TraceSubject luong = subject_of(recurrent(RecurrentAttention::luong_dot));
  CHECK_THROWS_WITH_AS(selected(attention_maps(luong), 0, -1),
                       "no attention of this model is in layer 0; it attends after its last layer",
                       Error);
  CHECK(selected(attention_maps(luong), -1, 0).size() == 1);
}

TEST_SUITE_END();

}  // namespace attn::test
