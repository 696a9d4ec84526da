// What the engine can be asked for. Each takes a request whose fields were found to be among those
// of the operation, and adds its answer to `answer`, an object. Throws Error if it cannot, and has
// then changed nothing.
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

// A sentence for the encoder. Throws Error if it has no words, is not UTF-8 or is longer than the
// model can read. Of a language model: the beginning of a line, after the <eos> of the one before.
// Adds to the answer its tokens, and the words that the tokenizer does not know.
std::vector<int> source_of(const PlayModel& play, const Request& request, Json& answer);
// The tokens that were written so far.
std::vector<int> prefix_of(const PlayModel& play, const Request& request);

}  // namespace attn::web
