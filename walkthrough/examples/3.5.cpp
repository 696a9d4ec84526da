// The numbers of chapter 3.5 that the running example is too small for.
//
//     example-3.5               prints them as NAME = VALUE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "layers/positional_encoding.h"
#include "tasks/task.h"
#include "text/lines.h"

using namespace attn;

namespace {

// Positions until pair i of d_model numbers has turned once.
double wavelength(Index i, Index d_model) {
  const double exponent = static_cast<double>(2 * i) / static_cast<double>(d_model);
  return 2 * std::acos(-1.0) * std::pow(10000.0, exponent);
}

double product(Index a, Index b, Index d_model) {
  Tensor x = Tensor::uninitialised({d_model}), y = x;
  sinusoidal_encoding(a, d_model, x.data());
  sinusoidal_encoding(b, d_model, y.data());
  double sum = 0;
  for (Index j = 0; j < d_model; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(y[j]);
  return sum;
}

// The best that a model can do at copy if it knows which letters the source has, and how often, but
// not their order: at each step any of the letters that are left, in proportion to how many there
// are; and the end, when there are none. On the test sequences.
void print_bag() {
  double log_loss = 0, correct = 0, exact = 0;
  int tokens = 0, pairs = 0;
  for (const TextPair& pair : find_task("copy").test_set()) {
    std::map<std::string_view, int> left;
    int letters = 0;
    for (const std::string_view letter : words(pair.source)) {
      ++left[letter];
      ++letters;
    }
    double all_right = 1;
    for (const std::string_view letter : words(pair.target)) {
      int most = 0;
      for (const auto& [any, count] : left) most = std::max(most, count);
      const double p = static_cast<double>(left[letter]) / letters;
      log_loss -= std::log(p);
      correct += static_cast<double>(most) / letters;
      all_right *= p;
      --left[letter];
      --letters;
      ++tokens;
    }
    exact += all_right;
    correct += 1;  // <eos>, which is sure
    ++tokens;
    ++pairs;
  }
  std::printf("bag.perplexity = %.7g\n", std::exp(log_loss / tokens));
  std::printf("bag.accuracy = %.7g\n", correct / tokens);
  std::printf("bag.exact = %.7g\n", exact / pairs);
}

}  // namespace

int main() {
  for (const Index i : {0, 1}) std::printf("wavelength.4.%td = %.7g\n", i, wavelength(i, 4));
  for (const Index i : {0, 1, 128, 255}) {
    std::printf("wavelength.512.%td = %.7g\n", i, wavelength(i, 512));
  }
  std::printf("turns_of_the_last = %.7g\n", wavelength(255, 512) / wavelength(0, 512));
  for (const Index k : {0, 1, 2, 3, 5, 10, 20, 50, 100}) {
    std::printf("product.512.%td = %.7g\n", k, product(0, k, 512));
  }
  std::printf("product.512.30.35 = %.7g\n", product(30, 35, 512));
  print_bag();
  return 0;
}
