// The library for a page: requests and answers in JSON, behind a C interface small enough to call
// from JavaScript. The page has one engine, and the engine keeps the models that it was asked for.
//
//     {"op": "make", "task": "copy", "settings": {"seed": 7}}    a fresh model that can learn
//     {"op": "load", "model_file": F, "tokenizer_file": F}       one that was trained before
//     {"op": "step", "model": 1, "count": 10}                    and what one does with it
//
// README.md beside this file lists every request with its answer.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lab/web/play_model.h"

namespace attn::web {

struct Engine {
  std::map<int, PlayModel> models;  // by handle
  int next_handle = 1;
  std::map<std::string, std::string> files;  // that the page has handed over, by name

  // The answer: an object with the request's "op", or {"op", "error"}. Throws nothing.
  std::string call(std::string_view request);
};

}  // namespace attn::web

extern "C" {
// Memory for what JavaScript hands over; null if there is none.
void* engine_allocate(int bytes);
void engine_release(void* memory);
// Keeps a copy of a file under a name, for load. Returns 0 if there is no memory for it, else 1.
int engine_file(const char* name, const void* bytes, int size);
// The answer to a request, which is valid until the next call.
const char* engine_call(const char* request);
}
