// The engine's operations. Each takes a request with no other fields than its own and adds its
// answer to the object `answer`. Throws Error if it cannot, and has then changed nothing.
#pragma once

#include "lab/web/engine.h"
#include "lab/web/request.h"

namespace attn::web {

using Run = void(Engine& engine, const Request& request, Json& answer);

Run make, step, validate;       // lesson.cpp: models that learn
Run load, weights, free_model;  // loading.cpp
Run translate, beam, decode;    // translation.cpp: what a model makes of a sentence, and how
Run attend;                     // attention_maps.cpp
Run trace, value, explain;      // tracing.cpp: every value of a pass

// The model that a request names. Throws Error if there is none.
PlayModel& model_of(Engine& engine, const Request& request);
// The same; throws Error for a language model as well.
PlayModel& pair_model_of(Engine& engine, const Request& request);

// Keeps a model, and adds to the answer its handle and what it is.
void add_model(Engine& engine, PlayModel play, Json& answer);

// A sentence for the encoder, or for a language model a line's beginning, after <eos>. Adds its
// tokens and unknown words to the answer. Throws Error if it is blank, not UTF-8 or too long.
std::vector<int> source_of(const PlayModel& play, const Request& request, Json& answer);
// The tokens that were written so far.
std::vector<int> prefix_of(const PlayModel& play, const Request& request);

}  // namespace attn::web
