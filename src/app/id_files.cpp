// Ids are checked where they are read: a model takes whatever it is given.
#include "app/id_files.h"

#include "base/format.h"
#include "base/number.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn {

std::vector<std::vector<int>> read_ids(const std::string& path, std::size_t unread,
                                       Index vocabulary, Index longest) {
  std::vector<std::vector<int>> sentences;
  for (const std::string& line : read_lines(path)) {
    const std::string where = text(path, ", line ", sentences.size() + 1);
    std::vector<int> ids;
    for (const std::string_view word : words(line)) {
      const int id = number_in<int>(word).value_or(-1);
      ATTN_CHECK(id >= 0 && id < vocabulary, where, ": expected ids from 0 to ", vocabulary - 1,
                 ", not '", word, "'");
      ids.push_back(id);
    }
    ATTN_CHECK(ids.size() > unread, where, ": ", counted(static_cast<Index>(ids.size()), "id"),
               ", expected at least ", unread + 1);
    const Index read = static_cast<Index>(ids.size() - unread);
    ATTN_CHECK(read <= longest, where, ": ", read, " ids to read, but the model has learned ",
               longest, " positions");
    sentences.push_back(std::move(ids));
  }
  ATTN_CHECK(!sentences.empty(), path, " is empty, expected one sentence of ids per line");
  return sentences;
}

Batch read_id_batch(const std::string& source_path, const std::string& target_path,
                    const SequenceModel& model) {
  const Index longest = model.longest_sentence();
  const auto sources = read_ids(source_path, 0, model.source_vocabulary(), longest);
  const auto targets = read_ids(target_path, 1, model.target_vocabulary(), longest);
  check_same_lines(source_path, sources.size(), target_path, targets.size());
  Batch batch;
  for (std::size_t n = 0; n < sources.size(); ++n) batch.append(sources[n], targets[n]);
  return batch;
}

}  // namespace attn
