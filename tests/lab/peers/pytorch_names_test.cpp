#include "lab/peers/pytorch.h"

#include <doctest/doctest.h>

#include <limits>

#include "lab/support/small_decoder_only.h"
#include "storage/safetensors.h"
#include "support/model_check.h"
#include "support/small_models.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace attn::test;

namespace {

// Pre-norm, untied, with everything: the model with the most names.
TransformerConfig fullest() {
  TransformerConfig config = torch_config(small_config());
  config.norm = NormPlacement::pre;
  config.tie_embeddings = false;
  config.target_vocabulary = 13;
  config.attention_bias = true;
  config.positions = Positions::learned;
  return config;
}

// One layer of torch.nn.TransformerEncoder/Decoder(…Layer(6, 2, 7), 1, LayerNorm(6)), as its
// state_dict() names them, and what stands beside them.
std::map<std::string, Shape> names_of_torch() {
  std::map<std::string, Shape> names = {{"source_embedding.weight", {11, 6}},
                                        {"target_embedding.weight", {13, 6}},
                                        {"projection.weight", {13, 6}},
                                        {"source_positions.weight", {8, 6}},
                                        {"target_positions.weight", {8, 6}}};
  const auto add = [&](const std::string& name, const Shape& weight, Index bias) {
    names[name + "weight"] = weight;
    names[name + "bias"] = {bias};
  };
  for (const std::string stack : {"encoder.", "decoder."}) {
    const std::string layer = stack + "layers.0.";
    for (const std::string attention : {"self_attn.", "multihead_attn."}) {
      if (stack == "encoder." && attention == "multihead_attn.") continue;
      add(layer + attention + "in_proj_", {18, 6}, 18);
      add(layer + attention + "out_proj.", {6, 6}, 6);
    }
    add(layer + "linear1.", {7, 6}, 7);
    add(layer + "linear2.", {6, 7}, 6);
    for (const char* norm : {"norm1.", "norm2.", "norm3."}) {
      if (stack == "decoder." || norm[4] != '3') add(layer + norm, {6}, 6);
    }
    add(stack + "norm.", {6}, 6);
  }
  return names;
}

// What from_pytorch() says of the tensors; empty if it takes them.
std::string refusal(const TensorsByName& tensors, Index heads, NormPlacement norm) {
  return thrown_by([&] { from_pytorch(tensors, heads, norm); });
}

bool is_attention_bias(const std::string& name) {
  return contains(name, "in_proj_bias") || contains(name, "out_proj.bias");
}

}  // namespace

TEST_SUITE("exchange with PyTorch") {
  TEST_CASE("names and shapes are those of torch.nn, and no other") {
    TransformerConfig config = fullest();
    config.layers = 1;
    Transformer model = random_model(config);
    const TensorsByName tensors = to_pytorch(model);
    const std::map<std::string, Shape> names = names_of_torch();
    CHECK(tensors.size() == names.size());
    for (const auto& named : names) {
      const std::string& name = named.first;
      CAPTURE(name);
      REQUIRE(tensors.count(name) == 1);
      CHECK(tensors.at(name).shape() == named.second);
    }
  }

  TEST_CASE("matrices are transposed, and queries stand above keys above values") {
    Transformer model = random_model(fullest());
    const TensorsByName tensors = to_pytorch(model);
    const MultiHeadAttention& attention = model.decoder[1].cross_attention;
    const Tensor& W = tensors.at("decoder.layers.1.multihead_attn.in_proj_weight");
    const Tensor& b = tensors.at("decoder.layers.1.multihead_attn.in_proj_bias");
    CHECK(W(1, 4) == attention.query.weight.value(4, 1));
    CHECK(W(6 + 1, 4) == attention.key.weight.value(4, 1));
    CHECK(W(12 + 1, 4) == attention.value.weight.value(4, 1));
    CHECK(b[5] == attention.query.bias.value[5]);
    CHECK(b[6 + 5] == attention.key.bias.value[5]);
    CHECK(b[12 + 5] == attention.value.bias.value[5]);
    CHECK(tensors.at("decoder.layers.1.multihead_attn.out_proj.weight")(2, 3) ==
          attention.output.weight.value(3, 2));
    CHECK(tensors.at("encoder.layers.0.linear1.weight")(6, 3) ==
          model.encoder[0].feed_forward.inner.weight.value(3, 6));
    CHECK(tensors.at("decoder.layers.0.norm2.weight")[4] ==
          model.decoder[0].cross_residual.norm.gamma.value[4]);
    CHECK(tensors.at("projection.weight")(12, 5) == model.projection.weight.value(5, 12));
    CHECK(tensors.at("target_embedding.weight")(12, 5) ==
          model.target_embedding.weight.value(12, 5));
  }

  TEST_CASE("every kind of model comes back, with every bit of its weights") {
    for (const SmallModel& small : small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(torch_config(small.config));
      const TensorsByName tensors = to_pytorch(model);
      const auto back = from_pytorch(tensors, 2, small.config.norm);
      TransformerConfig expected = model.config();
      expected.dropout = 0.1;
      if (expected.positions == Positions::sinusoidal) expected.max_positions = 512;
      CHECK(to_settings(back->config()) == to_settings(expected));
      check_same_weights(*back, model);
    }
  }

  TEST_CASE("attention biases that are absent or all zero are none") {
    Transformer model = random_model(torch_config(small_config()));
    TensorsByName tensors = to_pytorch(model);
    const Tensor& zeros = tensors.at("encoder.layers.1.self_attn.in_proj_bias");
    CHECK(same(zeros, Tensor::zeros({18})));
    CHECK_FALSE(from_pytorch(tensors, 2, NormPlacement::post)->config().attention_bias);
    for (auto next = tensors.begin(); next != tensors.end();) {
      next = is_attention_bias(next->first) ? tensors.erase(next) : std::next(next);
    }
    CHECK_FALSE(from_pytorch(tensors, 2, NormPlacement::post)->config().attention_bias);

    // One number makes them biases, all of which must be there.
    tensors["decoder.layers.1.self_attn.out_proj.bias"] = Tensor::zeros({6});
    tensors["decoder.layers.1.self_attn.out_proj.bias"][5] = Real(1e-30);
    CHECK(refusal(tensors, 2, NormPlacement::post) ==
          "tensor \"encoder.layers.0.self_attn.in_proj_bias\" is missing, expected [18]");

    // Zeros where there is no attention, or of another shape, are not taken for biases.
    tensors = to_pytorch(model);
    tensors["encoder.layers.1.multihead_attn.in_proj_bias"] = Tensor::zeros({18});
    CHECK(refusal(tensors, 2, NormPlacement::post) ==
          "tensor \"encoder.layers.1.multihead_attn.in_proj_bias\" of shape [18] belongs to no "
          "part of the model; what is a buffer in PyTorch, remove from the file");
    tensors = to_pytorch(model);
    tensors["encoder.layers.1.self_attn.in_proj_bias"] = Tensor::zeros({17});
    CHECK(refusal(tensors, 2, NormPlacement::post) ==
          "tensor \"encoder.layers.1.self_attn.in_proj_bias\": its shape is [17], expected [18]");
  }

  TEST_CASE("a tensor that is missing, too many, of another shape or not finite is named") {
    Transformer model = random_model(fullest());
    const TensorsByName good = to_pytorch(model);
    REQUIRE(refusal(good, 2, NormPlacement::pre) == "");
    for (const auto& named : good) {
      const std::string& name = named.first;
      CAPTURE(name);
      TensorsByName tensors = good;
      tensors.erase(name);
      // Without its first embedding a model may be tied or untied.
      const bool first = name == "source_embedding.weight";
      const std::string quoted = "tensor \"" + name + "\"";
      CHECK(contains(refusal(tensors, 2, NormPlacement::pre),
                     (first ? "tensor \"embedding.weight\"" : quoted + " is missing, expected [")));

      tensors = good;
      tensors[name] = Tensor::zeros({2, 1, 3});
      CHECK(contains(refusal(tensors, 2, NormPlacement::pre),
                     (quoted + ": its shape is [2, 1, 3], expected [")));

      tensors = good;
      tensors[name][3] = std::numeric_limits<Real>::quiet_NaN();
      CHECK(refusal(tensors, 2, NormPlacement::pre) ==
            quoted + " holds numbers that are not finite");

      tensors = good;
      tensors[name + "\n"] = named.second;
      CHECK(contains(refusal(tensors, 2, NormPlacement::pre),
                     "tensor \"" + name + "\\n\" of shape " + to_string(named.second.shape()) +
                         " belongs to no part of the model; "));
    }
  }

  TEST_CASE("a decoder-only model has a torch.nn.TransformerEncoder's names, and comes back") {
    for (SmallDecoderOnly small : small_decoder_only_models()) {
      if (small.config.loss_on_all) continue;  // tensors do not tell
      CAPTURE(small.name);
      static_cast<TransformerConfig&>(small.config) = torch_config(small.config);
      DecoderOnly model = random_model(small.config);
      const TensorsByName tensors = to_pytorch(model);
      const bool pre = small.config.norm == NormPlacement::pre;
      CHECK(tensors.size() == 2 * 12 + 1u + (pre ? 2 : 0) + (small.config.tie_embeddings ? 0 : 1) +
                                  (small.config.positions == Positions::learned ? 1 : 0));
      CHECK(tensors.at("layers.1.self_attn.in_proj_weight").shape() == Shape{18, 6});
      CHECK(tensors.at("layers.1.self_attn.in_proj_weight")(6 + 1, 4) ==
            model.decoder[1].self_attention.key.weight.value(4, 1));
      CHECK(tensors.at("layers.0.norm2.weight")[4] ==
            model.decoder[0].ffn_residual.norm.gamma.value[4]);
      CHECK(tensors.count("norm.bias") == (pre ? 1 : 0));
      CHECK(tensors.count("embedding.weight") == 1);

      const auto back = from_pytorch<DecoderOnly>(tensors, 2, small.config.norm);
      CHECK(to_settings(back->config()).at("positions") ==
            to_settings(small.config).at("positions"));
      CHECK(back->config().layers == 2);
      check_same_weights(*back, model);

      // Neither kind of file is taken for the other.
      const NormPlacement other = pre ? NormPlacement::post : NormPlacement::pre;
      CHECK_THROWS_AS(from_pytorch(tensors, 2, small.config.norm), Error);
      CHECK_ERROR(from_pytorch<DecoderOnly>(tensors, 2, other), Contains("tensor \"norm.weight\""));
    }
  }

  TEST_CASE("tied matrices that are there under all names are tied; others make a model untied") {
    Transformer model = random_model(torch_config(small_config()));
    TensorsByName tensors = to_pytorch(model);
    const Tensor embedding = tensors.at("embedding.weight");
    tensors["projection.weight"] = embedding;
    check_same_weights(*from_pytorch(tensors, 2, NormPlacement::post), model);
    for (const char* table : {"source_embedding.weight", "target_embedding.weight"}) {
      tensors[table] = embedding;
    }
    check_same_weights(*from_pytorch(tensors, 2, NormPlacement::post), model);
    tensors.erase("embedding.weight");
    check_same_weights(*from_pytorch(tensors, 2, NormPlacement::post), model);
    CHECK(from_pytorch(tensors, 2, NormPlacement::post, {{"tie_embeddings", "no"}})
              ->projection.weight.value(4, 3) == embedding(3, 4));

    TensorsByName untied = to_pytorch(model);
    untied["projection.weight"] = embedding;
    untied["projection.weight"][7] += 1;
    const auto made = from_pytorch(untied, 2, NormPlacement::post);
    CHECK_FALSE(made->config().tie_embeddings);
    CHECK(made->source_embedding.weight.value(3, 4) == embedding(3, 4));
    CHECK(made->target_embedding.weight.value(3, 4) == embedding(3, 4));

    for (SmallDecoderOnly small : small_decoder_only_models()) {
      if (!small.config.tie_embeddings || small.config.loss_on_all) continue;
      static_cast<TransformerConfig&>(small.config) = torch_config(small.config);
      DecoderOnly one = random_model(small.config);
      TensorsByName twice = to_pytorch(one);
      twice["projection.weight"] = twice.at("embedding.weight");
      check_same_weights(*from_pytorch<DecoderOnly>(twice, 2, small.config.norm), one);
    }
  }

  TEST_CASE("a prefix that all names share is left out") {
    Transformer model = random_model(torch_config(small_config()));
    for (const std::string prefix : {"module.", "_orig_mod.", "module._orig_mod."}) {
      TensorsByName tensors;
      for (const auto& [name, tensor] : to_pytorch(model)) tensors[prefix + name] = tensor;
      check_same_weights(*from_pytorch(tensors, 2, NormPlacement::post), model);
    }
  }

  TEST_CASE("sinusoids that other programs keep are left out, other buffers are named") {
    Transformer model = random_model(torch_config(small_config()));
    TensorsByName tensors = to_pytorch(model);
    for (const Shape& shape : {Shape{5000, 1, 6}, Shape{1, 7, 6}, Shape{3, 6}}) {
      Tensor& buffer = tensors["positions." + to_string(shape)] = Tensor::zeros(shape);
      for (Index i = 0; i < buffer.elements(); ++i) {  // in float, as PyTorch's tutorial does
        const float position = static_cast<float>(i / 6),
                    column = static_cast<float>(i % 6 / 2 * 2);
        const float angle = position * std::exp(column * (-std::log(10000.0f) / 6));
        buffer[i] = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
    }
    check_same_weights(*from_pytorch(tensors, 2, NormPlacement::post), model);
    tensors.at("positions.[3, 6]")[9] += Real(0.01);
    tensors["mask"] = Tensor::zeros({4, 4});
    CHECK(refusal(tensors, 2, NormPlacement::post) ==
          "tensor \"mask\" of shape [4, 4], tensor \"positions.[3, 6]\" of shape [3, 6] belongs to "
          "no part of the model; what is a buffer in PyTorch, remove from the file");
  }

  TEST_CASE("tensors that make no model are refused for what is wrong") {
    Transformer model = random_model(torch_config(small_config()));
    const TensorsByName good = to_pytorch(model);
    const auto refused = [&](const char* name, const Tensor& tensor) {
      TensorsByName tensors = good;
      tensors[name] = tensor;
      return refusal(tensors, 2, NormPlacement::post);
    };
    CHECK(refusal(good, 4, NormPlacement::post) ==
          "a d_model of 6 (tensor \"embedding.weight\") cannot be shared out among 4 heads");
    CHECK(refusal(good, 2, NormPlacement::pre) ==
          "tensor \"encoder.norm.weight\" is missing, expected [d_model]: is this a post-norm "
          "model?");
    CHECK(contains(refused("decoder.norm.weight", Tensor::zeros({6})),
                   "tensor \"decoder.norm.weight\" normalises the output of a stack"));
    CHECK(refused("decoder.layers.2.linear1.weight", Tensor::zeros({7, 6})) ==
          "the encoder has 2 layers and the decoder 3; here both have the same number");
    CHECK(refused("encoder.layers.0.linear1.weight", Tensor::zeros({6, 7})) ==
          "tensor \"encoder.layers.0.linear1.weight\": its shape is [6, 7], expected [d_ff, "
          "d_model] with d_model 6");
    CHECK(refused("embedding.weight", Tensor::zeros({11})) ==
          "tensor \"embedding.weight\": its shape is [11], expected [vocabulary, d_model]");
    CHECK(contains(refused("embedding.weight", Tensor::zeros({2, 6})), "3 special tokens"));
    CHECK(contains(refused("embedding.weight", Tensor::zeros({11, 0})), "d_model must be 1 to"));
    CHECK(refused("target_positions.weight", Tensor::zeros({8, 6})) ==
          "tensor \"source_positions.weight\" is missing, expected [positions, d_model]");
    CHECK(contains(refusal({}, 2, NormPlacement::post), "tensor \"embedding.weight\" is missing"));
    TensorsByName embedding_only = {{"embedding.weight", Tensor::zeros({11, 6})}};
    CHECK(refusal(embedding_only, 2, NormPlacement::post) ==
          "tensor \"encoder.layers.0.linear1.weight\" is missing, expected [d_ff, d_model]");
  }

  TEST_CASE("no memory is taken for weights that are not there") {
    // Together these would be 4 attention matrices of 65536², 64 GB, and more.
    TensorsByName tensors = {{"embedding.weight", Tensor::zeros({3, 65536})},
                             {"encoder.layers.0.linear1.weight", Tensor::zeros({1, 65536})}};
    CHECK(contains(refusal(tensors, 2, NormPlacement::post),
                   "a model of 1 layer, d_model 65536 and d_ff 1 has "));
  }

  TEST_CASE("a model with positions that torch.nn does not have is not exported") {
    for (const SmallModel& small : position_models()) {
      Transformer model = random_model(torch_config(small.config));
      const std::string kind = model.facts.settings.at("positions");
      CHECK_ERROR(to_pytorch(model),
                  ("torch.nn has sinusoidal or learned positions added to what it reads; "
                   "this model was made with --positions " +
                   kind)
                      .c_str());
    }
  }

  TEST_CASE("a model whose d_k or d_v is not d_model/h is not exported") {
    for (const bool k : {false, true}) {
      TransformerConfig config = torch_config(small_config());
      (k ? config.d_k : config.d_v) = 4;
      Transformer model(config);
      CHECK_ERROR(to_pytorch(model), Contains("d_k or d_v other than d_model/h"));
    }
  }

  TEST_CASE("ids as words: every id that is not special is its own word") {
    const Tokenizer ids = ids_as_words(12);
    CHECK(ids.size() == 12);
    CHECK(ids.token(2) == "<eos>");
    for (int id = kSpecialTokens; id < 12; ++id) CHECK(ids.token(id) == std::to_string(id));
    CHECK(ids.encode("11 3 12 2") == std::vector<int>{11, 3, kUnknown, kUnknown});
    CHECK(ids_as_words(3).size() == 3);
  }
}

TEST_SUITE("PyTorch's files") {
  TEST_CASE("metadata tell what tensors cannot; files of other programs have none") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("f");
    Transformer model = random_model(torch_config(small_config()));
    const TensorsByName pytorch = to_pytorch(model);
    std::vector<NamedTensor> tensors;
    for (const auto& [name, tensor] : pytorch) tensors.push_back({name, &tensor});
    write_safetensors(path, tensors, {{"config.norm", "pre"}});
    TensorFile file = read_safetensors(path);
    CHECK(thrown_by([&] { take_pytorch(file, path, 2, NormPlacement::post); }) ==
          path + ": it was exported with --norm pre, not post");
    write_safetensors(path, tensors);
    file = read_safetensors(path);
    CHECK(take_pytorch(file, path, 3, NormPlacement::post)->config().heads == 3);
    write_pytorch(path, model);
    file = read_safetensors(path);
    CHECK(file.metadata.at("format") == "pt");
    CHECK(to_settings(take_pytorch(file, path, 2, model.config().norm)->config()) ==
          to_settings(model.config()));
  }
}
