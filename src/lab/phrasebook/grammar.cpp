#include "lab/phrasebook/grammar.h"

#include <utility>

#include "lab/phrasebook/complements.h"
#include "lab/phrasebook/predicates.h"

namespace attn::phrasebook {

namespace {

// --- subjects ---

NounPhrase any_couple(Draft& draft) {
  const NounPhrase first = acquaintance(draft);
  const std::size_t noted = draft.meanings.size();
  for (;;) {
    const NounPhrase second = acquaintance(draft);
    if (second.english != first.english) return coordinated(first, second);
    draft.meanings.resize(noted);  // the second was not taken
  }
}

NounPhrase any_pronoun(Draft& draft) {
  const Gender gender = draft.chance(50) ? Gender::masculine : Gender::feminine;
  return pronoun(gender, draft.chance(40));
}

NounPhrase any_person(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 40) return any_name(draft);
  if (roll < 52) return any_pronoun(draft);
  if (roll < 61) return any_couple(draft);
  const Noun& noun = any_noun(draft, person);
  const bool definite = draft.chance(50) && (noun.kinds & always_owned) == 0;
  return definite ? noun_phrase(draft, noun, Determiner::definite) : noun_phrase(draft, noun);
}

NounPhrase any_thing(Draft& draft) {
  constexpr Kinds things = food | clothes | luggage | text | furniture | opening | thing | building;
  const Noun* noun = nullptr;
  do {
    noun = &any_noun(draft, things);
  } while ((noun->kinds & unclear) != 0);
  return noun_phrase(draft, *noun, Determiner::definite);
}

NounPhrase any_subject(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 80) return any_person(draft);
  return roll < 89 ? noun_phrase(draft, any_noun(draft, animal)) : any_thing(draft);
}

// A possessive in the predicate of "the girl whom the king knows" could be either's.
NounPhrase with_relative(Draft& draft, NounPhrase subject) {
  static_cast<Phrase&>(subject) = joined(subject, relative(draft, subject));
  subject.may_own = false;
  subject.has_adjective = true;  // or as good as one
  return subject;
}

// --- clauses ---

Phrase statement(const NounPhrase& subject, const Predicate& predicate) {
  return {subject.french + ' ' + predicate.french,
          joined(subject.english, joined(predicate.auxiliary, predicate.english))};
}

Phrase clause(Draft& draft, const Mood& mood, const Bounds& bounds) {
  NounPhrase subject = any_subject(draft);
  const bool plain_noun = subject.noun != nullptr && subject.determiner != Determiner::genitive;
  const bool qualified = plain_noun && bounds.relatives && mood.tense == present;
  if (qualified && draft.chance(20)) subject = with_relative(draft, subject);
  return statement(subject, any_predicate(draft, subject, mood, bounds));
}

Phrase both(Draft& draft, const Phrase& first, const Phrase& second) {
  const bool but = draft.chance(40);
  return joined(first, joined(Phrase{but ? "mais" : "et", but ? "but" : "and"}, second));
}

// Clauses of the same tense: "Marie lit et Paul dort".
Phrase clauses(Draft& draft, int count, const Bounds& bounds) {
  Mood mood = any_mood(draft, false);
  Phrase all = clause(draft, mood, bounds);
  while (--count > 0) {
    const Tense tense = mood.tense;
    do {
      mood = any_mood(draft, false);
    } while (mood.tense != tense);
    all = both(draft, all, clause(draft, mood, bounds));
  }
  return all;
}

// "Marie dort parce qu'elle est fatiguée"
Phrase because(Draft& draft) {
  const NounPhrase subject = acquaintance(draft);
  Bounds bounds = kShort;
  bounds.possessives = true;
  const Phrase main = statement(subject, any_action(draft, subject, {}, bounds));
  const NounPhrase again = pronoun(subject.gender, false);
  const Phrase reason = statement(again, any_reason(draft, again));
  return joined(main, {"parce " + elided("que", reason.french), "because " + reason.english});
}

// "il y a des pommes sur la table", "il n'y a pas de chat sous le lit"
Phrase there_is(Draft& draft) {
  const Noun* noun = nullptr;
  do {
    noun = &any_noun(draft, animal | food | uncounted | clothes | luggage | thing | text);
  } while ((noun->kinds & unclear) != 0);
  const bool heard = !has_two_genders(noun->singular) && (noun->kinds & animal) == 0;
  const bool none = heard && draft.chance(35);
  const NounPhrase what = noun_phrase(draft, *noun, none ? Determiner::no : Determiner::indefinite);
  const std::string verb = what.plural ? "there are " : "there is ";
  return joined({(none ? "il n'y a pas " : "il y a ") + what.french, verb + what.english},
                location(draft, noun->kinds, noun));
}

// --- questions ---

// In French "est-ce que" and the statement; in English the auxiliary comes first.
Phrase question(const Fixed& word, const NounPhrase& subject, const Predicate& predicate) {
  const std::string statement = subject.french + ' ' + predicate.french;
  const std::string inverted = joined(subject.english, predicate.english);
  const std::string asked = "est-ce " + elided("que", statement);
  const bool glued = std::string_view(word.french) == "qu'";
  return {(glued ? word.french + asked : joined(word.french, asked)) + " ?",
          joined(word.english, joined(predicate.auxiliary, inverted)) + " ?"};
}

Phrase yes_or_no(Draft& draft, const Fixed& word) {
  const NounPhrase subject = any_subject(draft);
  return question(word, subject, any_predicate(draft, subject, any_mood(draft, true), {}));
}

Phrase where_or_when(Draft& draft, bool where) {
  Bounds bounds;
  bounds.relatives = false;
  (where ? bounds.where : bounds.when) = false;
  (where ? bounds.asks_where : bounds.asks_when) = true;
  const NounPhrase subject = any_person(draft);
  return question(where ? Fixed{"où", "where"} : Fixed{"quand", "when"}, subject,
                  any_action(draft, subject, any_mood(draft, true), bounds));
}

// "qui dort ?"
Phrase who(Draft& draft) {
  NounPhrase subject;
  static_cast<Phrase&>(subject) = {"qui", "who"};
  subject.kinds = person;
  Mood mood = any_mood(draft, true);
  mood.question = false;  // no "do": who sleeps?
  return joined(statement(subject, any_predicate(draft, subject, mood, {})), {"?", "?"});
}

// "qu'est-ce que Marie mange ?", "qui est-ce que Paul invite ?"
Phrase whom_or_what(Draft& draft) {
  const NounPhrase subject = acquaintance(draft);
  const Verb* verb = nullptr;
  do {
    verb = &draft.any_of(verbs());
  } while (!is_transitive(*verb) || (verb->subjects & person) == 0 ||
           has_two_meanings(verb->singular));
  const Mood mood = fitting(any_mood(draft, true), *verb);
  const VerbGroup group = verb_group(*verb, subject, mood.tense, mood.polarity, true);
  const bool whom = (verb->objects & (person | always_owned)) != 0;
  return question(
      whom ? Fixed{"qui", "whom"} : Fixed{"qu'", "what"}, subject,
      {group.french, group.auxiliary, joined(group.english, verb->english_preposition)});
}

// "où sont les clés ?"
Phrase where_is(Draft& draft) {
  NounPhrase subject;
  do {
    draft.pairs.clear();  // of a subject that was not taken
    draft.meanings.clear();
    subject = any_subject(draft);
  } while (subject.is_pronoun || subject.determiner == Determiner::indefinite ||
           subject.determiner == Determiner::number || (subject.kinds & unclear) != 0);
  const VerbGroup group = copula(subject, draft.chance(30) ? past : present, Polarity::plain);
  return {"où " + group.french + ' ' + subject.french + " ?",
          "where " + group.auxiliary + ' ' + subject.english + " ?"};
}

Phrase usual(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 9) return yes_or_no(draft, {"", ""});
  if (roll < 12) return yes_or_no(draft, {"pourquoi", "why"});
  if (roll < 16) return where_or_when(draft, roll < 14);
  if (roll < 18) return who(draft);
  if (roll < 22) return whom_or_what(draft);
  if (roll < 24) return where_is(draft);
  if (roll < 28) return there_is(draft);
  if (roll < 33) return because(draft);
  if (roll < 40) return clauses(draft, 2, kShort);
  return clauses(draft, 1, {});
}

}  // namespace

Sentence draw_sentence(std::uint64_t seed, std::uint64_t stream, Size size) {
  Draft draft;
  draft.random = {seed, stream};
  Phrase phrase = size == Size::usual ? usual(draft) : clauses(draft, draft.chance(50) ? 2 : 3, {});
  return {std::move(phrase.french), std::move(phrase.english), std::move(draft.pairs),
          std::move(draft.meanings)};
}

}  // namespace attn::phrasebook
