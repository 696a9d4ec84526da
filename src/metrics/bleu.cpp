// BLEU = 100 · BP · exp(¼ Σ ln p_n), from counts that add up over sentences.
#include "metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "metrics/ngrams.h"
#include "text/lines.h"

namespace attn {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_stop(char c) {
  return c == '.' || c == ',';
}

// Turns each pair of neighbours ab to which the rule applies into before a between b after. A
// pair begins where the last one ended, as in a regular expression's substitution.
template <class Applies>
std::string rewrite_pairs(const std::string& line, Applies applies, const char* before,
                          const char* between, const char* after) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (i + 1 < line.size() && applies(line[i], line[i + 1])) {
      result += text(before, line[i], between, line[i + 1], after);
      ++i;
    } else {
      result += line[i];
    }
  }
  return result;
}

// The words as 13a finds them, with one space between them: mteval-v13a's rules, in its order. Each
// is a regular expression there, quoted here.
std::string tokenize_13a(std::string_view line) {
  std::string text(line);
  replace_all(text, "<skipped>", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  // s/([\{-\~\[-\` -\&\(-\+\:-\@\/])/ $1 /g: ASCII's punctuation except ' , - .
  std::string spaced = " ";
  for (char c : text) {
    const bool alone = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
                       (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
    if (alone) spaced += ' ';
    spaced += c;
    if (alone) spaced += ' ';
  }
  spaced += ' ';
  // s/([^0-9])([\.,])/$1 $2 /g, s/([\.,])([^0-9])/ $1 $2/g, s/([0-9])(-)/$1 $2 /g
  spaced = rewrite_pairs(
      spaced, [](char a, char b) { return !is_digit(a) && is_stop(b); }, "", " ", " ");
  spaced = rewrite_pairs(
      spaced, [](char a, char b) { return is_stop(a) && !is_digit(b); }, " ", " ", "");
  spaced = rewrite_pairs(
      spaced, [](char a, char b) { return is_digit(a) && b == '-'; }, "", " ", " ");
  return join_words(spaced, " ");
}

// A line in the form of which pieces_of() takes the words.
std::string normalise(const std::string& line, BleuWords words) {
  if (words == BleuWords::wmt_13a) return tokenize_13a(line);
  return join_words(line, words == BleuWords::none ? " " : "");
}

std::vector<std::string_view> pieces_of(std::string_view text, BleuWords words) {
  return words == BleuWords::characters ? characters(text) : attn::words(text);
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    matched[n] += other.matched[n];
    total[n] += other.total[n];
  }
  length += other.length;
  reference_length += other.reference_length;
  return *this;
}

BleuCounts bleu_counts(const std::string& hypothesis, const std::vector<std::string>& references,
                       BleuWords words) {
  ATTN_CHECK(!references.empty(), "BLEU needs a reference");
  const std::string text = normalise(hypothesis, words);
  const std::vector<std::string_view> pieces = pieces_of(text, words);
  std::vector<std::string> texts;
  for (const std::string& reference : references) texts.push_back(normalise(reference, words));
  std::vector<std::vector<std::string_view>> reference_pieces;
  for (const std::string& reference : texts) {
    reference_pieces.push_back(pieces_of(reference, words));
  }

  BleuCounts counts;
  counts.length = static_cast<Index>(pieces.size());
  const auto nearer = [&](const auto& a, const auto& b) {
    const auto rank = [&](const auto& reference) {
      const Index length = static_cast<Index>(reference.size());
      return std::pair(std::abs(length - counts.length), length);
    };
    return rank(a) < rank(b);
  };
  counts.reference_length = static_cast<Index>(
      std::min_element(reference_pieces.begin(), reference_pieces.end(), nearer)->size());
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    // An n-gram may occur as often as in that reference which has it most often.
    NgramCounts most;
    for (const auto& reference : reference_pieces) {
      for (const auto& [ngram, count] : count_ngrams(reference, n)) {
        most[ngram] = std::max(most[ngram], count);
      }
    }
    counts.matched[n - 1] = matches(count_ngrams(pieces, n), most);
    counts.total[n - 1] = std::max<Index>(counts.length - static_cast<Index>(n) + 1, 0);
  }
  return counts;
}

Bleu bleu(const BleuCounts& counts) {
  Bleu result;
  const double c = static_cast<double>(counts.length);
  const double r = static_cast<double>(counts.reference_length);
  result.brevity_penalty = c >= r ? 1 : c > 0 ? std::exp(1 - r / c) : 0;
  if (counts.matched[0] == 0) return result;

  double sum = 0;
  double halves = 1;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    if (counts.total[n] == 0) return result;  // too short for an n-gram: 0
    double matched = static_cast<double>(counts.matched[n]);
    if (matched == 0) matched = halves /= 2;
    result.precisions[n] = 100 * matched / static_cast<double>(counts.total[n]);
    sum += std::log(result.precisions[n]);
  }
  result.score = result.brevity_penalty * std::exp(sum / kBleuOrder);
  return result;
}

}  // namespace attn
