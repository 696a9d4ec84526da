#include "lab/phrasebook/predicates.h"

#include <utility>

#include "lab/phrasebook/complements.h"

namespace attn::phrasebook {

namespace {

void add(Predicate& predicate, const Phrase& phrase) {
  predicate.french = joined(predicate.french, phrase.french);
  predicate.english = joined(predicate.english, phrase.english);
}

Predicate begun(VerbGroup group) {
  return {std::move(group.french), std::move(group.auxiliary), std::move(group.english)};
}

Predicate begun(Draft& draft, const Verb& verb, const NounPhrase& subject, const Mood& mood) {
  draft.meaning(verb.singular, verb.english);
  return begun(verb_group(verb, subject, mood.tense, mood.polarity, mood.question));
}

bool is_negative(Polarity polarity) {
  return polarity != Polarity::plain && polarity != Polarity::often;
}

Mood lasting_mood(Mood mood) {
  if (mood.tense == future) mood.tense = present;
  if (mood.tense == past) mood.polarity = Polarity::plain;
  if (mood.polarity == Polarity::often || mood.polarity == Polarity::never) {
    mood.polarity = Polarity::plain;
  }
  return mood;
}

bool may_have_relative(const NounPhrase& phrase) {
  return phrase.noun != nullptr && phrase.determiner != Determiner::possessive &&
         phrase.determiner != Determiner::genitive && (phrase.kinds & uncounted) == 0;
}

// --- predicates ---

Predicate with_verb(Draft& draft, const NounPhrase& subject, Mood mood, const Bounds& bounds,
                    bool action) {
  const auto fits = [&](const Verb& verb) {
    const bool moves = (verb.manner & with_etre) != 0, lasts = (verb.manner & lasting) != 0;
    return (verb.subjects & subject.kinds) != 0 && !(action && lasts) &&
           !(bounds.asks_where && moves);
  };
  const Verb* verb = nullptr;
  do {
    verb = &draft.any_of(verbs());
  } while (!fits(*verb));
  mood = fitting(mood, *verb);
  Predicate predicate = begun(draft, *verb, subject, mood);
  const bool recipient = (verb->manner & to_somebody) != 0;
  if (verb->objects != 0) {
    const bool may_own = bounds.possessives && subject.may_own && !recipient;
    const NounPhrase what =
        object(draft, *verb, may_own ? &subject : nullptr, is_negative(mood.polarity));
    const bool direct = *verb->preposition == '\0';
    add(predicate, {direct ? what.french : contracted(verb->preposition, what.french),
                    joined(verb->english_preposition, what.english)});
    if (bounds.relatives && !recipient && mood.tense == present && may_have_relative(what) &&
        draft.chance(10)) {
      add(predicate, relative(draft, what));
      return predicate;
    }
  }
  if (recipient) {
    const NounPhrase whom = acquaintance(draft);
    add(predicate, {contracted("à", whom.french), "to " + whom.english});
  }
  if ((verb->manner & lasting) != 0) return predicate;
  const bool person_acts =
      (subject.kinds & person) != 0 && (verb->manner & with_etre) == 0 && verb->objects != person;
  if (bounds.where && person_acts && draft.chance(20)) add(predicate, place_of_action(draft));
  if (bounds.when && draft.chance(25)) add(predicate, time(draft, mood.tense));
  return predicate;
}

// "visite le musée", "va au musée", "travaille au musée"
const Place* add_place(Draft& draft, const Verb& verb, bool negated, Predicate& predicate) {
  const bool visits = *verb.preposition == '\0';
  if (verb.objects == place || draft.chance(60)) {
    const Place& land = draft.any_of(places());
    Phrase where = place_phrase(verb.preposition, land);
    where.english = joined(verb.english_preposition, where.english);
    add(predicate, where);
    return &land;
  }
  const Noun& noun = any_noun(draft, verb.objects);
  if (visits) {
    if (!has_two_meanings(noun.singular)) draft.pair(verb.singular, noun.singular);
    add(predicate, noun_phrase(draft, noun, nullptr, negated));
  } else {
    const NounPhrase where = plain(draft, noun);
    const bool goes = std::string_view(verb.english_preposition) == "to";
    add(predicate,
        {contracted(verb.preposition, where.french), (goes ? "to " : "at ") + where.english});
  }
  return nullptr;
}

Predicate with_place(Draft& draft, const NounPhrase& subject, Mood mood, const Bounds& bounds) {
  const Verb* verb = nullptr;
  do {
    verb = &draft.any_of(verbs_of_place());
  } while ((bounds.asks_where && std::string_view(verb->preposition) != "à") ||
           (bounds.asks_when && (verb->manner & lasting) != 0));
  mood = fitting(mood, *verb);
  Predicate predicate = begun(draft, *verb, subject, mood);
  const Place* const land =
      bounds.asks_where ? nullptr : add_place(draft, *verb, is_negative(mood.polarity), predicate);
  if ((verb->manner & lasting) != 0) return predicate;
  if (land != nullptr && std::string_view(verb->singular) == "va" && draft.chance(25)) {
    const Fixed& vehicle = draft.any_of(vehicles());
    add(predicate, {vehicle.french, vehicle.english});
  } else if (bounds.where && draft.chance(20)) {
    const NounPhrase whom = acquaintance(draft);
    add(predicate, {"avec " + whom.french, "with " + whom.english});
  }
  if (bounds.when && land != nullptr && draft.chance(60)) {
    add(predicate, month_or_season(draft, *land));
  } else if (bounds.when && draft.chance(25)) {
    add(predicate, time(draft, mood.tense));
  }
  return predicate;
}

Predicate with_game(Draft& draft, const NounPhrase& subject, const Mood& mood,
                    const Bounds& bounds) {
  static const Verb play{"joue", "jouent", "jouer", "joué", "play", "plays", "played", person, 0};
  Predicate predicate = begun(draft, play, subject, mood);
  const bool game = draft.chance(50);
  const Fixed& what = draft.any_of(game ? games() : instruments());
  add(predicate, {contracted(game ? "à" : "de", what.french), what.english});
  if (bounds.where && draft.chance(25)) add(predicate, place_of_action(draft));
  if (bounds.when && draft.chance(25)) add(predicate, time(draft, mood.tense));
  return predicate;
}

Predicate with_adjective(Draft& draft, const NounPhrase& subject, Mood mood,
                         const Adjective& adjective) {
  if ((adjective.manner & passing) == 0) mood = lasting_mood(mood);
  Predicate predicate = begun(copula(subject, mood.tense, mood.polarity));
  draft.meaning(adjective.masculine, adjective.english);
  if (subject.noun != nullptr && !has_two_meanings(adjective.masculine)) {
    draft.pair(adjective.masculine, subject.noun->singular);
  }
  const bool very = (adjective.manner & graded) != 0 && draft.chance(20);
  add(predicate, {(very ? "très " : "") + agreeing(adjective, subject.gender, subject.plural),
                  (very ? "very " : "") + std::string(adjective.english)});
  return predicate;
}

Predicate with_location(Draft& draft, const NounPhrase& subject, const Mood& mood) {
  Predicate predicate = begun(copula(subject, mood.tense, mood.polarity));
  add(predicate, location(draft, subject.kinds, subject.noun));
  return predicate;
}

// "Marie est étudiante": without an article in French.
Predicate with_profession(Draft& draft, const NounPhrase& subject, const Mood& mood) {
  const Noun* noun = nullptr;
  do {
    noun = &any_noun(draft, job);
  } while (noun->gender != subject.gender);
  draft.meaning(noun->singular, noun->english);
  const Mood permanent = lasting_mood(mood);
  Predicate predicate = begun(copula(subject, permanent.tense, permanent.polarity));
  const bool plural = subject.plural;
  add(predicate, {plural ? noun->plural : noun->singular,
                  plural ? noun->english_plural : std::string("a ") + noun->english});
  return predicate;
}

Predicate with_state(Draft& draft, const NounPhrase& subject, const Mood& mood) {
  Predicate predicate = begun(copula(subject, mood.tense, mood.polarity, true));
  const Fixed& state = draft.any_of(states());
  add(predicate, {state.french, state.english});
  return predicate;
}

Predicate what_it_is(Draft& draft, const NounPhrase& subject, const Mood& mood, bool where) {
  const bool somebody = (subject.kinds & person) != 0;
  const std::uint64_t roll = draft.below(100);
  if (somebody && roll < 25) return with_state(draft, subject, mood);
  if (somebody && subject.noun == nullptr && roll < 40)
    return with_profession(draft, subject, mood);
  // "former" and "own" are said before a noun alone, and a red dress is not said to be blue.
  const Adjective* const adjective =
      subject.has_adjective ? nullptr : any_adjective(draft, subject.kinds & ~(office | owned));
  if (adjective != nullptr && (!where || roll < 80)) {
    return with_adjective(draft, subject, mood, *adjective);
  }
  return with_location(draft, subject, mood);
}

}  // namespace

Mood any_mood(Draft& draft, bool question) {
  Mood mood;
  mood.question = question;
  const std::uint64_t when = draft.below(100);
  mood.tense = when < 60 ? present : when < 83 ? past : future;
  if (question) return mood;
  const std::uint64_t roll = draft.below(100);
  if (roll < 15) mood.polarity = Polarity::negative;
  if (mood.tense != present || roll < 15) return mood;
  mood.polarity = roll < 20   ? Polarity::never
                  : roll < 25 ? Polarity::no_longer
                  : roll < 32 ? Polarity::often
                              : Polarity::plain;
  return mood;
}

Mood fitting(Mood mood, const Verb& verb) {
  return (verb.manner & lasting) != 0 ? lasting_mood(mood) : mood;
}

bool is_transitive(const Verb& verb) {
  return verb.objects != 0 && *verb.preposition == '\0' &&
         (verb.manner & (to_somebody | with_etre)) == 0;
}

Predicate any_action(Draft& draft, const NounPhrase& subject, const Mood& mood,
                     const Bounds& bounds) {
  const std::uint64_t roll = draft.below(100);
  if ((subject.kinds & person) != 0 && roll < 45) return with_place(draft, subject, mood, bounds);
  if ((subject.kinds & person) != 0 && roll < 53) return with_game(draft, subject, mood, bounds);
  return with_verb(draft, subject, mood, bounds, true);
}

Predicate any_predicate(Draft& draft, const NounPhrase& subject, const Mood& mood,
                        const Bounds& bounds) {
  const bool living = (subject.kinds & (person | animal)) != 0;
  const bool telling =
      subject.determiner != Determiner::indefinite && (subject.kinds & unclear) == 0;
  if (!living || (telling && draft.chance(25))) {
    return what_it_is(draft, subject, mood, bounds.where);
  }
  if (draft.chance(50)) return any_action(draft, subject, mood, bounds);
  return with_verb(draft, subject, mood, bounds, false);
}

Predicate any_reason(Draft& draft, const NounPhrase& subject) {
  if (draft.chance(50)) return with_state(draft, subject, {});
  const Adjective* adjective = nullptr;
  do {
    adjective = any_adjective(draft, subject.kinds);
  } while ((adjective->manner & passing) == 0);
  return with_adjective(draft, subject, {}, *adjective);
}

Phrase relative(Draft& draft, const NounPhrase& head) {
  const bool somebody = (head.kinds & person) != 0;
  const bool as_object = draft.chance(50);
  for (int tries = 0; as_object && tries < 40; ++tries) {
    const Verb& verb = draft.any_of(verbs());
    if (!is_transitive(verb) || (verb.objects & head.kinds) == 0) continue;
    const NounPhrase subject = acquaintance(draft);
    const Predicate predicate = begun(draft, verb, subject, {});
    if (!has_two_meanings(verb.singular) && !has_two_meanings(head.noun->singular)) {
      draft.pair(verb.singular, head.noun->singular);
    }
    const std::string that = somebody ? "whom " : "that ";
    return {elided("que", subject.french) + ' ' + predicate.french,
            joined(that + subject.english + ' ' + predicate.english, verb.english_preposition)};
  }
  NounPhrase it = head;
  it.determiner = Determiner::definite;
  const bool living = (it.kinds & (person | animal)) != 0;
  if (!living && ((it.kinds & unclear) != 0 || it.has_adjective)) return {};
  const Predicate predicate = any_predicate(draft, it, {}, kShort);
  return {"qui " + predicate.french,
          joined(somebody ? "who" : "that", joined(predicate.auxiliary, predicate.english))};
}

}  // namespace attn::phrasebook
