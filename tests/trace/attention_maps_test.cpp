// Where models of every architecture look.
#include "trace/attention_maps.h"

#include <doctest/doctest.h>

#include <map>

#include "base/check.h"
#include "lab/predecessors/convs2s.h"
#include "support/small_recurrent_models.h"
#include "trace/trace.h"

namespace attn::test {

namespace {

// Three words, <eos>; <bos>, two words.
template <class Model>
TraceSubject subject_of(Model model) {
  return trace_subject(std::make_unique<Model>(std::move(model)), letters(), {"c a h", "b a"});
}

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

std::vector<AttentionMaps> maps_of(const TraceSubject& subject) {
  return attention_maps(*subject.model, subject.batch);
}

std::vector<std::string> titles(const std::vector<AttentionMaps>& attentions) {
  std::vector<std::string> result;
  for (const AttentionMaps& attention : attentions) result.push_back(title_of(attention));
  return result;
}

// Each row of each map is a distribution over the columns that its labels name.
void check_rows(const TraceSubject& subject, const std::vector<AttentionMaps>& attentions) {
  for (const AttentionMaps& attention : attentions) {
    CAPTURE(title_of(attention));
    for (const AttentionHead& head : attention.heads) {
      const Tensor& P = head.weights;
      CHECK(static_cast<std::size_t>(P.rows()) == row_labels(attention, subject.tokens).size());
      CHECK(static_cast<std::size_t>(P.cols()) == column_labels(attention, subject.tokens).size());
      for (Index i = 0; i < P.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < P.cols(); ++j) sum += static_cast<double>(P(i, j));
        CHECK(sum == doctest::Approx(1));
      }
    }
  }
}

}  // namespace

TEST_SUITE("trace") {
  TEST_CASE("every head of every attention of a Transformer is shown, with a trace's weights") {
    const TraceSubject subject = subject_of(random_model(small_config()));
    const std::vector<AttentionMaps> attentions = maps_of(subject);
    CHECK(titles(attentions) ==
          std::vector<std::string>{
              "Encoder self-attention, layer 0", "Encoder self-attention, layer 1",
              "Decoder self-attention, layer 0", "Encoder–decoder attention, layer 0",
              "Decoder self-attention, layer 1", "Encoder–decoder attention, layer 1"});
    check_rows(subject, attentions);

    std::map<std::string, TraceValue> traced;
    for (TraceValue& value : trace_forward(*subject.model, subject.batch, subject.tokens)) {
      traced[value.name] = std::move(value);
    }
    for (const AttentionMaps& attention : attentions) {
      REQUIRE(attention.heads.size() == 3);
      for (std::size_t i = 0; i < 3; ++i) {
        const AttentionHead& head = attention.heads[i];
        CHECK(head.number == static_cast<Index>(i));
        const TraceValue& value = traced.at(head.name);
        CHECK(value.word == "weights");
        CHECK(value.layer == attention.layer);
        CHECK(value.head == head.number);
        CHECK(column_labels(attention, subject.tokens) == value.columns);
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
    const std::vector<AttentionMaps> attentions = maps_of(subject);
    CHECK(row_labels(attentions[0], subject.tokens) == Labels{"c", "a", "h", "<eos>"});
    CHECK(row_labels(attentions[2], subject.tokens) == Labels{"<bos>", "b", "a"});
    CHECK(column_labels(attentions[2], subject.tokens) == Labels{"<bos>", "b", "a"});
    CHECK(row_labels(attentions[3], subject.tokens) == Labels{"b", "a", "<eos>"});
    CHECK(column_labels(attentions[3], subject.tokens) == Labels{"c", "a", "h", "<eos>"});
  }

  TEST_CASE("a decoder-only model attends within its one sequence, never forward") {
    const TraceSubject subject = subject_of(random_model(DecoderOnlyConfig{small_config()}));
    const std::vector<AttentionMaps> attentions = maps_of(subject);
    CHECK(titles(attentions) == std::vector<std::string>{"Decoder self-attention, layer 0",
                                                         "Decoder self-attention, layer 1"});
    check_rows(subject, attentions);
    const Labels sequence{"c", "a", "h", "<eos>", "<bos>", "b", "a"};
    CHECK(row_labels(attentions[1], subject.tokens) == sequence);
    CHECK(column_labels(attentions[1], subject.tokens) == sequence);
    REQUIRE(attentions[0].heads.size() == 3);
    for (Index i = 0; i < 7; ++i) {
      for (Index j = i + 1; j < 7; ++j) CHECK(attentions[0].heads[2].weights(i, j) == 0);
    }
    const Json json = attention_json(subject, attentions);
    const Json& head = json.at("decoder.0.self_attention.heads.1.P");
    CHECK(head.at("writes").items()[0].string() == "a");
    CHECK(head.at("writes").items()[3].string() == "<bos>");
    CHECK(head.at("writes").items()[6].string() == "<eos>");
  }

  TEST_CASE("what the Transformer replaces is shown too, wherever it attends") {
    const auto shown = [](const TraceSubject& subject) {
      const std::vector<AttentionMaps> attentions = maps_of(subject);
      check_rows(subject, attentions);
      return titles(attentions);
    };
    using Titles = std::vector<std::string>;
    const std::string title = "Encoder–decoder attention";
    CHECK(shown(subject_of(convolutional())) == Titles{title + ", layer 0", title + ", layer 1"});
    CHECK(shown(subject_of(recurrent(RecurrentAttention::bahdanau))) ==
          Titles{title + ", layer 0"});
    CHECK(shown(subject_of(recurrent(RecurrentAttention::luong_dot))) == Titles{title});
    CHECK(shown(subject_of(recurrent(RecurrentAttention::luong_concat))) == Titles{title});
    CHECK_THROWS_WITH_AS(
        maps_of(subject_of(recurrent(RecurrentAttention::none))),
        "this model attends to nothing: its architecture is rnn, without attention", Error);
  }

  TEST_CASE("attentions are narrowed to a layer and a head, and what is not there is an error") {
    const TraceSubject subject = subject_of(random_model(small_config()));
    const auto narrowed = [&](Index layer, Index head) {
      std::string names;
      for (const AttentionMaps& attention : selected(maps_of(subject), layer, head)) {
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
    CHECK_THROWS_WITH_AS(narrowed(2, -1),
                         "no attention of this model is in layer 2; the layers with one: 0, 1",
                         Error);
    CHECK_THROWS_WITH_AS(narrowed(-1, 3),
                         "no attention of this model has a head 3; the heads: 0, 1, 2", Error);
    const TraceSubject luong = subject_of(recurrent(RecurrentAttention::luong_dot));
    CHECK_THROWS_WITH_AS(selected(maps_of(luong), 0, -1),
                         "no attention of this model is in layer 0; the layers with one: none",
                         Error);
    CHECK(selected(maps_of(luong), -1, 0).size() == 1);
  }
}

}  // namespace attn::test
