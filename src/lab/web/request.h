// The fields of a request, each checked for its type and range.
#pragma once

#include <string>
#include <vector>

#include "lab/web/play_model.h"
#include "storage/json.h"
#include "trace/trace_json.h"

namespace attn::web {

class Request {
 public:
  // Throws Error if a field of the object is not among `fields`.
  Request(const Json& object, const std::vector<std::string>& fields);

  bool has(const std::string& name) const { return object_.find(name) != nullptr; }
  // Each throws Error, naming the field, if it is missing, of another type or out of its range.
  const Json& field(const std::string& name) const;
  std::string text(const std::string& name) const;
  Index whole(const std::string& name, Index least, Index most) const;
  // The same of fields that may be missing.
  Index whole_or(const std::string& name, Index otherwise, Index least, Index most) const;
  double number_or(const std::string& name, double otherwise, double least, double most) const;
  // [{"kind": "encoder" | "decoder" | "cross" | "sequence", "layer": 0, "head": 0}, …], or none.
  std::vector<Head> heads(const std::string& name) const;

 private:
  const Json& object_;
};

Json tokens_json(const Tokenizer& tokenizer, const std::vector<int>& ids);

}  // namespace attn::web
