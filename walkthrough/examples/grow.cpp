// The numbers of the chapter walkthrough/grow that can be known without training anything: what
// guessing costs, and small examples. The functions are those of the last program.
//
//     example-grow     prints lines such as guess = 3.3673
#include <cstdio>

#define GROW_NO_MAIN
#include "grow/13-transformer.cpp"

namespace {

using grow::Ids;
using grow::Matrix;

void print(const char* name, double value) {
  std::printf("%s = %.4f\n", name, value);
}

void print(const char* name, const Matrix& row) {
  for (int j = 0; j < row.cols; ++j) std::printf("%s.%d = %.4f\n", name, j + 1, row.row(0)[j]);
}

double surprise(double p) {
  return -std::log(p);
}

Matrix row_of(const std::vector<double>& numbers) {
  Matrix row(1, static_cast<int>(numbers.size()));
  row.numbers = numbers;
  return row;
}

// What a token costs whoever knows this and no more, and guesses as well as that allows.
void print_guesses() {
  double letters = 0;  // of a sequence, on average
  for (int a = 0; a < 18; ++a) {
    for (int b = 0; b < 18; ++b) letters += (3 + std::max(a, b)) / 324.0;
  }
  const double tokens = letters + 1, end = 1 / tokens;
  print("guess", surprise(1.0 / grow::kVocabulary));
  print("tokens", tokens);
  print("frequency", end * surprise(end) + (1 - end) * surprise((1 - end) / 26));
  // After <bos> there is a letter. The end is one of the other tokens.
  const double later = 1 / letters;
  print("previous", (surprise(1.0 / 26) + letters * (later * surprise(later) +
                                                     (1 - later) * surprise((1 - later) / 26))) /
                        tokens);

  // A token of the source, whichever; and one that is left, <eos> if no letter is.
  double any = 0, left = 0, count = 0;
  grow::Random random{0};
  for (int i = 0; i < 20000; ++i) {
    const Ids target = grow::draw_pair("shuffle", true, random).target;
    for (auto at = target.begin(); at != target.end(); ++at) {
      const auto share = [&](auto begin, auto end_of) {
        return static_cast<double>(std::count(begin, end_of, *at)) /
               static_cast<double>(end_of - begin);
      };
      any += surprise(share(target.begin(), target.end()));
      if (*at != grow::kEos) left += surprise(share(at, target.end() - 1));
      ++count;
    }
  }
  print("any_of_the_source", any / count);
  print("left_of_the_source", left / count);
}

}  // namespace

int main() {
  print_guesses();

  // The mean of 2 and 6, if the second has the larger score.
  const Matrix prefer = grow::softmax(row_of({0, 1}));
  print("prefer", prefer);
  print("preferred", 2 * prefer.row(0)[0] + 6 * prefer.row(0)[1]);

  const Matrix p = grow::softmax(row_of({2, 0, 1}));
  print("p", p);
  print("dp", grow::softmax_backward(p, row_of({1, 0, -1})));
  Matrix logits = row_of({2, 0, 1});
  std::printf("loss = %.4f\n", grow::cross_entropy(logits, {2}, 0));
  print("dlogits", logits);

  const Matrix pe = grow::positional_encoding(30, 32);
  for (int distance = 0; distance <= 10; ++distance) {
    double product = 0;
    for (int j = 0; j < pe.cols; ++j) product += pe.row(12)[j] * pe.row(12 + distance)[j];
    std::printf("product.%d = %.2f\n", distance, product);
  }

  grow::Model model;
  model.config = {grow::kVocabulary, 2, 32, 64, 4, 8, 8, 0, 0};
  grow::Random random{1};
  grow::loss_and_gradients(model, {grow::draw_pair("copy", false, random)});
  std::size_t weights = 0;
  for (const auto& [name, parameter] : model.parameters) weights += parameter.value.numbers.size();
  std::printf("weights = %zu\n", weights);
}
