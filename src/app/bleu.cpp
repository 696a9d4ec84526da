// attention bleu: the BLEU of translations against references.
#include "metrics/bleu.h"
#include "app/options.h"
#include "app/terminal/console.h"
#include "text/lines.h"

namespace attn::app {

int run_bleu(const Arguments& arguments) {
  const std::string& name = arguments.choice("tokenize", {"13a", "none", "char"});
  const BleuWords kind = name == "13a"    ? BleuWords::wmt_13a
                         : name == "none" ? BleuWords::none
                                          : BleuWords::characters;
  LineReader reader;
  const std::vector<std::string> hypotheses = rest_of_lines(reader);
  const std::size_t lines = hypotheses.size();
  ATTN_CHECK(lines > 0, "standard input is empty; it should have the translations, a line each");

  std::vector<std::string> paths{arguments.value("reference")};
  paths.insert(paths.end(), arguments.operands.begin(), arguments.operands.end());
  std::vector<std::vector<std::string>> references(lines);
  for (const std::string& path : paths) {
    std::vector<std::string> file = read_lines(path);
    ATTN_CHECK(file.size() == lines, path, " has ", counted(file.size(), "line"),
               " and standard input has ", grouped(lines),
               "; line n of one is scored with line n of the other");
    for (std::size_t i = 0; i < lines; ++i) references[i].push_back(std::move(file[i]));
  }

  BleuCounts counts;
  for (std::size_t i = 0; i < lines; ++i) counts += bleu_counts(hypotheses[i], references[i], kind);
  const Bleu score = bleu(counts);
  std::string precisions;
  for (double p : score.precisions) precisions += (precisions.empty() ? "" : "/") + fixed(p, 1);
  put(text("BLEU = ", fixed(score.score, 2), "  ", precisions,
           " (BP = ", fixed(score.brevity_penalty, 3), ", ", counts.length, " words, references ",
           counts.reference_length, ")\n"));
  put(text("nrefs:", paths.size(), "|case:mixed|eff:no|tok:", name,
           "|smooth:exp|version:attention-", ATTENTION_VERSION, '\n'));
  return 0;
}

}  // namespace attn::app
