// "encoder.0.self_attention_norm" → "Encoder, layer 0, self-attention, Add & Norm"
#include "trace/headings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "base/number.h"
#include "base/printing.h"
#include "text/lines.h"

namespace attn {

namespace {

std::string at_or_empty(const std::map<std::string, std::string>& words, const std::string& key) {
  const auto found = words.find(key);
  return found == words.end() ? "" : found->second;
}

// A part in words: "feed_forward_norm" is "feed-forward network, Add & Norm".
std::string words_for(const std::string& part) {
  static const std::map<std::string, std::string> words{
      {"self_attention", "self-attention"},
      {"cross_attention", "encoder–decoder attention"},
      {"feed_forward", "feed-forward network"},
      {"norm", "final norm"}};
  const std::string norm = "_norm";
  if (ends_with(part, norm)) {
    return words_for(part.substr(0, part.size() - norm.size())) + ", Add & Norm";
  }
  std::string result = at_or_empty(words, part);
  if (!result.empty()) return result;
  result = number_in<Index>(part) ? "layer " + part : part;
  std::replace(result.begin(), result.end(), '_', ' ');
  return result;
}

// The number after a part of a name; −1 if there is none.
Index number_after(const std::string& name, const char* part) {
  const std::vector<std::string> parts = split(name, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == part) return number_in<Index>(parts[i + 1]).value_or(-1);
  }
  return -1;
}

std::string stem_of(const std::string& file) {
  const std::size_t begin = file.rfind('/') + 1;
  return file.substr(begin, file.rfind('.') - begin);
}

}  // namespace

std::string heading_of(const std::string& part, bool backward) {
  if (part == "input") {
    return backward ? "Input: back to the embeddings" : "Input: from tokens to vectors";
  }
  if (part == "source") {
    return backward ? "Source: back to the embeddings" : "Source: from tokens to vectors";
  }
  if (part == "target") {
    return backward ? "Target: back to the embeddings"
                    : "Target: from tokens, shifted right, to vectors";
  }
  if (part.empty() || part == "output") {
    return backward ? "Output: the loss and the logits"
                    : "Output: a distribution over the vocabulary, and the loss";
  }
  std::string heading;
  for (const std::string& one : split(part.substr(0, part.find(".heads")), '.')) {
    heading += (heading.empty() ? "" : ", ") + words_for(one);
  }
  heading[0] = static_cast<char>(std::toupper(heading[0]));
  return heading;
}

std::string section_of(const std::string& file) {
  static const std::map<std::string, std::string> sections{
      {"attention", "§3.2.1, eq. (1)"},
      {"multi_head_attention", "§3.2.2"},
      {"linear", "§3.2.2"},
      {"feed_forward", "§3.3, eq. (2)"},
      {"embedding", "§3.4"},
      {"output_projection", "§3.4"},
      {"positional_encoding", "§3.5"},
      {"cross_entropy", "§5.4"},
      {"layer_norm", "§3.1"},
      {"residual", "§3.1"},
  };
  const std::string section = at_or_empty(sections, stem_of(file));
  if (!section.empty()) return section;
  return file.find("/predecessors/") == file.npos ? "§3.1" : "§2";
}

std::string function_of(const std::string& file, const std::string& function, bool backward) {
  // Of a template, the name alone; a function without one is inside of forward or backward.
  std::string own = function.substr(0, function.find('<'));
  if (own == "operator()") own = backward ? "backward" : "forward";
  if (own == "backward" && stem_of(file) == "output_projection") own = "loss_and_gradients";
  // What is computed in step is told in show_step.
  const std::string show = "show_";
  if (own.rfind(show, 0) == 0) own = own.substr(show.size());
  const bool is_member = !ends_with(own, "_forward") && !ends_with(own, "_backward") &&
                         own.find(stem_of(file)) == own.npos;
  if (!is_member) return own;
  std::string type;
  for (const std::string& word : split(stem_of(file), '_')) {
    type += static_cast<char>(std::toupper(word[0])) + word.substr(1);
  }
  return type + "::" + own;
}

std::string word_for(const std::string& symbol) {
  static const std::map<std::string, std::string> words{
      {"x", "ids"},
      {"y_shifted", "ids"},
      {"y", "ids"},
      {"Q", "queries"},
      {"K", "keys"},
      {"V", "values"},
      {"S", "scores"},
      {"A", "masked"},
      {"P", "weights"},
      {"O", "outputs"},
      {"p", "distribution"},
      {"q", "targets"},
      {"dQ", "queries"},
      {"dK", "keys"},
      {"dV", "values"},
      {"dS", "scores"},
      {"dA", "masked"},
      {"dP", "weights"},
      {"dO", "outputs"},
      {"α", "weights"},
      {"PE", "PE"},
      {"Concat", "Concat"},
      {"μ", "μ"},
      {"1/σ", "1/σ"},
      {"x̂", "x̂"},
  };
  return at_or_empty(words, symbol);
}

Index layer_of(const std::string& name) {
  return std::max(number_after(name, "encoder"), number_after(name, "decoder"));
}

Index head_of(const std::string& name) {
  return number_after(name, "heads");
}

}  // namespace attn
