// "encoder.0.self_attention_norm.sum" → "Encoder, layer 0, self attention norm"
#include "trace/names.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/number.h"
#include "text/lines.h"
#include "trace/table.h"

namespace attn {

namespace {

// The number after a part of a name; −1 if there is none.
Index number_after(const std::string& name, const char* part) {
  const std::vector<std::string> parts = split(name, '.');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == part) return number_in<Index>(parts[i + 1]).value_or(-1);
  }
  return -1;
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
  const char* const encoder[] = {"encoder", "source", "source_positions", "x", "e", "z",
                                 "de",      "dz"};
  return std::count(std::begin(encoder), std::end(encoder), first) > 0 ? "encoder" : "decoder";
}

std::string sublayer_of(const std::string& name) {
  const std::vector<std::string> parts = split(name, '.');
  return parts.size() < 4 ? "" : parts[2].substr(0, parts[2].find("_norm"));
}

bool is_of_source(const std::string& name) {
  if (stack_of(name) == "encoder") return true;
  const bool of_keys = fits("K|V|dK|dV|K_0|dK_0|dz_K|dz_V", name);
  return of_keys && sublayer_of(name) == "cross_attention";
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
  if (fits("z|h", name)) return "";
  if (name == "dz") return "The gradient of z, from all that read it";
  const std::string part = part_of(name);
  if (part == "source" || fits("x|e|de", name)) return "Source: tokens and vectors";
  if (part == "target" || fits("y_shifted|g|dg", name)) {
    return "Target, shifted right: tokens and vectors";
  }
  if (part.empty() || part == "output") return "Output: logits, distribution and loss";
  std::string heading;
  for (std::string one : split(part.substr(0, part.find(".heads")), '.')) {
    std::replace(one.begin(), one.end(), '_', ' ');
    heading += heading.empty() ? one : (number_in<Index>(one) ? ", layer " : ", ") + one;
  }
  heading[0] = static_cast<char>(std::toupper(heading[0]));
  return heading;
}

}  // namespace attn
