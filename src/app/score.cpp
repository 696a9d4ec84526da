// attention bleu, chrf, bracket-f1: scores of translations and trees against references.
#include <string>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "base/check.h"
#include "lab/bracketing/bracket_f1.h"
#include "lab/metrics/chrf.h"
#include "lab/metrics/paired_bootstrap.h"
#include "metrics/bleu.h"
#include "text/lines.h"

namespace attn::app {

namespace {

constexpr int kSamples = 1000;
constexpr std::uint64_t kSeed = 12345;

// Lines to be scored and, of each, its references.
struct ScoredText {
  std::vector<std::string> hypotheses, others;  // others: of --compare, perhaps none
  std::vector<std::vector<std::string>> references;
};

ScoredText read_text(const Arguments& arguments) {
  ScoredText result;
  LineReader reader;
  result.hypotheses = rest_of_lines(reader);
  const std::size_t lines = result.hypotheses.size();
  ATTN_CHECK(lines > 0, "standard input is empty; it should have the translations, a line each");
  const auto read = [&](const std::string& path) {
    std::vector<std::string> file = read_lines(path);
    ATTN_CHECK(file.size() == lines, path, " has ",
               counted(static_cast<Index>(file.size()), "line"), " and standard input has ",
               grouped(static_cast<Index>(lines)),
               "; line n of one is scored with line n of the other");
    return file;
  };
  std::vector<std::string> paths{arguments.value("reference")};
  paths.insert(paths.end(), arguments.operands().begin(), arguments.operands().end());
  result.references.resize(lines);
  for (const std::string& path : paths) {
    std::vector<std::string> file = read(path);
    for (std::size_t i = 0; i < lines; ++i) result.references[i].push_back(std::move(file[i]));
  }
  if (arguments.has("compare")) result.others = read(arguments.value("compare"));
  return result;
}

// Prints the score, the signature and, with --compare, the other score and the odds of chance.
// counts_of: of a line and its references. line_of: the result's line for counts added up.
template <class CountsOf, class Score, class LineOf>
int run_score(const Arguments& arguments, const CountsOf& counts_of, const Score& score,
              const LineOf& line_of, const std::string& set_up) {
  const ScoredText all = read_text(arguments);
  const auto all_counts = [&](const std::vector<std::string>& lines) {
    std::vector<decltype(counts_of(lines[0], all.references[0]))> counts;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      try {
        counts.push_back(counts_of(lines[i], all.references[i]));
      } catch (const Error& error) {
        fail(arguments.value("reference"), ", line ", i + 1, ": ", error.what());
      }
    }
    return counts;
  };
  const auto counts = all_counts(all.hypotheses);
  put(line_of(total(counts)) + '\n');
  std::string signature = text("nrefs:", all.references[0].size(), '|', set_up,
                               "|version:attention-", ATTENTION_VERSION);
  if (!all.others.empty()) {
    const auto others = all_counts(all.others);
    if (score(total(others)) == score(total(counts))) {
      warn(arguments.value("compare"),
           " has the same score as standard input: there is no difference for p to judge");
    }
    const PairedBootstrap result = paired_bootstrap(counts, others, score, kSamples, kSeed);
    put(line_of(total(others)) + '\n');
    put(text("95% intervals: ", fixed(result.one, 2), " ± ", fixed(result.one_interval, 2), " and ",
             fixed(result.other, 2), " ± ", fixed(result.other_interval, 2),
             "; p = ", fixed(result.p, 4), '\n'));
    signature += text("|bs:", kSamples, "|seed:", kSeed);
  }
  put(signature + '\n');
  return 0;
}

}  // namespace

int run_bleu(const Arguments& arguments) {
  const std::string& name = arguments.choice("tokenize", {"13a", "none", "char"});
  const BleuWords words = name == "13a"    ? BleuWords::wmt_13a
                          : name == "none" ? BleuWords::none
                                           : BleuWords::characters;
  const auto line_of = [](const BleuCounts& counts) {
    const Bleu b = bleu(counts);
    std::string precisions;
    for (double p : b.precisions) precisions += (precisions.empty() ? "" : "/") + fixed(p, 1);
    return text("BLEU = ", fixed(b.score, 2), "  ", precisions,
                " (BP = ", fixed(b.brevity_penalty, 3), ", ", counts.length, " words, references ",
                counts.reference_length, ')');
  };
  return run_score(
      arguments,
      [&](const std::string& line, const std::vector<std::string>& references) {
        return bleu_counts(line, references, words);
      },
      [](const BleuCounts& counts) { return bleu(counts).score; }, line_of,
      "case:mixed|eff:no|tok:" + name + "|smooth:exp");
}

int run_chrf(const Arguments& arguments) {
  return run_score(
      arguments, chrf_counts, chrf,
      [](const ChrfCounts& counts) { return text("chrF2 = ", fixed(chrf(counts), 2)); },
      "case:mixed|eff:yes|nc:6|nw:0|space:no");
}

int run_bracket_f1(const Arguments& arguments) {
  return run_score(
      arguments,
      [](const std::string& line, const std::vector<std::string>& references) {
        return bracket_counts(line, references[0]);
      },
      [](const BracketCounts& counts) { return 100 * bracket_scores(counts).f1; },
      [](const BracketCounts& counts) {
        const BracketScores scores = bracket_scores(counts);
        return text("F1 = ", fixed(100 * scores.f1, 2), "  (precision ",
                    fixed(100 * scores.precision, 2), ", recall ", fixed(100 * scores.recall, 2),
                    "; well-formed ", percent(counts.well_formed, counts.trees), ')');
      },
      "labels:yes|root:no|punctuation:yes");
}

}  // namespace attn::app
