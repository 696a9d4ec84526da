// Pictures: numbers, escaping, well-formed elements, and where a chart puts its values.
#include "app/drawing/svg.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "app/drawing/chart.h"
#include "base/check.h"
#include "figures/shapes.h"
#include "storage/atomic_file.h"
#include "support/xml.h"

using namespace attn;

TEST_SUITE("figures") {
  TEST_CASE("numbers have a fixed number of digits, and none that say nothing") {
    CHECK(short_number(1.5) == "1.5");
    CHECK(short_number(100) == "100");
    CHECK(short_number(100, 0) == "100");
    CHECK(short_number(-3.14159) == "-3.14");
    CHECK(short_number(0.999) == "1");
    CHECK(short_number(0.05) == "0.05");
    CHECK(short_number(1e9) == "1000000000");
    CHECK(fixed_number(1.5, 3) == "1.500");
    CHECK(fixed_number(-0.05, 1) == "-0.1");
    // What rounds to nothing has no sign.
    CHECK(short_number(-0.001) == "0");
    CHECK(short_number(-0.0) == "0");
    CHECK_THROWS_AS(short_number(std::numeric_limits<double>::quiet_NaN()), Error);
    CHECK_THROWS_AS(short_number(std::numeric_limits<double>::infinity()), Error);
    CHECK_THROWS_AS(short_number(1e300), Error);
  }

  TEST_CASE(
      "what is special in XML becomes entities; control characters and what is not UTF-8, U+FFFD") {
    CHECK(escaped("l'Afrique & <eos> \"x\"") == "l'Afrique &amp; &lt;eos&gt; &quot;x&quot;");
    CHECK(escaped(std::string_view("\0\x01\x1b[31m\x1f\t\n\r\x7f", 12)) ==
          "\uFFFD\uFFFD\uFFFD[31m\uFFFD\t\n\r\x7f");
    CHECK(escaped("\xEF\xBF\xBE\xEF\xBF\xBFé\xC3\xE2\x82") == "\uFFFD\uFFFDé\uFFFD\uFFFD\uFFFD");
  }

  TEST_CASE("a picture is well-formed XML, whatever its words are") {
    Svg svg{100, 50, "a <title> & more", "\"described\"", ""};
    draw_text(svg, {0, 0}, "</text> & _{<} > ^{a word, _{b", "a\"b");
    draw_box(svg, {0, 0, 10, 10}, {"<&>", "]]>"}, "blue");
    draw_arrow(svg, {{0, 0}, {3, 4}}, "blue");
    draw_heat_map(svg, {0, 0, 10, 10}, {2, 2, {0, 0.5, 1, 2}}, "blue");
    const Axes axes = make_axes({10, 10, 50, 20}, 0, 1, 0, 1);
    draw_axes(svg, axes, {ticks({0, 1}), powers_of_ten(-1, 0), "x < 1", "y & z"});
    CHECK(xml_problem(document(svg)) == "");
  }

  TEST_CASE("every figure of the walkthrough is well-formed and says what it shows") {
    int figures = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(ATTENTION_SOURCE_DIR "/walkthrough/figures")) {
      if (entry.path().extension() != ".svg") continue;
      CAPTURE(entry.path().string());
      const std::string picture = read_file(entry.path().string());
      CHECK(xml_problem(picture) == "");
      CHECK(picture.find("<title id=\"title\"></title>") == picture.npos);
      CHECK(picture.find("<desc id=\"description\"></desc>") == picture.npos);
      ++figures;
    }
    CHECK(figures >= 14);
  }

  TEST_CASE("the check of XML sees what it is for") {
    for (const char* good : {"<a><b/>text</a>", "<a>1 &amp; 2</a>"}) CHECK(xml_problem(good) == "");
    for (const char* bad : {"<a><b></a>", "<a>", "<a/></b>", "<a>1 & 2</a>", "<a x=1/>",
                            "<a x=\"1 < 2\"/>", "<a/><b/>", ""}) {
      CHECK_MESSAGE(xml_problem(bad) != "", bad);
    }
  }

  TEST_CASE("a curve is broken where a value is missing") {
    Svg svg{10, 10, "", "", ""};
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    draw_curve(svg, make_axes({0, 0, 5, 5}, 0, 5, 0, 5),
               {{0, 0}, {1, 1}, {2, nothing}, {3, 3}, {4, 4}, {5, nothing}}, "blue");
    CHECK(svg.body ==
          "<polyline class=\"line blue\" points=\"0,5 1,4\"/>\n"
          "<polyline class=\"line blue\" points=\"3,2 4,1\"/>\n");
  }

  TEST_CASE("a user's words are drawn as they are written") {
    Svg svg{10, 10, "", "", ""};
    draw_words(svg, {1, 2}, "x_{2} <^{b}", "mono");
    CHECK(svg.body == "<text class=\"mono\" x=\"1\" y=\"2\">x_{2} &lt;^{b}</text>\n");
  }

  TEST_CASE("a heat map draws each weight once, equal neighbours together, and no zeros") {
    Svg svg{10, 10, "", "", ""};
    draw_heat_map(svg, {5, 6, 30, 20}, {2, 3, {1, 1, 0, 0, 0.5, 1}}, "blue");
    CHECK(svg.body ==
          "<g class=\"cells blue\" transform=\"translate(5 6) scale(10 10)\">\n"
          "<path fill-opacity=\"0.5\" d=\"M1 1h1v1h-1z\"/>\n"
          "<path fill-opacity=\"1\" d=\"M0 0h2v1h-2zM2 1h1v1h-1z\"/>\n"
          "</g>\n");
    CHECK_THROWS_AS(draw_heat_map(svg, {0, 0, 1, 1}, {2, 2, {1, 1, 1}}, ""), Error);
    CHECK_THROWS_AS(draw_heat_map(svg, {0, 0, 1, 1}, {1, 2, {1, std::nan("")}}, ""), Error);
  }

  TEST_CASE("round values are 1, 2 or 5 times a power of ten apart, and inside") {
    CHECK(round_values(0, 100) == std::vector<double>{0, 20, 40, 60, 80, 100});
    CHECK(round_values(0, 4) == std::vector<double>{0, 1, 2, 3, 4});
    CHECK(round_values(0.1, 0.35).size() == 6);
    CHECK(round_values(1, 12).front() == 2);
  }
}
