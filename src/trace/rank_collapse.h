// Rank collapse (Dong et al. 2021): layer by layer attention mixes the tokens of a sentence, until
// their vectors are all the same, a matrix of rank 1. What attends to them then reads a bag of
// words (chapter 3.1).
#pragma once

#include <vector>

#include "model/sequence_model.h"
#include "tensor/matrix_view.h"
#include "tensor/packed.h"

namespace attn {

// The share of the squares of x [T, d] that is due to differences between the tokens of a sentence:
//     Σ_t |x_t − (mean of x over t's sentence)|² / Σ_t |x_t|²
// 0 if all tokens of a sentence have the same vector; near 1 if the vectors cancel out on average.
double token_variation(const ConstMatrixView& x, const Offsets& offsets);

// Values of the model and of its layers, none inside a sub-layer (layers/pass.h).
constexpr int kDepthOfLayers = 2;

// That of the encoder's input, of the output of each of its layers and last of its output z,
// without dropout; empty if the model is no Transformer.
std::vector<double> encoder_variations(const SequenceModel& model, const Batch& batch);

// Looks out for a collapse of the encoder's output. Of the runs that were measured, the healthy
// ones of up to four layers never had less than twice this variation.
constexpr double kCollapsed = 0.002;

struct CollapseWatch {
  bool collapsed = false;

  // Given the variation at a validation; true only the first time that it has collapsed.
  bool sees_collapse(double variation);
};

}  // namespace attn
