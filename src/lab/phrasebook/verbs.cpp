// A verb in its tense, with what negates it: French and English differ in which words they need.
#include <utility>

#include "lab/phrasebook/grammar.h"

namespace attn::phrasebook {

namespace {

// "mange", "a mangé", "va manger": the finite verb, and what follows it.
std::pair<std::string, std::string> french_forms(const Verb& verb, const NounPhrase& subject,
                                                 Kinds tense) {
  const bool plural = subject.plural;
  if (tense == future) return {plural ? "vont" : "va", verb.infinitive};
  if (tense == present) return {plural ? verb.plural.french : verb.french, ""};
  if (verb.is(lasting)) return {verb.participle + (plural ? "aient" : "ait"), ""};
  if (!verb.is(with_etre)) return {plural ? "ont" : "a", verb.participle};
  std::string participle = verb.participle;
  if (subject.is(feminine)) participle += 'e';
  if (plural) participle += 's';
  return {plural ? "sont" : "est", participle};
}

// "eats", "did eat", "is going to eat": the auxiliary, if there is one, and what follows it.
std::pair<std::string, std::string> english_forms(const Verb& verb, bool plural, Kinds tense,
                                                  bool with_do) {
  if (tense == future) return {plural ? "are" : "is", "going to " + verb.english};
  const bool was = tense == past;
  if (verb.english == "be") return {plural ? (was ? "were" : "are") : (was ? "was" : "is"), ""};
  if (with_do) return {was ? "did" : plural ? "do" : "does", verb.english};
  return {"", was ? verb.english_past : plural ? verb.english : verb.english_third};
}

}  // namespace

Plan fitting(Plan plan, bool is_lasting) {
  if (!is_lasting) return plan;
  if (plan.tense == past || plan.adverb->is(frequency)) plan.adverb = &list("adverb")[0];
  if (plan.tense == future) plan.tense = present;
  return plan;
}

Predicate verb_group(Draft& draft, const Verb& verb, const NounPhrase& subject, const Plan& plan) {
  draft.meaning(verb);
  const bool with_do = plan.question || plan.adverb->english == "not";
  const auto [finite, rest] = french_forms(verb, subject, plan.tense);
  const auto [auxiliary, english] = english_forms(verb, subject.plural, plan.tense, with_do);
  const Phrase before{plan.adverb->is(negated) ? "ne " + finite : finite, ""};
  return {before + *plan.adverb + Phrase{rest, english}, auxiliary};
}

bool is_transitive(const Verb& verb) {
  return verb.objects != 0 && verb.preposition.french.empty() && !verb.is(with_etre | to_somebody);
}

}  // namespace attn::phrasebook
