// measure-heads silenced|roles|meanings DATA
//
// What the heads of data/phrasebook's model do, as tables. tests/peers/figures.py adds where and
// when, and writes data/measurements/.
//
//     maps      where copy and reverse look in the source while they are trained: of the runs in
//               the two directories every checkpoint
//     silenced  what becomes of data/phrasebook's model without each of its heads
//     roles     where its heads look, by what the words are to each other
//     meanings  how much its vectors of a noun with two meanings differ, before and after the
//     encoder
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/check.h"
#include "metrics/exact_match.h"
#include "model/transformer.h"
#include "phrasebook_links.h"
#include "text/lines.h"
#include "trace/attention_maps.h"
#include "training/run_directory.h"

using namespace attn;

namespace {

// ---- The phrasebook's model ----

struct Phrasebook {
  std::unique_ptr<SequenceModel> model;
  Tokenizer tokenizer;
  std::vector<TextPair> test, meanings;

  Transformer& transformer() const { return dynamic_cast<Transformer&>(*model); }
};

Phrasebook load_phrasebook(const std::string& data) {
  const std::string directory = data + "/phrasebook";
  Phrasebook book;
  book.model = load_model(directory);
  book.tokenizer = load_tokenizer(directory, *book.model);
  const auto pairs = [&](const std::string& name) {
    const std::string path = directory + "/" + name;
    return read_parallel_text(path + ".source", path + ".target");
  };
  book.test = pairs("test");
  book.meanings = pairs("meanings");
  return book;
}

// The parts of a Transformer that attend, in the order in which the table has them.
struct Part {
  const char* name;
  Attends attends;
  std::function<MultiHeadAttention&(Transformer&, std::size_t layer)> attention;
};
const std::vector<Part>& parts() {
  static const std::vector<Part> all{{"encoder", Attends::encoder_to_encoder,
                                      [](Transformer& m, std::size_t i) -> MultiHeadAttention& {
                                        return m.encoder.layers[i].self_attention;
                                      }},
                                     {"decoder", Attends::decoder_to_decoder,
                                      [](Transformer& m, std::size_t i) -> MultiHeadAttention& {
                                        return m.decoder.layers[i].self_attention;
                                      }},
                                     {"cross", Attends::decoder_to_encoder,
                                      [](Transformer& m, std::size_t i) -> MultiHeadAttention& {
                                        return m.decoder.layers[i].cross_attention;
                                      }}};
  return all;
}

const char* name_of(Attends attends) {
  for (const Part& part : parts()) {
    if (part.attends == attends) return part.name;
  }
  return "";
}

// A row of the table: how much of the test comes out right. Returns that share.
double print_right(const Phrasebook& book, const char* part, const std::string& layer,
                   const std::string& head) {
  const ExactMatches test = exact_matches(*book.model, book.tokenizer, book.test);
  Kept kept;
  for (std::size_t i = 0; i < book.test.size(); ++i) {
    count_kept(book.test[i], split(test.outputs[i], ' '), kept);
  }
  const double right = static_cast<double>(test.count) / static_cast<double>(book.test.size());
  std::printf("%s\t%s\t%s\t%.3f", part, layer.c_str(), head.c_str(), right);
  for (const Right& count : {kept.genders, kept.orders, kept.numbers}) {
    std::printf("\t%td\t%td\t%td", count.all, count.right, count.wrong);
  }
  std::printf("\n");
  std::fflush(stdout);
  return right;
}

// With all heads; without each of them, its rows of W^O being 0; without all of an attention; and
// without all those at once of which none costs more than half a percent.
void print_silenced(const Phrasebook& book) {
  std::printf(
      "attention\tlayer\tsilent\ttest\tgenders\tright\twrong\torders\tright_order\t"
      "wrong_order\tnumbers\tright_number\twrong_number\n");
  Transformer& model = book.transformer();
  const Index h = model.config().heads, d_v = model.config().d_v;
  const auto silence = [&](Tensor& W_O, Index begin, Index end) {  // W_O [h·d_v, d_model]
    std::fill(W_O.row(begin * d_v), W_O.row(begin * d_v) + (end - begin) * d_v * W_O.cols(),
              Real(0));
  };
  const double all = print_right(book, "-", "-", "none");
  std::vector<std::pair<Tensor*, Index>> idle;
  for (const Part& part : parts()) {
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(model.config().layers); ++layer) {
      Tensor& W_O = part.attention(model, layer).output.weight.value;
      const Tensor learned = W_O;
      const std::string number = std::to_string(layer + 1);
      for (Index head = 0; head < h; ++head) {
        silence(W_O, head, head + 1);
        const double right = print_right(book, part.name, number, std::to_string(head + 1));
        if (right >= all - 0.005) idle.emplace_back(&W_O, head);
        W_O = learned;
      }
      silence(W_O, 0, h);
      print_right(book, part.name, number, "all");
      W_O = learned;
    }
  }
  for (const auto& [W_O, head] : idle) silence(*W_O, head, head + 1);
  print_right(book, "-", "-", "idle");
}

// ---- Where the heads look ----

// Over the links of a relation: the mean weight of the column, and how often it is the largest.
void print_roles(const Phrasebook& book) {
  struct Sum {
    double weight = 0, largest = 0, cases = 0;
  };
  using Key = std::tuple<int, Index, Index, std::string>;
  std::map<Key, Sum> sums;
  for (const TextPair& pair : book.test) {
    const Words source = split(pair.source, ' '), target = split(pair.target, ' ');
    Batch batch;
    batch.append(encode_source(book.tokenizer, pair.source),
                 encode_target(book.tokenizer, pair.target));
    for (const AttentionMaps& attention : attention_maps(*book.model, batch)) {
      const Tensor& first = attention.heads[0].weights;
      const bool cross = attention.attends == Attends::decoder_to_encoder;
      const bool causal = attention.attends == Attends::decoder_to_decoder;
      std::vector<Link> links = positions(static_cast<std::size_t>(first.rows()),
                                          static_cast<std::size_t>(first.cols()), !cross);
      std::vector<Link> more;
      if (cross) more = cross_links(source, target);
      if (attention.attends == Attends::encoder_to_encoder) more = encoder_links(source);
      links.insert(links.end(), more.begin(), more.end());
      for (const AttentionHead& head : attention.heads) {
        for (const Link& link : links) {
          const Tensor& P = head.weights;
          const Real* row = P.row(static_cast<Index>(link.row));
          const auto column = static_cast<Index>(link.column);
          // Causal rows see no column to their right, and few the last.
          if (row[column] == 0 || (causal && link.relation == "last token")) continue;
          Sum& sum = sums[{static_cast<int>(attention.attends), attention.layer, head.number,
                           link.relation}];
          sum.weight += static_cast<double>(row[column]);
          sum.largest += std::max_element(row, row + P.cols()) - row == column;
          ++sum.cases;
        }
      }
    }
  }
  std::printf("attention\tlayer\thead\trelation\tcases\tweight\tlargest\n");
  for (const auto& [key, sum] : sums) {
    const auto& [attends, layer, head, relation] = key;
    std::printf("%s\t%td\t%td\t%s\t%.0f\t%.3f\t%.3f\n", name_of(static_cast<Attends>(attends)),
                layer + 1, head + 1, relation.c_str(), sum.cases, sum.weight / sum.cases,
                sum.largest / sum.cases);
  }
}

// ---- One word, two vectors ----

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

// For each noun of two genders, of its vectors in different sentences: their mean cosine within a
// meaning and between two. e is the word's embedding with its position; z comes from the encoder.
void print_meanings(const Phrasebook& book) {
  using Vectors = std::vector<std::vector<double>>;
  std::map<std::string, std::map<std::string, std::map<std::string, Vectors>>> found;
  for (const TextPair& pair : book.meanings) {
    const std::vector<Gendered> nouns =
        gendered_nouns(split(pair.source, ' '), split(pair.target, ' '));
    if (nouns.empty()) continue;
    Batch batch;
    batch.append(encode_source(book.tokenizer, pair.source),
                 encode_target(book.tokenizer, pair.target));
    Watcher watcher;
    watcher.value = [&](const SeenValue& seen) {
      const std::string name = seen.full_name();
      if (name != "source.embedding" && name != "e" && name != "encoder.0.output" && name != "z") {
        return;
      }
      for (const Gendered& noun : nouns) {
        const Index row = static_cast<Index>(noun.at);
        std::vector<double> vector;
        for (Index i = 0; i < seen.numbers.cols; ++i) {
          vector.push_back(static_cast<double>(seen.numbers(row, i)));
        }
        found[noun.noun][name][noun.right].push_back(vector);
      }
    };
    book.model->loss(batch, Pass(watcher));
  }
  std::printf("noun\tvector\tmeanings\tcases\twithin\tbetween\n");
  for (const auto& [noun, by_vector] : found) {
    for (const char* const name : {"source.embedding", "e", "encoder.0.output", "z"}) {
      const auto& by_meaning = by_vector.at(name);
      double within = 0, pairs_within = 0, between = 0, pairs_between = 0;
      std::string meanings, cases;
      for (auto one = by_meaning.begin(); one != by_meaning.end(); ++one) {
        meanings += (meanings.empty() ? "" : ", ") + one->first;
        cases += (cases.empty() ? "" : ", ") + std::to_string(one->second.size());
        for (auto other = one; other != by_meaning.end(); ++other) {
          for (std::size_t i = 0; i < one->second.size(); ++i) {
            for (std::size_t j = one == other ? i + 1 : 0; j < other->second.size(); ++j) {
              (one == other ? within : between) += cosine(one->second[i], other->second[j]);
              ++(one == other ? pairs_within : pairs_between);
            }
          }
        }
      }
      if (pairs_between == 0) continue;
      std::printf("%s\t%s\t%s\t%s\t%.3f\t%.3f\n", noun.c_str(), name, meanings.c_str(),
                  cases.c_str(), within / pairs_within, between / pairs_between);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string table = words.empty() ? "" : words[0];
  const std::map<std::string, void (*)(const Phrasebook&)> tables{
      {"silenced", print_silenced}, {"roles", print_roles}, {"meanings", print_meanings}};
  if (words.size() != 2 || tables.count(table) == 0) {
    std::fprintf(stderr, "usage: measure-heads silenced|roles|meanings DATA\n");
    return 2;
  }
  tables.at(table)(load_phrasebook(words[1]));
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "measure-heads: error: %s\n", error.what());
  return 1;
}
