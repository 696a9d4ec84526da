// The nouns and the adjectives of the phrasebook.
#include "lab/phrasebook/words.h"

namespace attn::phrasebook {

const std::vector<Noun>& nouns() {
  constexpr Gender m = Gender::masculine, f = Gender::feminine;
  constexpr Kinds man_here = man | grown | fair_man, woman_here = woman | grown | fair_woman;
  constexpr Kinds kinsman = man | always_owned, kinswoman = woman | always_owned;
  constexpr Kinds tame = animal | pet | drawn | owned, wild = animal | drawn;
  constexpr Kinds fruit = food | thing | small;
  constexpr Kinds goods = thing | owned | coloured, handy = goods | small;
  constexpr Kinds public_building = building | drawn | shown | coloured | office | never_owned;
  constexpr Kinds own_building = building | drawn | shown | coloured | office | owned;
  static const std::vector<Noun> table = {
      {"garçon", "garçons", m, "boy", "boys", man | fair_man | never_owned},
      {"homme", "hommes", m, "man", "men", man_here | never_owned},
      {"roi", "rois", m, "king", "kings", man_here | office | never_owned},
      {"voleur", "voleurs", m, "thief", "thieves", man_here | never_owned},
      {"étudiant", "étudiants", m, "student", "students",
       man | fair_man | office | job | never_owned},
      {"médecin", "médecins", m, "doctor", "doctors", man_here | office | job},
      {"avocat", "avocats", m, "lawyer", "lawyers", man | office | job | unclear},
      {"voisin", "voisins", m, "neighbour", "neighbours", man_here | office},
      {"ami", "amis", m, "friend", "friends", man_here},
      {"frère", "frères", m, "brother", "brothers", kinsman},
      {"père", "", m, "father", "", kinsman | grown},
      {"mari", "", m, "husband", "", kinsman | grown | fair_man},
      {"fille", "filles", f, "girl", "girls", woman | fair_woman | never_owned},
      {"fille", "filles", f, "daughter", "daughters", kinswoman},
      {"femme", "femmes", f, "woman", "women", woman_here | never_owned},
      {"femme", "", f, "wife", "", kinswoman | grown | fair_woman},
      {"reine", "reines", f, "queen", "queens", woman_here | office | never_owned},
      {"étudiante", "étudiantes", f, "student", "students",
       woman | fair_woman | office | job | never_owned},
      {"voisine", "voisines", f, "neighbour", "neighbours", woman_here | office},
      {"amie", "amies", f, "friend", "friends", woman_here},
      {"sœur", "sœurs", f, "sister", "sisters", kinswoman},
      {"mère", "", f, "mother", "", kinswoman | grown},

      {"chien", "chiens", m, "dog", "dogs", tame},
      {"chat", "chats", m, "cat", "cats", tame},
      {"cheval", "chevaux", m, "horse", "horses", wild | owned},
      {"oiseau", "oiseaux", m, "bird", "birds", wild | bird},
      {"canard", "canards", m, "duck", "ducks", wild | bird},
      {"vache", "vaches", f, "cow", "cows", wild | owned},

      {"pomme", "pommes", f, "apple", "apples", fruit},
      {"orange", "oranges", f, "orange", "oranges", fruit},
      {"gâteau", "gâteaux", m, "cake", "cakes", fruit},
      {"œuf", "œufs", m, "egg", "eggs", fruit},
      {"tomate", "tomates", f, "tomato", "tomatoes", fruit},
      {"avocat", "avocats", m, "avocado", "avocados", food | unclear},
      {"glace", "glaces", f, "ice cream", "ice creams", food | unclear},
      {"pain", "", m, "bread", "", stuff},
      {"fromage", "", m, "cheese", "", stuff},
      {"riz", "", m, "rice", "", stuff},
      {"viande", "", f, "meat", "", stuff},
      {"eau", "", f, "water", "", drink | water},
      {"lait", "", m, "milk", "", drink | water},
      {"vin", "", m, "wine", "", drink},
      {"thé", "", m, "tea", "", drink},

      {"robe", "robes", f, "dress", "dresses", clothes | handy},
      {"chemise", "chemises", f, "shirt", "shirts", clothes | handy},
      {"chapeau", "chapeaux", m, "hat", "hats", clothes | handy},
      {"manteau", "manteaux", m, "coat", "coats", clothes | handy},
      {"voile", "", m, "veil", "", clothes | owned | coloured | small},
      {"voile", "", f, "sail", "", luggage | coloured},
      {"valise", "valises", f, "suitcase", "suitcases", luggage | container | handy},
      {"sac", "sacs", m, "bag", "bags", luggage | container | handy},
      {"boîte", "boîtes", f, "box", "boxes", luggage | container | handy},
      {"livre", "", m, "book", "", text | written | handy},
      {"livre", "", f, "pound", "", money | never_owned},
      {"lettre", "lettres", f, "letter", "letters", text | written | thing | small},
      {"journal", "journaux", m, "newspaper", "newspapers", text | thing | small},
      {"poème", "poèmes", m, "poem", "poems", text | written | learned},
      {"film", "films", m, "film", "films", film | never_owned},
      {"match", "matchs", m, "match", "matches", film | never_owned},
      {"table", "tables", f, "table", "tables", furniture | goods},
      {"chaise", "chaises", f, "chair", "chairs", furniture | goods},
      {"lit", "lits", m, "bed", "beds", furniture | owned},
      {"bureau", "", m, "desk", "", furniture | unclear},
      {"bureau", "", m, "office", "", destination | room | unclear},
      {"clé", "clés", f, "key", "keys", thing | small},
      {"montre", "montres", f, "watch", "watches", handy},
      {"voiture", "voitures", f, "car", "cars", goods | drawn},
      {"bateau", "bateaux", m, "boat", "boats", goods | drawn},
      {"fleur", "fleurs", f, "flower", "flowers", thing | drawn | coloured | small},
      {"porte", "portes", f, "door", "doors", opening | coloured | never_owned},
      {"fenêtre", "fenêtres", f, "window", "windows", opening | never_owned},
      {"glace", "", f, "mirror", "", cleaned | unclear},
      {"carte", "", f, "map", "", drawn | never_owned | unclear},
      {"pièce", "pièces", f, "coin", "coins", money | never_owned | unclear},
      {"pièce", "pièces", f, "play", "plays", written | unclear},
      {"pièce", "pièces", f, "room", "rooms", cleaned | never_owned | unclear},
      {"poste", "", m, "job", "", sought},
      {"chanson", "chansons", f, "song", "songs", learned},
      {"danse", "danses", f, "dance", "dances", learned | never_owned},
      {"tour", "", m, "trick", "", learned | shown | never_owned},

      {"tour", "", f, "tower", "", building | drawn | shown | coloured | never_owned},
      {"maison", "maisons", f, "house", "houses", own_building},
      {"église", "églises", f, "church", "churches", public_building},
      {"château", "châteaux", m, "castle", "castles", own_building | destination},
      {"musée", "musées", m, "museum", "museums", public_building | destination},
      {"ferme", "fermes", f, "farm", "farms", own_building},
      {"hôtel", "hôtels", m, "hotel", "hotels", own_building | destination},
      {"gare", "", f, "station", "", building | office | destination | never_owned},
      {"marché", "", m, "market", "", destination | never_owned},
      {"poste", "", f, "post office", "", destination | sought | never_owned},
      {"jardin", "jardins", m, "garden", "gardens", building | garden | drawn | shown | owned},
      {"cuisine", "", f, "kitchen", "", room | cleaned},
      {"chambre", "chambres", f, "bedroom", "bedrooms", room | cleaned | owned},
  };
  return table;
}

const std::vector<Adjective>& adjectives() {
  constexpr Kinds object = clothes | luggage | furniture | opening | thing;
  constexpr Kinds eaten = food | uncounted, work = text | written | film;
  constexpr Kinds made_somewhere = person | uncounted | clothes | film | text | learned;
  constexpr bool before = true, after = false;
  constexpr Rank opinion = Rank::opinion, condition = Rank::condition;
  constexpr Rank size = Rank::size_or_age, origin = Rank::colour_or_origin;
  static const std::vector<Adjective> table = {
      {"petit", "petite", "petits", "petites", "", "small", before, size,
       object | animal | building | room | cleaned, graded},
      {"grand", "grande", "grands", "grandes", "", "big", before, size,
       object | animal | building | room | cleaned, graded},
      {"vieux", "vieille", "vieux", "vieilles", "vieil", "old", before, size,
       coloured | furniture | grown | animal | building | film, graded},
      {"nouveau", "nouvelle", "nouveaux", "nouvelles", "nouvel", "new", before, size,
       coloured | furniture | building | room | work | sought | learned},
      {"beau", "", "beaux", "", "bel", "handsome", before, opinion, fair_man, graded},
      {"beau", "belle", "beaux", "belles", "bel", "beautiful", before, opinion,
       fair_woman | clothes | animal | building | learned, graded},
      {"bon", "bonne", "bons", "bonnes", "", "good", before, opinion, eaten | work | office},
      {"mauvais", "mauvaise", "mauvais", "mauvaises", "", "bad", before, opinion,
       eaten | work | office},
      {"jeune", "jeune", "jeunes", "jeunes", "", "young", before, size, person | animal, graded},
      {"ancien", "ancienne", "anciens", "anciennes", "", "former", before, opinion, office},
      {"ancien", "ancienne", "anciens", "anciennes", "", "ancient", after, origin, building},
      {"propre", "propre", "propres", "propres", "", "own", before, opinion, owned},
      {"propre", "propre", "propres", "propres", "", "clean", after, condition,
       clothes | furniture | opening | room, graded | passing},
      {"rouge", "rouge", "rouges", "rouges", "", "red", after, origin, coloured},
      {"bleu", "bleue", "bleus", "bleues", "", "blue", after, origin, coloured},
      {"vert", "verte", "verts", "vertes", "", "green", after, origin, coloured},
      {"noir", "noire", "noirs", "noires", "", "black", after, origin, coloured | animal},
      {"blanc", "blanche", "blancs", "blanches", "", "white", after, origin, coloured | animal},
      {"français", "française", "français", "françaises", "", "French", after, origin,
       made_somewhere},
      {"italien", "italienne", "italiens", "italiennes", "", "Italian", after, origin,
       made_somewhere},
      {"cher", "chère", "chers", "chères", "", "expensive", after, condition, coloured | eaten,
       graded},
      {"triste", "triste", "tristes", "tristes", "", "sad", after, condition,
       person | work | learned, graded | passing},
      {"heureux", "heureuse", "heureux", "heureuses", "", "happy", after, condition, person,
       graded | passing},
      {"célèbre", "célèbre", "célèbres", "célèbres", "", "famous", after, condition,
       person | work | building | learned, graded},
      {"malade", "malade", "malades", "malades", "", "sick", after, condition, person | animal,
       graded | passing},
      {"fatigué", "fatiguée", "fatigués", "fatiguées", "", "tired", after, condition,
       person | animal, graded | passing},
  };
  return table;
}

}  // namespace attn::phrasebook
