// What BLEU counts in chapter 6.1's pair of sentences: which n-grams of the translation the
// reference has, each at most as often as there.
#include <algorithm>
#include <map>

#include "figures.h"
#include "metrics/bleu.h"

namespace attn::walkthrough {

namespace {

using Words = std::vector<std::string>;

// Columns as wide as the longest word in each, of either sentence.
constexpr double kLeft = 120, kGap = 6, kCell = 44;
constexpr double kWidths[] = {58, 60, 62, 44, 96, 52, 66, 58, 78, 78, 34};

double left_of(std::size_t column) {
  double x = kLeft;
  for (std::size_t i = 0; i < column; ++i) x += kWidths[i] + kGap;
  return x;
}

double right_of(std::size_t column) {
  return left_of(column) + kWidths[column];
}

void draw_words(Svg& svg, double y, const Words& words, const std::vector<bool>& matched) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Rect box{left_of(i), y, kWidths[i], 28};
    draw_rect(svg, box, matched[i] ? "box green" : "box orange dashed", 5);
    draw_text(svg, {box.middle(), box.centre() + 5}, words[i], "middle");
  }
}

// The n-gram that begins at word i.
std::string n_gram(const Words& words, std::size_t i, std::size_t n) {
  std::string joined;
  for (std::size_t k = i; k < i + n; ++k) joined += words[k] + ' ';
  return joined;
}

// For each n-gram of `words`, in order, whether the other text has one left to match it.
std::vector<bool> matched_n_grams(const Words& words, const Words& other, std::size_t n) {
  std::map<std::string, int> left;
  for (std::size_t i = 0; i + n <= other.size(); ++i) ++left[n_gram(other, i, n)];
  std::vector<bool> matched;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    matched.push_back(left[n_gram(words, i, n)]-- > 0);
  }
  return matched;
}

}  // namespace

Svg bleu_counted() {
  const Words translation{"Jane", "visits", "Africa", "in",      "September",
                          "and",  "in",     "in",     "October", "."};
  const Words reference{"Jane",  "visits", "Africa", "in",      "September", "and",
                        "comes", "home",   "in",     "October", "."};
  Svg svg{880, 372, "What BLEU counts",
          "The words of a translation and of its reference in boxes, and below them a row of cells "
          "for the n-grams of the translation, for n from 1 to 4. Green ones are matched by the "
          "reference: 9 of 10, 7 of 9, 5 of 8 and 3 of 7. The third in is not matched, since the "
          "reference has only two.",
          ""};
  const std::vector<bool> words_matched = matched_n_grams(translation, reference, 1);
  draw_text(svg, {16, 40}, "reference", "bold");
  draw_words(svg, 22, reference, matched_n_grams(reference, translation, 1));
  draw_text(svg, {16, 128}, "translation", "bold");
  draw_words(svg, 110, translation, words_matched);

  // The k-th occurrence of a word belongs to its k-th occurrence in the reference.
  std::vector<bool> taken(reference.size(), false);
  for (std::size_t i = 0; i < translation.size(); ++i) {
    if (!words_matched[i]) continue;
    std::size_t j = 0;
    while (taken[j] || reference[j] != translation[i]) ++j;
    taken[j] = true;
    const auto middle = [](std::size_t at) { return (left_of(at) + right_of(at)) / 2; };
    draw_line(svg, {middle(j), 52}, {middle(i), 108}, "green");
  }

  const BleuCounts counts =
      bleu_counts(joined(translation, " "), {joined(reference, " ")}, BleuWords::none);
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    const std::vector<bool> matched = matched_n_grams(translation, reference, n);
    const auto hits = std::count(matched.begin(), matched.end(), true);
    ATTN_CHECK(hits == counts.matched[n - 1], "the figure counts ", hits, " n-grams of length ", n,
               ", bleu_counts ", counts.matched[n - 1]);
    const double y = 172 + static_cast<double>(n - 1) * 40;
    draw_text(svg, {16, y + 17}, text("n = ", n), "bold");
    draw_text(svg, {112, y + 17}, text(hits, "/", counts.total[n - 1]), "end");
    for (std::size_t i = 0; i < matched.size(); ++i) {
      // Under the middle of its words.
      const double middle = (left_of(i) + right_of(i + n - 1)) / 2;
      draw_rect(svg, {middle - kCell / 2, y, kCell, 24},
                matched[i] ? "box green" : "box orange dashed", 5);
    }
  }
  draw_text(svg, {16, 350},
            "Each cell is an n-gram, under the middle of its words: green if the reference has one "
            "left to match it.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
