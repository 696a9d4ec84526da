#include "lab/phrasebook/phrases.h"

#include "base/check.h"

namespace attn::phrasebook {

namespace {

// Whether a French word begins with a vowel or with an h, which is mute in all words here.
bool begins_with_vowel(std::string_view french) {
  if (french.find_first_of("aeiouhAEIOUH") == 0) return true;
  for (const char* letter : {"é", "É", "œ"}) {
    if (french.substr(0, std::string_view(letter).size()) == letter) return true;
  }
  return false;
}

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string with_a_or_an(const std::string& english) {
  return (english.find_first_of("aeiouAEIOU") == 0 ? "an " : "a ") + english;
}

const char* by_gender(Gender gender, const char* masculine, const char* feminine) {
  return gender == Gender::masculine ? masculine : feminine;
}

}  // namespace

void Draft::meaning(const char* french, const char* english) {
  if (has_two_meanings(french)) meanings.push_back({french, english});
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ' ' + b;
}

Phrase joined(const Phrase& a, const Phrase& b) {
  return {joined(a.french, b.french), joined(a.english, b.english)};
}

std::string elided(std::string_view word, const std::string& next) {
  if (!begins_with_vowel(next)) return std::string(word) + ' ' + next;
  return std::string(word.substr(0, word.size() - 1)) + '\'' + next;
}

std::string contracted(std::string_view preposition, const std::string& next) {
  if (preposition != "de" && preposition != "à") {
    const bool ends_in_de = preposition == "près de";
    return ends_in_de ? "près " + contracted("de", next) : std::string(preposition) + ' ' + next;
  }
  const bool de = preposition == "de";
  if (begins_with(next, "le ")) return (de ? "du" : "au") + next.substr(2);
  if (begins_with(next, "les ")) return (de ? "des" : "aux") + next.substr(3);
  return de ? elided("de", next) : "à " + next;
}

namespace {

NounPhrase somebody(Gender gender) {
  NounPhrase phrase;
  phrase.gender = gender;
  phrase.kinds = gender == Gender::masculine ? man | fair_man : woman | fair_woman;
  phrase.kinds |= grown;
  phrase.may_own = true;
  return phrase;
}

}  // namespace

NounPhrase any_name(Draft& draft) {
  const unsigned all = (1u << names().size()) - 1;
  if (draft.names_used == all) draft.names_used = 0;
  std::uint64_t which = 0;
  do {
    which = draft.below(names().size());
  } while ((draft.names_used >> which & 1) != 0);
  draft.names_used |= 1u << which;
  NounPhrase phrase = somebody(names()[which].gender);
  phrase.french = phrase.english = names()[which].name;
  return phrase;
}

NounPhrase pronoun(Gender gender, bool plural) {
  NounPhrase phrase = somebody(gender);
  phrase.french = std::string(by_gender(gender, "il", "elle")) + (plural ? "s" : "");
  phrase.english = plural ? "they" : by_gender(gender, "he", "she");
  phrase.plural = plural;
  phrase.is_pronoun = true;
  if (plural && gender == Gender::masculine) phrase.kinds = person;  // perhaps women among men
  return phrase;
}

NounPhrase coordinated(const NounPhrase& a, const NounPhrase& b) {
  NounPhrase phrase;
  phrase.french = a.french + " et " + b.french;
  phrase.english = a.english + " and " + b.english;
  phrase.gender = a.gender == b.gender ? a.gender : Gender::masculine;
  phrase.plural = true;
  phrase.kinds = (a.kinds | b.kinds) & person;
  phrase.may_own = true;
  return phrase;
}

namespace {

std::vector<const Noun*> ambiguous_nouns() {
  std::vector<const Noun*> ambiguous;
  for (const Noun& noun : nouns()) {
    if (has_two_meanings(noun.singular)) ambiguous.push_back(&noun);
  }
  return ambiguous;
}

}  // namespace

const Noun& any_noun(Draft& draft, Kinds kinds) {
  std::vector<const Noun*> fitting;
  // Words of two meanings come more often than others: they are what is hard.
  if (draft.chance(20)) {
    static const std::vector<const Noun*> ambiguous = ambiguous_nouns();
    for (const Noun* noun : ambiguous) {
      if ((noun->kinds & kinds) != 0) fitting.push_back(noun);
    }
  }
  if (fitting.empty()) {
    for (const Noun& noun : nouns()) {
      if ((noun.kinds & kinds) != 0) fitting.push_back(&noun);
    }
  }
  ATTN_CHECK(!fitting.empty(), "the phrasebook has no noun of the kinds ", kinds);
  return *draft.any_of(fitting);
}

const Adjective* any_adjective(Draft& draft, Kinds kinds, const bool* before) {
  const bool couple = (kinds & person) == person;  // what is said of both must be said of each
  const auto fits = [&](const Adjective& adjective) {
    return (adjective.kinds & kinds) != 0 && (!couple || (adjective.kinds & person) == person) &&
           (before == nullptr || *before == adjective.before_noun);
  };
  std::uint64_t count = 0;
  for (const Adjective& adjective : adjectives()) count += fits(adjective);
  if (count == 0) return nullptr;
  std::uint64_t left = draft.below(count);
  for (const Adjective& adjective : adjectives()) {
    if (fits(adjective) && left-- == 0) return &adjective;
  }
  return nullptr;
}

std::string agreeing(const Adjective& adjective, Gender gender, bool plural) {
  return plural ? by_gender(gender, adjective.masculine_plural, adjective.feminine_plural)
                : by_gender(gender, adjective.masculine, adjective.feminine);
}

namespace {

// Adjective, noun, adjective; in English both come first, by their ranks.
Phrase described(Draft& draft, const Noun& noun, bool plural, bool own) {
  Kinds kinds = own ? noun.kinds : noun.kinds & ~owned;
  const char* const english = plural ? noun.english_plural : noun.english;
  Phrase phrase{plural ? noun.plural : noun.singular, english};
  const Adjective* last = nullptr;
  for (const bool before : {false, true}) {
    if (!draft.chance(before ? 25 : 22)) continue;
    const Adjective* const adjective = any_adjective(draft, kinds, &before);
    if (adjective == nullptr) continue;
    std::string french = agreeing(*adjective, noun.gender, plural);
    const bool hiatus = noun.gender == Gender::masculine && begins_with_vowel(phrase.french);
    if (before && hiatus && !plural && *adjective->before_vowel != '\0') {
      french = adjective->before_vowel;
    }
    phrase.french = before ? french + ' ' + phrase.french : phrase.french + ' ' + french;
    draft.meaning(adjective->masculine, adjective->english);
    if (!has_two_meanings(adjective->masculine)) draft.pair(adjective->masculine, noun.singular);
    const bool first = last == nullptr || adjective->rank <= last->rank;
    phrase.english = first ? joined(adjective->english, phrase.english)
                           : joined(joined(last->english, adjective->english), english);
    last = adjective;
    kinds &= ~office;  // whether an "ancien roi triste" is, or was, sad, English would have to say
  }
  return phrase;
}

Phrase indefinite_phrase(const Noun& noun, const Phrase& described, bool plural, bool negated) {
  const bool adjective_first = !begins_with(described.french, plural ? noun.plural : noun.singular);
  const bool many = (noun.kinds & uncounted) != 0;
  Phrase phrase = described;
  if (!plural && !many) phrase.english = with_a_or_an(described.english);
  if (negated || (plural && adjective_first)) {
    phrase.french = elided("de", described.french);
  } else if (plural) {
    phrase.french = "des " + described.french;
  } else if (many) {
    const char* const article = by_gender(noun.gender, "le", "la");
    phrase.french = contracted("de", elided(article, described.french));
  } else {
    phrase.french = by_gender(noun.gender, "un ", "une ") + described.french;
  }
  return phrase;
}

std::string possessive(const Noun& noun, const std::string& french, bool plural, bool owners) {
  if (owners) return (plural ? "leurs " : "leur ") + french;
  const bool masculine = noun.gender == Gender::masculine || begins_with_vowel(french);
  return (plural ? "ses " : masculine ? "son " : "sa ") + french;
}

std::string demonstrative(const Noun& noun, const std::string& french, bool plural) {
  const char* const masculine = begins_with_vowel(french) ? "cet " : "ce ";
  return (plural ? "ces " : by_gender(noun.gender, masculine, "cette ")) + french;
}

Phrase definite_phrase(const Noun& noun, const Phrase& described, bool plural) {
  return {plural ? "les " + described.french
                 : elided(by_gender(noun.gender, "le", "la"), described.french),
          "the " + described.english};
}

Determiner any_determiner(Draft& draft, const Noun& noun, const NounPhrase* owner, bool negated) {
  const bool can_be_owned = (noun.kinds & (owned | person)) != 0 && (noun.kinds & never_owned) == 0;
  if ((noun.kinds & always_owned) != 0) {
    return owner != nullptr && draft.chance(50) ? Determiner::possessive : Determiner::genitive;
  }
  const std::uint64_t roll = draft.below(100);
  if (roll < 20 && can_be_owned && owner != nullptr) return Determiner::possessive;
  if (roll < 30 && can_be_owned) return Determiner::genitive;
  const bool hidden = negated && (has_two_genders(noun.singular) ||
                                  (noun.kinds & (person | animal | building)) != 0);
  if (roll < 70 && !hidden) return Determiner::indefinite;
  if (roll < 80) return Determiner::demonstrative;
  if (roll < 88 && *noun.plural != '\0') return Determiner::number;
  return Determiner::definite;
}

}  // namespace

NounPhrase acquaintance(Draft& draft) {
  if (draft.chance(60)) return any_name(draft);
  for (;;) {
    const Noun& noun = any_noun(draft, person);
    if ((noun.kinds & (always_owned | unclear)) == 0) return plain(draft, noun);
  }
}

NounPhrase plain(Draft& draft, const Noun& noun) {
  draft.meaning(noun.singular, noun.english);
  NounPhrase phrase;
  static_cast<Phrase&>(phrase) = definite_phrase(noun, {noun.singular, noun.english}, false);
  phrase.gender = noun.gender;
  phrase.kinds = noun.kinds;
  phrase.noun = &noun;
  phrase.may_own = (noun.kinds & person) != 0;
  return phrase;
}

NounPhrase noun_phrase(Draft& draft, const Noun& noun, Determiner determiner,
                       const NounPhrase* owner, bool negated) {
  NounPhrase result = plain(draft, noun);
  const unsigned share = negated && determiner == Determiner::indefinite ? 100 : 30;
  const bool plural =
      determiner == Determiner::number || (*noun.plural != '\0' && draft.chance(share));
  const Phrase body = described(draft, noun, plural, determiner == Determiner::possessive);
  Phrase& phrase = result;
  result.plural = plural;
  result.determiner = determiner;
  const char* const form = plural ? noun.plural : noun.singular;
  result.has_adjective = body.french.size() > std::string_view(form).size();
  if (determiner == Determiner::definite) {
    phrase = definite_phrase(noun, body, plural);
  } else if (determiner == Determiner::indefinite) {
    phrase = indefinite_phrase(noun, body, plural, negated);
  } else if (determiner == Determiner::demonstrative) {
    phrase = {demonstrative(noun, body.french, plural),
              (plural ? "these " : "this ") + body.english};
  } else if (determiner == Determiner::number) {
    const Fixed& number = draft.any_of(numbers());
    phrase = joined({number.french, number.english}, body);
  } else if (determiner == Determiner::possessive) {
    const std::string whose = owner->plural ? "their " : by_gender(owner->gender, "his ", "her ");
    phrase = {possessive(noun, body.french, plural, owner->plural), whose + body.english};
  } else if (determiner == Determiner::genitive) {
    const NounPhrase whose = acquaintance(draft);
    phrase = definite_phrase(noun, body, plural);
    phrase.french += ' ' + contracted("de", whose.french);
    phrase.english = whose.english + "'s " + body.english;
    result.may_own = false;  // "his" could be either's
  } else {
    phrase = {elided("de", body.french), "no " + body.english};
  }
  return result;
}

NounPhrase noun_phrase(Draft& draft, const Noun& noun, const NounPhrase* owner, bool negated) {
  return noun_phrase(draft, noun, any_determiner(draft, noun, owner, negated), owner, negated);
}

}  // namespace attn::phrasebook
