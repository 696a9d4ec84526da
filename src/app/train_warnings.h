// Warns when training goes wrong in a way that its numbers show.
#pragma once

#include <vector>

#include "app/terminal/progress.h"
#include "trace/warning_signs.h"
#include "training/run_directory.h"

namespace attn::app {

class Warnings {
 public:
  Warnings(const Run& run, Progress& progress);

  void look_at_loss(double loss);
  void look_inside();  // at a validation

 private:
  const Run& run_;
  Progress& progress_;
  std::vector<Batch> samples_;
  ExplosionWatch explosion_;
  CollapseWatch collapse_;
  bool warned_of_heads_ = false;
};

}  // namespace attn::app
