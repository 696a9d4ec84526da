// The parameters: their names, shapes, number, order and first values.
#include <doctest/doctest.h>

#include <set>

#include "support/model_check.h"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<std::string> names_of(SequenceModel& model) {
  std::vector<std::string> names;
  model.visit_parameters([&](const std::string& name, Parameter&) { names.push_back(name); });
  return names;
}

Tensor value_of(const SequenceModel& model, const std::string& name) {
  return weights_by_name(model).at(name);
}

}  // namespace

TEST_SUITE("3.1 stacks") {
  TEST_CASE("the parameters of the paper's model, by name and shape, in this order") {
    TransformerConfig config = small_config();
    config.layers = 1;
    Transformer model(config);
    std::string all;
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      all += name + " " + to_string(p.value.shape()) + "\n";
    });
    CHECK(all ==
          "embedding.weight [11, 6]\n"
          "encoder.0.self_attention.query.weight [6, 12]\n"
          "encoder.0.self_attention.key.weight [6, 12]\n"
          "encoder.0.self_attention.value.weight [6, 15]\n"
          "encoder.0.self_attention.output.weight [15, 6]\n"
          "encoder.0.self_attention_norm.gamma [6]\n"
          "encoder.0.self_attention_norm.beta [6]\n"
          "encoder.0.feed_forward.inner.weight [6, 7]\n"
          "encoder.0.feed_forward.inner.bias [7]\n"
          "encoder.0.feed_forward.outer.weight [7, 6]\n"
          "encoder.0.feed_forward.outer.bias [6]\n"
          "encoder.0.feed_forward_norm.gamma [6]\n"
          "encoder.0.feed_forward_norm.beta [6]\n"
          "decoder.0.self_attention.query.weight [6, 12]\n"
          "decoder.0.self_attention.key.weight [6, 12]\n"
          "decoder.0.self_attention.value.weight [6, 15]\n"
          "decoder.0.self_attention.output.weight [15, 6]\n"
          "decoder.0.self_attention_norm.gamma [6]\n"
          "decoder.0.self_attention_norm.beta [6]\n"
          "decoder.0.cross_attention.query.weight [6, 12]\n"
          "decoder.0.cross_attention.key.weight [6, 12]\n"
          "decoder.0.cross_attention.value.weight [6, 15]\n"
          "decoder.0.cross_attention.output.weight [15, 6]\n"
          "decoder.0.cross_attention_norm.gamma [6]\n"
          "decoder.0.cross_attention_norm.beta [6]\n"
          "decoder.0.feed_forward.inner.weight [6, 7]\n"
          "decoder.0.feed_forward.inner.bias [7]\n"
          "decoder.0.feed_forward.outer.weight [7, 6]\n"
          "decoder.0.feed_forward.outer.bias [6]\n"
          "decoder.0.feed_forward_norm.gamma [6]\n"
          "decoder.0.feed_forward_norm.beta [6]\n");
  }

  TEST_CASE("every visit has the same order, and every name is there once") {
    for (const SmallModel& small_model : all_small_models()) {
      Transformer model(small_model.config), other(small_model.config);
      const std::vector<std::string> names = names_of(model);
      CHECK(names == names_of(model));
      CHECK(names == names_of(other));
      CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
    }
  }

  TEST_CASE("a fresh model: norms are the identity, biases 0, the rest within Glorot's bounds") {
    TransformerConfig config = small_config();
    config.attention_bias = true;
    Transformer model(config);
    initialise_parameters(model, 1);
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      CAPTURE(name);
      const auto ends_with = [&](const std::string& end) {
        return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
      };
      for (Index i = 0; i < p.value.elements(); ++i) {
        const double w = static_cast<double>(p.value[i]);
        if (ends_with(".gamma")) {
          CHECK(w == 1);
        } else if (ends_with(".beta") || ends_with(".bias")) {
          CHECK(w == 0);
        } else {
          CHECK(w != 0);
          const double sum = static_cast<double>(p.value.rows() + p.value.cols());
          if (name != "embedding.weight") CHECK(std::abs(w) <= std::sqrt(6 / sum));
        }
      }
    });
  }

  TEST_CASE("W^Q, W^K and W^V start as one matrix [d_model, 3 d_model]; all others by themselves") {
    TransformerConfig config = small_config();
    config.d_model = 96;
    config.d_ff = 64;
    config.heads = 4;
    config.d_k = config.d_v = 24;
    Transformer model(config);
    initialise_parameters(model, 1);
    int joint = 0, alone = 0;
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      CAPTURE(name);
      if (p.start != Parameter::Start::glorot) return;
      const bool projects = name.find("query") != std::string::npos ||
                            name.find("key") != std::string::npos ||
                            name.find("value") != std::string::npos;
      (projects ? joint : alone) += 1;
      const double in = static_cast<double>(p.value.rows()),
                   out = static_cast<double>(p.value.cols());
      const double variance = 2 / (in + (projects ? 3 * out : out));
      const double found = sum_of_squares(p.value) / static_cast<double>(p.value.elements());
      // As a ratio: doctest's tolerance is relative to numbers of about 1 only.
      CHECK(found / variance == doctest::Approx(1).epsilon(0.05));
      double mean = 0;
      for (Index i = 0; i < p.value.elements(); ++i) mean += static_cast<double>(p.value[i]);
      mean /= static_cast<double>(p.value.elements());
      CHECK(std::abs(mean) < 0.1 * std::sqrt(variance));
    });
    CHECK(joint == 18);  // of 6 attentions
    CHECK(alone == 14);  // 6 W^O, and 2 matrices in each of 4 feed-forward networks
  }

  TEST_CASE("first values depend on seed and name, not on the other parameters") {
    TransformerConfig config = small_config();
    Transformer a(config), b(config), c(config);
    config.layers = 3;
    Transformer deeper(config);
    initialise_parameters(a, 1);
    initialise_parameters(b, 1);
    initialise_parameters(c, 2);
    initialise_parameters(deeper, 1);
    const std::string name = "decoder.1.cross_attention.key.weight";
    CHECK(same(value_of(a, name), value_of(b, name)));
    CHECK(same(value_of(a, name), value_of(deeper, name)));
    CHECK_FALSE(same(value_of(a, name), value_of(c, name)));
    CHECK_FALSE(same(value_of(a, name), value_of(a, "decoder.0.cross_attention.key.weight")));
  }

  TEST_CASE("zero_gradients makes room the first time and zeros every time") {
    Transformer model(small_config());
    initialise_parameters(model, 1);
    zero_gradients(model);
    model.loss_and_gradients(small_batch(), {}, 1);
    zero_gradients(model);
    model.visit_parameters([](const std::string&, Parameter& p) {
      CHECK(p.gradient.shape() == p.value.shape());
      CHECK(sum_of_squares(p.gradient) == 0);
    });
  }

  TEST_CASE("batches that do not fit the model or themselves are errors") {
    Transformer model = random_model(small_config());
    const auto refused = [&](const char* message, const auto& change) {
      Batch batch = small_batch();
      change(batch);
      CHECK_THROWS_WITH_AS(model.loss(batch), doctest::Contains(message), Error);
      CHECK_THROWS_WITH_AS(model.loss_and_gradients(batch, {}, 1), doctest::Contains(message),
                           Error);
    };
    refused("token id 11 is not in a vocabulary of 11", [](Batch& b) { b.source.ids[2] = 11; });
    refused("token id -1 is not in a vocabulary of 11",
            [](Batch& b) { b.target_input.ids[2] = -1; });
    refused("target id 11 is not in a vocabulary of 11", [](Batch& b) { b.target_output[8] = 11; });
    refused("", [](Batch& b) { b.target_output.pop_back(); });
    refused("", [](Batch& b) { b.source.append({3, 2}); });

    TransformerConfig config = small_config();
    config.positions = Positions::learned;
    config.max_positions = 3;
    CHECK_THROWS_AS(random_model(config).logits(small_batch()), Error);
  }
}

TEST_SUITE("6.2 table 3") {
  TEST_CASE("the formula counts what the visit sees, for every kind of model") {
    for (const SmallModel& small_model : all_small_models()) {
      CAPTURE(small_model.name);
      Transformer model(small_model.config);
      CHECK(count_parameters(model) == parameter_count(small_model.config));
    }
    TransformerConfig tiny = preset("tiny");
    tiny.source_vocabulary = tiny.target_vocabulary = 29;
    Transformer model(tiny);
    CHECK(count_parameters(model) == parameter_count(tiny));
  }
}
