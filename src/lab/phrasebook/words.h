// The words of the phrasebook: tables of nouns, adjectives, verbs, names and places, French on the
// left, English on the right. phrasebook_grammar.cpp makes sentences of them.
//
// A word that has two meanings has two rows. Its kinds, what it is and what can be done with it,
// see to it that every sentence tells which is meant: one eats avocados and speaks to lawyers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn::phrasebook {

enum class Gender { masculine, feminine };

// What a noun is and what can be done with it: adjectives, verbs and prepositions name the kinds
// that they go with.
using Kinds = std::uint64_t;
enum Kind : Kinds {
  man = 1u << 0,
  woman = 1u << 1,
  grown = 1u << 2,     // can be called old: a "vieille fille" is something else
  fair_man = 1u << 3,  // can be called handsome; a "beau père" is something else
  fair_woman = Kinds{1} << 39,
  office = 1u << 4,  // can be called former, good or bad
  job = 1u << 5,     // "elle est médecin"
  animal = 1u << 6,
  pet = 1u << 7,
  bird = 1u << 8,
  food = 1u << 9,    // eaten
  stuff = 1u << 10,  // eaten and not counted: bread
  drink = 1u << 11,  // drunk, nor counted either
  water = 1u << 12,  // what animals drink
  clothes = 1u << 13,
  luggage = 1u << 14,
  text = 1u << 15,
  written = 1u << 16,
  film = 1u << 17,
  furniture = 1u << 18,
  opening = 1u << 19,  // a door, a window
  container = 1u << 20,
  building = 1u << 21,
  room = 1u << 22,
  garden = 1u << 23,
  place = 1u << 24,        // Paris, Africa
  destination = 1u << 25,  // "va au musée"
  thing = 1u << 26,        // bought, sold, lost, given …
  coloured = 1u << 27,
  small = 1u << 28,  // fits on a table
  drawn = 1u << 29,
  shown = 1u << 30,
  learned = Kinds{1} << 31,
  cleaned = Kinds{1} << 32,
  sought = Kinds{1} << 33,
  money = Kinds{1} << 34,         // lost and stolen
  owned = Kinds{1} << 35,         // can be somebody's own
  always_owned = Kinds{1} << 36,  // a brother
  never_owned = Kinds{1} << 37,
  unclear = Kinds{1} << 38,  // has a second meaning that only a verb or a preposition excludes
};
constexpr Kinds person = man | woman;
constexpr Kinds uncounted = stuff | drink;

struct Noun {
  const char* singular;
  const char* plural;  // empty: has none here
  Gender gender;
  const char* english;
  const char* english_plural;
  Kinds kinds;
};

// The order of English adjectives: a beautiful tired old white horse.
enum class Rank { opinion, condition, size_or_age, colour_or_origin };

// In the order of French grammars: petit, petite, petits, petites; before a vowel: vieil homme.
struct Adjective {
  const char *masculine, *feminine, *masculine_plural, *feminine_plural;
  const char* before_vowel;  // empty: as the masculine
  const char* english;
  bool before_noun;  // in French
  Rank rank;         // in English, where all come before it
  Kinds kinds;
  unsigned manner = 0;
};
enum AdjectiveManner : unsigned {
  graded = 1,   // très petit
  passing = 2,  // a state: one is often tired, but not often young
};

struct Verb {
  // il mange, ils mangent, manger, mangé. A lasting state has the imperfect for its past, and its
  // stem in place of the participle: habit(ait).
  const char *singular, *plural, *infinitive, *participle;
  const char *english, *english_third, *english_past;  // eat, he eats, ate
  Kinds subjects;
  Kinds objects;                 // 0: has none
  const char* preposition = "";  // of the object
  const char* english_preposition = "";
  unsigned manner = 0;
};

enum Manner : unsigned {
  to_somebody = 1,  // donne … à quelqu'un
  with_etre = 2,    // est allé
  lasting = 4,      // a state: nobody is going to know a neighbour on Sunday
};

struct Name {
  const char* name;
  Gender gender;
};

// "Paris" has no article; "la France" and "l'Italie" are feminine.
struct Place {
  const char* article;  // la, le, les or empty
  const char* french;
  const char* english;
};

// Words or phrases that are translated as they are.
struct Fixed {
  const char *french, *english;
};

enum Tense : unsigned { present = 1, past = 2, future = 4 };
struct Time {
  const char *french, *english;
  unsigned tenses;
};

// "sur la table", and what can be there.
struct Preposition {
  const char *french, *english;
  Kinds kinds, what;
};
// "une livre de"
struct Measure {
  const char* french;
  Gender gender;
  const char* english;
  Kinds kinds;
};

const std::vector<Noun>& nouns();
const std::vector<Adjective>& adjectives();
const std::vector<Verb>& verbs();
const std::vector<Verb>& verbs_of_place();
const std::vector<Name>& names();
const std::vector<Place>& places();
const std::vector<Fixed>& months();
const std::vector<Fixed>& seasons();
const std::vector<Fixed>& numbers();
const std::vector<Fixed>& vehicles();
const std::vector<Fixed>& games();
const std::vector<Fixed>& instruments();
const std::vector<Fixed>& states();  // avoir faim, to be hungry
const std::vector<Time>& times();
const std::vector<Preposition>& prepositions();
const std::vector<Measure>& measures();

// The nouns, adjectives, verbs and measures, by their first form, that have more than one meaning,
// and the English for each.
using MeaningTable = std::map<std::string, std::set<std::string>, std::less<>>;
const MeaningTable& ambiguous_words();
bool has_two_meanings(std::string_view french);
// Whether a noun has two meanings of different genders: le livre, la livre.
bool has_two_genders(std::string_view noun);

}  // namespace attn::phrasebook
