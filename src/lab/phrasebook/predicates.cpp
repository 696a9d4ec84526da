// A predicate is drawn from left to right: what kind it is, its verb, then what may follow that
// verb. Its tense and negation are settled before.
#include "lab/phrasebook/grammar.h"

namespace attn::phrasebook {

namespace {

// --- objects, places, times ---

// "une livre de fromage"
NounPhrase measured(Draft& draft, const Word& measure, const Noun& noun) {
  NounPhrase phrase = plain(draft, noun);
  draft.meaning(measure);
  const Phrase article{measure.is(feminine) ? "une" : "un", "a"};
  static_cast<Phrase&>(phrase) = article + measure + Phrase{"de", "of"} + noun;
  return phrase;
}

// Of the kinds that the verb wants. `owner`: whose "son" is; null: there is none.
NounPhrase object(Draft& draft, const Verb& verb, const NounPhrase* owner, bool negation) {
  const bool somebody = (verb.objects & (person | always_owned)) != 0;
  if (somebody && draft.chance(35)) return any_name(draft);
  const Noun& noun = any_noun(draft, verb.objects);
  draft.pair(verb, noun);
  if (noun.is(uncounted) && !negation && draft.chance(30)) {
    const Word& measure = draft.any("measure");
    if (noun.is(measure.objects)) return measured(draft, measure, noun);
  }
  // "de" takes no indefinite article after it.
  if (verb.preposition.french == "de" && !noun.is(always_owned)) {
    return noun_phrase(draft, noun, Determiner::definite);
  }
  return noun_phrase(draft, noun, owner, verb.preposition.french.empty() && negation);
}

// Where somebody does something: also "à la maison", "chez Marie".
Phrase place_of_action(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 15) return {"à la maison", "at home"};
  if (roll >= 30) return location(draft, person);
  const NounPhrase host = acquaintance(draft);
  return {"chez " + host.french, "at " + host.english + "'s house"};
}

// "hier", "le lundi"
Phrase time(Draft& draft, Kinds tense) {
  const auto fits = [tense](const Word& one) { return one.is(tense); };
  return said(draft.any_of(list("time"), fits));
}

// "en mai", "au printemps"
Phrase month_or_season(Draft& draft, const Word& land) {
  if (draft.chance(25)) return said(draft.any("season"));
  const Word& month = draft.any("month");
  draft.pair(month, land);
  return Phrase{"en", "in"} + month;
}

// --- what is done ---

bool may_have_relative(const NounPhrase& phrase) {
  return phrase.noun != nullptr && phrase.determiner != Determiner::possessive &&
         phrase.determiner != Determiner::genitive && !phrase.is(uncounted);
}

Predicate with_verb(Draft& draft, const NounPhrase& subject, Plan plan, bool action) {
  const Kinds unfit = (action ? lasting : Kinds{0}) | (plan.asks_where ? with_etre : Kinds{0});
  const Verb& verb = draft.any_of(list("verb"), [&](const Verb& one) {
    return (one.subjects & subject.kinds) != 0 && !one.is(unfit);
  });
  plan = fitting(plan, verb.is(lasting));
  Predicate predicate = verb_group(draft, verb, subject, plan);
  const bool recipient = verb.is(to_somebody);
  if (verb.objects != 0) {
    const bool owns = plan.possessives && subject.may_own && !recipient;
    const NounPhrase what =
        object(draft, verb, owns ? &subject : nullptr, plan.adverb->is(negated));
    predicate += verb.preposition + what;
    if (plan.relatives && !recipient && plan.tense == present && may_have_relative(what) &&
        draft.chance(10)) {
      predicate += relative(draft, what);
      return predicate;
    }
  }
  if (recipient) predicate += Phrase{"à", "to"} + acquaintance(draft);
  if (verb.is(lasting)) return predicate;
  const bool acts = subject.is(person) && !verb.is(with_etre) && verb.objects != person;
  if (plan.where && acts && draft.chance(20)) predicate += place_of_action(draft);
  if (plan.when && draft.chance(25)) predicate += time(draft, plan.tense);
  return predicate;
}

// "visite le musée", "va au musée", "travaille au musée"
Phrase building_of(Draft& draft, const Verb& verb, const Plan& plan) {
  const Noun& noun = any_noun(draft, verb.objects);
  if (!verb.preposition.french.empty()) {
    const bool goes = verb.preposition.english == "to";
    return Phrase{verb.preposition.french, goes ? "to" : "at"} + plain(draft, noun);
  }
  draft.pair(verb, noun);
  return said(noun_phrase(draft, noun, nullptr, plan.adverb->is(negated)));
}

Predicate with_place(Draft& draft, const NounPhrase& subject, Plan plan) {
  const Verb& verb = draft.any_of(list("verb_of_place"), [&](const Verb& one) {
    return !(plan.asks_where && one.preposition.french != "à") &&
           !(plan.asks_when && one.is(lasting));
  });
  plan = fitting(plan, verb.is(lasting));
  Predicate predicate = verb_group(draft, verb, subject, plan);
  const Word* land = nullptr;
  if (!plan.asks_where && (verb.objects == place || draft.chance(60))) {
    land = &draft.any("place");
    predicate += place_phrase(verb.preposition, *land);
  } else if (!plan.asks_where) {
    predicate += building_of(draft, verb, plan);
  }
  if (verb.is(lasting)) return predicate;
  if (land != nullptr && verb.french == "va" && draft.chance(25)) {
    predicate += draft.any("vehicle");
  } else if (plan.where && draft.chance(20)) {
    predicate += Phrase{"avec", "with"} + acquaintance(draft);
  }
  if (plan.when && land != nullptr && draft.chance(60)) {
    predicate += month_or_season(draft, *land);
  } else if (plan.when && draft.chance(25)) {
    predicate += time(draft, plan.tense);
  }
  return predicate;
}

Predicate with_game(Draft& draft, const NounPhrase& subject, const Plan& plan) {
  Predicate predicate = verb_group(draft, list("play")[0], subject, plan);
  const bool game = draft.chance(50);
  predicate += Phrase{game ? "à" : "de", ""} + draft.any(game ? "game" : "instrument");
  if (plan.where && draft.chance(25)) predicate += place_of_action(draft);
  if (plan.when && draft.chance(25)) predicate += time(draft, plan.tense);
  return predicate;
}

// --- what somebody or something is ---

Predicate with_adjective(Draft& draft, const NounPhrase& subject, const Plan& plan,
                         const Adjective& adjective) {
  const bool is_lasting = !adjective.is(passing);
  Predicate predicate = verb_group(draft, list("be")[0], subject, fitting(plan, is_lasting));
  draft.meaning(adjective);
  if (subject.noun != nullptr) draft.pair(adjective, *subject.noun);
  if (adjective.is(graded) && draft.chance(20)) predicate += {"très", "very"};
  predicate += {agreeing(adjective, subject.kinds, subject.plural), adjective.english};
  return predicate;
}

// "Marie est étudiante": without an article in French.
Predicate with_profession(Draft& draft, const NounPhrase& subject, const Plan& plan) {
  const Noun& noun = any_noun(draft, job, subject.is(feminine) ? masculine : feminine);
  draft.meaning(noun);
  Predicate predicate = verb_group(draft, list("be")[0], subject, fitting(plan, true));
  predicate += subject.plural ? noun.plural : Phrase{"", "a"} + noun;
  return predicate;
}

// "Marie a faim"
Predicate with_state(Draft& draft, const NounPhrase& subject, const Plan& plan) {
  Predicate predicate = verb_group(draft, list("have")[0], subject, plan);
  predicate += draft.any("state");
  return predicate;
}

Predicate what_it_is(Draft& draft, const NounPhrase& subject, const Plan& plan) {
  const bool somebody = subject.is(person);
  const std::uint64_t roll = draft.below(100);
  if (somebody && roll < 25) return with_state(draft, subject, plan);
  if (somebody && subject.noun == nullptr && roll < 40) {
    return with_profession(draft, subject, plan);
  }
  // "former" and "own" are said before a noun alone, and a red dress is not said to be blue.
  const Adjective* const adjective =
      subject.has_adjective ? nullptr : any_adjective(draft, subject.kinds & ~(office | owned));
  if (adjective != nullptr && (!plan.where || roll < 80)) {
    return with_adjective(draft, subject, plan, *adjective);
  }
  Predicate predicate = verb_group(draft, list("be")[0], subject, plan);
  predicate += location(draft, subject.kinds, subject.noun);
  return predicate;
}

}  // namespace

Plan short_plan() {
  Plan plan;
  plan.where = plan.when = plan.relatives = plan.possessives = false;
  return plan;
}

Plan any_plan(Draft& draft, bool question, Plan plan) {
  plan.question = question;
  const std::uint64_t when = draft.below(100);
  plan.tense = when < 60 ? present : when < 83 ? past : future;
  if (question) return plan;
  const std::uint64_t roll = draft.below(100);
  const std::vector<Word>& adverbs = list("adverb");
  if (roll < 15) plan.adverb = &adverbs[1];
  if (roll < 15 || roll >= 32 || plan.tense != present) return plan;
  plan.adverb = &adverbs[roll < 20 ? 2 : roll < 25 ? 3 : 4];
  return plan;
}

Phrase location(Draft& draft, Kinds kinds, const Noun* itself) {
  const auto fits = [&](const Word& one) { return (one.subjects & kinds) != 0; };
  const Word& where = draft.any_of(list("preposition"), fits);
  const Noun* noun = nullptr;
  do {
    noun = &any_noun(draft, where.objects);
  } while (noun == itself);
  if (draft.chance(60)) return said(where) + plain(draft, *noun);
  return said(where) + noun_phrase(draft, *noun, Determiner::definite);
}

Predicate any_action(Draft& draft, const NounPhrase& subject, const Plan& plan) {
  const std::uint64_t roll = draft.below(100);
  if (subject.is(person) && roll < 45) return with_place(draft, subject, plan);
  if (subject.is(person) && roll < 53) return with_game(draft, subject, plan);
  return with_verb(draft, subject, plan, true);
}

Predicate any_predicate(Draft& draft, const NounPhrase& subject, const Plan& plan) {
  const bool telling = subject.determiner != Determiner::indefinite && !subject.is(unclear);
  if (!subject.is(living) || (telling && draft.chance(25))) {
    return what_it_is(draft, subject, plan);
  }
  if (draft.chance(50)) return any_action(draft, subject, plan);
  return with_verb(draft, subject, plan, false);
}

Predicate any_reason(Draft& draft, const NounPhrase& subject) {
  if (draft.chance(50)) return with_state(draft, subject, {});
  const Adjective* adjective = nullptr;
  do {
    adjective = any_adjective(draft, subject.kinds);
  } while (!adjective->is(passing));
  return with_adjective(draft, subject, {}, *adjective);
}

Phrase relative(Draft& draft, const NounPhrase& head) {
  const bool as_object = draft.chance(50), somebody = head.is(person);
  for (int tries = 0; as_object && tries < 40; ++tries) {
    const Verb& verb = draft.any_of(list("verb"));
    if (!is_transitive(verb) || (verb.objects & head.kinds) == 0) continue;
    const NounPhrase subject = acquaintance(draft);
    const Predicate predicate = verb_group(draft, verb, subject, {});
    draft.pair(verb, *head.noun);
    return Phrase{"que", somebody ? "whom" : "that"} + subject + predicate + verb.preposition;
  }
  NounPhrase it = head;
  it.determiner = Determiner::definite;
  if (!it.is(living) && (it.is(unclear) || it.has_adjective)) return {};
  const Predicate predicate = any_predicate(draft, it, short_plan());
  return Phrase{"qui", somebody ? "who" : "that"} + Phrase{"", predicate.auxiliary} + predicate;
}

}  // namespace attn::phrasebook
