// Every word is read in the same way: the name of a column says which member it is.
#include "lab/phrasebook/words.h"

#include "base/check.h"
#include "text/lines.h"

namespace attn::phrasebook {

namespace {

constexpr char kWordTable[] =
#include "lab/phrasebook/words.inc"  // from the table, by CMakeLists.txt
    ;

using Columns = std::vector<std::string>;

template <class Value>
const Value& at(const std::map<std::string, Value, std::less<>>& table, std::string_view name) {
  const auto found = table.find(name);
  ATTN_CHECK(found != table.end(), "\"", name, "\" is unknown");
  return found->second;
}

Kinds kinds_of(const Lexicon& lexicon, std::string_view names) {
  Kinds kinds = 0;
  for (const std::string_view name : words(names)) kinds |= at(lexicon.kinds, name);
  return kinds;
}

// `names` are those of the columns; the first of both is the list's.
Word read_word(const Columns& names, const Columns& columns, const Lexicon& lexicon) {
  Word word;
  const std::map<std::string, std::string*, std::less<>> texts{
      {"french", &word.french},
      {"english", &word.english},
      {"plural", &word.plural.french},
      {"english_plural", &word.plural.english},
      {"feminine", &word.feminine},
      {"feminine_plural", &word.feminine_plural},
      {"before_vowel", &word.before_vowel},
      {"infinitive", &word.infinitive},
      {"participle", &word.participle},
      {"english_third", &word.english_third},
      {"english_past", &word.english_past},
      {"preposition", &word.preposition.french},
      {"english_preposition", &word.preposition.english}};
  const std::map<std::string, Kinds*, std::less<>> sets{
      {"kinds", &word.kinds}, {"subjects", &word.subjects}, {"objects", &word.objects}};
  ATTN_CHECK(columns.size() <= names.size(), "a column too many");
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (columns[i] == "-") continue;
    const auto set = sets.find(names[i]);
    if (set != sets.end()) {
      *set->second = kinds_of(lexicon, columns[i]);
    } else {
      *at(texts, names[i]) = columns[i];
    }
  }
  return word;
}

// Finds the words that have two meanings.
void mark_ambiguous(Lexicon& all) {
  MeaningTable meanings;
  std::map<std::string, Kinds> genders;
  const Kinds both = kinds_of(all, "m f");
  for (const Word& noun : all.lists["noun"]) genders[noun.french] |= noun.kinds & both;
  for (const char* name : {"noun", "adjective", "verb", "verb_of_place", "measure"}) {
    for (const Word& word : all.lists[name]) meanings[word.french].insert(word.english);
  }
  for (const char* name : {"noun", "adjective", "verb", "verb_of_place", "measure"}) {
    for (Word& word : all.lists[name]) {
      if (meanings[word.french].size() < 2) continue;
      all.ambiguous[word.french] = meanings[word.french];
      word.kinds |= kinds_of(all, "two_meanings");
      if (genders[word.french] == both) word.kinds |= kinds_of(all, "two_genders");
    }
  }
}

}  // namespace

Kind::operator Kinds() const {
  if (kinds == 0) kinds = kinds_of(lexicon(), name);
  return kinds;
}

Lexicon read_lexicon(std::string_view table) {
  Lexicon all;
  std::map<std::string, Columns, std::less<>> names;  // of each list's columns
  all.kinds["anything"] = ~Kinds{0};
  const auto read_line = [&](const Columns& columns) {
    ATTN_CHECK(columns.size() > 1, "columns are separated by tabs; there is one");
    if (columns[0] == "kind") {
      ATTN_CHECK(all.kinds.size() < 64, "there are more kinds than bits");
      all.kinds.emplace(columns[1], Kinds{1} << all.kinds.size());
    } else if (columns[0] == "group") {
      all.kinds[columns[1]] = kinds_of(all, columns.back());
    } else if (columns[0] == "list") {
      for (const std::string_view list : words(columns[1])) {
        names[std::string(list)] = Columns(columns.begin() + 1, columns.end());
      }
    } else {
      const Word word = read_word(at(names, columns[0]), columns, all);
      all.lists[columns[0]].push_back(word);
    }
  };
  std::size_t number = 0;
  for (const std::string& line : split(table, '\n')) {
    ++number;
    try {
      if (!line.empty() && line[0] != '#') read_line(split(line, '\t'));
    } catch (const Error& error) {
      fail("words.tsv, line ", number, ": ", error.what());
    }
  }
  mark_ambiguous(all);
  return all;
}

const Lexicon& lexicon() {
  static const Lexicon all = read_lexicon(kWordTable);
  return all;
}

const std::vector<Word>& list(std::string_view name) {
  return at(lexicon().lists, name);
}

}  // namespace attn::phrasebook
