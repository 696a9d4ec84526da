// Which tokens an output depends on is followed through the library's windows.
#include "lab/predecessors/convolution.h"
#include "support/checks.h"

// Layers until the last of n outputs depends on the first token; layer i has dilation factor^i.
static Index layers_to_meet(Index n, Index width, Index factor) {
  std::vector<bool> depends(static_cast<std::size_t>(n));
  depends[0] = true;
  Index dilation = 1, layers = 0;
  for (; !depends.back(); ++layers, dilation *= factor) {
    std::vector<bool> next(depends.size());
    attn::for_each_seen(attn::Window{width, true, dilation}, 0, n, [&](Index t, Index, Index s) {
      if (depends[static_cast<std::size_t>(s)]) {
        next[static_cast<std::size_t>(t)] = true;
      }
    });
    depends = next;
  }
  return layers;
}

static Index weights_of(Index dilation) {
  return attn::Convolution(512, 512, attn::Window{3, true, dilation}).taps.weight.value.elements();
}

static const exercises::Exercise paths_exercise("2-paths", [](exercises::Answers& answers) {
  answers.count("a", layers_to_meet(50, 3, 1), "Each layer reaches 2 tokens farther back.",
                {{17, "50/3: but windows overlap by a token."}});
  answers.count("b", layers_to_meet(50, 3, 2), "1 + 2 (1 + 2 + 4 + …).");
  answers.count("c", layers_to_meet(50, 3, 3), "1 + 2 (1 + 3 + 9 + …).");
  answers.count("d", layers_to_meet(50, 5, 1), "Each layer reaches 4 tokens farther back.");
  answers.count("e", layers_to_meet(50, 9, 1), "Each layer reaches 8 tokens farther back.");
  answers.count("f", layers_to_meet(50, 50, 1), "Every token is looked at.");
  const attn::Window centred{3, false, 1};
  answers.count("g", 15 * (centred.offset(2) - centred.offset(0)) + 1, "To both sides.",
                {{16, "To both sides."}, {30, "And its own token."}});
  answers.count("h", weights_of(1), "A matrix for each position of the window.");
  answers.count("i", weights_of(4), "What does dilation change?");
  answers.word("j", "luong", {"bahdanau", "luong", "input-feeding"},
               "Which recurrence needs no context?");
});
