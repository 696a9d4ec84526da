// A run's model where only a Transformer will do.
#pragma once

#include "model/transformer.h"
#include "training/trained_model.h"

namespace attn {

// As load_model, which here loads nothing else.
inline std::unique_ptr<Transformer> load_transformer(const std::string& path) {
  std::unique_ptr<SequenceModel> model = load_model(path);
  return std::unique_ptr<Transformer>(dynamic_cast<Transformer*>(model.release()));
}

}  // namespace attn
