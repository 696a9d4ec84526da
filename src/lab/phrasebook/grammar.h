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
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/phrasebook/phrases.h"

namespace attn::phrasebook {

struct Sentence {
  std::string french, english;
  std::vector<std::string> pairs;  // as in Draft
  std::vector<Meaning> meanings;
};

enum class Size { usual, longer };  // longer: two or three clauses with relatives
Sentence draw_sentence(std::uint64_t seed, std::uint64_t stream, Size size);

}  // namespace attn::phrasebook
