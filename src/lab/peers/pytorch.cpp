// One table of names, and one loop that copies parameters to their places in PyTorch's, or back.
#include "lab/peers/pytorch.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "storage/json.h"
#include "text/lines.h"

namespace attn {

namespace {

// Where a parameter is: in the whole tensor of that name, or in one of its three thirds.
struct Place {
  std::string name;
  bool transposed = false;
  Index third = 0, thirds = 1;
};

// The parts of a decoder layer. Without cross-attention, an encoder layer's norm3 is called norm2.
struct Rename {
  const char *here, *there;
  Index third = 0, thirds = 1;
};
constexpr Rename kRenames[] = {
    {"self_attention.query.", "self_attn.in_proj_", 0, 3},
    {"self_attention.key.", "self_attn.in_proj_", 1, 3},
    {"self_attention.value.", "self_attn.in_proj_", 2, 3},
    {"self_attention.output.", "self_attn.out_proj."},
    {"self_attention_norm.", "norm1."},
    {"cross_attention.query.", "multihead_attn.in_proj_", 0, 3},
    {"cross_attention.key.", "multihead_attn.in_proj_", 1, 3},
    {"cross_attention.value.", "multihead_attn.in_proj_", 2, 3},
    {"cross_attention.output.", "multihead_attn.out_proj."},
    {"cross_attention_norm.", "norm2."},
    {"feed_forward.inner.", "linear1."},
    {"feed_forward.outer.", "linear2."},
    {"feed_forward_norm.", "norm3."},
};

// "encoder.0.feed_forward.inner.bias" → "encoder.layers.0." + "linear1." + "bias"; of a model of
// one stack, without the name of the stack
Place place_of(const std::string& name, bool one_stack) {
  const std::string stack = name.substr(0, name.find('.')), whose = one_stack ? "" : stack + ".";
  if (stack != "encoder" && stack != "decoder") return {name, name == "projection.weight"};
  std::string last = name.substr(name.rfind('.') + 1);
  if (last == "gamma") last = "weight";
  if (last == "beta") last = "bias";
  if (name.compare(0, stack.size() + 6, stack + ".norm.") == 0) return {whose + "norm." + last};

  const std::size_t number = stack.size() + 1, part = name.find('.', number) + 1;
  const std::string layer = whose + "layers." + name.substr(number, part - number);
  for (const Rename& rename : kRenames) {
    const std::string here = rename.here;
    if (name.compare(part, here.size(), here) != 0) continue;
    const bool encoder_norm = (stack == "encoder" || one_stack) && here == "feed_forward_norm.";
    return {layer + (encoder_norm ? "norm2." : rename.there) + last, ends_with(name, ".weight"),
            rename.third, rename.thirds};
  }
  fail("the parameter ", name, " has no name in PyTorch");
}

// The shape of the tensor that a parameter is in, or is a third of.
Shape shape_of(const Place& place, const Shape& here) {
  Shape there = here;
  if (place.transposed) std::swap(there.size[0], there.size[1]);
  there.size[0] *= place.thirds;
  return there;
}

// Calls function(number here, the same number there) for each number of a parameter.
template <class Here, class There, class Function>
void for_each_number(const Place& place, Here& here, There& there, Function function) {
  const Index rows = here.rows(), cols = here.cols(), first = place.third * here.elements();
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      function(here.data()[i * cols + j],
               there.data()[first + (place.transposed ? j * rows + i : i * cols + j)]);
    }
  }
}

// Names from a file are quoted, so that they cannot disturb a terminal.
std::string quoted(const std::string& name) {
  return "tensor " + to_json(name);
}

const Tensor* find(const TensorsByName& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

// A tensor with two axes, which `expected` names, the last of `cols` entries, or any if cols is 0.
const Tensor& matrix(const TensorsByName& tensors, const std::string& name, const char* expected,
                     Index cols) {
  const Tensor* tensor = find(tensors, name);
  ATTN_CHECK(tensor != nullptr, quoted(name), " is missing, expected ", expected);
  ATTN_CHECK(tensor->shape().rank == 2 && (cols == 0 || tensor->cols() == cols), quoted(name),
             ": its shape is ", to_string(tensor->shape()), ", expected ", expected,
             cols == 0 ? "" : text(" with d_model ", cols));
  return *tensor;
}

// The number of layers 0, 1, … without a gap of which there is at least one tensor.
Index count_layers(const TensorsByName& tensors, const std::string& whose) {
  for (Index count = 0;; ++count) {
    const std::string layer = text(whose, "layers.", count, ".");
    const auto next = tensors.lower_bound(layer);
    if (next == tensors.end() || next->first.compare(0, layer.size(), layer) != 0) return count;
  }
}

// Names without a shared prefix: wrappers put "module." or "_orig_mod." in front of everything.
TensorsByName without_prefix(TensorsByName tensors) {
  while (tensors.size() > 1) {
    const std::string& first = tensors.begin()->first;
    const std::string prefix = first.substr(0, first.find('.') + 1);
    const auto has_prefix = [&](const auto& named) {
      return named.first.size() > prefix.size() &&
             named.first.compare(0, prefix.size(), prefix) == 0;
    };
    if (prefix.empty() || !std::all_of(tensors.begin(), tensors.end(), has_prefix)) break;
    TensorsByName shorter;
    for (auto& [name, tensor] : tensors) shorter[name.substr(prefix.size())] = std::move(tensor);
    tensors = std::move(shorter);
  }
  return tensors;
}

// Whether two tensors are there, one a copy of the other.
bool are_equal(const TensorsByName& tensors, const std::string& one, const std::string& other) {
  const Tensor *a = find(tensors, one), *b = find(tensors, other);
  return a != nullptr && b != nullptr && a->shape() == b->shape() &&
         std::equal(a->data(), a->data() + a->elements(), b->data());
}

// Tied matrices once, as `embedding.weight`: many programs store each of them under its own name. A
// projection that is another matrix makes the model an untied one.
void tie(TensorsByName& tensors, bool one_stack) {
  const std::string one = "embedding.weight", projection = "projection.weight";
  const std::vector<std::string> tables{"source_embedding.weight", "target_embedding.weight"};
  if (find(tensors, one) == nullptr && are_equal(tensors, tables[0], tables[1]) &&
      are_equal(tensors, tables[0], projection)) {
    tensors[one] = tensors.at(projection);
  }
  if (are_equal(tensors, one, projection)) tensors.erase(projection);
  for (const std::string& table : tables) {
    if (are_equal(tensors, one, table)) tensors.erase(table);
  }
  if (one_stack || find(tensors, one) == nullptr || find(tensors, projection) == nullptr) return;
  for (const std::string& table : tables) tensors.emplace(table, tensors.at(one));
  tensors.erase(one);
}

// Whether these are the sinusoids that are added to what a model reads, in any number of rows, as
// many programs keep them. (Theirs are computed in float: at large positions angles are inexact.)
bool is_sinusoidal(const Tensor& tensor, Index d_model) {
  const Index rows = tensor.elements() / d_model;
  if (tensor.shape().size[tensor.shape().rank - 1] != d_model || rows == 0) return false;
  std::vector<Real> row(d_model);
  for (Index i = 0; i < rows; ++i) {
    sinusoidal_encoding(i, d_model, row.data());
    const auto near = [](Real a, Real b) { return std::abs(a - b) < Real(2e-3); };
    if (!std::equal(row.begin(), row.end(), tensor.data() + i * d_model, near)) return false;
  }
  return true;
}

// The bias that PyTorch has with an attention's weight; empty for other tensors.
std::string attention_bias_with(const std::string& name) {
  const std::string end = "weight";
  if (!ends_with(name, ".in_proj_weight") && !ends_with(name, ".out_proj.weight")) return "";
  return name.substr(0, name.size() - end.size()) + "bias";
}

bool has_attention_biases(const TensorsByName& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& named) {
    const auto& [name, x] = named;
    return (ends_with(name, ".in_proj_bias") || ends_with(name, ".out_proj.bias")) &&
           std::any_of(x.data(), x.data() + x.elements(), [](Real value) { return value != 0; });
  });
}

// The configuration, as far as names and shapes determine it.
TransformerConfig config_of(const TensorsByName& tensors, Index heads, NormPlacement norm,
                            bool one_stack) {
  TransformerConfig config;
  config.tie_embeddings = one_stack ? find(tensors, "projection.weight") == nullptr
                                    : find(tensors, "embedding.weight") != nullptr;
  const bool two_tables = !one_stack && !config.tie_embeddings;
  ATTN_CHECK(!two_tables || find(tensors, "source_embedding.weight") != nullptr,
             quoted("embedding.weight"),
             " is missing, expected [vocabulary, d_model] (or, untied, ",
             "source_embedding.weight, target_embedding.weight and projection.weight)");
  const std::string source = two_tables ? "source_embedding.weight" : "embedding.weight";
  const Tensor& embedding = matrix(tensors, source, "[vocabulary, d_model]", 0);
  config.source_vocabulary = config.target_vocabulary = embedding.rows();
  config.d_model = embedding.cols();
  if (two_tables) {
    config.target_vocabulary =
        matrix(tensors, "target_embedding.weight", "[vocabulary, d_model]", config.d_model).rows();
  }
  const std::string positions = one_stack ? "positions.weight" : "source_positions.weight";
  if (find(tensors, positions) != nullptr ||
      (!one_stack && find(tensors, "target_positions.weight") != nullptr)) {
    config.positions = Positions::learned;
    config.max_positions =
        matrix(tensors, positions, "[positions, d_model]", config.d_model).rows();
  }

  const std::string whose = one_stack ? "" : "encoder.";
  config.layers = count_layers(tensors, whose);
  const Index decoder_layers = one_stack ? config.layers : count_layers(tensors, "decoder.");
  ATTN_CHECK(config.layers == decoder_layers || config.layers * decoder_layers == 0,
             "the encoder has ", config.layers, " layers and the decoder ", decoder_layers,
             "; here both have the same number");
  config.d_ff =
      matrix(tensors, whose + "layers.0.linear1.weight", "[d_ff, d_model]", config.d_model).rows();
  ATTN_CHECK(heads >= 1 && config.d_model % heads == 0, "a d_model of ", config.d_model, " (",
             quoted(source), ") cannot be shared out among ", heads, " heads");
  config.heads = heads;
  set_head_sizes(config);
  config.norm = norm;
  config.attention_bias = has_attention_biases(tensors);
  return config;
}

// Of all tensors, only a norm after the stack distinguishes pre-norm from post-norm.
void check_final_norms(const TensorsByName& tensors, NormPlacement norm, bool one_stack) {
  for (const char* name : {"norm.weight", "encoder.norm.weight", "decoder.norm.weight"}) {
    if ((std::string(name) == "norm.weight") != one_stack) continue;
    const bool there = find(tensors, name) != nullptr;
    ATTN_CHECK(there || norm == NormPlacement::post, quoted(name),
               " is missing, expected [d_model]", ": is this a post-norm model?");
    ATTN_CHECK(!there || norm == NormPlacement::pre, quoted(name),
               " normalises the output of a stack, which only pre-norm models do here: is this a "
               "pre-norm model? (torch.nn.Transformer always has these norms; make post-norm "
               "models of TransformerEncoder and TransformerDecoder with norm=None)");
  }
}

}  // namespace

TensorsByName to_pytorch(SequenceModel& model) {
  const auto* const transformer = dynamic_cast<Transformer*>(&model);
  const auto* const decoder_only = dynamic_cast<DecoderOnly*>(&model);
  ATTN_CHECK(transformer != nullptr || decoder_only != nullptr,
             "torch.nn has no layers for the architecture ",
             model.facts.settings.at("architecture"));
  const bool one_stack = decoder_only != nullptr;
  const TransformerConfig& config = one_stack ? decoder_only->config() : transformer->config();
  ATTN_CHECK(
      config.d_k * config.heads == config.d_model && config.d_v * config.heads == config.d_model,
      "torch.nn has no attention with d_k or d_v other than d_model/h: this model has a ",
      "d_model of ", config.d_model, ", ", config.heads, " heads, a d_k of ", config.d_k,
      " and a d_v of ", config.d_v);
  ATTN_CHECK(
      config.positions == Positions::sinusoidal || config.positions == Positions::learned,
      "torch.nn has sinusoidal or learned positions added to what it reads; this model was made ",
      "with --positions ", model.facts.settings.at("positions"));
  TensorsByName tensors;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    const Place place = place_of(name, one_stack);
    Tensor& there = tensors[place.name];
    if (there.empty()) there = Tensor::zeros(shape_of(place, p.value.shape()));
    for_each_number(place, p.value, there, [](Real from, Real& to) { to = from; });
    const std::string bias = attention_bias_with(place.name);
    if (!config.attention_bias && !bias.empty()) tensors[bias] = Tensor::zeros({there.rows()});
  });
  return tensors;
}

template <class Model>
std::unique_ptr<Model> from_pytorch(TensorsByName tensors, Index heads, NormPlacement norm,
                                    const Settings& said) {
  constexpr bool one_stack = std::is_same_v<Model, DecoderOnly>;
  tensors = without_prefix(std::move(tensors));
  const auto tied = said.find("tie_embeddings");
  if (tied == said.end() || tied->second != "no") tie(tensors, one_stack);
  using Config = std::conditional_t<one_stack, DecoderOnlyConfig, TransformerConfig>;
  Config config{config_of(tensors, heads, norm, one_stack)};
  for (const auto& [name, value] : said) set(config, name, value);
  check(config);
  check_final_norms(tensors, norm, one_stack);
  // A damaged size must not take memory for weights that are not in the file. (If only some are
  // missing, they are named below.)
  Index stored = 0;
  for (const auto& [name, tensor] : tensors) stored += tensor.elements();
  ATTN_CHECK(parameter_count(config) <= 2 * stored + 1000, "a model of ",
             counted(config.layers, "layer"), ", d_model ", config.d_model, " and d_ff ",
             config.d_ff, " has ", parameter_count(config), " weights, but here are ", stored,
             " numbers");

  // Take what the model has, and zeros where it has no attention biases; nothing may be left.
  auto model = std::make_unique<Model>(config);
  std::set<std::string> left;
  for (const auto& [name, tensor] : tensors) left.insert(name);
  const auto take = [&](const std::string& name, const Shape& shape) -> const Tensor& {
    const Tensor* tensor = find(tensors, name);
    ATTN_CHECK(tensor != nullptr, quoted(name), " is missing, expected ", to_string(shape));
    ATTN_CHECK(tensor->shape() == shape, quoted(name), ": its shape is ",
               to_string(tensor->shape()), ", expected ", to_string(shape));
    ATTN_CHECK(is_finite(*tensor), quoted(name), " holds numbers that are not finite");
    left.erase(name);
    return *tensor;
  };
  model->visit_parameters([&](const std::string& name, Parameter& p) {
    const Place place = place_of(name, one_stack);
    const Shape shape = shape_of(place, p.value.shape());
    for_each_number(place, p.value, take(place.name, shape),
                    [](Real& to, Real from) { to = from; });
    const std::string bias = attention_bias_with(place.name);
    if (find(tensors, bias) != nullptr) take(bias, {shape.size[0]});
  });
  std::string unknown;
  for (const std::string& name : left) {
    const Tensor& tensor = tensors.at(name);
    const bool added = config.positions == Positions::sinusoidal;
    if (added && is_sinusoidal(tensor, config.d_model)) continue;
    unknown +=
        text(unknown.empty() ? "" : ", ", quoted(name), " of shape ", to_string(tensor.shape()));
  }
  ATTN_CHECK(unknown.empty(), unknown, " belongs to no part of the model; what is a buffer in ",
             "PyTorch, remove from the file");
  return model;
}

template std::unique_ptr<Transformer> from_pytorch(TensorsByName, Index, NormPlacement,
                                                   const Settings&);
template std::unique_ptr<DecoderOnly> from_pytorch(TensorsByName, Index, NormPlacement,
                                                   const Settings&);

Tokenizer ids_as_words(Index size) {
  Tokenizer vocabulary;
  for (Index id = kSpecialTokens; id < size; ++id) vocabulary.add(std::to_string(id), "ids");
  return vocabulary;
}

}  // namespace attn
