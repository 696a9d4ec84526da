// Verbs with their negation and tense: "ne mange pas", "a mangé", "va être".
#include "lab/phrasebook/phrases.h"

namespace attn::phrasebook {

namespace {

// The finite verb between "ne" and "pas", then what follows.
std::string french_group(const std::string& finite, Polarity polarity, const std::string& rest) {
  switch (polarity) {
    case Polarity::plain:
      return joined(finite, rest);
    case Polarity::often:
      return joined(finite + " souvent", rest);
    case Polarity::negative:
      return joined(elided("ne", finite) + " pas", rest);
    case Polarity::never:
      return joined(elided("ne", finite) + " jamais", rest);
    case Polarity::no_longer:
      return joined(elided("ne", finite) + " plus", rest);
  }
  return finite;
}

// The English adverb; "not" goes with an auxiliary.
std::string english_adverb(Polarity polarity) {
  switch (polarity) {
    case Polarity::plain:
      return "";
    case Polarity::negative:
      return "not";
    case Polarity::never:
      return "never";
    case Polarity::no_longer:
      return "no longer";
    case Polarity::often:
      return "often";
  }
  return "";
}

std::string imperfect(const std::string& stem, bool plural) {
  return stem + (plural ? "aient" : "ait");
}

std::string past_participle(const Verb& verb, const NounPhrase& subject) {
  std::string participle = verb.participle;
  if ((verb.manner & with_etre) == 0) return participle;
  if (subject.gender == Gender::feminine) participle += 'e';
  return subject.plural ? participle + 's' : participle;
}

}  // namespace

VerbGroup verb_group(const Verb& verb, const NounPhrase& subject, Tense tense, Polarity polarity,
                     bool question) {
  const bool plural = subject.plural;
  VerbGroup group;
  const std::string adverb = english_adverb(polarity);
  const bool with_do = question || polarity == Polarity::negative;
  if (tense == future) {
    group.french = french_group(plural ? "vont" : "va", polarity, verb.infinitive);
    group.auxiliary = plural ? "are" : "is";
    group.english = joined(adverb, std::string("going to ") + verb.english);
  } else if (tense == past) {
    const bool etre = (verb.manner & with_etre) != 0;
    const char* const auxiliary = etre ? (plural ? "sont" : "est") : (plural ? "ont" : "a");
    group.french = (verb.manner & lasting) != 0
                       ? french_group(imperfect(verb.participle, plural), polarity, "")
                       : french_group(auxiliary, polarity, past_participle(verb, subject));
    group.auxiliary = with_do ? "did" : "";
    group.english = joined(adverb, with_do ? verb.english : verb.english_past);
  } else {
    group.french = french_group(plural ? verb.plural : verb.singular, polarity, "");
    group.auxiliary = with_do ? (plural ? "do" : "does") : "";
    group.english = joined(adverb, with_do || plural ? verb.english : verb.english_third);
  }
  return group;
}

VerbGroup copula(const NounPhrase& subject, Tense tense, Polarity polarity, bool avoir) {
  const bool plural = subject.plural;
  VerbGroup group;
  std::string rest;
  std::string finite;
  if (tense == future) {
    finite = plural ? "vont" : "va";
    rest = avoir ? "avoir" : "être";
  } else if (tense == past) {
    finite = imperfect(avoir ? "av" : "ét", plural);
  } else if (avoir) {
    finite = plural ? "ont" : "a";
  } else {
    finite = plural ? "sont" : "est";
  }
  group.french = french_group(finite, polarity, rest);
  group.auxiliary = tense == past ? (plural ? "were" : "was") : (plural ? "are" : "is");
  group.english = joined(english_adverb(polarity), tense == future ? "going to be" : "");
  return group;
}

}  // namespace attn::phrasebook
