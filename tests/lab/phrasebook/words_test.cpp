// The table of the phrasebook's words, and what is said of tables that are wrong.
#include "lab/phrasebook/words.h"

#include <set>
#include <string>

#include <doctest/doctest.h>
#include "base/check.h"

using namespace attn;
using namespace attn::phrasebook;

namespace {

const std::string kHead =
    "# a table\nkind\tf\nkind\tm\tmasculine\ngroup\tboth\tf m\n"
    "kind\ttwo_meanings\nkind\ttwo_genders\n"
    "list\tnoun season\tfrench\tenglish\tkinds\tplural\n";

}  // namespace

TEST_SUITE("tasks: the words of the phrasebook") {
  TEST_CASE("a line is a word, and its columns have the names that its list says") {
    const Lexicon all = read_lexicon(kHead +
                                     "noun\tlivre\tbook\tm\tlivres\nnoun\tlivre\tpound\tf\n"
                                     "\nseason\ten été\tin summer\nnoun\tmoi\tme\tboth\t-\n");
    const std::vector<Word>& nouns = all.lists.at("noun");
    REQUIRE(nouns.size() == 3);
    const Kinds f = all.kinds.at("f"), m = all.kinds.at("m"), two = all.kinds.at("two_meanings");
    CHECK(nouns[0].french == "livre");
    CHECK(nouns[0].english == "book");
    CHECK(nouns[0].plural.french == "livres");
    CHECK(nouns[0].is(m));
    CHECK(!nouns[0].is(f));
    CHECK(nouns[0].is(two));
    CHECK(nouns[1].is(all.kinds.at("two_genders")));
    CHECK(!nouns[1].has_plural());
    CHECK(nouns[2].kinds == (f | m));
    CHECK(!nouns[2].has_plural());
    CHECK(all.lists.at("season")[0].french == "en été");
    const MeaningTable expected{{"livre", {"book", "pound"}}};
    CHECK(all.ambiguous == expected);
  }

  TEST_CASE("an error names the line") {
    const auto check = [](const std::string& line, const std::string& message) {
      CAPTURE(line);
      CHECK_THROWS_WITH_AS(read_lexicon(kHead + line + '\n'),
                           ("words.tsv, line 8: " + message).c_str(), Error);
    };
    check("noun\tlivre\tbook\tx", "\"x\" is unknown");
    check("nuon\tlivre\tbook\tm", "\"nuon\" is unknown");
    check("noun\tlivre\tbook\tm\tlivres\t-", "a column too many");
    check("noun livre book", "columns are separated by tabs; there is one");
    check("kind", "columns are separated by tabs; there is one");
    check("group\teither\tf x", "\"x\" is unknown");
    CHECK_THROWS_WITH_AS(read_lexicon(kHead + "list\tverb\tinfinitve\nverb\taller\n"),
                         "words.tsv, line 9: \"infinitve\" is unknown", Error);
    std::string kinds;
    for (int i = 0; i < 64; ++i) kinds += "kind\tk" + std::to_string(i) + '\n';
    CHECK_THROWS_WITH_AS(read_lexicon(kinds), "words.tsv, line 64: there are more kinds than bits",
                         Error);
  }

  TEST_CASE("the table in the program has the words of both languages") {
    CHECK(list("noun").size() > 90);
    CHECK(list("verb").size() == 40);
    CHECK(list("month").size() == 12);
    CHECK(lexicon().ambiguous.at("livre") == std::set<std::string>{"book", "pound"});
    CHECK_THROWS_AS(list("nouns"), Error);
  }
}
