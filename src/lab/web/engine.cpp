// A request is one of the operations in this table; whatever one of them throws is its answer.
#include "lab/web/engine.h"

#include <cstdlib>
#include <exception>
#include <new>

#include "app/terminal/printing.h"
#include "base/check.h"
#include "base/utf8.h"
#include "lab/web/operations.h"
#include "text/lines.h"

namespace attn::web {

namespace {

struct PageOperation {
  const char* name;
  Run* run;
  const char* fields;
};

constexpr PageOperation kOperations[] = {
    {"make", make, "op task settings text"},
    {"step", step, "op model count learning_rate_scale dropout"},
    {"validate", validate, "op model limit"},
    {"load", load, "op model_file tokenizer_file builtin"},
    {"weights", weights, "op model"},
    {"free", free_model, "op model"},
    {"translate", translate, "op model source beam alpha off"},
    {"beam", beam, "op model source beam alpha off"},
    {"decode", decode, "op model source prefix temperature seed off"},
    {"attend", attend, "op model source target prefix off"},
    {"trace", trace, "op model source target"},
    {"value", value, "op model name"},
    {"explain", explain, "op model name row column"},
};

const PageOperation& find_operation(const std::string& name) {
  std::vector<std::string> names;
  for (const PageOperation& operation : kOperations) {
    if (operation.name == name) return operation;
    names.push_back(operation.name);
  }
  fail("there is no op ", to_json(name), suggestion(name, names));
}

// Sets `op` as soon as it is known.
Json answer_to(Engine& engine, std::string_view request, std::string& op) {
  const Json object = parse_json(request, "the request");
  ATTN_CHECK(object.type() == Json::Type::object, "a request is an object, not ",
             to_string(object.type()));
  const Json* name = object.find("op");
  ATTN_CHECK(name != nullptr && name->type() == Json::Type::string,
             "a request says in 'op' what it is for");
  op = name->string();
  const PageOperation& operation = find_operation(op);
  Json answer = Json::object({{"op", op}});
  operation.run(engine, Request(object, split(operation.fields, ' ')), answer);
  return answer;
}

}  // namespace

std::string Engine::call(std::string_view request) {
  std::string op, problem;
  try {
    return to_json(answer_to(*this, request, op));
  } catch (const std::bad_alloc&) {
    problem = "out of memory";
  } catch (const std::exception& error) {
    problem = error.what();
  }
  // A message may quote bytes of a damaged file.
  if (first_invalid_utf8(problem) != problem.size()) {
    for (char& c : problem) c = static_cast<unsigned char>(c) < 0x80 ? c : '?';
  }
  return to_json(Json::object({{"op", op}, {"error", problem}}));
}

PlayModel& model_of(Engine& engine, const Request& request) {
  const Index handle = request.whole("model", 1, 1 << 30);
  const auto found = engine.models.find(static_cast<int>(handle));
  ATTN_CHECK(found != engine.models.end(), "there is no model ", handle);
  return found->second;
}

PlayModel& pair_model_of(Engine& engine, const Request& request) {
  PlayModel& play = model_of(engine, request);
  ATTN_CHECK(play.context == 0, "this is a language model, which has no pairs of sentences");
  return play;
}

static Engine& the_engine() {
  static Engine engine;
  return engine;
}

}  // namespace attn::web

void* engine_allocate(int bytes) {
  return std::malloc(bytes);
}

void engine_release(void* memory) {
  std::free(memory);
}

int engine_file(const char* name, const void* bytes, int size) {
  try {
    attn::web::the_engine().files[name].assign(static_cast<const char*>(bytes),
                                               static_cast<std::size_t>(size));
    return 1;
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

const char* engine_call(const char* request) {
  static std::string answer;
  answer = attn::web::the_engine().call(request);
  return answer.c_str();
}
