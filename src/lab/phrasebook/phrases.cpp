// Words become phrases: French articles and adjectives agree with their noun; English adjectives
// have an order of their own.
#include "lab/phrasebook/phrases.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace attn::phrasebook {

// An h is mute in all words here.
static bool begins_with_vowel(std::string_view french) {
  if (french.find_first_of("aeiouhAEIOUH") == 0) return true;
  const std::string_view letter = french.substr(0, 2);  // these have two bytes
  return letter == "é" || letter == "É" || letter == "œ";
}

void Draft::meaning(const Word& word) {
  if (word.is(two_meanings)) meanings.push_back(word);
}

void Draft::pair(const Word& a, const Word& b) {
  const bool adjective = a.is(before_noun | after_noun);
  if (a.is(two_meanings) || (!adjective && b.is(two_meanings))) return;
  pairs.push_back(a.french + ' ' + b.french);
}

void operator+=(Phrase& phrase, const Phrase& more) {
  const auto append = [](std::string& text, const std::string& end) {
    if (!text.empty() && !end.empty()) text += ' ';
    text += end;
  };
  append(phrase.french, more.french);
  append(phrase.english, more.english);
}

Phrase operator+(Phrase phrase, const Phrase& more) {
  phrase += more;
  return phrase;
}

std::string as_written(const std::string& french) {
  struct Rule {
    std::string_view full, written;
    bool before_vowel;
  };
  static constexpr Rule kRules[] = {
      {" le ", " l'", true},        {" la ", " l'", true},      {" de ", " d'", true},
      {" ne ", " n'", true},        {" que ", " qu'", true},    {" ce ", " cet ", true},
      {" sa ", " son ", true},      {" de le ", " du ", false}, {" à le ", " au ", false},
      {" de les ", " des ", false}, {" à les ", " aux ", false}};
  std::string line = ' ' + french;
  for (const Rule& rule : kRules) {
    for (std::size_t at = line.find(rule.full); at != line.npos;
         at = line.find(rule.full, at + 1)) {
      const std::string_view next = std::string_view(line).substr(at + rule.full.size());
      if (rule.before_vowel && !begins_with_vowel(next)) continue;
      line.replace(at, rule.full.size(), rule.written);
    }
  }
  return line.substr(1);
}

// --- persons ---

NounPhrase any_name(Draft& draft) {
  const std::vector<Word>& names = list("name");
  if (draft.names_used.size() == names.size()) draft.names_used.clear();
  const auto is_new = [&](const Word& name) { return draft.names_used.insert(name.french).second; };
  const Word& name = draft.any_of(names, is_new);
  NounPhrase phrase{said(name), name.kinds};
  phrase.may_own = true;
  return phrase;
}

NounPhrase pronoun(Kinds gender, bool plural) {
  const auto agrees = [gender](const Noun& noun) { return noun.is(gender); };
  const std::vector<Noun>& all = list("pronoun");
  const Noun& noun = *std::find_if(all.begin(), all.end(), agrees);
  NounPhrase phrase{plural ? noun.plural : said(noun), noun.kinds, plural};
  if (plural && noun.is(masculine)) phrase.kinds = person;  // perhaps women among men
  phrase.is_pronoun = phrase.may_own = true;
  return phrase;
}

NounPhrase coordinated(const NounPhrase& a, const NounPhrase& b) {
  const Kinds both_are = a.kinds & b.kinds & feminine;
  NounPhrase phrase{said(a) + Phrase{"et", "and"} + b, ((a.kinds | b.kinds) & person) | both_are,
                    true};
  phrase.may_own = true;
  return phrase;
}

NounPhrase acquaintance(Draft& draft) {
  if (draft.chance(60)) return any_name(draft);
  return plain(draft, any_noun(draft, person, always_owned | unclear));
}

// --- nouns and adjectives ---

const Noun& any_noun(Draft& draft, Kinds kinds, Kinds others) {
  for (;;) {
    // Words of two meanings come more often than others: they are what is hard.
    const bool ambiguous = draft.chance(20);
    std::vector<const Noun*> fitting, preferred;
    for (const Noun& noun : list("noun")) {
      if (!noun.is(kinds)) continue;
      fitting.push_back(&noun);
      if (ambiguous && noun.is(two_meanings)) preferred.push_back(&noun);
    }
    ATTN_CHECK(!fitting.empty(), "the phrasebook has no noun of the kinds ", kinds);
    const Noun& noun = *draft.any_of(preferred.empty() ? fitting : preferred);
    if (!noun.is(others)) return noun;
  }
}

const Adjective* any_adjective(Draft& draft, Kinds kinds, Kinds where) {
  // What is said of a man and a woman must be said of each.
  const Kinds both = person, wanted = (kinds & both) == both ? both : 0;
  std::vector<const Adjective*> fitting;
  for (const Adjective& one : list("adjective")) {
    const bool fits = (one.subjects & kinds) != 0 && (one.subjects & wanted) == wanted;
    if (fits && one.is(where)) fitting.push_back(&one);
  }
  return fitting.empty() ? nullptr : draft.any_of(fitting);
}

std::string agreeing(const Adjective& adjective, Kinds gender, bool plural) {
  const bool woman = (gender & feminine) != 0;
  if (plural) return woman ? adjective.feminine_plural : adjective.plural.french;
  return woman ? adjective.feminine : adjective.french;
}

namespace {

// Adjective, noun, adjective; in English both come first, by their ranks.
Phrase described(Draft& draft, const Noun& noun, bool plural, bool own) {
  Kinds kinds = own ? noun.kinds : noun.kinds & ~owned;
  const auto any = [&](unsigned percent, Kinds where) {
    return draft.chance(percent) ? any_adjective(draft, kinds, where) : nullptr;
  };
  const Adjective* const after = any(22, after_noun);
  // Whether an "ancien roi triste" is, or was, sad, English would have to say.
  if (after != nullptr) kinds &= ~office;
  const Adjective* const before = any(25, before_noun);

  const auto said = [&](const Adjective* adjective) {
    if (adjective == nullptr) return Phrase();
    draft.meaning(*adjective);
    draft.pair(*adjective, noun);
    return Phrase{agreeing(*adjective, noun.kinds, plural), adjective->english};
  };
  const Phrase& form = plural ? noun.plural : noun;
  Phrase last = said(after), first = said(before);
  const bool hiatus = !plural && noun.is(masculine) && begins_with_vowel(form.french);
  if (before != nullptr && hiatus && !before->before_vowel.empty()) {
    first.french = before->before_vowel;
  }
  if (before != nullptr && after != nullptr && (before->kinds & rank) > (after->kinds & rank)) {
    std::swap(first.english, last.english);
  }
  return first + Phrase{"", last.english} + form + Phrase{last.french, ""};
}

Determiner any_determiner(Draft& draft, const Noun& noun, const NounPhrase* owner, bool negation) {
  const bool can_be_owned = noun.is(owned | person) && !noun.is(never_owned);
  if (noun.is(always_owned)) {
    return owner != nullptr && draft.chance(50) ? Determiner::possessive : Determiner::genitive;
  }
  const std::uint64_t roll = draft.below(100);
  if (roll < 20 && can_be_owned && owner != nullptr) return Determiner::possessive;
  if (roll < 30 && can_be_owned) return Determiner::genitive;
  const bool hidden = negation && noun.is(two_genders | person | animal | building);
  if (roll < 70 && !hidden) return Determiner::indefinite;
  if (roll < 80) return Determiner::demonstrative;
  if (roll < 88 && noun.has_plural()) return Determiner::number;
  return Determiner::definite;
}

// "un", "des", "de la", and "de" after a negation and before an adjective: de beaux oiseaux.
Phrase indefinite_article(const Noun& noun, const Phrase& body, bool plural, bool negation) {
  const bool la = noun.is(feminine), countable = !noun.is(uncounted);
  const bool adjective_first = body.french.find((plural ? noun.plural : noun).french) != 0;
  const char* const one = countable ? (la ? "une" : "un") : (la ? "de la" : "de le");
  const char* const french = negation || (plural && adjective_first) ? "de" : plural ? "des" : one;
  const bool vowel = body.english.find_first_of("aeiouAEIOU") == 0;
  return {french, plural || !countable ? "" : vowel ? "an" : "a"};
}

}  // namespace

NounPhrase plain(Draft& draft, const Noun& noun) {
  draft.meaning(noun);
  const Phrase article{noun.is(feminine) ? "la" : "le", "the"};
  NounPhrase phrase{article + noun, noun.kinds};
  phrase.noun = &noun;
  phrase.may_own = noun.is(person);
  return phrase;
}

NounPhrase noun_phrase(Draft& draft, const Noun& noun, Determiner determiner,
                       const NounPhrase* owner, bool negation) {
  NounPhrase phrase = plain(draft, noun);
  const unsigned share = negation && determiner == Determiner::indefinite ? 100 : 30;
  const bool plural =
      determiner == Determiner::number || (noun.has_plural() && draft.chance(share));
  const Phrase body = described(draft, noun, plural, determiner == Determiner::possessive);
  phrase.plural = plural;
  phrase.determiner = determiner;
  phrase.has_adjective = body.french != (plural ? noun.plural : noun).french;

  const auto form = [&](const char* masculine_one, const char* feminine_one, const char* many) {
    return plural ? many : noun.is(feminine) ? feminine_one : masculine_one;
  };
  Phrase article{form("le", "la", "les"), "the"}, after;
  switch (determiner) {
    case Determiner::definite:
      break;
    case Determiner::indefinite:
      article = indefinite_article(noun, body, plural, negation);
      break;
    case Determiner::demonstrative:
      article = {form("ce", "cette", "ces"), plural ? "these" : "this"};
      break;
    case Determiner::number:
      article = said(draft.any("number"));
      break;
    case Determiner::possessive:  // French agrees with what is owned, English with the owner
      article = owner->plural
                    ? Phrase{form("leur", "leur", "leurs"), "their"}
                    : Phrase{form("son", "sa", "ses"), owner->is(feminine) ? "her" : "his"};
      break;
    case Determiner::genitive: {
      const NounPhrase whose = acquaintance(draft);
      article.english = whose.english + "'s";
      after.french = "de " + whose.french;
      phrase.may_own = false;  // "his" could be either's
      break;
    }
    case Determiner::no:
      article = {"de", "no"};
  }
  static_cast<Phrase&>(phrase) = article + body + after;
  return phrase;
}

NounPhrase noun_phrase(Draft& draft, const Noun& noun, const NounPhrase* owner, bool negation) {
  return noun_phrase(draft, noun, any_determiner(draft, noun, owner, negation), owner, negation);
}

Phrase place_phrase(const Phrase& preposition, const Word& land) {
  const bool la = land.is(feminine);
  if (la && preposition.french == "à") return Phrase{"en", preposition.english} + land;
  if (la && preposition.french == "de") return preposition + land;
  const char* const article = la ? "la" : land.is(masculine) ? "le" : land.is(several) ? "les" : "";
  return preposition + Phrase{article, ""} + land;
}

}  // namespace attn::phrasebook
