// The number of weights, and an estimate of memory.
#include "lab/predecessors/recurrent_config.h"

namespace attn {

Index parameter_count(const RecurrentConfig& c) {
  using A = RecurrentAttention;
  const double n = to_double(c.d_model), d_z = to_double(c.d_encoded());
  const double gates = to_double(gates_of(c.cell)) * n, more = to_double(c.layers - 1);
  const auto cell = [&](double d_in) {
    return gates * (d_in + 1 + n) + (c.cell == Cell::gru ? gates : 0);
  };
  const double embeddings =
      c.tie_embeddings ? to_double(c.source_vocabulary) * n
                       : (to_double(c.source_vocabulary) + 2 * to_double(c.target_vocabulary)) * n;
  double encoder = cell(n) + more * cell(n), decoder = encoder;
  if (c.bidirectional()) {
    encoder = 2 * (cell(n) + more * cell(d_z)) + to_double(c.layers) * (n * n + n);
    decoder += d_z * gates;
  }
  if (c.attention != A::none) decoder += n * n + d_z * n;  // the attentional layer
  if (c.attention == A::luong_general) decoder += n * n;
  if (c.attention == A::bahdanau || c.attention == A::luong_concat) decoder += n * n + d_z * n + n;
  return weight_count(embeddings + encoder + decoder);
}

ModelFacts facts_of(const RecurrentConfig& c) {
  ModelFacts facts = basic_facts(c);
  // A layer keeps what it reads, its gates, and up to four states; in both directions, or with a
  // context and a query. Its gradients are about as much again, of one layer.
  const double n = to_double(c.d_model), gates = to_double(gates_of(c.cell)) * n;
  const double layer = to_double(c.d_encoded()) + gates + 4 * n;
  const double twice = c.bidirectional() ? 2 : 1;
  const double layers = (twice * to_double(c.layers) + to_double(c.layers)) * layer;
  const double gradients = 3 * twice * layer + 6 * n, attention = 6 * n;
  facts.kept_per_token = layers + gradients + attention;
  facts.kept_per_pair = 2;
  return facts;
}

void check(const RecurrentConfig& c) {
  check_settings(c);
  check_tied(c.tie_embeddings, c.source_vocabulary, c.target_vocabulary);
  parameter_count(c);
}

}  // namespace attn
