// The numbers of chapter 5.1: two sentence pairs as a batch, and unequal batches that are
// accumulated.
//
//     example-5.1 batch         two pairs, packed
//     example-5.1 byte-pairs    five merges on the words of these pairs
//     example-5.1               prints numbers as KEY = VALUE
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "text/batch.h"
#include "text/corpus.h"

using namespace attn;

namespace {

const char* const kPairs[][2] = {
    {"Jane visite l'Afrique en septembre", "Jane visits Africa in September"},
    {"Jane visite l'Afrique", "Jane visits Africa"}};

void print_ids(const char* name, const Tokenizer& vocabulary, const std::vector<int>& ids) {
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
  Tokenizer vocabulary;
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

using Symbols = std::vector<std::string>;

// How often each pair of neighbours occurs.
std::map<std::pair<std::string, std::string>, int> count_neighbours(
    const std::vector<Symbols>& pieces) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const Symbols& piece : pieces) {
    for (std::size_t i = 0; i + 1 < piece.size(); ++i) ++counts[{piece[i], piece[i + 1]}];
  }
  return counts;
}

void merge(Symbols& piece, const std::string& left, const std::string& right) {
  for (std::size_t i = 0; i + 1 < piece.size(); ++i) {
    if (piece[i] != left || piece[i + 1] != right) continue;
    piece[i] += right;
    piece.erase(piece.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

void print_pieces(const std::vector<Symbols>& pieces, std::size_t first, std::size_t count) {
  for (std::size_t p = first; p < first + count; ++p) {
    std::printf("   ");
    for (const std::string& symbol : pieces[p]) std::printf(" %s", symbol.c_str());
  }
  std::printf("\n");
}

// The library learns the merges; here they are carried out, and counted, by hand.
void print_byte_pairs() {
  UnitCounts counts;
  std::vector<Symbols> cut;
  for (const auto& pair : kPairs) {
    for (const char* line : pair) {
      count_units(Units::byte_pairs, line, counts);
      for (const std::string_view piece : pieces(line)) {
        Symbols symbols;
        for (const char letter : piece) symbols.emplace_back(1, letter);
        symbols.back() += '_';
        cut.push_back(symbols);
      }
    }
  }
  const Tokenizer learned = Tokenizer::learn_byte_pairs(counts, 1000);
  const std::size_t shown = pieces(kPairs[0][0]).size();
  print_pieces(cut, 0, shown);
  for (std::size_t m = 0; m < 5; ++m) {
    const std::string left = learned.token(learned.merges()[m].first);
    const std::string right = learned.token(learned.merges()[m].second);
    const auto neighbours = count_neighbours(cut);
    std::printf("%zu. %s + %s, %d times\n", m + 1, left.c_str(), right.c_str(),
                neighbours.at({left, right}));
    for (Symbols& piece : cut) merge(piece, left, right);
    print_pieces(cut, 0, shown);
  }
  std::printf("after all %zu merges\n   ", learned.merges().size());
  for (const int id : learned.encode(kPairs[0][0])) {
    std::printf(" %s", learned.token(id).c_str());
  }
  std::printf("\n   ");
  for (const int id : learned.encode("Jane visitera Rome")) {
    std::printf(" %s", learned.token(id).c_str());
  }
  std::printf("\n");
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
  if (argc > 1 && std::strcmp(argv[1], "byte-pairs") == 0) {
    print_byte_pairs();
    return 0;
  }
  print_accumulation();
  return 0;
}
