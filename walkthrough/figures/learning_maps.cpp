// Copy and reverse find their diagonals: where they look in the source while they are trained, as a
// picture that moves. Where the reader's system asks for less motion, and in browsers that do not
// animate, it shows the end.
#include <algorithm>

#include "base/real.h"
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

constexpr double kCell = 31;
constexpr std::size_t kHold = 9;  // frames for which the end is shown
constexpr double kSeconds = 0.3;  // per frame
constexpr std::size_t kFirstKey =
    4;  // the table's columns: task, step, right, writes, then the source

// One task's training: a map for each step of it.
struct Film {
  std::string task;
  std::vector<std::string> written, source;
  std::vector<Index> steps;
  std::vector<HeatMap> maps;        // one per step
  std::vector<std::string> labels;  // likewise: what is said of it
};

std::string sign_of(const std::string& token) {
  return token == "<eos>" ? "⏎" : token;
}

std::string label_of(Index step, double right) {
  // Not 100 % before all of them are right.
  const std::string share = right < 100 ? fixed_number(std::min(right, 99.9), 1) : "100";
  return text("step ", step, ": ", share, " % of letters right");
}

Film film_of(const Table& maps, const std::string& task) {
  Film film;
  film.task = task;
  const Table all = maps.where("task", task);
  film.source.assign(all.columns.begin() + kFirstKey, all.columns.end());
  for (const auto& row : all.rows) {
    const Index step = static_cast<Index>(number_in(row, "step"));
    if (film.steps.empty() || film.steps.back() != step) {
      film.steps.push_back(step);
      film.maps.push_back({0, static_cast<int>(film.source.size()), {}});
      film.labels.push_back(label_of(step, 100 * number_in(row, "right")));
    }
    if (film.steps.size() == 1) film.written.push_back(row.at("writes"));
    ++film.maps.back().rows;
    for (const std::string& column : film.source) {
      film.maps.back().weights.push_back(number_in(row, column));
    }
  }
  return film;
}

// The frame of a film at each tick of the clock that all films share.
std::vector<std::size_t> frames_at(const Film& film, const std::vector<Index>& clock) {
  std::vector<std::size_t> frames;
  for (const Index step : clock) {
    const auto after = std::upper_bound(film.steps.begin(), film.steps.end(), step);
    frames.push_back(
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - film.steps.begin() - 1, 0)));
  }
  return frames;
}

std::string animation(const char* attribute, double seconds, const std::string& rest) {
  return text("<animate attributeName=\"", attribute, "\" dur=\"", short_number(seconds),
              "s\" repeatCount=\"indefinite\" ", rest, "/>");
}

// ".31" for 0.31.
std::string opacity(double weight) {
  const std::string digits = short_number(weight, 2);
  return digits.size() > 1 && digits[0] == '0' ? digits.substr(1) : digits;
}

// A cell for each weight, whose opacity follows it from frame to frame.
void draw_moving_map(Svg& svg, const Rect& area, const Film& film,
                     const std::vector<std::size_t>& frames, double seconds) {
  svg.body += text("<g class=\"cells blue\" transform=\"translate(", short_number(area.x), " ",
                   short_number(area.y), ") scale(", short_number(kCell), ")\">\n");
  const HeatMap& last = film.maps.back();
  for (std::size_t i = 0; i < last.weights.size(); ++i) {
    std::string values;
    bool ever = false;
    for (const std::size_t frame : frames) {
      const double weight = film.maps[frame].weights[i];
      ever = ever || weight >= 0.005;
      values += (values.empty() ? "" : ";") + opacity(weight);
    }
    if (!ever) continue;
    const std::size_t cols = last.cols;
    svg.body +=
        text("<rect x=\"", i % cols, "\" y=\"", i / cols, "\" width=\"1\" height=\"1\" ",
             "fill-opacity=\"", opacity(last.weights[i]), "\">",
             animation("fill-opacity", seconds, text("values=\"", values, "\"")), "</rect>\n");
  }
  svg.body += "</g>\n";
}

// Each label for as long as its frame is the one on show.
void draw_moving_labels(Svg& svg, Point at, const Film& film,
                        const std::vector<std::size_t>& frames, double seconds) {
  for (std::size_t begin = 0; begin < frames.size();) {
    std::size_t end = begin;
    while (end < frames.size() && frames[end] == frames[begin]) ++end;
    const auto time = [&](std::size_t frame) {
      return short_number(static_cast<double>(frame) / static_cast<double>(frames.size() - 1), 4);
    };
    std::string values = "visible", times = "0";
    if (begin > 0) {
      values = "hidden;visible";
      times = "0;" + time(begin);
    }
    if (end < frames.size()) {
      values += ";hidden";
      times += ";" + time(end);
    }
    svg.body += "<g visibility=\"hidden\">";
    draw_text(svg, at, film.labels[frames[begin]], "middle");
    svg.body +=
        animation("visibility", seconds,
                  text("calcMode=\"discrete\" values=\"", values, "\" keyTimes=\"", times, "\"")) +
        "</g>\n";
    begin = end;
  }
}

void draw_film(Svg& svg, double x, const Film& film, const std::vector<Index>& clock) {
  const std::vector<std::size_t> frames = frames_at(film, clock);
  const double seconds = kSeconds * static_cast<double>(frames.size() - 1);
  const Rect area{x, 104, kCell * film.maps[0].cols, kCell * film.maps[0].rows};
  draw_text(svg, {area.middle(), 44}, film.task, "large bold middle");

  svg.body += "<g class=\"moving\">\n";
  draw_moving_map(svg, area, film, frames, seconds);
  draw_moving_labels(svg, {area.middle(), area.bottom() + 30}, film, frames, seconds);
  svg.body += "</g>\n<g class=\"still\">\n";
  draw_heat_map(svg, area, film.maps.back(), "blue");
  draw_text(svg, {area.middle(), area.bottom() + 30}, film.labels.back(), "middle");
  svg.body += "</g>\n";

  draw_rect(svg, area, "line muted thin");
  for (std::size_t j = 0; j < film.source.size(); ++j) {
    draw_text(svg, {area.x + (static_cast<double>(j) + 0.5) * kCell, area.y - 9},
              sign_of(film.source[j]), "middle");
  }
  for (std::size_t i = 0; i < film.written.size(); ++i) {
    draw_text(svg, {area.x - 18, area.y + (static_cast<double>(i) + 0.5) * kCell + 5},
              sign_of(film.written[i]), "middle");
  }
}

}  // namespace

Svg learning_maps(const std::string& measurements) {
  Svg svg{880, 536, "Where the models look that learn to copy and to reverse",
          "Two heat maps that change over the steps of training: a row for each letter that is "
          "written, a column for each letter of the source. At first all cells are pale; then dark "
          "ones gather on the diagonal of the model that copies and, later, on the other diagonal "
          "of the one that reverses.",
          ""};
  svg.body +=
      "<style>.moving{display:none}@media (prefers-reduced-motion:no-preference)"
      "{.moving{display:inline}.still{display:none}}</style>\n";
  const Table maps = read_table(measurements, "maps");
  const Film copy = film_of(maps, "copy"), reverse = film_of(maps, "reverse");
  // Both run by the longer one's steps.
  std::vector<Index> clock = std::max(
      copy.steps, reverse.steps, [](const auto& a, const auto& b) { return a.back() < b.back(); });
  clock.insert(clock.end(), kHold, clock.back());
  draw_film(svg, 76, copy, clock);
  draw_film(svg, 514, reverse, clock);
  draw_text(
      svg, {440, 516},
      "row: the letter that is written   ·   column: the letter of the source   ·   ⏎: the end",
      "small muted middle");
  return svg;
}

}  // namespace attn::walkthrough
