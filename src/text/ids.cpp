#include "text/ids.h"

#include <utility>
#include <vector>

#include "base/check.h"
#include "base/settings.h"
#include "text/lines.h"

namespace attn {

namespace {

// One sentence of ids per line, each of at least `least` ids below `vocabulary`.
std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t least,
                                       Index vocabulary) {
  std::vector<std::vector<int>> sentences;
  for (const std::string& line : read_lines(path)) {
    const std::string where = text(path, ", line ", sentences.size() + 1);
    std::vector<int> ids;
    for (const std::string_view word : words(line)) {
      const int id = parse_number_or(std::string(word), -1);
      ATTN_CHECK(id >= 0 && id < vocabulary, where, ": expected ids from 0 to ", vocabulary - 1,
                 ", not '", word, "'");
      ids.push_back(id);
    }
    ATTN_CHECK(ids.size() >= least, where, ": ", ids.size(), ids.size() == 1 ? " id" : " ids",
               ", expected at least ", least);
    sentences.push_back(std::move(ids));
  }
  ATTN_CHECK(!sentences.empty(), path, " is empty, expected one sentence of ids a line");
  return sentences;
}

// Throws unless the model can read each sentence, less the ids that it does not read.
void check_lengths(const SequenceModel& model, const std::vector<std::vector<int>>& sentences,
                   std::size_t unread, const std::string& path) {
  for (std::size_t n = 0; n < sentences.size(); ++n) {
    const Index read = static_cast<Index>(sentences[n].size() - unread);
    ATTN_CHECK(read <= model.longest_sentence(), path, ", line ", n + 1, ": ", read,
               " ids to read, but the model has learned ", model.longest_sentence(), " positions");
  }
}

}  // namespace

Batch read_id_batch(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model) {
  const auto sources = read_ids(source_path, 1, model.source_vocabulary());
  const auto targets = read_ids(target_path, 2, model.target_vocabulary());
  ATTN_CHECK(sources.size() == targets.size(), source_path, " has ", sources.size(), " lines and ",
             target_path, " has ", targets.size(), ": line n of the one goes with line n of the ",
             "other");
  check_lengths(model, sources, 0, source_path);
  check_lengths(model, targets, 1, target_path);
  Batch batch;
  for (std::size_t n = 0; n < sources.size(); ++n) batch.append(sources[n], targets[n]);
  return batch;
}

}  // namespace attn
