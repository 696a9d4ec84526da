// The numbers of chapter 5.1: two sentence pairs as a batch, what padding would waste on the toy
// data, and unequal batches that are accumulated.
//
//     example-5.1 batch         two pairs, packed and padded
//     example-5.1               prints numbers as KEY = VALUE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tasks/task.h"
#include "text/batch.h"

using namespace attn;

namespace {

const char* const kPairs[][2] = {
    {"Jane visite l'Afrique en septembre", "Jane visits Africa in September"},
    {"Jane visite l'Afrique", "Jane visits Africa"}};

void print_ids(const char* name, const Vocabulary& vocabulary, const std::vector<int>& ids) {
  std::printf("%-15s", name);
  for (const int id : ids) std::printf("%11s", vocabulary.token(id).c_str());
  std::printf("\n%-15s", "");
  for (const int id : ids) std::printf("%11d", id);
  std::printf("\n");
}

void print_offsets(const char* name, const Offsets& offsets) {
  std::printf("%-15s", name);
  for (const Index offset : offsets) std::printf(" %td", offset);
  std::printf("\n");
}

void print_batch() {
  Vocabulary vocabulary;
  for (const char* word :
       {"Jane", "visite", "l'Afrique", "en", "septembre", "visits", "Africa", "in", "September"}) {
    vocabulary.add(word, "the example");
  }
  Batch batch;
  for (const auto& pair : kPairs) {
    batch.append(encode_source(vocabulary, pair[0]), encode_target(vocabulary, pair[1]));
  }
  // A line for each sentence, though in memory they follow each other.
  const auto print = [&](const char* name, const std::vector<int>& ids, const Offsets& offsets) {
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
      print_ids(b == 0 ? name : "", vocabulary,
                {ids.begin() + offsets[b], ids.begin() + offsets[b + 1]});
    }
  };
  print("source", batch.source.ids, batch.source.offsets);
  print_offsets("  offsets", batch.source.offsets);
  print("target_input", batch.target_input.ids, batch.target_input.offsets);
  print("target_output", batch.target_output, batch.target_input.offsets);
  print_offsets("  offsets", batch.target_input.offsets);
}

// What a batch has, and what a rectangle of its longest sentence would have.
struct Places {
  double tokens = 0, padded = 0;         // of the source
  double scores = 0, padded_scores = 0;  // of one head of the encoder
  double batches = 0, sentences = 0;

  void add(const Batch& batch) {
    const Offsets& offsets = batch.source.offsets;
    double longest = 0;
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
      const auto length = static_cast<double>(offsets[b + 1] - offsets[b]);
      longest = std::max(longest, length);
      scores += length * length;
    }
    const auto B = static_cast<double>(batch.source.sentences());
    tokens += static_cast<double>(batch.source.tokens());
    padded += B * longest;
    padded_scores += B * longest * longest;
    batches += 1;
    sentences += B;
  }
  void print(const std::string& name) const {
    std::printf("%s.sentences = %.4g\n", name.c_str(), sentences / batches);
    std::printf("%s.tokens = %.5g\n", name.c_str(), tokens / batches);
    std::printf("%s.padded = %.5g\n", name.c_str(), padded / batches);
    std::printf("%s.wasted = %.4g\n", name.c_str(), 100 * (1 - tokens / padded));
    std::printf("%s.wasted_scores = %.4g\n", name.c_str(), 100 * (1 - scores / padded_scores));
  }
};

void print_padding() {
  const Task task = find_task("reverse");
  Places random, sorted;
  for (std::uint64_t i = 0; i < 1000; ++i) random.add(task_batch(task, 1, i, 512));

  // The same kind of pairs as a corpus, sorted by length.
  std::vector<SentencePair> pairs;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const TextPair lines = task.training_example(1, i);
    pairs.push_back({encode_source(task.vocabulary, lines.source),
                     encode_target(task.vocabulary, lines.target)});
  }
  CorpusBatches corpus(pairs, 512, 1);
  for (std::uint64_t i = 0; i < corpus.batches_per_epoch(); ++i) sorted.add(corpus.at(i));
  random.print("random");
  sorted.print("sorted");
}

// Two batches of 3 and of 9 tokens: each token of the first has loss 4, of the second 2.
void print_accumulation() {
  const double n1 = 3, n2 = 9, sum1 = 4 * n1, sum2 = 2 * n2;
  std::printf("mean = %.4g\n", (sum1 + sum2) / (n1 + n2));
  std::printf("mean_of_means = %.4g\n", (sum1 / n1 + sum2 / n2) / 2);
  std::printf("weight = %.4g\n", 1 / (n1 + n2));
  std::printf("weight_in_first = %.4g\n", 1 / (2 * n1));
  std::printf("weight_in_second = %.4g\n", 1 / (2 * n2));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "batch") == 0) {
    print_batch();
    return 0;
  }
  print_padding();
  print_accumulation();
  return 0;
}
