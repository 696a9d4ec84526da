// Parts of sentences of the phrasebook, in both languages at once: noun phrases with their
// articles, adjectives and owners, and the groups of verbs with their negation and tense.
//
//   la grande maison bleue de Marie    Marie's big blue house
//   un bel oiseau                      a beautiful bird
//   ne … jamais                        never …
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "lab/phrasebook/words.h"

namespace attn::phrasebook {

// A word with more than one meaning, and which it is: livre, pound.
struct Meaning {
  std::string french, english;
};

// A sentence that is being made: its random numbers, and what there is to know of it at the end.
struct Draft {
  RandomStream random;
  std::uint64_t drawn = 0;
  unsigned names_used = 0;  // a bit each: no name comes twice
  // Which adjective is said of which noun, which verb has which object, which month goes with which
  // place: "bleu maison". Without words that have two meanings: such a pair may be what tells them.
  std::vector<std::string> pairs;
  std::vector<Meaning> meanings;

  std::uint64_t below(std::uint64_t n) { return random.below(drawn++, n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Row>
  const Row& any_of(const std::vector<Row>& table) {
    return table[below(table.size())];
  }
  void pair(const std::string& a, const std::string& b) { pairs.push_back(a + ' ' + b); }
  void meaning(const char* french, const char* english);
};

struct Phrase {
  std::string french, english;
};

// With a space between them, unless one is empty.
std::string joined(const std::string& a, const std::string& b);
Phrase joined(const Phrase& a, const Phrase& b);

// "le" and "ami": l'ami; "ne" and "mange": ne mange; "que" and "il": qu'il.
std::string elided(std::string_view word, const std::string& next);
// "de" and "le voisin": du voisin; "à" and "les échecs": aux échecs; "de" and "Alice": d'Alice.
std::string contracted(std::string_view preposition, const std::string& next);

enum class Determiner {
  definite,       // le     the
  indefinite,     // un     a
  demonstrative,  // ce     this
  number,         // deux   two
  possessive,     // son    his or her, whichever its owner is
  genitive,       // le … de Marie    Marie's …
  no,             // de     no: il n'y a pas de chat
};

struct NounPhrase : Phrase {
  Gender gender = Gender::masculine;
  bool plural = false;
  Kinds kinds = 0;
  Determiner determiner = Determiner::definite;
  const Noun* noun = nullptr;  // null: a name or a pronoun
  bool is_pronoun = false;
  bool has_adjective = false;
  bool may_own = false;  // whether "son" in the same clause is this one's
};

NounPhrase any_name(Draft& draft);
NounPhrase pronoun(Gender gender, bool plural);                    // il, elle, ils, elles
NounPhrase coordinated(const NounPhrase& a, const NounPhrase& b);  // Paul et Marie

// A name, or somebody who belongs to nobody.
NounPhrase acquaintance(Draft& draft);
// "le roi", the king: without an adjective, in the singular.
NounPhrase plain(Draft& draft, const Noun& noun);
// A noun of one of these kinds.
const Noun& any_noun(Draft& draft, Kinds kinds);
// A noun with a determiner that it can have. After a negation "un" is "de", and the gender is not
// heard: a noun whose meaning hangs on it has another article then. So have persons, animals and
// buildings, of which one seldom speaks like that.
NounPhrase noun_phrase(Draft& draft, const Noun& noun, const NounPhrase* owner = nullptr,
                       bool negated = false);
NounPhrase noun_phrase(Draft& draft, const Noun& noun, Determiner determiner,
                       const NounPhrase* owner = nullptr, bool negated = false);

// An adjective that can be said of these kinds: after the verb, if `before` is null.
const Adjective* any_adjective(Draft& draft, Kinds kinds, const bool* before = nullptr);
std::string agreeing(const Adjective& adjective, Gender gender, bool plural);

enum class Polarity { plain, negative, never, no_longer, often };

// "ne mange pas"; in English the auxiliary, which a question puts before the subject, and the rest.
struct VerbGroup {
  std::string french;
  std::string auxiliary, english;
};
VerbGroup verb_group(const Verb& verb, const NounPhrase& subject, Tense tense, Polarity polarity,
                     bool question);
// être, or avoir in "avoir faim"; in English always "be".
VerbGroup copula(const NounPhrase& subject, Tense tense, Polarity polarity, bool avoir = false);

}  // namespace attn::phrasebook
