#include "decoding/translate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "kernels/isa.h"
#include "metrics/exact_match.h"
#include "support/small_models.h"
#include "support/strings.h"
#include "support/stub_model.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "text/vocabulary.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("6.1 translate") {
  TEST_CASE(
      "each line has what beam search finds for it alone; one without words, an empty line of "
      "score 0") {
    const Transformer model = random_model(small_config());
    const std::vector<std::string> lines{
        "a b",          "",       "h",      "  \t",         "zebra c", "a b", "\u00A0",
        "\u202F\u3000", "\u200B", "\uFEFF", "\u2060 \u00AD"};
    BeamOptions options;
    options.n_best = 3;
    const auto translations = translate(model, letters(), lines, options);
    REQUIRE(translations.size() == lines.size());
    for (std::size_t n = 0; n < lines.size(); ++n) {
      CAPTURE(lines[n]);
      if (is_blank(lines[n])) {
        REQUIRE(translations[n].size() == 1);
        CHECK(translations[n][0].line.empty());
        CHECK(translations[n][0].score == 0);
        continue;
      }
      const PackedIds source = packed(encode_source(letters(), lines[n]));
      const std::vector<Translation> found = beam_search(model, source, options)[0];
      REQUIRE(translations[n].size() == found.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(translations[n][i].line == letters().decode(found[i].tokens));
        CHECK(translations[n][i].score == found[i].score);
      }
    }
    CHECK(translations[0].size() == 3);
    CHECK(translate(model, letters(), {""}, options)[0].size() == 1);
    CHECK(translate(model, letters(), {}, options).empty());
  }

  TEST_CASE("the best translations differ in their text, not only in how it is cut into pieces") {
    // "aa" is one piece, or two of "a"; with <eos>, no two outputs of a text have the same score.
    const Tokenizer pieces = learned(Units::byte_pairs, {"aa aa aa"}, 300);
    const StubModel model(pieces.size(), random_logits(pieces.size(), 1, 0.1));
    const BeamOptions options{50, 0.6, 50, 1};
    bool cut_twice = false;
    std::set<std::string> texts;
    const PackedIds source = packed(encode_source(pieces, "aa"));
    const std::vector<Translation> outputs = beam_search(model, source, options)[0];
    for (const Translation& one : outputs) {
      cut_twice |= !texts.insert(pieces.decode(one.tokens)).second;
    }
    REQUIRE(cut_twice);
    const std::vector<TranslatedLine> found = translate(model, pieces, {"aa"}, options)[0];
    CHECK(found.size() == texts.size());
    for (const TranslatedLine& one : found) CHECK(texts.erase(one.line) == 1);
    CHECK_THROWS_AS(translate(model, pieces, {"aa"}, {4, 0.6, 5, 1}), Error);
    // Fewer of them are the first of these, and as many as were asked for.
    for (std::size_t few = 2; few < found.size(); ++few) {
      const BeamOptions fewer{50, 0.6, static_cast<Index>(few), 1};
      const std::vector<TranslatedLine> best = translate(model, pieces, {"aa"}, fewer)[0];
      REQUIRE(best.size() == few);
      for (std::size_t i = 0; i < few; ++i) CHECK(best[i].line == found[i].line);
    }
  }

  TEST_CASE("on every instruction set the translations are the same, their scores nearly so") {
    const Transformer model = random_model(small_config());
    const std::vector<std::string> lines{"a b", "h g f e d c b a", "c", "", "d d d d d"};
    BeamOptions options;
    options.n_best = 4;
    const std::string chosen = isa_name();
    const auto expected = translate(model, letters(), lines, options);
    for (const std::string& isa : available_isas()) {
      CAPTURE(isa);
      set_isa(isa);
      const auto found = translate(model, letters(), lines, options);
      for (std::size_t n = 0; n < lines.size(); ++n) {
        REQUIRE(found[n].size() == expected[n].size());
        for (std::size_t i = 0; i < found[n].size(); ++i) {
          CHECK(found[n][i].line == expected[n][i].line);
          CHECK(std::abs(found[n][i].score - expected[n][i].score) < 1e-4);
        }
      }
    }
    set_isa(chosen);
  }

  TEST_CASE("byte pairs, which can write any word, never write <unk>; words have no other way") {
    // <unk> is by far the most probable, and after one token <eos>.
    const auto model_of = [](const Tokenizer& tokenizer) {
      return StubModel(tokenizer.size(), [&](const Ids&, const Ids& target) {
        std::vector<Real> logits(tokenizer.size(), 0);
        logits[target.empty() ? kUnknown : kEos] = 9;
        return logits;
      });
    };
    const Tokenizer pieces = learned(Units::byte_pairs, {"aa ab ac ad"}, 300);
    const Tokenizer words = letters();
    for (const Index beam : {1, 4}) {
      BeamOptions options;
      options.beam = beam;
      const auto outputs_of = [&](const Tokenizer& tokenizer) {
        const StubModel model = model_of(tokenizer);
        const auto matches = exact_matches(model, tokenizer, {{"a", "a"}}, options);
        const std::string line = translate(model, tokenizer, {"a"}, options)[0][0].line;
        CHECK(matches.outputs[0] == line);
        return line;
      };
      CHECK(outputs_of(words) == "<unk>");
      CHECK(outputs_of(pieces).find("<unk>") == std::string::npos);
    }
  }
}
