// The numbers of chapter 6.2: Table 3's rows, the weights printed there, and those of a formula.
//
//     example-6.2 table
#include <cstdio>
#include <string>

#include "examples/table3.h"

using namespace attn;

namespace {

// A vocabulary that reproduces all counts but big's.
constexpr Index kVocabulary = 41100;

double millions(TransformerConfig config) {
  config.source_vocabulary = config.target_vocabulary = kVocabulary;
  return static_cast<double>(parameter_count(config)) / 1e6;
}

void print_table() {
  std::printf("%-20s %9s %9s\n", "", "the paper", "counted");
  for (const Table3Row& row : table3_rows()) {
    const std::string printed = row.millions == 0 ? "" : std::to_string(row.millions);
    std::printf("%-20s %9s %9.1f\n", row.label.c_str(), printed.c_str(), millions(row.config));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::string(argv[1]) != "table") {
    std::fprintf(stderr, "usage: example-6.2 table\n");
    return 2;
  }
  print_table();
  return 0;
}
