#include "phrasebook_links.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "lab/phrasebook/words.h"
#include "text/lines.h"

namespace attn {

// Whether a noun has two meanings of different genders: le livre, la livre.
static bool has_two_genders(const std::string& word) {
  const std::vector<phrasebook::Noun>& nouns = phrasebook::list("noun");
  return std::any_of(nouns.begin(), nouns.end(), [&](const phrasebook::Noun& noun) {
    return noun.french == word && noun.is(phrasebook::two_genders);
  });
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<Gendered> gendered_nouns(const Words& source, const Words& target) {
  std::vector<Gendered> found;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (!has_two_genders(source[i])) continue;
    std::set<std::string> all, there;
    for (const phrasebook::Noun& noun : phrasebook::list("noun")) {
      // "post office" goes by its last word.
      const std::string english = split(noun.english, ' ').back();
      if (source[i] != noun.french) continue;
      all.insert(english);
      if (has(target, english)) there.insert(english);
    }
    for (const phrasebook::Word& measure : phrasebook::list("measure")) {
      const std::string english = measure.english;
      if (split(measure.french, ' ').front() != source[i]) continue;
      const std::string word = split(english, ' ').front();
      all.insert(word);
      if (has(target, word)) there.insert(word);
    }
    if (there.size() != 1) continue;  // both meanings in one sentence
    Gendered one{i, source[i], *there.begin(), all};
    one.wrong.erase(one.right);
    found.push_back(one);
  }
  return found;
}

namespace {

// Every form of a French adjective, and whether it comes after its noun.
const std::map<std::string, const phrasebook::Adjective*>& adjective_forms() {
  static const std::map<std::string, const phrasebook::Adjective*> forms = [] {
    std::map<std::string, const phrasebook::Adjective*> all;
    for (const phrasebook::Adjective& a : phrasebook::list("adjective")) {
      for (const std::string& form :
           {a.french, a.feminine, a.plural.french, a.feminine_plural, a.before_vowel}) {
        if (!form.empty()) all[form] = &a;
      }
    }
    return all;
  }();
  return forms;
}

const std::map<std::string, const phrasebook::Noun*>& noun_forms() {
  static const std::map<std::string, const phrasebook::Noun*> forms = [] {
    std::map<std::string, const phrasebook::Noun*> all;
    for (const phrasebook::Noun& noun : phrasebook::list("noun")) {
      all[noun.french] = &noun;
      if (noun.has_plural()) all[noun.plural.french] = &noun;
    }
    return all;
  }();
  return forms;
}

// A verb's English in the present, of the same person; empty if it is no verb.
std::string english_of_verb(const std::string& word) {
  for (const char* table : {"verb", "verb_of_place"}) {
    for (const phrasebook::Verb& verb : phrasebook::list(table)) {
      if (word == verb.french) return verb.english_third;
      if (word == verb.plural.french) return verb.english;
    }
  }
  return "";
}

bool is_determiner(const std::string& word) {
  static const std::set<std::string> all{"le",  "la",  "les",   "un",  "une",  "des",
                                         "ce",  "cet", "cette", "ces", "mon",  "ma",
                                         "mes", "son", "sa",    "ses", "leur", "leurs"};
  return all.count(word) > 0;
}

// Where a word is, if it is there exactly once; else words.size().
std::size_t only_place(const Words& words, const std::string& word) {
  if (std::count(words.begin(), words.end(), word) != 1) return words.size();
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

std::vector<Link> encoder_links(const Words& source) {
  std::vector<Link> links;
  for (std::size_t i = 0; i + 1 < source.size(); ++i) {
    const auto adjective = adjective_forms().find(source[i + 1]);
    const bool noun = noun_forms().count(source[i]) > 0;
    const bool followed =
        adjective != adjective_forms().end() && !adjective->second->is(phrasebook::before_noun);
    if (is_determiner(source[i]) && noun_forms().count(source[i + 1]) > 0) {
      const bool two = has_two_genders(source[i + 1]);
      links.push_back(
          {two ? "noun of two genders to its article" : "noun to its article", i + 1, i});
      links.push_back({"article to its noun", i, i + 1});
    }
    if (!noun || !followed) continue;
    links.push_back({"adjective to the noun before it", i + 1, i});
    links.push_back({"noun to the adjective after it", i, i + 1});
    if (i + 2 < source.size() && !english_of_verb(source[i + 2]).empty()) {
      links.push_back({"verb to its subject, past an adjective", i + 2, i});
    }
  }
  return links;
}

// Number agrees across the two languages: a verb in the present, or do and does before it, has that
// of its subject, which is the noun before the French verb, perhaps with an adjective between.
static void add_verb_links(const Words& source, const Words& target, std::vector<Link>& links) {
  for (std::size_t i = 1; i < source.size(); ++i) {
    const std::string english = english_of_verb(source[i]);
    if (english.empty() || is_determiner(source[i - 1])) continue;
    const bool adjective = i >= 2 && adjective_forms().count(source[i - 1]) > 0;
    const std::size_t subject = adjective ? i - 2 : i - 1;
    if (noun_forms().count(source[subject]) == 0) continue;
    const std::string helper = has(target, "does") ? "does" : has(target, "do") ? "do" : "";
    const std::size_t row = only_place(target, helper.empty() ? english : helper);
    if (row == target.size()) continue;
    const std::string who = helper.empty() ? "verb" : "do or does";
    links.push_back({who + " to the French verb", row, i});
    links.push_back({who + " to the subject's noun", row, subject});
  }
}

std::vector<Link> cross_links(const Words& source, const Words& target) {
  std::vector<Link> links;
  add_verb_links(source, target, links);
  for (std::size_t i = 0; i + 1 < source.size(); ++i) {
    for (const bool before : {false, true}) {
      const std::size_t at_noun = before ? i + 1 : i, at_adjective = before ? i : i + 1;
      const auto noun = noun_forms().find(source[at_noun]);
      const auto adjective = adjective_forms().find(source[at_adjective]);
      if (noun == noun_forms().end() || adjective == adjective_forms().end()) continue;
      if (adjective->second->is(phrasebook::before_noun) != before) continue;
      const bool singular = source[at_noun] == noun->second->french;
      const std::size_t english_noun =
          only_place(target, singular ? noun->second->english : noun->second->plural.english);
      const std::size_t english = only_place(target, adjective->second->english);
      if (english == target.size() || english + 1 != english_noun) continue;
      const std::string order = before ? ", the same order" : ", the other order";
      links.push_back({"adjective to its French word" + order, english, at_adjective});
      links.push_back({"adjective to the French noun" + order, english, at_noun});
      links.push_back({"noun to its French word" + order, english_noun, at_noun});
      links.push_back({"noun to the French adjective" + order, english_noun, at_adjective});
    }
  }
  return links;
}

std::vector<Link> positions(std::size_t rows, std::size_t columns, bool self) {
  std::vector<Link> links;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::ptrdiff_t distance = -2; self && distance <= 2; ++distance) {
      const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(row) + distance;
      if (column < 0 || column >= static_cast<std::ptrdiff_t>(columns)) continue;
      links.push_back(
          {"distance " + std::to_string(distance), row, static_cast<std::size_t>(column)});
    }
    links.push_back({"first token", row, 0});
    links.push_back({"last token", row, columns - 1});
  }
  return links;
}

// Whether one word is followed by the other.
static bool has_pair(const Words& words, const std::string& one, const std::string& other) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == one && words[i + 1] == other) return true;
  }
  return false;
}

void count_kept(const TextPair& pair, const Words& output, Kept& kept) {
  const Words source = split(pair.source, ' '), target = split(pair.target, ' ');
  for (const Gendered& noun : gendered_nouns(source, target)) {
    const bool said = has(output, noun.right);
    kept.genders.add(
        said, !said && std::any_of(noun.wrong.begin(), noun.wrong.end(),
                                   [&](const std::string& word) { return has(output, word); }));
  }
  for (const Link& link : cross_links(source, target)) {
    if (link.relation != "adjective to its French word, the other order") continue;
    const std::string &adjective = target[link.row], &noun = target[link.row + 1];
    kept.orders.add(has_pair(output, adjective, noun), has_pair(output, noun, adjective));
  }
  for (const char* const helper : {"do", "does"}) {
    if (!has(target, helper)) continue;
    kept.numbers.add(has(output, helper), has(output, *(helper + 2) == '\0' ? "does" : "do"));
  }
}

}  // namespace attn
