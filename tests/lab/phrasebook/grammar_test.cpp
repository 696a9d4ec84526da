// The French and the English of the phrasebook: rules that every sentence keeps, and the parts that
// they are made of, word by word.
#include "lab/phrasebook/grammar.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include "support/strings.h"
#include "text/lines.h"

using namespace attn;
using namespace attn::test;
using namespace attn::phrasebook;

namespace {

const std::vector<Sentence>& many_sentences() {
  static const std::vector<Sentence> all = [] {
    std::vector<Sentence> sentences;
    for (std::uint64_t i = 0; i < 20000; ++i) {
      sentences.push_back(draw_sentence(11, i, i % 4 == 0 ? Size::longer : Size::usual));
    }
    return sentences;
  }();
  return all;
}

const Word& word_of(const char* words, const std::string& french, const std::string& english) {
  for (const Word& one : phrasebook::list(words)) {
    if (one.french == french && one.english == english) return one;
  }
  FAIL("no such word: ", french);
  return phrasebook::list(words)[0];
}

const Noun& noun(const std::string& singular, const std::string& english) {
  return word_of("noun", singular, english);
}

// Everything that a function of chance makes.
template <class Make>
std::set<std::string> all_of(const Make& make) {
  std::set<std::string> made;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    Draft draft;
    draft.random = {5, i};
    const Phrase phrase = make(draft);
    made.insert(as_written(phrase.french) + " = " + phrase.english);
  }
  return made;
}

NounPhrase she() {
  return pronoun(feminine, false);
}
NounPhrase they() {
  return pronoun(feminine, true);
}

bool is_vowel(char letter) {
  return std::string_view("aeiouAEIOU").find(letter) != std::string::npos;
}

}  // namespace

TEST_SUITE("tasks: the grammar of the phrasebook") {
  TEST_CASE("French elides before vowels and contracts du, des, au and aux") {
    CHECK(as_written("le ami") == "l'ami");
    CHECK(as_written("la église") == "l'église");
    CHECK(as_written("de États-Unis") == "d'États-Unis");
    CHECK(as_written("le œuf") == "l'œuf");
    CHECK(as_written("le homme") == "l'homme");
    CHECK(as_written("ne mange") == "ne mange");
    CHECK(as_written("ne a pas") == "n'a pas");
    CHECK(as_written("que il dort") == "qu'il dort");
    CHECK(as_written("ce ami et ce chat") == "cet ami et ce chat");
    CHECK(as_written("sa amie et sa fille") == "son amie et sa fille");
    CHECK(as_written("de le voisin") == "du voisin");
    CHECK(as_written("de les voisins") == "des voisins");
    CHECK(as_written("de le ami") == "de l'ami");
    CHECK(as_written("de la voisine") == "de la voisine");
    CHECK(as_written("de la eau") == "de l'eau");
    CHECK(as_written("de Alice") == "d'Alice");
    CHECK(as_written("de leur père") == "de leur père");
    CHECK(as_written("à le voisin") == "au voisin");
    CHECK(as_written("à les échecs") == "aux échecs");
    CHECK(as_written("à Alice") == "à Alice");
    CHECK(as_written("près de le musée") == "près du musée");
    CHECK(as_written("avec le voisin de le roi") == "avec le voisin du roi");
  }

  TEST_CASE("in no sentence a word stands before a vowel that should have been elided") {
    const std::set<std::string> elides{"le", "la", "de", "ne", "que"};
    const std::set<std::string> not_before_vowels{"ce", "beau", "nouveau", "sa"};
    const std::string vowels = "aeiouhAEIOUH";
    for (const Sentence& sentence : many_sentences()) {
      CAPTURE(sentence.french);
      const std::vector<std::string> french = words_of(sentence.french);
      for (std::size_t i = 0; i + 1 < french.size(); ++i) {
        const std::string& next = french[i + 1];
        const bool vowel = vowels.find(next[0]) != std::string::npos ||
                           next.compare(0, 2, "é") == 0 || next.compare(0, 2, "É") == 0 ||
                           next.compare(0, 2, "œ") == 0;
        if (!vowel) continue;
        REQUIRE(elides.count(french[i]) == 0);
        // "il est beau et …" is no noun phrase.
        const auto is_next = [&](const Noun& one) { return one.french == next; };
        const std::vector<Noun>& nouns = phrasebook::list("noun");
        if (std::any_of(nouns.begin(), nouns.end(), is_next)) {
          REQUIRE(not_before_vowels.count(french[i]) == 0);
        }
      }
      const std::string line = ' ' + sentence.french + ' ';
      for (const char* wrong : {" de le ", " de les ", " à le ", " à les ", "  ", " qu' ",
                                " de des ", " de du ", " des des "}) {
        REQUIRE(line.find(wrong) == std::string::npos);
      }
    }
  }

  TEST_CASE("ne is followed by pas, jamais or plus, and English says it as often") {
    for (const Sentence& sentence : many_sentences()) {
      CAPTURE(sentence.french);
      CAPTURE(sentence.english);
      int open = 0, negations = 0;
      for (const std::string& word : words_of(sentence.french)) {
        if (word == "ne" || word.compare(0, 2, "n'") == 0) {
          REQUIRE(open == 0);
          ++open;
        }
        if (word == "pas" || word == "jamais" || word == "plus") {
          REQUIRE(open == 1);
          --open;
          ++negations;
        }
      }
      REQUIRE(open == 0);
      for (const std::string& word : words_of(sentence.english)) {
        negations -= word == "not" || word == "never" || word == "no";
      }
      REQUIRE(negations == 0);
    }
  }

  TEST_CASE("English has an before vowels and a before consonants") {
    for (const Sentence& sentence : many_sentences()) {
      const std::vector<std::string> english = words_of(sentence.english);
      CAPTURE(sentence.english);
      for (std::size_t i = 0; i + 1 < english.size(); ++i) {
        if (english[i] == "a") REQUIRE(!is_vowel(english[i + 1][0]));
        if (english[i] == "an") REQUIRE(is_vowel(english[i + 1][0]));
      }
    }
  }

  TEST_CASE("does, do and did are followed by a plain verb, and questions have them") {
    std::set<std::string> third, plain_forms;
    for (const char* verbs : {"verb", "verb_of_place"}) {
      for (const Verb& one : phrasebook::list(verbs)) {
        third.insert(one.english_third);
        plain_forms.insert(one.english);
      }
    }
    int questions = 0;
    for (const Sentence& sentence : many_sentences()) {
      CAPTURE(sentence.english);
      const std::vector<std::string> english = words_of(sentence.english);
      const bool question = english.back() == "?";
      REQUIRE(question == (words_of(sentence.french).back() == "?"));
      const std::string& asked = english[0] == "where" || english[0] == "when" ||
                                         english[0] == "why" || english[0] == "whom" ||
                                         english[0] == "what"
                                     ? english[1]
                                     : english[0];
      if (!question || english[0] == "who") continue;
      ++questions;
      REQUIRE(std::set<std::string>{"do", "does", "did", "is", "are", "was", "were"}.count(asked) ==
              1);
      if (asked[0] != 'd') continue;
      std::size_t bare = 0;
      for (const std::string& word : english) bare += plain_forms.count(word);
      REQUIRE(bare >= 1);
    }
    CHECK(questions > 2000);
  }

  TEST_CASE("an adjective agrees, and English has it before the noun") {
    const Noun& house = noun("maison", "house");
    const std::set<std::string> houses = all_of(
        [&](Draft& draft) -> Phrase { return noun_phrase(draft, house, Determiner::definite); });
    CHECK(houses.count("la maison bleue = the blue house") == 1);
    CHECK(houses.count("les maisons bleues = the blue houses") == 1);
    CHECK(houses.count("la grande maison blanche = the big white house") == 1);
    CHECK(houses.count("l'ancienne maison = the former house") == 1);
    CHECK(houses.count("la maison ancienne = the ancient house") == 1);
    const Noun& hotel = noun("hôtel", "hotel");
    const std::set<std::string> hotels = all_of(
        [&](Draft& draft) -> Phrase { return noun_phrase(draft, hotel, Determiner::indefinite); });
    CHECK(hotels.count("un hôtel = a hotel") == 1);
    CHECK(hotels.count("un vieil hôtel = an old hotel") == 1);
    CHECK(hotels.count("un bel hôtel rouge = a beautiful red hotel") == 1);
    CHECK(hotels.count("des hôtels = hotels") == 1);
    CHECK(hotels.count("de vieux hôtels = old hotels") == 1);
    CHECK(hotels.count("d'anciens hôtels = former hotels") == 1);
  }

  TEST_CASE("English adjectives come in the order of opinion, condition, age, colour") {
    const Noun& horse = noun("cheval", "horse");
    const std::set<std::string> horses = all_of(
        [&](Draft& draft) -> Phrase { return noun_phrase(draft, horse, Determiner::indefinite); });
    CHECK(horses.count("un vieux cheval fatigué = a tired old horse") == 1);
    CHECK(horses.count("un vieux cheval blanc = an old white horse") == 1);
    CHECK(horses.count("un beau cheval fatigué = a beautiful tired horse") == 1);
    CHECK(horses.count("un beau cheval blanc = a beautiful white horse") == 1);
    CHECK(horses.count("de jeunes chevaux malades = sick young horses") == 1);
  }

  TEST_CASE("a possessive agrees with the thing in French and with its owner in English") {
    Draft draft;
    const auto owned_by = [&](const NounPhrase& owner, const Noun& what) {
      return all_of(
          [&](Draft& d) -> Phrase { return noun_phrase(d, what, Determiner::possessive, &owner); });
    };
    const NounPhrase he = pronoun(masculine, false);
    const Noun &house = noun("maison", "house"), &hat = noun("chapeau", "hat"),
               &daughter = noun("fille", "daughter");
    CHECK(owned_by(she(), hat).count("son chapeau = her hat") == 1);
    CHECK(owned_by(he, hat).count("son chapeau = his hat") == 1);
    CHECK(owned_by(he, house).count("sa maison = his house") == 1);
    CHECK(owned_by(she(), house).count("sa propre maison blanche = her own white house") == 1);
    CHECK(owned_by(she(), house).count("son ancienne maison = her former house") == 1);
    CHECK(owned_by(they(), house).count("leurs maisons = their houses") == 1);
    CHECK(owned_by(he, daughter).count("sa fille = his daughter") == 1);
  }

  TEST_CASE("other determiners") {
    const auto with = [&](const char* french, const char* english, Determiner determiner,
                          bool negated) {
      const Noun& one = noun(french, english);
      return all_of(
          [&](Draft& d) -> Phrase { return noun_phrase(d, one, determiner, nullptr, negated); });
    };
    CHECK(with("ami", "friend", Determiner::demonstrative, false).count("cet ami = this friend") ==
          1);
    CHECK(
        with("ami", "friend", Determiner::demonstrative, false).count("ces amis = these friends") ==
        1);
    CHECK(with("eau", "water", Determiner::indefinite, false).count("de l'eau = water") == 1);
    CHECK(with("eau", "water", Determiner::indefinite, true).count("d'eau = water") == 1);
    CHECK(with("pain", "bread", Determiner::indefinite, false).count("du pain = bread") == 1);
    CHECK(with("viande", "meat", Determiner::indefinite, false).count("de la viande = meat") == 1);
    CHECK(with("orange", "orange", Determiner::indefinite, true).count("d'oranges = oranges") == 1);
    CHECK(with("orange", "orange", Determiner::no, false).count("d'oranges = no oranges") == 1);
    CHECK(with("clé", "key", Determiner::number, false).count("trois clés = three keys") == 1);
    CHECK(with("voiture", "car", Determiner::genitive, false)
              .count("la voiture d'Alice = Alice's car") == 1);
    CHECK(with("voiture", "car", Determiner::genitive, false)
              .count("la voiture bleue du roi = the king's blue car") == 1);
  }

  TEST_CASE("after a negation a noun whose gender tells its meaning keeps an article") {
    const auto negated = [](const char* french, const char* english) {
      const Noun& one = noun(french, english);
      return all_of([&](Draft& d) -> Phrase { return noun_phrase(d, one, nullptr, true); });
    };
    CHECK(negated("livre", "pound").count("de livre = a pound") == 0);
    CHECK(negated("livre", "pound").count("la livre = the pound") == 1);
    CHECK(negated("tour", "trick").count("de tour = a trick") == 0);
    CHECK(negated("pomme", "apple").count("de pommes = apples") == 1);
    CHECK(negated("carte", "map").count("de carte = a map") == 1);
  }

  TEST_CASE("verbs in three tenses, with a negation and in questions") {
    const Verb &eats = word_of("verb", "mange", "eat"), &be = phrasebook::list("be")[0],
               &goes = word_of("verb_of_place", "va", "go"), &have = phrasebook::list("have")[0],
               &lives = word_of("verb_of_place", "habite", "live");
    const auto group = [](const Verb& v, const NounPhrase& subject, Kinds tense,
                          const std::string& adverb, bool question) {
      Draft draft;
      Plan plan;
      plan.tense = tense;
      plan.question = question;
      for (const Word& one : phrasebook::list("adverb")) {
        if (one.french == adverb) plan.adverb = &one;
      }
      REQUIRE(plan.adverb->french == adverb);
      const Predicate said = verb_group(draft, v, subject, plan);
      return as_written(said.french) + " = " + said.auxiliary + " | " + said.english;
    };
    CHECK(group(eats, she(), present, "", false) == "mange =  | eats");
    CHECK(group(eats, they(), present, "", false) == "mangent =  | eat");
    CHECK(group(eats, she(), present, "pas", false) == "ne mange pas = does | not eat");
    CHECK(group(eats, they(), present, "pas", false) == "ne mangent pas = do | not eat");
    CHECK(group(eats, she(), present, "jamais", false) == "ne mange jamais =  | never eats");
    CHECK(group(eats, she(), present, "plus", false) == "ne mange plus =  | no longer eats");
    CHECK(group(eats, she(), present, "souvent", false) == "mange souvent =  | often eats");
    CHECK(group(eats, she(), present, "", true) == "mange = does | eat");
    CHECK(group(eats, she(), past, "", false) == "a mangé =  | ate");
    CHECK(group(eats, they(), past, "pas", false) == "n'ont pas mangé = did | not eat");
    CHECK(group(eats, she(), past, "", true) == "a mangé = did | eat");
    CHECK(group(eats, they(), future, "", false) == "vont manger = are | going to eat");
    CHECK(group(eats, she(), future, "pas", false) == "ne va pas manger = is | not going to eat");
    CHECK(group(goes, she(), past, "", false) == "est allée =  | went");
    CHECK(group(goes, they(), past, "pas", false) == "ne sont pas allées = did | not go");
    CHECK(group(goes, pronoun(masculine, true), past, "", false) == "sont allés =  | went");
    CHECK(group(lives, she(), past, "", false) == "habitait =  | lived");
    CHECK(group(lives, she(), present, "pas", false) == "n'habite pas = does | not live");
    CHECK(group(be, she(), present, "plus", false) == "n'est plus = is | no longer");
    CHECK(group(be, they(), past, "", false) == "étaient = were | ");
    CHECK(group(be, she(), future, "", false) == "va être = is | going to be");
    CHECK(group(have, they(), past, "pas", false) == "n'avaient pas = were | not");
  }

  TEST_CASE("places have their prepositions") {
    const auto at = [](const char* preposition, const char* place) {
      const std::vector<Word>& all = phrasebook::list("place");
      const auto found = std::find_if(all.begin(), all.end(),
                                      [&](const Word& one) { return one.french == place; });
      REQUIRE(found != all.end());
      return as_written(place_phrase({preposition, ""}, *found).french);
    };
    CHECK(at("à", "Paris") == "à Paris");
    CHECK(at("à", "Italie") == "en Italie");
    CHECK(at("à", "Japon") == "au Japon");
    CHECK(at("à", "États-Unis") == "aux États-Unis");
    CHECK(at("de", "Athènes") == "d'Athènes");
    CHECK(at("de", "Chine") == "de Chine");
    CHECK(at("de", "Japon") == "du Japon");
    CHECK(at("de", "États-Unis") == "des États-Unis");
    CHECK(at("", "Afrique") == "l'Afrique");
    CHECK(at("", "Rome") == "Rome");
  }

  TEST_CASE("a word of two meanings has the one that its sentence tells") {
    // What is next to the word, and what English says then.
    struct Case {
      const char *french, *english, *never;
    };
    const Case cases[] = {
        {" le livre ", " book ", " pound "},
        {" la livre ", " pound ", " book "},
        {" une livre ", " pound ", " book "},
        {" un livre ", " book ", " pound "},
        {" le voile ", " veil ", " sail "},
        {" la voile ", " sail ", " veil "},
        {" le tour ", " trick ", " tower "},
        {" la tour ", " tower ", " trick "},
        {" mange un avocat ", " avocado ", " lawyer "},
        {" parle avec un avocat ", " lawyer ", " avocado "},
        {" dans le bureau ", " office ", " desk "},
        {" sur le bureau ", " desk ", " office "},
        {" sa fille ", " daughter ", " girl "},
        {" une fille ", " girl ", " daughter "},
        {" nettoie une glace ", " mirror ", " ice "},
        {" mange une glace ", " ice cream ", " mirror "},
        {" écrit une pièce ", " play ", " coin "},
        {" perd une pièce ", " coin ", " play "},
        {" porte une valise ", " carr", " wear"},
        {" porte une robe ", " wear", " carr"},
    };
    std::vector<Sentence> sentences;
    for (std::uint64_t i = 0; i < 100000; ++i)
      sentences.push_back(draw_sentence(12, i, Size::usual));
    for (const Case& one : cases) {
      CAPTURE(one.french);
      int met = 0;
      for (const Sentence& sentence : sentences) {
        if (sentence.meanings.size() > 1) continue;  // another word may well have the other meaning
        if ((' ' + sentence.french + ' ').find(one.french) == std::string::npos) continue;
        ++met;
        CAPTURE(sentence.french);
        const std::string english = ' ' + sentence.english + ' ';
        REQUIRE(english.find(one.english) != std::string::npos);
        REQUIRE(english.find(one.never) == std::string::npos);
      }
      CHECK(met > 0);
    }
  }
}
