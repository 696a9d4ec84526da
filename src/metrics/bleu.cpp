// BLEU = 100 · BP · exp(¼ Σ ln p_n), from counts that add up over sentences.
#include "metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace attn {

namespace {

using Words = std::vector<std::string>;

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

// mteval-v13a's rules, in its order, put white space around words. Its expressions are quoted.
std::string tokenize_13a(std::string text) {
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
  return rewrite_pairs(
      spaced, [](char a, char b) { return is_digit(a) && b == '-'; }, "", " ", " ");
}

// White space is as Unicode defines it, no-break space included.
Words words_of(const std::string& line, BleuWords kind) {
  Words words;
  bool begun = false;
  const std::string spaced = kind == BleuWords::wmt_13a ? tokenize_13a(line) : line;
  for (const std::string_view character : characters(spaced)) {
    const bool space = is_white_space(character);
    if (!space && !begun) words.emplace_back();
    if (!space) words.back() += character;
    begun = !space && kind != BleuWords::characters;
  }
  return words;
}

// How often each n words occur one after the other. (No word has a space.)
std::map<std::string, Index> count_ngrams(const Words& words, std::size_t n) {
  std::map<std::string, Index> counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i) {
    std::string ngram;
    for (std::size_t k = i; k < i + n; ++k) ngram += words[k] + ' ';
    ++counts[ngram];
  }
  return counts;
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
                       BleuWords kind) {
  ATTN_CHECK(!references.empty(), "BLEU needs a reference");
  const Words words = words_of(hypothesis, kind);
  std::vector<Words> others;
  for (const std::string& reference : references) others.push_back(words_of(reference, kind));

  BleuCounts counts;
  counts.length = words.size();
  const auto distance_and_length = [&](const Words& other) {
    const Index length = other.size();
    return std::pair(std::abs(length - counts.length), length);
  };
  std::pair<Index, Index> nearest = distance_and_length(others[0]);
  for (const Words& other : others) nearest = std::min(nearest, distance_and_length(other));
  counts.reference_length = nearest.second;
  for (std::size_t n = 1; n <= kBleuOrder; ++n) {
    // An n-gram may occur as often as in that reference which has it most often.
    std::map<std::string, Index> most;
    for (const Words& other : others) {
      for (const auto& [ngram, count] : count_ngrams(other, n)) {
        most[ngram] = std::max(most[ngram], count);
      }
    }
    for (const auto& [ngram, count] : count_ngrams(words, n)) {
      counts.matched[n - 1] += std::min(count, most[ngram]);
    }
    counts.total[n - 1] = std::max<Index>(counts.length - static_cast<Index>(n) + 1, 0);
  }
  return counts;
}

Bleu bleu(const BleuCounts& counts) {
  Bleu result;
  const double c = to_double(counts.length);
  const double r = to_double(counts.reference_length);
  result.brevity_penalty = c >= r ? 1 : c > 0 ? std::exp(1 - r / c) : 0;
  if (counts.matched[0] == 0) return result;

  double sum = 0;
  double halves = 1;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    if (counts.total[n] == 0) return result;  // too short for an n-gram: 0
    double matched = to_double(counts.matched[n]);
    if (matched == 0) matched = halves /= 2;
    result.precisions[n] = 100 * matched / to_double(counts.total[n]);
    sum += std::log(result.precisions[n]);
  }
  result.score = result.brevity_penalty * std::exp(sum / kBleuOrder);
  return result;
}

}  // namespace attn
