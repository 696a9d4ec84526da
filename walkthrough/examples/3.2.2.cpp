// Chapter 3.2.2: what is lost without a head. Translates sentences with the model of
// data/phrasebook, whole and with one head of the encoder silenced at a time: the rows of W^O that
// belong to the head are set to 0, so nobody hears what it finds.
//
//     example-3.2.2 SENTENCE...     run where data/ is
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/check.h"
#include "decoding/translate.h"
#include "examples/load_transformer.h"

using namespace attn;

namespace {

void print_translations(const char* heads, const Transformer& model, const Tokenizer& tokenizer,
                        const std::vector<std::string>& sentences) {
  std::printf("%-24s", heads);
  for (const auto& translations : translate(model, tokenizer, sentences)) {
    std::printf("  %-30s", translations[0].line.c_str());
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> sentences(argv + 1, argv + argc);
  try {
    const auto model = load_transformer("data/phrasebook");
    const Tokenizer tokenizer = load_trained_model("data/phrasebook").tokenizer;
    print_translations("all heads", *model, tokenizer, sentences);
    for (std::size_t layer = 0; layer < model->encoder.size(); ++layer) {
      MultiHeadAttention& attention = model->encoder[layer].self_attention;
      for (Index head = 0; head < attention.heads; ++head) {
        Tensor& W = attention.output.weight.value;  // [h·d_v, d_model]
        const Tensor whole = W;
        std::fill(W.row(head * attention.d_v),
                  W.row(head * attention.d_v) + attention.d_v * W.cols(), Real{0});
        print_translations(text("without layer ", layer + 1, ", head ", head + 1).c_str(), *model,
                           tokenizer, sentences);
        W = whole;
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "example-3.2.2: error: %s\n", error.what());
    return 1;
  }
  return 0;
}
