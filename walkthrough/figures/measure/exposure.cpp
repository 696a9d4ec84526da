// measure-exposure TASK RUN [SOURCE TARGET]
//
// What a mistake does to the words after it, when a model reads what it wrote itself: exposure
// bias. Prints a table, for the checkpoints of a run and for its model, over the task's test
// sequences or over the lines of two files. tests/peers/figures.py adds where and when, and writes
// data/measurements/.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "decoding/next_token.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "text/vocabulary.h"
#include "training/run_directory.h"
#include "training/validation.h"

using namespace attn;

namespace {

using Words = std::vector<int>;

// How many of how many.
struct Share {
  double right = 0, of = 0;

  void add(bool is_right) {
    right += is_right;
    ++of;
  }
  double percent() const { return of > 0 ? 100 * right / of : 0; }
};

// A prefix whose last word is a mistake, and the mistake's place.
struct Mistaken {
  Words prefix;
  bool skips;  // the word is the one after the right one; else one that does not belong there

  std::size_t place() const { return prefix.size() - 1; }
};

// Each prefix (without <bos>) continued greedily to `length` words. After an <eos> come others.
std::vector<Words> continued(const SequenceModel& model, const Words& source,
                             std::vector<Words> prefixes, std::size_t length) {
  PackedIds sources;
  for (std::size_t i = 0; i < prefixes.size(); ++i) sources.append(source);
  const auto state = model.start_decoding(sources);
  Words last(prefixes.size(), kBos);
  for (std::size_t place = 0; place < length; ++place) {
    Tensor logits = model.next_logits(*state, last);
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
      Words& output = prefixes[i];
      if (output.size() == place) {
        const bool over = place > 0 && output.back() == kEos;
        const Real* row = logits.row(static_cast<Index>(i));
        output.push_back(over ? kEos : top_tokens(1, logits.cols(), row).front());
      }
      last[i] = output[place];
    }
  }
  return prefixes;
}

// The known word after this one, in the order of their ids, that the pair does not have.
int foreign(const SentencePair& pair, int word, const std::set<int>& known) {
  auto next = known.find(word);
  const auto is_there = [&] {
    return std::count(pair.source.begin(), pair.source.end(), *next) > 0 ||
           std::count(pair.target.begin(), pair.target.end(), *next) > 0;
  };
  do {
    if (++next == known.end()) next = known.begin();
  } while (is_there());
  return *next;
}

// A mistake of both kinds at each place that has a word after it.
std::vector<Mistaken> mistakes(const SentencePair& pair, const Words& right,
                               const std::set<int>& known) {
  std::vector<Mistaken> result;
  for (std::size_t place = 0; place + 2 < right.size(); ++place) {
    const auto prefix = [&](int wrong) {
      Words words(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(place));
      words.push_back(wrong);
      return words;
    };
    result.push_back({prefix(foreign(pair, right[place], known)), false});
    if (right[place] != right[place + 1]) result.push_back({prefix(right[place + 1]), true});
  }
  return result;
}

// What follows the mistakes of a kind.
struct After {
  Share words, rest, moved;

  void add(const Words& right, const Words& output, const Mistaken& mistake) {
    const std::size_t next = mistake.place() + 1;
    for (std::size_t i = next; i + 1 < right.size(); ++i) words.add(output[i] == right[i]);
    // Whether all that follows is right, if the sentence goes on with right[first].
    const auto goes_on = [&](std::size_t first) {
      return std::equal(right.begin() + static_cast<std::ptrdiff_t>(first), right.end(),
                        output.begin() + static_cast<std::ptrdiff_t>(next));
    };
    rest.add(goes_on(next));
    moved.add(goes_on(mistake.skips ? next + 1 : next - 1));
  }
};

void print(const std::string& name, const SequenceModel& model,
           const std::vector<SentencePair>& pairs) {
  std::set<int> known;  // without <eos>
  for (const SentencePair& pair : pairs) known.insert(pair.target.begin() + 1, pair.target.end());
  known.erase(kEos);

  Share free;
  After foreign, skipped;
  for (const SentencePair& pair : pairs) {
    const Words right(pair.target.begin() + 1, pair.target.end());
    const Words output = continued(model, pair.source, {{}}, right.size()).front();
    for (std::size_t i = 0; i < right.size(); ++i) free.add(output[i] == right[i]);

    const std::vector<Mistaken> all = mistakes(pair, right, known);
    std::vector<Words> prefixes;
    for (const Mistaken& mistake : all) prefixes.push_back(mistake.prefix);
    // One word more: a foreign one may have come in between.
    const std::vector<Words> outputs = continued(model, pair.source, prefixes, right.size() + 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      (all[i].skips ? skipped : foreign).add(right, outputs[i], all[i]);
    }
  }
  const double forced = 100 * evaluate(model, batches_in_order(pairs, 4096)).accuracy();
  std::printf("%s\t%.2f\t%.2f", name.c_str(), forced, free.percent());
  for (const After& after : {foreign, skipped}) {
    std::printf("\t%.2f\t%.2f\t%.2f", after.words.percent(), after.rest.percent(),
                after.moved.percent());
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3 && argc != 5) {
    std::fprintf(stderr, "usage: measure-exposure TASK RUN [SOURCE TARGET]\n");
    return 2;
  }
  const std::string task = argv[1], run = argv[2];
  const TrainedModel trained = load_trained_model(run);
  const std::vector<TextPair> lines =
      argc == 5 ? read_parallel_text(argv[3], argv[4]) : find_task(task).test_set();
  const std::vector<SentencePair> pairs = encode_corpus(lines, trained.tokenizer).pairs;
  std::map<Index, std::string> checkpoints;  // by step
  if (std::filesystem::exists(run + "/checkpoints")) {
    for (const auto& entry : std::filesystem::directory_iterator(run + "/checkpoints")) {
      const std::string path = entry.path().string();
      checkpoints[std::stol(path.substr(path.find_last_of('-') + 1))] = path;
    }
  }
  std::printf("model\tforced\tfree\twords\trest\tinserted\tskip_words\tskip_rest\tleft_out\n");
  for (const auto& [step, checkpoint] : checkpoints) {
    print(task + "_" + std::to_string(step), *load_model(checkpoint), pairs);
  }
  print(task, *trained.model, pairs);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "measure-exposure: error: %s\n", error.what());
  return 1;
}
