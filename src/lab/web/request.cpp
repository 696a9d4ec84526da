// A field is looked up by its name, and a message about it begins with that name.
#include "lab/web/request.h"

#include <algorithm>

#include "base/check.h"
#include "base/number.h"

namespace attn::web {

Request::Request(const Json& object, const std::vector<std::string>& fields) : object_(object) {
  for (const Json::Member& member : object.members()) {
    const bool known = std::find(fields.begin(), fields.end(), member.key) != fields.end();
    ATTN_CHECK(known, "unknown field ", to_json(member.key), "; there are: ", comma_list(fields));
  }
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

Index Request::whole_or(const std::string& name, Index otherwise, Index least, Index most) const {
  return has(name) ? whole(name, least, most) : otherwise;
}

double Request::number_or(const std::string& name, double otherwise, double least,
                          double most) const {
  if (!has(name)) return otherwise;
  const Json& value = field(name);
  ATTN_CHECK(
      value.type() == Json::Type::number && value.number() >= least && value.number() <= most, name,
      " must be a number from ", shortest(least), " to ", shortest(most), ", not ", to_json(value));
  return value.number();
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
    const auto found = std::find(std::begin(kAttentionKinds), std::end(kAttentionKinds), kind);
    ATTN_CHECK(found != std::end(kAttentionKinds), name,
               ": kind must be encoder, decoder, cross or sequence, not ", to_json(kind));
    heads.push_back({static_cast<Attends>(found - kAttentionKinds), head.whole("layer", 0, 1 << 20),
                     head.whole("head", 0, 1 << 20)});
  }
  return heads;
}

Json tokens_json(const Tokenizer& tokenizer, const std::vector<int>& ids) {
  Json tokens = Json::array();
  for (const int id : ids) tokens.add(tokenizer.token(id));
  return tokens;
}

}  // namespace attn::web
