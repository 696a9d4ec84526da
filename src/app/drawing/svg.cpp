// SVG 1.1 with a style sheet. An image sees nothing of its page, so it has its own colours for dark
// pages; and its own background, since a page may be light while its reader's system is dark.
#include "app/drawing/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/number.h"
#include "base/real.h"
#include "base/utf8.h"

namespace attn {

// Colours that readers with any kind of colour vision can tell apart (after Okabe and Ito 2008),
// darkened or lightened until text in them has a contrast of at least 4.5 to 1.
constexpr const char* kStyle = R"(
svg{color:#1f2328;font:15px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif}
text{fill:currentColor}
.muted{color:#59636e}.grid{color:#d5dae0}.paper{color:#fff}
.blue{color:#0068a8}.orange{color:#b34d00}.green{color:#00735a}.purple{color:#9b3f79}
.line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.area{fill:currentColor}.tint{fill:currentColor;fill-opacity:.15}
.box{fill:currentColor;fill-opacity:.12;stroke:currentColor;stroke-width:1.5}
.cells{fill:currentColor;shape-rendering:crispEdges}
.thin{stroke-width:1}.thick{stroke-width:3}.dashed{stroke-dasharray:6 4}.fine{stroke-dasharray:2 3}
.small{font-size:13px}.large{font-size:17px}.bold{font-weight:600}.italic{font-style:italic}
.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}
.halo{paint-order:stroke;stroke:#fff;stroke-width:5px;stroke-linejoin:round}
.middle{text-anchor:middle}.end{text-anchor:end}
@media (prefers-color-scheme:dark){
svg{color:#e6edf3}.muted{color:#9ba5b0}.grid{color:#343b44}.paper{color:#0d1117}
.blue{color:#63b3ed}.orange{color:#f0994a}.green{color:#3fc8a0}.purple{color:#e08fc4}
.halo{stroke:#0d1117}.box{fill-opacity:.2}.tint{fill-opacity:.22}
}
)";

// Of an element; nothing if there are none.
static std::string class_attribute(std::string_view classes) {
  return classes.empty() ? "" : text(" class=\"", escaped(classes), "\"");
}

static std::string attribute(const char* name, double value) {
  return text(" ", name, "=\"", short_number(value), "\"");
}

// Text with sub- and superscripts as spans moved by 4 or −6 pixels, and what follows moved back.
static std::string spans(std::string_view words) {
  std::string result;
  int moved = 0;  // where the base line is
  while (!words.empty()) {
    const bool closed = words.find('}') != words.npos;
    const bool down = closed && words.substr(0, 2) == "_{",
               up = closed && words.substr(0, 2) == "^{";
    const std::size_t end = down || up ? words.find('}')
                            : closed   ? std::min(words.find("_{"), words.find("^{"))
                                       : words.npos;
    const std::size_t begin = down || up ? 2 : 0;
    const std::string part = escaped(words.substr(begin, end - begin));
    const int to = down ? 4 : up ? -6 : 0;
    const char* const size = to != 0 ? " font-size=\"75%\"" : "";
    const bool plain = to == 0 && moved == 0;
    result += plain ? part : text("<tspan dy=\"", to - moved, "\"", size, ">", part, "</tspan>");
    moved = to;
    words.remove_prefix(std::min(end, words.size()));
    if (to != 0) words.remove_prefix(1);
  }
  return result;
}

std::string fixed_number(double value, int digits) {
  long long unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  ATTN_CHECK(std::fabs(value) < 1e15 / to_double(unit), "cannot draw at ", shortest(value));
  const long long scaled = std::llround(value * to_double(unit));
  std::string result = text(scaled < 0 ? "-" : "", std::llabs(scaled) / unit);
  if (digits == 0) return result;
  const std::string fraction = text(std::llabs(scaled) % unit);
  return text(result, ".", std::string(static_cast<std::size_t>(digits) - fraction.size(), '0'),
              fraction);
}

std::string short_number(double value, int digits) {
  std::string result = fixed_number(value, digits);
  if (digits > 0) result.erase(result.find_last_not_of('0') + 1);
  if (result.back() == '.') result.pop_back();
  return result;
}

std::string with_minus(std::string number) {
  if (number[0] == '-') number.replace(0, 1, "−");
  return number;
}

std::string escaped(std::string_view words) {
  constexpr std::string_view kSpecial = "&<>\"";
  constexpr const char* kEntities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
  std::string result;
  for (const std::string_view character : characters(words)) {
    const bool control = static_cast<unsigned char>(character[0]) < ' ' &&
                         character.find_first_of("\t\n\r") == character.npos;
    const bool illegal = control || utf8_character(character) == 0 || character == "\xEF\xBF\xBE" ||
                         character == "\xEF\xBF\xBF";
    const std::size_t i = kSpecial.find(character);
    result += illegal ? "\uFFFD" : i == kSpecial.npos ? std::string(character) : kEntities[i];
  }
  return result;
}

std::string coordinates(const std::vector<Point>& points) {
  std::string result;
  for (const Point& p : points) {
    result += text(result.empty() ? "" : " ", short_number(p.x), ",", short_number(p.y));
  }
  return result;
}

std::string document(const Svg& svg) {
  const std::string width = short_number(svg.width), height = short_number(svg.height);
  return text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"", height,
              "\" viewBox=\"0 0 ", width, " ", height,
              "\" role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">",
              escaped(svg.title), "</title>\n<desc id=\"description\">", escaped(svg.description),
              "</desc>\n<style>", kStyle, "</style>\n<rect class=\"paper area\" width=\"", width,
              "\" height=\"", height, "\" rx=\"8\"/>\n", svg.body, "</svg>\n");
}

void draw_line(Svg& svg, Point from, Point to, std::string_view classes) {
  svg.body += text("<line", class_attribute(text("line ", classes)), attribute("x1", from.x),
                   attribute("y1", from.y), attribute("x2", to.x), attribute("y2", to.y), "/>\n");
}

void draw_polyline(Svg& svg, const std::vector<Point>& points, std::string_view classes) {
  svg.body += text("<polyline", class_attribute(text("line ", classes)), " points=\"",
                   coordinates(points), "\"/>\n");
}

void draw_rect(Svg& svg, const Rect& rect, std::string_view classes, double radius) {
  svg.body +=
      text("<rect", class_attribute(classes), attribute("x", rect.x), attribute("y", rect.y),
           attribute("width", rect.width), attribute("height", rect.height),
           radius > 0 ? attribute("rx", radius) : "", "/>\n");
}

void draw_circle(Svg& svg, Point centre, double radius, std::string_view classes) {
  svg.body += text("<circle", class_attribute(classes), attribute("cx", centre.x),
                   attribute("cy", centre.y), attribute("r", radius), "/>\n");
}

static void put_text(Svg& svg, Point at, const std::string& spans, std::string_view classes) {
  svg.body += text("<text", class_attribute(classes), attribute("x", at.x), attribute("y", at.y),
                   ">", spans, "</text>\n");
}

void draw_text(Svg& svg, Point at, std::string_view words, std::string_view classes) {
  put_text(svg, at, spans(words), classes);
}

void draw_words(Svg& svg, Point at, std::string_view words, std::string_view classes) {
  put_text(svg, at, escaped(words), classes);
}

void draw_turned_text(Svg& svg, Point at, double degrees, std::string_view words,
                      std::string_view classes) {
  svg.body += text("<g transform=\"translate(", short_number(at.x), " ", short_number(at.y),
                   ") rotate(", short_number(-degrees), ")\">");
  draw_words(svg, {0, 0}, words, classes);
  svg.body += "</g>\n";
}

}  // namespace attn
