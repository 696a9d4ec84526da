// Where a model looks, in characters and as a picture.
#include "app/drawing/attention_page.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "examples/by_hand.h"
#include "support/xml.h"
#include "tasks/task.h"

using namespace attn;

namespace {

// An attention whose heads have these weights, row by row.
AttentionMaps maps_of(const Labels& rows, const Labels& columns,
                      const std::vector<std::vector<Real>>& heads) {
  AttentionMaps maps{Attends::encoder_to_encoder, "", rows, {}, columns};
  for (const std::vector<Real>& weights : heads) {
    const Index number = maps.heads.size();
    maps.heads.push_back({"alpha", number,
                          Tensor::uninitialised({static_cast<Index>(rows.size()),
                                                 static_cast<Index>(columns.size())})});
    std::copy(weights.begin(), weights.end(), maps.heads.back().weights.data());
  }
  return maps;
}

// The words of a toy task's model whose weights were set by hand, and where it looks.
TraceSubject by_hand_subject(const std::string& letters) {
  return trace_subject(
      {std::make_unique<Transformer>(by_hand::copy()), find_task("copy").tokenizer}, {letters});
}

}  // namespace

TEST_SUITE("figures") {
  TEST_CASE("a heat map in text has a character for each weight, and strokes to its columns") {
    AttentionMaps maps = maps_of({"I", "see"}, {"je", "vois", "<eos>"},
                                 {{Real(0.9), Real(0.1), 0, Real(0.04), Real(0.3), Real(0.66)}});
    maps.heads[0].name = "encoder.0.self_attention.heads.0.P";
    CHECK(heads_text(maps, 80, false) ==
          "       je\n"
          "       │ vois\n"
          "       │ │ <eos>\n"
          "  I    ██░░\n"
          "  see   ·▒▒▓▓\n"
          "       head 0\n");
    // Borders between two shades belong to the darker one.
    CHECK(heads_text(maps_of({"a"}, {"b", "c", "d", "e", "f"},
                             {{Real(0.049), Real(0.05), Real(0.25), Real(0.5), Real(0.75)}}),
                     80, false) ==
          "     b c d e f\n"
          "  a   ·░░▒▒▓▓██\n");
    // Words of East Asia, whose characters take two columns.
    CHECK(heads_text(maps_of({"誰", "一番"}, {"私", "は"}, {{1, 0, 0, 1}}), 80, false) ==
          "        私\n"
          "        │ は\n"
          "  誰    ██\n"
          "  一番    ██\n");
    CHECK_THROWS_WITH_AS(heads_text(maps_of({"a"}, {"b"}, {{std::nanf("")}}), 80, false),
                         "a heat map's weight is not a number", Error);
  }

  TEST_CASE("maps stand side by side as far as they fit, and the others below") {
    const AttentionMaps maps = maps_of({"row"}, {"a", "b"}, {{1, 0}, {0, 1}});
    // Names 3, indents 4, captions 6 wide, 3 between two.
    CHECK(heads_text(maps, 22, false) ==
          "       a b      a b\n"
          "  row  ██         ██\n"
          "       head 0   head 1\n");
    CHECK(heads_text(maps, 21, false) ==
          "       a b\n"
          "  row  ██\n"
          "       head 0\n"
          "\n"
          "       a b\n"
          "  row    ██\n"
          "       head 1\n");
  }

  TEST_CASE("a map that is too wide for its text gets narrower, and then is folded") {
    const AttentionMaps map = maps_of({"x"}, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"},
                                      {{1, 0, 0, 0, 0, 0, 0, 0, 0, 1}});
    CHECK(heads_text(map, 25, false) ==
          "     a b c d e f g h i j\n"
          "  x  ██                ██\n");
    CHECK(heads_text(map, 24, false) ==
          "     abcdefghij\n"
          "  x  █        █\n");
    CHECK(heads_text(map, 14, false) ==
          "     abcdefghi\n"
          "  x  █\n"
          "\n"
          "     j\n"
          "  x  █\n");
  }

  TEST_CASE("in colour the largest weight of a row stands out, and colours end where they began") {
    CHECK(heads_text(maps_of({"x"}, {"a", "b"}, {{Real(0.4), Real(0.6)}}), 80, true) ==
          "     a b\n"
          "  x  \x1b[36m▒▒\x1b[0m\x1b[35m▓▓\x1b[0m\n");
  }

  TEST_CASE("the page of a model's attention is a picture with each head and each word") {
    const TraceSubject subject = by_hand_subject("a & b");
    const std::vector<AttentionMaps> all = attention_maps(subject);
    const std::string page = document(attention_page(subject, all));
    CHECK(xml_problem(page) == "");
    std::size_t maps = 0;
    for (std::size_t at = page.find("class=\"cells blue\""); at != page.npos;
         at = page.find("class=\"cells blue\"", at + 1)) {
      ++maps;
    }
    std::size_t heads = 0;
    for (const AttentionMaps& attention : all) {
      heads += attention.heads.size();
      CHECK(page.find(attention.title()) != page.npos);
    }
    CHECK(maps == heads);
    CHECK(page.find("a &amp; b") != page.npos);
    CHECK(page.find("&lt;unk&gt;") != page.npos);
    // A name wider than the page leaves room for the maps.
    const AttentionMaps wide = maps_of({std::string(200, 'x')}, {"a", "b"}, {{1, 0}});
    CHECK(document(attention_page(subject, {wide})).find("scale(-") == page.npos);
    // A headline that is too long for a line goes on in the next.
    const Svg long_ones =
        attention_page(by_hand_subject("a b c d e f g h i j k l m n o p q r s t"), {});
    CHECK(long_ones.body.find("y=\"40\"") != page.npos);
    CHECK(long_ones.body.find("y=\"62\"") == page.npos);
    TraceSubject two_lines = by_hand_subject("a b");
    two_lines.source = std::string(60, 'a') + ' ' + std::string(60, 'b');
    CHECK(attention_page(two_lines, {}).body.find("y=\"62\"") != page.npos);
  }
}
