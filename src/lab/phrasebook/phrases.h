// Phrases of the phrasebook, French and English at once: names and pronouns, nouns with their
// determiners and adjectives, places.
//
//   la grande maison bleue de Marie    Marie's big blue house
//   un bel oiseau                      a beautiful bird
//
// While a sentence is made, its French has all words in full, "le ami", "de le roi"; as_written
// elides and contracts them at the end.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "lab/phrasebook/words.h"

namespace attn::phrasebook {

// A sentence in the making: its random numbers, and what must be known of it at the end.
struct Draft {
  RandomStream random;
  std::uint64_t drawn = 0;
  std::set<std::string> names_used;  // no name comes twice
  // Which adjective is said of which noun, which verb has which object, which month goes with which
  // place: "bleu maison". Without words that have two meanings: such a pair may be what tells them.
  std::vector<std::string> pairs;
  std::vector<Phrase> meanings;  // of words that have two: livre, pound

  std::uint64_t below(std::uint64_t n) { return random.below(drawn++, n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Row>
  const Row& any_of(const std::vector<Row>& table) {
    return table[below(table.size())];
  }
  // Draws until one fits.
  template <class Row, class Fits>
  const Row& any_of(const std::vector<Row>& table, const Fits& fits) {
    const Row* row = &any_of(table);
    while (!fits(*row)) row = &any_of(table);
    return *row;
  }
  const Word& any(const char* name) { return any_of(list(name)); }

  void meaning(const Word& word);
  void pair(const Word& a, const Word& b);
};

// One after the other, with a space between them unless one is empty.
void operator+=(Phrase& phrase, const Phrase& more);
Phrase operator+(Phrase phrase, const Phrase& more);
// "le ami" as l'ami, "de le roi" as du roi, "ce ami" as cet ami, "sa amie" as son amie.
std::string as_written(const std::string& french);

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
  Kinds kinds = 0;
  bool plural = false;
  Determiner determiner = Determiner::definite;
  const Noun* noun = nullptr;  // null: a name or a pronoun
  bool is_pronoun = false;
  bool has_adjective = false;
  bool may_own = false;  // whether "son" in the same clause is this one's

  bool is(Kinds some) const { return (kinds & some) != 0; }
};

NounPhrase any_name(Draft& draft);
NounPhrase pronoun(Kinds gender, bool plural);                     // il, elle, ils, elles
NounPhrase coordinated(const NounPhrase& a, const NounPhrase& b);  // Paul et Marie
// A name, or a person who is nobody's relative.
NounPhrase acquaintance(Draft& draft);

// A noun of one of these kinds, and of none of the others.
const Noun& any_noun(Draft& draft, Kinds kinds, Kinds others = 0);
// "le roi", the king: without an adjective, in the singular.
NounPhrase plain(Draft& draft, const Noun& noun);
// A noun with a determiner that it can take. After a negation "un" becomes "de", which hides the
// gender, so a noun whose meaning depends on it takes another article. So do persons, animals and
// buildings, which are seldom spoken of like that.
NounPhrase noun_phrase(Draft& draft, const Noun& noun, const NounPhrase* owner = nullptr,
                       bool negated = false);
NounPhrase noun_phrase(Draft& draft, const Noun& noun, Determiner determiner,
                       const NounPhrase* owner = nullptr, bool negated = false);

// One that can be said of these kinds, and goes there in French; null if there is none.
const Adjective* any_adjective(Draft& draft, Kinds kinds, Kinds where = before_noun | after_noun);
std::string agreeing(const Adjective& adjective, Kinds gender, bool plural);

// "à Paris", "en France", "à le Japon", "de Afrique"; as an object: "la France".
Phrase place_phrase(const Phrase& preposition, const Word& land);

}  // namespace attn::phrasebook
