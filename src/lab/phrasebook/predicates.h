// Predicates of the phrasebook: what a clause says of its subject. The grammar is in
// phrasebook_grammar.h.
#pragma once

#include <string>

#include "lab/phrasebook/phrases.h"

namespace attn::phrasebook {

// A question puts the English auxiliary before the subject: does Marie eat.
struct Predicate {
  std::string french;
  std::string auxiliary, english;
};

struct Mood {
  Tense tense = present;
  Polarity polarity = Polarity::plain;
  bool question = false;  // English takes "do"
};
Mood any_mood(Draft& draft, bool question);
// As far as the verb allows it: nobody often knows a neighbour.
Mood fitting(Mood mood, const Verb& verb);

// What a predicate does without, because a question asks for it or the clause is a short one.
struct Bounds {
  bool where = true, when = true, relatives = true, possessives = true;
  bool asks_where = false, asks_when = false;
};
constexpr Bounds kShort{false, false, false, false, false, false};

Predicate any_predicate(Draft& draft, const NounPhrase& subject, const Mood& mood,
                        const Bounds& bounds);
// Something that a person does somewhere at some time.
Predicate any_action(Draft& draft, const NounPhrase& subject, const Mood& mood,
                     const Bounds& bounds);
// Why: is hungry, is tired.
Predicate any_reason(Draft& draft, const NounPhrase& subject);
// "qui dort", "que Marie lit"
Phrase relative(Draft& draft, const NounPhrase& head);
// Whether a verb has an object without a preposition and needs nothing else.
bool is_transitive(const Verb& verb);

}  // namespace attn::phrasebook
