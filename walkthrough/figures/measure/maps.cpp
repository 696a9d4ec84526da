// measure-maps COPY REVERSE
//
// Where copy and reverse look in the source while they are trained: of the checkpoints
// of two runs, more of the first ones than of the last. tests/peers/figures.py adds where and when,
// and writes data/measurements/.
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "trace/attention_maps.h"
#include "training/run_directory.h"
#include "training/validation.h"

using namespace attn;

namespace {

// Most happens in the first steps.
bool is_frame(Index step) {
  return step % (step <= 200 ? 10 : step <= 600 ? 50 : 400) == 0;
}

// The weights of the last layer's attention over the source, in the mean over its heads, when the
// model writes the word or its reverse; and the share of letters that it gets right in validation.
void print_maps(const std::string& name, const std::string& run) {
  const std::string word = "d u p l i c a t e s";
  const Task task = find_task(name);
  const std::string answer = name == "copy" ? word : std::string(word.rbegin(), word.rend());
  Batch batch;
  batch.append(encode_source(task.tokenizer, word), encode_target(task.tokenizer, answer));
  const std::vector<Batch> validation =
      batches_in_order(encode_corpus(task.validation_set(), task.tokenizer).pairs, 4096);
  std::map<Index, std::string> checkpoints;  // by step
  for (const auto& entry : std::filesystem::directory_iterator(run + "/checkpoints")) {
    const std::string path = entry.path().string();
    checkpoints[std::stol(path.substr(path.find_last_of('-') + 1))] = path;
  }
  for (const auto& [step, checkpoint] : checkpoints) {
    if (!is_frame(step) && step != checkpoints.rbegin()->first) continue;
    const std::unique_ptr<SequenceModel> model = load_model(checkpoint);
    const AttentionMaps last = attention_maps(*model, batch).back();
    const double right = evaluate(*model, validation).accuracy();
    for (Index row = 0; row < last.heads[0].weights.rows(); ++row) {
      const int written = batch.target_output[static_cast<std::size_t>(row)];
      std::printf("%s\t%td\t%.4f\t%s", name.c_str(), step, right,
                  task.tokenizer.token(written).c_str());
      for (Index col = 0; col < last.heads[0].weights.cols(); ++col) {
        double sum = 0;
        for (const AttentionHead& head : last.heads) {
          sum += static_cast<double>(head.weights(row, col));
        }
        std::printf("\t%.3f", sum / static_cast<double>(last.heads.size()));
      }
      std::printf("\n");
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: measure-maps COPY REVERSE\n");
    return 2;
  }
  std::printf("task\tstep\tright\twrites\td\tu\tp\tl\ti\tc\ta\tt\te\ts\t<eos>\n");
  print_maps("copy", argv[1]);
  print_maps("reverse", argv[2]);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "measure-maps: error: %s\n", error.what());
  return 1;
}
