// The walkthrough's figures. Each is one function; main.cpp lists them and writes the files.
#pragma once

#include <string>

#include "app/drawing/chart.h"
#include "base/check.h"
#include "shapes.h"

namespace attn::walkthrough {

// Structure.
Svg figure_1();
Svg figure_2();
Svg masks();
Svg packed_batches();
Svg multi_head_blocks();
Svg attention_graph();
Svg shift_and_mask();
Svg key_value_cache();
Svg beam_search_tree();
Svg bleu_counted();
Svg recurrence();
Svg cells();
Svg what_waits();
Svg two_attentions();
Svg later_layer();
Svg tensor_memory();
Svg tensor_sizes();
Svg backward_chain();
Svg backward_fork();
Svg matmul_caches();
Svg diagnosis_tree();
Svg norm_placement();
Svg tied_embedding();
// Of walkthrough/grow, in the order of its steps.
Svg grow_mean();
Svg grow_attention();
Svg grow_positions();
Svg grow_labels();
Svg grow_wire();
Svg grow_feed_forward();
Svg grow_norm();
Svg grow_heads();
Svg grow_mask();
Svg grow_layers();
// Computed here.
Svg positional_encoding();
Svg position_dot_products();
Svg turning_clocks();
Svg residual_bus();
Svg residual_paths();
Svg rank_collapse();
Svg one_query();
Svg softmax_sharpness();
Svg softmax_backward_bars();
Svg softmax_scaling();
Svg layer_and_batch_norm();
Svg layer_norm_gradient();
Svg relu_hinges();
Svg feed_forward_gates();
Svg surprise();
Svg learning_rate();
Svg adam_moments();
Svg label_smoothing();
Svg table1_work();
// Drawn from the tables in the folder `measurements`.
Svg diagnosis_curves(const std::string& measurements);
Svg learning_curves(const std::string& measurements);
Svg attention_copy_reverse(const std::string& measurements);
Svg learning_maps(const std::string& measurements);
Svg finite_differences();
Svg recurrent_gradients(const std::string& measurements);
Svg matmul_rung(const std::string& measurements, int number);  // from 1 to 6
Svg dropout_curves(const std::string& measurements);
Svg step_time(const std::string& measurements);
Svg token_budget(const std::string& measurements);
Svg translation_log(const std::string& measurements);
Svg grow_stairs(const std::string& measurements);
Svg query_gradients();

// Computed with the trained model next to it, data/phrasebook.
Svg attention_translation(const std::string& measurements);
Svg attention_article(const std::string& measurements);
Svg attention_heads(const std::string& measurements);
Svg decoding_loop(const std::string& measurements);
Svg attention_three_uses(const std::string& measurements);
Svg phrasebook_heads(const std::string& measurements);

}  // namespace attn::walkthrough
