// Pictures as SVG, drawn element by element into a text. The same calls give the same bytes:
// numbers are rounded by integer arithmetic, whatever the locale. Class names, which the style
// sheet in svg.cpp defines, say how an element looks on light and on dark pages:
//
//     colours   blue orange green purple, muted (secondary), grid (faint), paper (background);
//               ink, the colour of text, unless one of these is given
//     shapes    line (its outline), area (filled), tint (filled faintly), box (both);
//               thin thick dashed fine
//     text      halo (keeps lines behind it off, in charts),
//               small large bold mono italic, middle end (which part of it the point is)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct Point {
  double x = 0, y = 0;  // pixels, from the upper left corner
};

struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  double middle() const { return x + width / 2; }
  double centre() const { return y + height / 2; }
};

struct Svg {
  double width = 0, height = 0;
  std::string title;        // what it is, for readers who do not see it
  std::string description;  // what one would see
  std::string body;         // the elements so far
};

// The whole file.
std::string document(const Svg& svg);

// A number with at most this many digits after the point, without trailing zeros: 1.5, -3, 0.
std::string short_number(double value, int digits = 2);
// The same with exactly this many: 1.50.
std::string fixed_number(double value, int digits);
// The same number with the minus sign of prose instead of a hyphen: −3.
std::string with_minus(std::string number);
// "1.5,-3 4,0": points as SVG lists them.
std::string coordinates(const std::vector<Point>& points);
// & < > " as entities, so that any text can be in an element or an attribute.
std::string escaped(std::string_view text);

void draw_line(Svg& svg, Point from, Point to, std::string_view classes);
void draw_polyline(Svg& svg, const std::vector<Point>& points, std::string_view classes);
void draw_rect(Svg& svg, const Rect& rect, std::string_view classes, double radius = 0);
void draw_circle(Svg& svg, Point centre, double radius, std::string_view classes);

// Text whose base line begins at the point. _{…} is a subscript and ^{…} a superscript:
// "[T, d_{model}]", "W^{O}".
void draw_text(Svg& svg, Point at, std::string_view text, std::string_view classes = "");
// The same, but as it is written: words of a user, in which _{ is no subscript.
void draw_words(Svg& svg, Point at, std::string_view words, std::string_view classes = "");

// Words turned around the point, counter-clockwise.
void draw_turned_text(Svg& svg, Point at, double degrees, std::string_view text,
                      std::string_view classes = "");

}  // namespace attn
