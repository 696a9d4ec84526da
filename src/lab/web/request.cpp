#include "lab/web/request.h"

#include <algorithm>

#include "base/check.h"
#include "base/number.h"

namespace attn::web {

namespace {
constexpr Head::Kind kKinds[] = {Head::Kind::encoder, Head::Kind::decoder, Head::Kind::cross};
}

const char* to_string(Head::Kind kind) {
  return kind == Head::Kind::encoder   ? "encoder"
         : kind == Head::Kind::decoder ? "decoder"
                                       : "cross";
}

Request::Request(const Json& object, const std::vector<std::string>& fields) : object_(object) {
  for (const Json::Member& member : object.members()) {
    if (std::find(fields.begin(), fields.end(), member.key) != fields.end()) continue;
    std::string list;
    for (const std::string& field : fields) list += (list.empty() ? "" : ", ") + field;
    fail("unknown field ", to_json(member.key), "; there are: ", list);
  }
}

bool Request::has(const std::string& name) const {
  return object_.find(name) != nullptr;
}

const Json& Request::field(const std::string& name) const {
  const Json* value = object_.find(name);
  ATTN_CHECK(value != nullptr, "the field '", name, "' is missing");
  return *value;
}

std::string Request::text(const std::string& name) const {
  const Json& value = field(name);
  ATTN_CHECK(value.type() == Json::Type::string, name, " must be a string, not ",
             to_string(value.type()));
  return value.string();
}

Index Request::whole(const std::string& name, Index least, Index most) const {
  const Json& value = field(name);
  ATTN_CHECK(value.is_integer() && value.integer() >= least && value.integer() <= most, name,
             " must be a whole number from ", least, " to ", most, ", not ", to_json(value));
  return static_cast<Index>(value.integer());
}

double Request::number(const std::string& name, double least, double most) const {
  const Json& value = field(name);
  ATTN_CHECK(
      value.type() == Json::Type::number && value.number() >= least && value.number() <= most, name,
      " must be a number from ", shortest(least), " to ", shortest(most), ", not ", to_json(value));
  return value.number();
}

bool Request::flag(const std::string& name) const {
  const Json& value = field(name);
  ATTN_CHECK(value.type() == Json::Type::boolean, name, " must be true or false, not ",
             to_json(value));
  return value.boolean();
}

std::vector<Head> Request::heads(const std::string& name) const {
  std::vector<Head> heads;
  if (!has(name)) return heads;
  const Json& list = field(name);
  ATTN_CHECK(list.type() == Json::Type::array, name, " must be an array of heads");
  for (const Json& item : list.items()) {
    ATTN_CHECK(item.type() == Json::Type::object, name, ": a head is an object, not ",
               to_string(item.type()));
    const Request head(item, {"kind", "layer", "head"});
    const std::string kind = head.text("kind");
    const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                    [&](Head::Kind one) { return kind == to_string(one); });
    ATTN_CHECK(found != std::end(kKinds), name, ": kind must be encoder, decoder or cross, not ",
               to_json(kind));
    heads.push_back({*found, head.whole("layer", 0, 1 << 20), head.whole("head", 0, 1 << 20)});
  }
  return heads;
}

std::string setting_text(const std::string& name, const Json& value) {
  switch (value.type()) {
    case Json::Type::boolean:
      return value.boolean() ? "yes" : "no";
    case Json::Type::number:
      return to_json(value);
    case Json::Type::string:
      return value.string();
    default:
      fail(name, " must be a number, a word, true or false");
  }
}

Json tokens_json(const Tokenizer& tokenizer, const std::vector<int>& ids) {
  Json tokens = Json::array();
  for (const int id : ids) tokens.add(tokenizer.token(id));
  return tokens;
}

Json texts_json(const std::vector<std::string>& texts) {
  return Json::array({texts.begin(), texts.end()});
}

}  // namespace attn::web
