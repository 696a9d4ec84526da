// The numbers of chapter 4: Table 1 counted, without times.
//
//     example-4 table     every layer at n = 256, d = 128, k = 3, r = 9
//     example-4           multiply-adds of the running example, KEY = VALUE
#include <cstdio>
#include <cstring>
#include <string>

#include "app/terminal/printing.h"
#include "lab/benchmark/table1.h"

using namespace attn;

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "table") == 0) {
    std::vector<std::vector<std::string>> rows{
        {"layer", "Table 1", "multiply-adds", "weights", "longest path"}};
    for (const ComparedLayer& layer : compared_layers({})) {
      rows.push_back({layer.name, layer.complexity, grouped(multiply_adds(layer)),
                      grouped(layer.weights), grouped(layer.longest_path())});
    }
    std::fputs(table(rows, {0, 1}).c_str(), stdout);
    return 0;
  }
  // A layer as wide as the paper's, on six tokens.
  for (const ComparedLayer& layer : compared_layers({6, 512, 3, 9})) {
    std::string key = layer.name.substr(layer.name.find(' ') + 1);  // "RNN" of "recurrent, RNN"
    std::printf("%s = %s\n", key.c_str(), std::to_string(multiply_adds(layer)).c_str());
  }
  return 0;
}
