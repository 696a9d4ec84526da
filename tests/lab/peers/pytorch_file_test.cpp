#include "lab/peers/pytorch.h"

#include <doctest/doctest.h>

#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "support/small_models.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace attn::test;

namespace {

std::string error_of(const std::string& path, Index heads, NormPlacement norm) {
  return test::thrown_by([&] { read_pytorch(path, heads, norm); });
}

bool begins(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

}  // namespace

TEST_SUITE("PyTorch's files") {
  TEST_CASE("a model that was written and read computes the same") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("f");
    Transformer model = random_model(torch_config(small_config()));
    write_pytorch(path, model);
    const auto read = read_pytorch(path, 2, NormPlacement::post);
    const Tensor a = model.logits(small_batch()), b = read->logits(small_batch());
    REQUIRE(a.shape() == b.shape());
    // Files hold float32.
    for (Index i = 0; i < a.elements(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-5));
  }

  TEST_CASE("metadata tell what tensors cannot, and are compared with what the reader says") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("f");
    Transformer model = random_model(torch_config(small_config()));
    write_pytorch(path, model);
    CHECK(read_safetensors(path).metadata.at("format") == "pt");
    CHECK(error_of(path, 3, NormPlacement::post) ==
          path + ": it was exported with --heads 2, not 3");
    CHECK(begins(error_of(path, 2, NormPlacement::pre),
                 path + ": tensor \"encoder.norm.weight\" is missing"));

    // Other programs' files say nothing of it.
    const TensorFile file = read_safetensors(path);
    std::vector<NamedTensor> tensors;
    for (const auto& [name, tensor] : file.tensors) tensors.push_back({name, &tensor});
    write_safetensors(path, tensors);
    CHECK(read_pytorch(path, 3, NormPlacement::post)->config().heads == 3);
  }

  TEST_CASE("the norm placement that the metadata speak of is compared as well") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("f");
    Transformer model = random_model(torch_config(small_config()));
    const TensorsByName pytorch = to_pytorch(model);
    std::vector<NamedTensor> tensors;
    for (const auto& [name, tensor] : pytorch) tensors.push_back({name, &tensor});
    write_safetensors(path, tensors, {{"config.norm", "pre"}});
    CHECK(error_of(path, 2, NormPlacement::post) ==
          path + ": it was exported with --norm pre, not post");
  }

  TEST_CASE("a file that cannot be read or is no model is named") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("f");
    CHECK(error_of(path, 2, NormPlacement::post).find(path) != std::string::npos);
    const Tensor one = Tensor::zeros({1});
    write_safetensors(path, {{"x", &one}});
    CHECK(begins(error_of(path, 2, NormPlacement::post), path + ": tensor \"embedding.weight\""));
  }
}
