// The grammar of the phrasebook: a sentence, French and English from one structure.
//
//   sentence    clause | question | clause et|mais clause | clause parce qu'il … | il y a …
//   question    est-ce que clause ?  où|quand|pourquoi est-ce que clause ?  où est … ?
//               qui predicate ?  qu'est-ce que subject verb ?  qui est-ce que subject verb ?
//   clause      subject predicate
//   subject     Marie | elle | noun phrase (relative) | Marie et Paul
//   relative    qui predicate | que Marie verb
//   predicate   verb (object) (à quelqu'un) | verb of place (en train) | joue à|de … |
//               est adjective|médecin|sous la table | a faim
//               then (where) (with whom) (when)
//
// present, past (a mangé, est allé, était) or future (va manger); ne … pas, jamais, plus; souvent.
// "son" and "sa" are the subject's, and only where nobody else in the clause could own the thing.
//
// A rule is a function that draws random numbers, calls the functions of its parts and adds up what
// they return, French and English at once. Sentences, questions, clauses and subjects are made in
// grammar.cpp, predicates and relatives in predicates.cpp, their verbs in verbs.cpp, names and
// nouns in phrases.cpp. What words there are, and which of them go together, is a table:
// data/phrasebook/words.tsv. At the end, as_written (phrases.h) turns "de le ami" into "de l'ami".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/phrasebook/phrases.h"

namespace attn::phrasebook {

struct Sentence : Phrase {
  std::vector<std::string> pairs;  // as in Draft
  std::vector<Phrase> meanings;
};

enum class Size { usual, longer };  // longer: two or three clauses with relatives
Sentence draw_sentence(std::uint64_t seed, std::uint64_t stream, Size size);

// --- predicates ---

// What a clause settles before its words are drawn.
struct Plan {
  Kinds tense = present;
  const Word* adverb = &list("adverb")[0];  // none, pas, jamais, plus or souvent
  bool question = false;                    // English takes "do"
  // What the predicate may have; and what a question asks for, which it does without.
  bool where = true, when = true, relatives = true, possessives = true;
  bool asks_where = false, asks_when = false;
};
Plan short_plan();  // of a predicate that has none of these
// Draws the tense, and the adverb unless it is a question's.
Plan any_plan(Draft& draft, bool question, Plan plan = {});
// As far as the verb allows it: nobody often knows a neighbour.
Plan fitting(Plan plan, bool is_lasting);

// A question puts the English auxiliary before the subject: does Marie eat.
struct Predicate : Phrase {
  std::string auxiliary;
};
// "ne mange pas", "a mangé", "va manger"
Predicate verb_group(Draft& draft, const Verb& verb, const NounPhrase& subject, const Plan& plan);

Predicate any_predicate(Draft& draft, const NounPhrase& subject, const Plan& plan);
// Something that a person does somewhere at some time.
Predicate any_action(Draft& draft, const NounPhrase& subject, const Plan& plan);
// Why: is hungry, is tired.
Predicate any_reason(Draft& draft, const NounPhrase& subject);
// "qui dort", "que Marie lit"
Phrase relative(Draft& draft, const NounPhrase& head);
// Whether a verb has an object without a preposition and needs nothing else.
bool is_transitive(const Verb& verb);
// "sous la table", where something of these kinds can be, but not under itself.
Phrase location(Draft& draft, Kinds kinds, const Noun* itself = nullptr);

}  // namespace attn::phrasebook
