#include "lab/phrasebook/words.h"

namespace attn::phrasebook {

const std::vector<Verb>& verbs() {
  constexpr Kinds living = person | animal, tame = person | pet;
  // What one speaks or thinks about; an "avocat" would be unclear.
  constexpr Kinds topic = always_owned | animal | text | film;
  constexpr Kinds goods = thing | uncounted | animal;
  static const std::vector<Verb> table = {
      {"mange", "mangent", "manger", "mangé", "eat", "eats", "ate", living, food | stuff},
      {"boit", "boivent", "boire", "bu", "drink", "drinks", "drank", person, drink},
      {"boit", "boivent", "boire", "bu", "drink", "drinks", "drank", animal, water},
      {"prépare", "préparent", "préparer", "préparé", "prepare", "prepares", "prepared", person,
       food | stuff},
      {"achète", "achètent", "acheter", "acheté", "buy", "buys", "bought", person, goods},
      {"vend", "vendent", "vendre", "vendu", "sell", "sells", "sold", person, goods},
      {"lit", "lisent", "lire", "lu", "read", "reads", "read", person, text},
      {"écrit", "écrivent", "écrire", "écrit", "write", "writes", "wrote", person, written},
      {"porte", "portent", "porter", "porté", "wear", "wears", "wore", person, clothes},
      {"porte", "portent", "porter", "porté", "carry", "carries", "carried", person, luggage},
      {"ouvre", "ouvrent", "ouvrir", "ouvert", "open", "opens", "opened", person,
       opening | container},
      {"ferme", "ferment", "fermer", "fermé", "close", "closes", "closed", person,
       opening | container},
      {"nettoie", "nettoient", "nettoyer", "nettoyé", "clean", "cleans", "cleaned", person,
       cleaned | opening},
      {"dessine", "dessinent", "dessiner", "dessiné", "draw", "draws", "drew", person, drawn},
      {"perd", "perdent", "perdre", "perdu", "lose", "loses", "lost", person, thing | money},
      {"vole", "volent", "voler", "volé", "steal", "steals", "stole", person, thing | money},
      {"vole", "volent", "voler", "volé", "fly", "flies", "flew", bird, 0},
      {"cherche", "cherchent", "chercher", "cherché", "look", "looks", "looked", tame,
       thing | sought | animal, "", "for"},
      {"trouve", "trouvent", "trouver", "trouvé", "find", "finds", "found", tame,
       thing | sought | animal},
      {"regarde", "regardent", "regarder", "regardé", "look", "looks", "looked", living,
       animal | building, "", "at"},
      {"regarde", "regardent", "regarder", "regardé", "watch", "watches", "watched", person, film},
      {"apprend", "apprennent", "apprendre", "appris", "learn", "learns", "learned", person,
       learned},
      {"aime", "aiment", "aimer", "aim", "love", "loves", "loved", person, always_owned | animal,
       "", "", lasting},
      {"connaît", "connaissent", "connaître", "connaiss", "know", "knows", "knew", person, person,
       "", "", lasting},
      {"a", "ont", "avoir", "av", "have", "has", "had", person, thing | animal, "", "", lasting},
      {"attend", "attendent", "attendre", "attendu", "wait", "waits", "waited", person, person, "",
       "for"},
      {"invite", "invitent", "inviter", "invité", "invite", "invites", "invited", person, person},
      {"donne", "donnent", "donner", "donné", "give", "gives", "gave", person, thing, "", "",
       to_somebody},
      {"montre", "montrent", "montrer", "montré", "show", "shows", "showed", person, thing | shown,
       "", "", to_somebody},
      {"téléphone", "téléphonent", "téléphoner", "téléphoné", "call", "calls", "called", person,
       person, "à", ""},
      {"parle", "parlent", "parler", "parlé", "speak", "speaks", "spoke", person, person, "avec",
       "with"},
      {"parle", "parlent", "parler", "parlé", "speak", "speaks", "spoke", person, topic, "de",
       "about"},
      {"pense", "pensent", "penser", "pensé", "think", "thinks", "thought", person, topic, "à",
       "about"},
      {"joue", "jouent", "jouer", "joué", "play", "plays", "played", tame, always_owned | pet,
       "avec", "with"},
      {"entre", "entrent", "entrer", "entré", "enter", "enters", "entered", tame, building | room,
       "dans", "", with_etre},
      {"sort", "sortent", "sortir", "sorti", "leave", "leaves", "left", tame, building | room, "de",
       "", with_etre},
      {"dort", "dorment", "dormir", "dormi", "sleep", "sleeps", "slept", living, 0},
      {"chante", "chantent", "chanter", "chanté", "sing", "sings", "sang", person | bird, 0},
      {"danse", "dansent", "danser", "dansé", "dance", "dances", "danced", person, 0},
      {"nage", "nagent", "nager", "nagé", "swim", "swims", "swam", living, 0},
  };
  return table;
}

const std::vector<Verb>& verbs_of_place() {
  constexpr Kinds anywhere = place | destination;
  static const std::vector<Verb> table = {
      {"visite", "visitent", "visiter", "visité", "visit", "visits", "visited", person,
       place | building},
      {"va", "vont", "aller", "allé", "go", "goes", "went", person, anywhere, "à", "to", with_etre},
      {"travaille", "travaillent", "travailler", "travaillé", "work", "works", "worked", person,
       anywhere, "à", "in"},
      {"reste", "restent", "rester", "resté", "stay", "stays", "stayed", person, anywhere, "à",
       "in", with_etre},
      {"habite", "habitent", "habiter", "habit", "live", "lives", "lived", person, place, "à", "in",
       lasting},
      {"vient", "viennent", "venir", "ven", "come", "comes", "came", person, place, "de", "from",
       lasting},
  };
  return table;
}

const std::vector<Name>& names() {
  constexpr Gender m = Gender::masculine, f = Gender::feminine;
  static const std::vector<Name> table = {{"Jane", f}, {"Marie", f},  {"Sophie", f}, {"Alice", f},
                                          {"Paul", m}, {"Pierre", m}, {"Karim", m},  {"André", m}};
  return table;
}

const std::vector<Place>& places() {
  static const std::vector<Place> table = {
      {"", "Paris", "Paris"},         {"", "Londres", "London"},
      {"", "Rome", "Rome"},           {"", "Berlin", "Berlin"},
      {"", "Athènes", "Athens"},      {"la", "France", "France"},
      {"la", "Chine", "China"},       {"la", "Suisse", "Switzerland"},
      {"la", "Italie", "Italy"},      {"la", "Espagne", "Spain"},
      {"la", "Afrique", "Africa"},    {"le", "Japon", "Japan"},
      {"le", "Canada", "Canada"},     {"le", "Maroc", "Morocco"},
      {"le", "Portugal", "Portugal"}, {"les", "États-Unis", "the United States"},
  };
  return table;
}

const std::vector<Fixed>& months() {
  static const std::vector<Fixed> table = {
      {"janvier", "January"}, {"février", "February"},  {"mars", "March"},
      {"avril", "April"},     {"mai", "May"},           {"juin", "June"},
      {"juillet", "July"},    {"août", "August"},       {"septembre", "September"},
      {"octobre", "October"}, {"novembre", "November"}, {"décembre", "December"}};
  return table;
}

const std::vector<Fixed>& seasons() {
  static const std::vector<Fixed> table = {{"au printemps", "in spring"},
                                           {"en été", "in summer"},
                                           {"en automne", "in autumn"},
                                           {"en hiver", "in winter"}};
  return table;
}

const std::vector<Fixed>& numbers() {
  static const std::vector<Fixed> table = {{"deux", "two"}, {"trois", "three"}, {"quatre", "four"}};
  return table;
}

const std::vector<Fixed>& vehicles() {
  static const std::vector<Fixed> table = {
      {"en train", "by train"}, {"en voiture", "by car"}, {"en bateau", "by boat"}};
  return table;
}

const std::vector<Fixed>& games() {
  static const std::vector<Fixed> table = {
      {"le tennis", "tennis"}, {"les cartes", "cards"}, {"les échecs", "chess"}};
  return table;
}

const std::vector<Fixed>& instruments() {
  static const std::vector<Fixed> table = {
      {"le piano", "the piano"}, {"le violon", "the violin"}, {"la guitare", "the guitar"}};
  return table;
}

const std::vector<Fixed>& states() {
  static const std::vector<Fixed> table = {
      {"faim", "hungry"}, {"soif", "thirsty"}, {"froid", "cold"}, {"peur", "afraid"}};
  return table;
}

const std::vector<Time>& times() {
  static const std::vector<Time> table = {
      {"hier", "yesterday", past},
      {"demain", "tomorrow", future},
      {"le matin", "in the morning", present},
      {"le soir", "in the evening", present},
      {"le lundi", "on Mondays", present},
      {"le dimanche", "on Sundays", present},
      {"lundi", "on Monday", past | future},
      {"dimanche", "on Sunday", past | future},
  };
  return table;
}

const std::vector<Preposition>& prepositions() {
  constexpr Kinds living = person | animal, anything = ~Kinds{0};
  static const std::vector<Preposition> table = {
      {"dans", "in", container, small | uncounted},
      {"dans", "in", room, person | pet | small | uncounted | furniture | luggage},
      {"dans", "in", garden, living},
      {"sur", "on", furniture, pet | small | uncounted},
      {"sous", "under", furniture, pet | small},
      {"devant", "in front of", building, anything},
      {"derrière", "behind", building, anything},
      {"près de", "near", building, anything},
  };
  return table;
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> table = {{"livre", Gender::feminine, "pound", stuff},
                                             {"verre", Gender::masculine, "glass", drink},
                                             {"bouteille", Gender::feminine, "bottle", drink}};
  return table;
}

const MeaningTable& ambiguous_words() {
  static const MeaningTable table = [] {
    MeaningTable all;
    for (const Noun& word : nouns()) all[word.singular].insert(word.english);
    for (const Adjective& word : adjectives()) all[word.masculine].insert(word.english);
    for (const Measure& word : measures()) all[word.french].insert(word.english);
    for (const auto* verb_table : {&verbs(), &verbs_of_place()}) {
      for (const Verb& word : *verb_table) all[word.singular].insert(word.english);
    }
    MeaningTable ambiguous;
    for (const auto& [word, meanings] : all) {
      if (meanings.size() > 1) ambiguous[word] = meanings;
    }
    return ambiguous;
  }();
  return table;
}

bool has_two_meanings(std::string_view french) {
  return ambiguous_words().count(french) > 0;
}

bool has_two_genders(std::string_view noun) {
  bool masculine = false, feminine = false;
  for (const Noun& one : nouns()) {
    if (one.singular != noun) continue;
    (one.gender == Gender::masculine ? masculine : feminine) = true;
  }
  return masculine && feminine;
}

}  // namespace attn::phrasebook
