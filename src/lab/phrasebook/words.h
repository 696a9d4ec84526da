// The words of the phrasebook, a table that the build puts into the program:
// data/phrasebook/words.tsv. Its columns are the members of Word.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::phrasebook {

// One word or several, in both languages.
struct Phrase {
  std::string french, english;
};
// Of a word or a noun phrase, which are phrases of which more is known, what is said.
inline const Phrase& said(const Phrase& phrase) {
  return phrase;
}

// A set of kinds, a bit each: what a word is and what can be done with it.
using Kinds = std::uint64_t;
// A kind or a group of them by its name in the table, for rules of grammar that ask for it.
struct Kind {
  const char* name;
  mutable std::atomic<Kinds> kinds{0};  // once they have been looked up
  operator Kinds() const;
};
inline const Kind masculine{"m"}, feminine{"f"}, several{"several"};
inline const Kind person{"person"}, animal{"animal"}, living{"living"}, building{"building"};
inline const Kind place{"place"}, job{"job"}, office{"office"};
inline const Kind owned{"owned"}, always_owned{"always_owned"}, never_owned{"never_owned"};
inline const Kind uncounted{"uncounted"}, unclear{"unclear"};
inline const Kind two_meanings{"two_meanings"}, two_genders{"two_genders"};
inline const Kind spoken_of{"spoken_of"}, lying_about{"lying_about"};
inline const Kind before_noun{"before"}, after_noun{"after"}, rank{"rank"};
inline const Kind graded{"graded"}, passing{"passing"};
inline const Kind with_etre{"with_etre"}, to_somebody{"to_somebody"}, lasting{"lasting"};
inline const Kind negated{"negated"}, frequency{"frequency"};
inline const Kind present{"present"}, past{"past"}, future{"future"};

// Empty where a word has no such form: the French is a noun's singular, an adjective's masculine
// and what a verb is after "il".
struct Word : Phrase {
  Kinds kinds = 0;
  Phrase plural;                                        // a noun without one has none here
  std::string feminine, feminine_plural, before_vowel;  // belle, belles, bel
  std::string infinitive, participle;                   // manger, mangé
  std::string english_third, english_past;              // eats, ate
  Kinds subjects = 0, objects = 0;                      // that it goes with
  Phrase preposition;                                   // of the object

  bool is(Kinds some) const { return (kinds & some) != 0; }
  bool has_plural() const { return !plural.french.empty(); }
};
using Noun = Word;
using Adjective = Word;
using Verb = Word;

// English words by what they mean in French.
using MeaningTable = std::map<std::string, std::set<std::string>>;

struct Lexicon {
  std::map<std::string, Kinds, std::less<>> kinds;  // and groups of them
  std::map<std::string, std::vector<Word>, std::less<>> lists;
  MeaningTable ambiguous;  // the nouns, adjectives, verbs and measures with two meanings
};
// Throws Error, naming the line, if the table has a column or a name that is not known.
Lexicon read_lexicon(std::string_view table);
const Lexicon& lexicon();

// "noun", "verb", "month" …
const std::vector<Word>& list(std::string_view name);

}  // namespace attn::phrasebook
