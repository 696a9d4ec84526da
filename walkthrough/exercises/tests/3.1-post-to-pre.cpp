// Steps that multiply; then the library's own pre-norm encoder.
#include "model/encoder_layer.h"
#include "support/checks.h"
#include "support/small_models.h"

static const exercises::Exercise post_to_pre_exercise(
    "3.1-post-to-pre", [](exercises::Checks& check) {
      using namespace exercises;
      const auto times = [](double factor) -> Step {
        return [factor](const Tensor& d) {
          Tensor result = d;
          for (Index i = 0; i < result.elements(); ++i) result[i] *= factor;
          return result;
        };
      };
      check.claim("Norm(u) = 10 u, Sublayer(u) = 3 u, final norm 7 u: x + 30 x = 31 x, times 7");
      check.number("h", encoder_pre(tensor_of({1, 1}, {1}), {times(3)}, {times(10)}, times(7))[0],
                   217,
                   "The norm applies only to what the sub-layer reads; the final norm comes last.");
      check.claim("two sub-layers: 1 · (1 + 3·10) · (1 + 2·5) · 7");
      check.number("h",
                   encoder_pre(tensor_of({1, 1}, {1}), {times(3), times(2)}, {times(10), times(5)},
                               times(7))[0],
                   31 * 11 * 7,
                   "Each sub-layer adds to the sum of all before; the final norm comes once.");
      check.claim("the library's pre-norm encoder of two layers");
      attn::TransformerConfig config = attn::test::small_config();
      config.norm = attn::NormPlacement::pre;
      std::vector<attn::EncoderLayer> encoder(2, attn::EncoderLayer(config));
      attn::test::randomise(encoder[0], 1);
      attn::test::randomise(encoder[1], 2);
      attn::LayerNorm final_norm(config.d_model);
      attn::test::randomise(final_norm, 3);
      const attn::AttentionPattern pattern =
          attn::sentence_by_sentence({0, 4}, {0, 4}, attn::Mask::none);
      const Tensor x = random_tensor({4, config.d_model}, 2);
      const attn::Pass pass;
      Tensor want = x;
      for (const attn::EncoderLayer& layer : encoder) {
        attn::EncoderLayer::Cache unused;
        want = layer.forward(want, pattern, pass, unused);
      }
      attn::LayerNorm::Cache unused;
      want = final_norm.forward(want, pass, unused);
      std::vector<Step> sublayers, norms;
      const auto norm_of = [&pass](const attn::LayerNorm& norm) -> Step {
        return [&norm, &pass](const Tensor& u) {
          attn::LayerNorm::Cache ignored;
          return norm.forward(u, pass, ignored);
        };
      };
      for (const attn::EncoderLayer& layer : encoder) {
        sublayers.push_back([&](const Tensor& u) {
          attn::MultiHeadAttention::Cache ignored;
          return layer.self_attention.forward(u, u, pattern, pass, ignored);
        });
        norms.push_back(norm_of(layer.self_residual.norm));
        sublayers.push_back([&](const Tensor& u) {
          attn::FeedForward::Cache ignored;
          return layer.feed_forward.forward(u, pass, ignored);
        });
        norms.push_back(norm_of(layer.ffn_residual.norm));
      }
      check.tensor("z", encoder_pre(x, sublayers, norms, norm_of(final_norm)), want,
                   "A sub-layer reads norms[i](x), not x, and its output is not normalised.");
    });
