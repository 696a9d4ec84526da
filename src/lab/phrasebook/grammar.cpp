// From the top: what kind of sentence it is, its clauses, their subjects. Each drawn number is
// compared with percentages, which add up from one kind to the next.
#include "lab/phrasebook/grammar.h"

#include <utility>

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

NounPhrase any_person(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 40) return any_name(draft);
  if (roll < 52) {
    const Kinds gender = draft.chance(50) ? masculine : feminine;
    return pronoun(gender, draft.chance(40));
  }
  if (roll < 61) return any_couple(draft);
  const Noun& noun = any_noun(draft, person);
  const bool definite = draft.chance(50) && !noun.is(always_owned);
  return definite ? noun_phrase(draft, noun, Determiner::definite) : noun_phrase(draft, noun);
}

NounPhrase any_subject(Draft& draft) {
  const std::uint64_t roll = draft.below(100);
  if (roll < 80) return any_person(draft);
  if (roll < 89) return noun_phrase(draft, any_noun(draft, animal));
  return noun_phrase(draft, any_noun(draft, spoken_of, unclear), Determiner::definite);
}

// --- clauses ---

Phrase statement(const Phrase& subject, const Predicate& predicate) {
  return subject + Phrase{"", predicate.auxiliary} + predicate;
}

Phrase clause(Draft& draft, const Plan& plan) {
  NounPhrase subject = any_subject(draft);
  const bool plain_noun = subject.noun != nullptr && subject.determiner != Determiner::genitive;
  if (plain_noun && plan.relatives && plan.tense == present && draft.chance(20)) {
    static_cast<Phrase&>(subject) = said(subject) + relative(draft, subject);
    // A possessive in the predicate of "the girl whom the king knows" could be either's.
    subject.may_own = false;
    subject.has_adjective = true;  // or as good as one
  }
  return statement(subject, any_predicate(draft, subject, plan));
}

// Clauses of the same tense: "Marie lit et Paul dort".
Phrase clauses(Draft& draft, int count, const Plan& extent) {
  Plan plan = any_plan(draft, false, extent);
  Phrase all = clause(draft, plan);
  while (--count > 0) {
    const Kinds tense = plan.tense;
    do {
      plan = any_plan(draft, false, extent);
    } while (plan.tense != tense);
    const Phrase next = clause(draft, plan);
    all = all + (draft.chance(40) ? Phrase{"mais", "but"} : Phrase{"et", "and"}) + next;
  }
  return all;
}

// "Marie dort parce qu'elle est fatiguée"
Phrase because(Draft& draft) {
  const NounPhrase subject = acquaintance(draft);
  Plan plan = short_plan();
  plan.possessives = true;
  const Phrase main = statement(subject, any_action(draft, subject, plan));
  const NounPhrase again = pronoun(subject.is(feminine) ? feminine : masculine, false);
  const Phrase reason = statement(again, any_reason(draft, again));
  return main + Phrase{"parce que", "because"} + reason;
}

// "il y a des pommes sur la table", "il n'y a pas de chat sous le lit"
Phrase there_is(Draft& draft) {
  const Noun& noun = any_noun(draft, lying_about, unclear);
  const bool none = !noun.is(animal | two_genders) && draft.chance(35);
  const NounPhrase what = noun_phrase(draft, noun, none ? Determiner::no : Determiner::indefinite);
  const Phrase verb{none ? "il n'y a pas" : "il y a", what.plural ? "there are" : "there is"};
  return verb + what + location(draft, noun.kinds, &noun);
}

// --- questions ---

// In French the statement after "est-ce que"; in English the auxiliary comes first.
Phrase question(const Phrase& word, const Phrase& subject, const Predicate& predicate) {
  const Phrase begun = word + Phrase{"est-ce que", predicate.auxiliary};
  return begun + subject + predicate + Phrase{"?", "?"};
}

Phrase yes_or_no(Draft& draft, const Phrase& word) {
  const NounPhrase subject = any_subject(draft);
  return question(word, subject, any_predicate(draft, subject, any_plan(draft, true)));
}

Phrase where_or_when(Draft& draft, bool where) {
  Plan plan;
  plan.relatives = false;
  (where ? plan.where : plan.when) = false;
  (where ? plan.asks_where : plan.asks_when) = true;
  const NounPhrase subject = any_person(draft);
  const Phrase word = where ? Phrase{"où", "where"} : Phrase{"quand", "when"};
  return question(word, subject, any_action(draft, subject, any_plan(draft, true, plan)));
}

// "qui dort ?"
Phrase who(Draft& draft) {
  const NounPhrase subject{{"qui", "who"}, person};
  Plan plan = any_plan(draft, true);
  plan.question = false;  // no "do": who sleeps?
  return statement(subject, any_predicate(draft, subject, plan)) + Phrase{"?", "?"};
}

// "qu'est-ce que Marie mange ?", "qui est-ce que Paul invite ?"
Phrase whom_or_what(Draft& draft) {
  const NounPhrase subject = acquaintance(draft);
  const Verb& verb = draft.any_of(list("verb"), [](const Verb& one) {
    return is_transitive(one) && (one.subjects & person) != 0 && !one.is(two_meanings);
  });
  const Plan plan = fitting(any_plan(draft, true), verb.is(lasting));
  Predicate group = verb_group(draft, verb, subject, plan);
  group += verb.preposition;  // in English at the end: whom does Paul wait for
  const bool whom = (verb.objects & (person | always_owned)) != 0;
  return question(whom ? Phrase{"qui", "whom"} : Phrase{"que", "what"}, subject, group);
}

// "où sont les clés ?"
Phrase where_is(Draft& draft) {
  NounPhrase subject;
  do {
    draft.pairs.clear();  // of a subject that was not taken
    draft.meanings.clear();
    subject = any_subject(draft);
  } while (subject.is_pronoun || subject.determiner == Determiner::indefinite ||
           subject.determiner == Determiner::number || subject.is(unclear));
  Plan plan;
  if (draft.chance(30)) plan.tense = past;
  const Predicate is = verb_group(draft, list("be")[0], subject, plan);
  return Phrase{"où", "where"} + Phrase{is.french, is.auxiliary} + subject + Phrase{"?", "?"};
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
  if (roll < 40) return clauses(draft, 2, short_plan());
  return clauses(draft, 1, {});
}

}  // namespace

Sentence draw_sentence(std::uint64_t seed, std::uint64_t stream, Size size) {
  Draft draft;
  draft.random = {seed, stream};
  Phrase phrase = size == Size::usual ? usual(draft) : clauses(draft, draft.chance(50) ? 2 : 3, {});
  phrase.french = as_written(phrase.french);
  return {std::move(phrase), std::move(draft.pairs), std::move(draft.meanings)};
}

}  // namespace attn::phrasebook
