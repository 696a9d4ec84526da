// Files of ids, by way of the command that reads them: `forward`, with a small model. Source and
// target are separated by a byte 0xFF.
#include <algorithm>

#include "app/options.h"
#include "base/parallel.h"
#include "fuzz/fuzz.h"
#include "model/transformer.h"
#include "storage/safetensors.h"
#include "support/small_models.h"
#include "text/lines.h"
#include "training/run_directory.h"

using namespace attn;

namespace {

std::string make_model() {
  set_threads(1);
  const std::string path = fuzz::directory().path("model");
  TransformerConfig config = test::small_config();
  config.source_vocabulary = config.target_vocabulary = 12;
  config.positions = Positions::learned;
  config.max_positions = 9;
  Transformer model(config);
  initialise_parameters(model, 1);
  create_model(path, model, std::nullopt);
  return path;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string model = make_model();
  static const std::vector<app::Command>& commands = app::paper_program().commands;
  static const auto forward =
      std::find_if(commands.begin(), commands.end(),
                   [](const app::Command& command) { return command.name == "forward"; });
  const std::string source = fuzz::directory().path("source"),
                    target = fuzz::directory().path("target"), out = fuzz::directory().path("out");
  const std::vector<std::string> files = split(fuzz::view(data, size), '\xFF');
  fuzz::put(source, files[0]);
  fuzz::put(target, files.size() > 1 ? files[1] : files[0]);
  const app::Arguments arguments(
      app::paper_program(), *forward, "attention",
      {"--model", model, "--source-ids", source, "--target-ids", target, "--out", out});
  if (!fuzz::accepts([&] { forward->run(arguments); })) return 0;
  const TensorFile file = read_safetensors(out);
  fuzz::require(file.tensors.at("logits").rows() > 0, "what is accepted has logits");
  return 0;
}
