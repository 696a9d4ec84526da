// What follows a verb in the phrasebook: its object, a place, a time.
#pragma once

#include <string_view>

#include "lab/phrasebook/phrases.h"

namespace attn::phrasebook {

// Of the kinds that the verb wants. `owner`: whose "son" is; null: there is none.
NounPhrase object(Draft& draft, const Verb& verb, const NounPhrase* owner, bool negated);

// "à Paris", "en France", "au Japon", "d'Afrique"; without a preposition, as an object: "la
// France".
Phrase place_phrase(std::string_view preposition, const Place& land);
// "sous la table", where something of these kinds can be.
Phrase location(Draft& draft, Kinds kinds, const Noun* other_than);
// Where somebody does something: also "à la maison", "chez Marie".
Phrase place_of_action(Draft& draft);

// "hier", "le lundi"
Phrase time(Draft& draft, Tense tense);
// "en mai", "au printemps"
Phrase month_or_season(Draft& draft, const Place& land);

}  // namespace attn::phrasebook
