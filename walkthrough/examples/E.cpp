// The numbers of appendix E: what limits the parts of a step, and what a cache of keys saves.
#include <cstdio>
#include <initializer_list>

namespace {
void print(const char* key, double value) {
  std::printf("%s = %.6g\n", key, value);
}
}  // namespace

int main() {
  const double d = 512, ff = 2048, T = 1024, V = 37000, weights = 63045632, heads = 8, n = 32;
  // Floating-point operations for each byte, each number moved once; a float has 4 bytes.
  print("intensity.projection", 2 * T * d * d / (4 * (2 * T * d + d * d)));
  print("intensity.feed_forward", 4 * T * d * ff / (4 * (2 * T * d + T * ff + 2 * d * ff)));
  print("intensity.output", 2 * T * d * V / (4 * (T * d + d * V + T * V)));
  print("intensity.scores", 2 * n * n * 64 / (4 * (2 * n * 64 + n * n)));
  print("intensity.add_and_norm", 8 / 16.0);  // some 8 operations; x, f in, x_hat, y out
  print("intensity.adam", 13 / 28.0);         // some 13; w, g, m, v in and w, m, v out
  print("intensity.decode_row", 2 / 4.0);
  print("adam.GB", 28 * weights / 1e9);
  print("activations.scores", heads * n * n * 32);
  // Positions that are computed to write n tokens: with kept keys, and without.
  for (const int tokens : {10, 32, 100}) {
    std::printf("positions.%d.cached = %d\n", tokens, tokens);
    std::printf("positions.%d.again = %d\n", tokens, tokens * (tokens + 1) / 2);
    std::printf("positions.%d.times = %.4g\n", tokens, (tokens + 1) / 2.0);
  }
  return 0;
}
