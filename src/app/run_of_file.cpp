// A file is part of a run by its name and by what is beside it.
#include "app/run_of_file.h"

#include <filesystem>

#include "storage/atomic_file.h"
#include "training/run_directory.h"

namespace attn::app {

namespace fs = std::filesystem;

std::string run_of_file(const std::string& path) {
  std::error_code ignored;
  const fs::path file = fs::weakly_canonical(fs::absolute(written_path(path), ignored), ignored);
  const bool checkpoint = file.parent_path().filename() == "checkpoints";
  const fs::path run = (checkpoint ? file.parent_path() : file).parent_path();
  if (!checkpoint && kRunFiles.count(file.filename().string()) == 0) return "";
  // PyTorch's weights are often called model.safetensors too.
  const auto has = [&](const char* name) { return exists((run / name).string()); };
  const bool model = has("model.safetensors") && (has("tokenizer.txt") || has("lock"));
  return model || has("training.safetensors") ? run.string() : "";
}

}  // namespace attn::app
