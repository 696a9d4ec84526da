// Table 3 of the paper: variations of the base model (§6.2).
#pragma once

#include <string>
#include <vector>

#include "model/config.h"

namespace attn {

// A row of Table 3: its label, its configuration (vocabularies unset), and the count that the paper
// prints for it, in millions; 0 where it leaves the cell blank, meaning "as base".
struct Table3Row {
  std::string label;
  TransformerConfig config;
  int millions;
};

template <class Change>
TransformerConfig varied(const Change& change) {
  TransformerConfig config;
  change(config);
  return config;
}

// d_k = d_v = d_model/h
inline TransformerConfig with_heads(Index heads) {
  return varied([=](TransformerConfig& c) {
    c.heads = heads;
    c.d_k = c.d_v = c.d_model / heads;
  });
}

inline TransformerConfig with_d_model(Index d_model) {
  return varied([=](TransformerConfig& c) {
    c.d_model = d_model;
    c.d_k = c.d_v = d_model / c.heads;
  });
}

inline std::vector<Table3Row> table3_rows() {
  return {
      {"base", TransformerConfig(), 65},
      {"A h=1", with_heads(1), 0},
      {"A h=4", with_heads(4), 0},
      {"A h=16", with_heads(16), 0},
      {"A h=32", with_heads(32), 0},
      {"B d_k=16", varied([](TransformerConfig& c) { c.d_k = 16; }), 58},
      {"B d_k=32", varied([](TransformerConfig& c) { c.d_k = 32; }), 60},
      {"C N=2", varied([](TransformerConfig& c) { c.layers = 2; }), 36},
      {"C N=4", varied([](TransformerConfig& c) { c.layers = 4; }), 50},
      {"C N=8", varied([](TransformerConfig& c) { c.layers = 8; }), 80},
      {"C d_model=256", with_d_model(256), 28},
      {"C d_model=1024", with_d_model(1024), 168},
      {"C d_ff=1024", varied([](TransformerConfig& c) { c.d_ff = 1024; }), 53},
      {"C d_ff=4096", varied([](TransformerConfig& c) { c.d_ff = 4096; }), 90},
      {"D dropout=0.0", varied([](TransformerConfig& c) { c.dropout = 0; }), 0},
      {"D dropout=0.2", varied([](TransformerConfig& c) { c.dropout = 0.2; }), 0},
      {"D smoothing=0.0", varied([](TransformerConfig& c) { c.label_smoothing = 0; }), 0},
      {"D smoothing=0.2", varied([](TransformerConfig& c) { c.label_smoothing = 0.2; }), 0},
      {"E learned positions",
       varied([](TransformerConfig& c) { c.positions = Positions::learned; }), 0},
      {"big", preset("big"), 213},
  };
}

}  // namespace attn
