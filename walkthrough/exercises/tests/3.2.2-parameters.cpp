// Counted by visiting the library's layers, or by its formula, which is tested against that.
#include "model/encoder_layer.h"
#include "model/transformer.h"
#include "support/checks.h"

static const exercises::Exercise parameters_exercise(
    "3.2.2-parameters", [](exercises::Answers& answers) {
      const auto weights = [](auto layer) {
        Index count = 0;
        layer.visit("layer",
                    [&](const std::string&, attn::Parameter& p) { count += p.value.elements(); });
        return count;
      };
      const attn::TransformerConfig base = attn::preset("base");
      const auto attention = [&](Index heads, Index d_k, Index d_v) {
        return weights(attn::MultiHeadAttention(base.d_model, heads, d_k, d_v, false, 0));
      };
      const auto total = [&](Index vocabulary) {
        attn::TransformerConfig config = base;
        config.source_vocabulary = config.target_vocabulary = vocabulary;
        return attn::parameter_count(config);
      };
      const Index a = attention(8, 64, 64);
      answers.count(
          "a", a, "Four matrices; h·d_k = 512.",
          {{131072, "That is one head: count all of them."}, {a - 512 * 512, "And W^O?"}});
      answers.count("b", a - attention(16, 32, 32),
                    "How wide are all heads together, before and after?");
      answers.count("c", attention(8, 16, 64),
                    "W^Q and W^K are 512 × h·d_k, W^V and W^O 512 × h·d_v.");
      answers.count("d", weights(attn::FeedForward(512, 2048, 0)), "W₁, b₁, W₂, b₂.",
                    {{2 * 512 * 2048, "And the biases b₁ and b₂?"}});
      answers.count("e", weights(attn::EncoderLayer(base)),
                    "a, d and two layer norms, each with γ and β.",
                    {{3148288, "And the layer norms?"}});
      answers.count("f", weights(attn::DecoderLayer(base)),
                    "Two attentions, one network, three layer norms.");
      answers.count("g", total(37000), "6·(e + f) + 37000·512.",
                    {{static_cast<double>(total(37000) + 2 * 37000 * 512),
                      "One matrix serves all three places."}});
      Index vocabulary = 37000;
      while (total(vocabulary) < 65000000) ++vocabulary;
      answers.number("h", static_cast<double>(vocabulary),
                     "65 million less the layers, divided by 512.");
    });
