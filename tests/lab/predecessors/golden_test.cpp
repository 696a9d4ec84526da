// What PyTorch computed (tests/golden/make_convolution_golden.py), computed again.
//
// A tensor a passes against PyTorch's b if ‖a − b‖ ≤ tolerance · (‖b‖ + 1e-3 · ‖all gradients of
// its case together‖). The second term is for gradients that are truly 0: those of key biases.
#include <doctest/doctest.h>

#include "lab/models.h"
#include "lab/predecessors/convs2s.h"
#include "lab/predecessors/restricted_attention.h"
#include "lab/support/predecessors_logits.h"
#include "layers/layer_norm.h"
#include "storage/safetensors.h"
#include "support/gradient_check.h"
#include "support/pytorch_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr double kTolerance = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr double kZero = sizeof(Real) == 8 ? 1e-15 : 1e-6;
const Offsets kGoldenSentences = {0, 6, 7, 11};

struct NamedWindow {
  const char* name;
  Window window;
};
const NamedWindow kNamedWindows[] = {{"contiguous", {3, false}},
                                     {"causal", {4, true}},
                                     {"dilated", {3, false, 2}},
                                     {"causal_dilated", {3, true, 4}}};

// One case of the file.
class Golden {
 public:
  explicit Golden(std::string name) : name_(std::move(name)) {
    static const TensorFile file =
        read_safetensors(ATTENTION_SOURCE_DIR "/tests/golden/convolutions.safetensors");
    file_ = &file;
    for (const auto& [key, value] : file.tensors) {
      if (key.rfind(name_ + ".gradient.", 0) == 0) squares_ += sum_of_squares(value);
    }
  }

  const Tensor& operator[](const std::string& tensor) const {
    const auto found = file_->tensors.find(name_ + "." + tensor);
    REQUIRE_MESSAGE(found != file_->tensors.end(), tensor);
    return found->second;
  }

  // Gives a layer PyTorch's weights. Names and shapes must be the same; "layer." is left out.
  template <class Layer>
  void load(Layer& layer) const {
    layer.visit("layer", [&](const std::string& name, Parameter& p) { load(name.substr(6), p); });
  }
  void load(const std::string& name, Parameter& p) const {
    CAPTURE(name);
    REQUIRE((*this)[name].shape() == p.value.shape());
    p.value = (*this)[name];
    p.gradient = Tensor::zeros(p.value.shape());
  }

  template <class Layer>
  void check_gradients(Layer& layer) const {
    layer.visit("layer", [&](const std::string& name, Parameter& p) {
      check("gradient." + name.substr(6), p.gradient);
    });
  }
  void check(const std::string& tensor, const Tensor& ours) const {
    CAPTURE(name_);
    CAPTURE(tensor);
    if (tensor == "gradient.key.bias") {
      CHECK(std::sqrt(sum_of_squares(ours)) <= kZero * std::sqrt(squares_));
    } else {
      CHECK(relative_error(ours, (*this)[tensor]) <= kTolerance);
    }
  }

 private:
  const TensorFile* file_;
  std::string name_;
  double squares_ = 0;
};

const Pass kPass{DropoutMasks()};

// Output and gradients of a layer that keeps a cache.
template <class Layer>
void check_layer(const Golden& golden, Layer layer) {
  golden.load(layer);
  typename Layer::Cache cache;
  golden.check("y", layer.forward(golden["x"], kGoldenSentences, kPass, cache));
  golden.check("gradient.x", layer.backward(golden["dy"], golden["x"], kGoldenSentences, cache));
  golden.check_gradients(layer);
}

}  // namespace

TEST_SUITE("2 background: PyTorch's values") {
  TEST_CASE("convolutions agree with PyTorch's conv1d: outputs and all gradients") {
    for (const NamedWindow& one : kNamedWindows) {
      const Golden golden(one.name);
      Convolution layer(3, 5, one.window);
      golden.load(layer);
      golden.check("y", layer.forward(golden["x"], kGoldenSentences));
      golden.check("gradient.x", layer.backward(golden["dy"], golden["x"], kGoldenSentences));
      golden.check_gradients(layer);
    }
  }

  TEST_CASE("separable convolutions agree with PyTorch's two conv1d") {
    for (const NamedWindow& one : kNamedWindows) {
      const Golden golden(std::string("separable_") + one.name);
      check_layer(golden, SeparableConvolution(3, 5, one.window));
    }
  }

  TEST_CASE("gated linear units agree with PyTorch's") {
    const Golden golden("glu");
    golden.check("y", gated_linear_unit(golden["x"]));
    golden.check("gradient.x", gated_linear_unit_backward(golden["dy"], golden["x"]));
  }

  TEST_CASE("layer norm of the transposed matrix is PyTorch's batch norm: values and gradient") {
    const Golden golden("batch_norm");
    const Tensor &x = golden["x"], &gamma = golden["gamma"], &beta = golden["beta"];
    LayerNorm norm(x.rows());
    norm.gamma.gradient = norm.beta.gradient = Tensor::zeros({x.rows()});
    LayerNorm::Cache cache;
    Tensor y = transposed_copy(norm.forward(transposed_copy(x), kPass, cache));
    Tensor g = golden["dy"];
    for (Index i = 0; i < y.elements(); ++i) {
      y[i] = gamma[i % x.cols()] * y[i] + beta[i % x.cols()];
      g[i] *= gamma[i % x.cols()];
    }
    golden.check("y", y);
    golden.check("gradient.x", transposed_copy(norm.backward(transposed_copy(g), cache)));
  }

  TEST_CASE("restricted attention agrees with PyTorch's attention under a mask") {
    for (const NamedWindow& one : {NamedWindow{"centred", {3, false}}, {"causal", {4, true}}}) {
      const Golden golden(std::string("restricted_") + one.name);
      check_layer(golden, RestrictedAttention(one.window, MultiHeadAttention(6, 2, 3, 3, true, 0)));
    }
  }

  TEST_CASE("ConvS2S agrees with PyTorch's: logits, loss and every gradient") {
    const Golden golden("convs2s");
    ConvS2SConfig config;
    config.source_vocabulary = 11;
    config.target_vocabulary = 13;
    config.layers = 2;
    config.d_model = 6;
    config.encoder_kernel = 3;
    config.decoder_kernel = 2;
    config.dropout = 0;
    config.label_smoothing = 0.1;
    config.max_positions = 8;
    ConvS2S model(config);
    model.visit_parameters([&](const std::string& name, Parameter& p) { golden.load(name, p); });
    const Batch batch = small_batch();
    golden.check("logits", logits_of(model, batch));
    const double loss = model.loss_and_gradients(batch, kPass, 1).loss;
    golden.check("loss", tensor_of({1}, {loss}));
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      golden.check("gradient." + name, p.gradient);
    });
  }
}

// And what it computed for recurrent models (tests/golden/make_recurrent_golden.py).
TEST_SUITE("2 predecessors") {
  TEST_CASE("PyTorch's cells, and attention written with them: the same logits, loss, gradients") {
    for (const std::string name :
         {"rnn_none", "gru_none", "lstm_none", "rnn_bahdanau", "gru_bahdanau", "lstm_bahdanau",
          "rnn_luong_dot", "gru_luong_general", "lstm_luong_concat"}) {
      CAPTURE(name);
      const GoldenModel golden = read_golden("recurrent_" + name);
      const std::unique_ptr<SequenceModel> made = golden.model(plan_any_model);
      auto& model = dynamic_cast<RecurrentModel&>(*made);
      std::size_t weights = 0;
      read_parameters(model, [&](const std::string&, const Parameter&) { ++weights; });
      CHECK(golden.file.tensors.size() == 2 * weights + 2);

      CHECK(relative_error(logits_of(model, golden.batch), golden.tensor("logits")) <=
            (kDouble ? 1e-13 : 1e-5));
      check_gradients(golden, model);
    }
  }
}
