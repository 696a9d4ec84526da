#include "lab/phrasebook/complements.h"

namespace attn::phrasebook {

namespace {

// "une livre de fromage"
NounPhrase measured(Draft& draft, const Measure& measure, const Noun& noun) {
  NounPhrase phrase = plain(draft, noun);
  draft.meaning(measure.french, measure.english);
  const std::string article = measure.gender == Gender::feminine ? "une " : "un ";
  phrase.french = article + measure.french + ' ' + elided("de", noun.singular);
  phrase.english = std::string("a ") + measure.english + " of " + noun.english;
  return phrase;
}

}  // namespace

NounPhrase object(Draft& draft, const Verb& verb, const NounPhrase* owner, bool negated) {
  const bool somebody = (verb.objects & (person | always_owned)) != 0;
  if (somebody && draft.chance(35)) return any_name(draft);
  const Noun& noun = any_noun(draft, verb.objects);
  if (!has_two_meanings(verb.singular) && !has_two_meanings(noun.singular)) {
    draft.pair(verb.singular, noun.singular);
  }
  if ((noun.kinds & uncounted) != 0 && !negated && draft.chance(30)) {
    const Measure& measure = draft.any_of(measures());
    if ((measure.kinds & noun.kinds) != 0) return measured(draft, measure, noun);
  }
  // "de" takes no indefinite article after it.
  if (std::string_view(verb.preposition) == "de" && (noun.kinds & always_owned) == 0) {
    return noun_phrase(draft, noun, Determiner::definite);
  }
  const bool direct = *verb.preposition == '\0';
  return noun_phrase(draft, noun, owner, direct && negated);
}

Phrase place_phrase(std::string_view preposition, const Place& land) {
  const std::string article = land.article, name = land.french;
  const bool feminine = article == "la";
  if (article.empty())
    return {preposition.empty() ? name : contracted(preposition, name), land.english};
  if (feminine && preposition == "à") return {"en " + name, land.english};
  if (feminine && preposition == "de") return {elided("de", name), land.english};
  const std::string whole = article == "les" ? "les " + name : elided(article, name);
  return {preposition.empty() ? whole : contracted(preposition, whole), land.english};
}

Phrase location(Draft& draft, Kinds kinds, const Noun* other_than) {
  const Preposition* where = nullptr;
  do {
    where = &draft.any_of(prepositions());
  } while ((where->what & kinds) == 0);
  const Noun* noun = nullptr;
  do {
    noun = &any_noun(draft, where->kinds);
  } while (noun == other_than);
  const NounPhrase phrase =
      draft.chance(60) ? plain(draft, *noun) : noun_phrase(draft, *noun, Determiner::definite);
  return {contracted(where->french, phrase.french), joined(where->english, phrase.english)};
}

Phrase place_of_action(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 15) return {"à la maison", "at home"};
  if (roll < 30) {
    const NounPhrase host = acquaintance(draft);
    return {"chez " + host.french, "at " + host.english + "'s house"};
  }
  return location(draft, person, nullptr);
}

Phrase time(Draft& draft, Tense tense) {
  for (;;) {
    const Time& when = draft.any_of(times());
    if ((when.tenses & tense) != 0) return {when.french, when.english};
  }
}

Phrase month_or_season(Draft& draft, const Place& land) {
  if (draft.chance(25)) {
    const Fixed& season = draft.any_of(seasons());
    return {season.french, season.english};
  }
  const Fixed& month = draft.any_of(months());
  draft.pair(month.french, land.french);
  return {std::string("en ") + month.french, std::string("in ") + month.english};
}

}  // namespace attn::phrasebook
