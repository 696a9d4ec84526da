// "encoder.0.self_attention_norm.sum" → "Encoder, layer 0, self-attention, Add & Norm"
#include "trace/names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "base/number.h"
#include "base/printing.h"
#include "text/lines.h"

namespace attn {

namespace {

const std::string kNorm = "_norm";

// The number after a part of a name; −1 if there is none.
Index number_after(const std::string& name, const char* part) {
  const std::vector<std::string> parts = split(name, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == part) return number_in<Index>(parts[i + 1]).value_or(-1);
  }
  return -1;
}

// A part in words: "feed_forward_norm" is "feed-forward network, Add & Norm".
std::string words_for(const std::string& part) {
  static const std::map<std::string, std::string> words{
      {"self_attention", "self-attention"},
      {"cross_attention", "encoder–decoder attention"},
      {"feed_forward", "feed-forward network"},
      {"norm", "final norm"}};
  if (ends_with(part, kNorm)) {
    return words_for(part.substr(0, part.size() - kNorm.size())) + ", Add & Norm";
  }
  const auto known = words.find(part);
  if (known != words.end()) return known->second;
  std::string result = number_in<Index>(part) ? "layer " + part : part;
  std::replace(result.begin(), result.end(), '_', ' ');
  return result;
}

}  // namespace

std::string part_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "" : name.substr(0, dot);
}

std::string last_of(const std::string& name) {
  return name.substr(name.rfind('.') + 1);
}

Index layer_of(const std::string& name) {
  return std::max(number_after(name, "encoder"), number_after(name, "decoder"));
}

Index head_of(const std::string& name) {
  return number_after(name, "heads");
}

std::string stack_of(const std::string& name) {
  const std::string first = name.substr(0, name.find('.'));
  const char* const encoder[] = {"encoder", "source", "source_positions", "x", "e", "z", "de", "dz"};
  return std::count(std::begin(encoder), std::end(encoder), first) > 0 ? "encoder" : "decoder";
}

std::string sublayer_of(const std::string& name) {
  std::vector<std::string> parts = split(name, '.');
  if (parts.size() > 2 && parts[1] == "norm") return "norm";
  if (parts.size() < 4) return "";
  std::string part = parts[2];
  if (ends_with(part, kNorm)) part.erase(part.size() - kNorm.size());
  return part;
}

std::string gradient_name(const std::string& name) {
  const std::string part = part_of(name);
  return part + (part.empty() ? "d" : ".d") + last_of(name);
}

bool is_gradient(const std::string& name) {
  const std::string last = last_of(name);
  return last.size() > 1 && last[0] == 'd';
}

std::string heading_of(const std::string& name) {
  const bool backward = is_gradient(name);
  std::string part = part_of(name.substr(0, name.find(".heads.") + 1));
  if (name.find(".heads.") == name.npos) part = part_of(name);
  if (part == "source" || name == "x" || name == "e" || name == "de") {
    return backward ? "Source: back to the embeddings" : "Source: from tokens to vectors";
  }
  if (part == "target" || name == "y_shifted" || name == "g" || name == "dg") {
    return backward ? "Target: back to the embeddings"
                    : "Target: from tokens, shifted right, to vectors";
  }
  if (name == "z" || name == "h") return "";
  if (name == "dz") return "The gradient of z, from all that read it";
  if (part.empty() || part == "output") {
    return backward ? "Output: the loss and the logits"
                    : "Output: a distribution over the vocabulary, and the loss";
  }
  std::string heading;
  for (const std::string& one : split(part, '.')) {
    heading += (heading.empty() ? "" : ", ") + words_for(one);
  }
  heading[0] = static_cast<char>(std::toupper(heading[0]));
  return heading;
}

}  // namespace attn
