// Against powers that can be worked out by head, properties, and the library.
#include "support/checks.h"
#include "training/schedule.h"

static const exercises::Exercise schedule_exercise("5.3-schedule", [](exercises::Checks& check) {
  using namespace exercises;
  check.claim("d_model = 4, warmup = 4, step 4: ½ · ½ = ¼");
  check.number("the rate", learning_rate(4, 4, 4), 0.25, "Both arms are 4^−½ = ½ there.");
  check.claim("step 16, after the warm-up: ½ · ¼ = ⅛");
  check.number("the rate", learning_rate(16, 4, 4), 0.125, "After the warm-up it is step^−½.");
  check.claim("step 1, in the warm-up, d_model = 16: ¼ · 1/8 = 1/32");
  check.number("the rate", learning_rate(1, 16, 4), 0.03125,
               "16^−½ is 1/4, and 4^−1.5 is 1/8. (Does an integer division give 0 somewhere?)");
  check.claim("it is highest at step = warmup");
  check.that(learning_rate(4000, 512, 4000) > learning_rate(3999, 512, 4000) &&
                 learning_rate(4000, 512, 4000) > learning_rate(4001, 512, 4000),
             "Its neighbours are not lower: is it the smaller of the two arms?");
  check.claim("the base model's rates are the library's");
  for (const Index step : {1, 100, 4000, 100000}) {
    check.number("the rate at step " + std::to_string(step), learning_rate(step, 512, 4000),
                 attn::Schedule{}.rate(step), "d_model = 512, warmup = 4000.", 1e-12);
  }
});
