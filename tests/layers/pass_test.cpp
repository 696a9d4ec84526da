// A pass: its masks, and when an observer sees what. (What it sees is in trace/trace_test.cpp, and
// in table_test.cpp with dropout.)
#include "layers/pass.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "layers/multi_head_attention.h"
#include "support/random_tensors.h"

using namespace attn;
using namespace attn::test;

namespace {

bool same_mask(const DropoutMask& a, const DropoutMask& b) {
  return a.p == b.p && a.random.seed == b.random.seed && a.random.stream == b.random.stream;
}

}  // namespace

TEST_SUITE("pass") {
  TEST_CASE("a pass knows whether a backward pass follows, and so do its parts") {
    const Pass inference, training = DropoutMasks();
    const Observer observer = [](const std::string&, const ConstMatrixView&) {};
    CHECK_FALSE(inference.in("part").keeps());
    CHECK_FALSE(Pass(observer).in(2).keeps());
    CHECK(training.keeps());
    CHECK(training.in("part").in(2).keeps());
    CHECK_FALSE(training.is_watched());
    CHECK(Pass(observer).in("part").is_watched());
  }

  TEST_CASE("parts draw from the masks of the whole pass; a copy of it draws the same ones again") {
    DropoutMasks masks(3, 4);
    const Pass pass = masks;
    const Pass copy = pass;
    // Places are counted where p is 0 too.
    const DropoutMask first = masks.next(0.1), second = masks.next(0), third = masks.next(0.3);
    CHECK_FALSE(same_mask(first, second));

    CHECK(same_mask(pass.in("part").in(5).next_mask(0.1), first));
    CHECK(same_mask(pass.next_mask(0), second));
    CHECK(same_mask(pass.in("sibling").next_mask(0.3), third));

    CHECK(same_mask(copy.next_mask(0.1), first));
    CHECK(same_mask(copy.in("part").next_mask(0), second));
    CHECK(Pass().next_mask(0.5).p == 0);
  }
}

TEST_SUITE("3.2.2 multi-head attention") {
  TEST_CASE("an observer sees heads one after another, on the thread that runs the pass") {
    const WithThreads three(3);
    MultiHeadAttention layer(6, 3, 2, 2, false, 0);
    randomise(layer, 1);
    const Tensor x = random_tensor({9, 6}, 1), dy = random_tensor({9, 6}, 2);
    const AttentionPattern pattern = sentence_by_sentence({0, 4, 9}, {0, 4, 9}, Mask::causal);
    const std::thread::id here = std::this_thread::get_id();
    int elsewhere = 0;
    std::vector<std::string> scores;
    const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
      // In a task, another thread could have taken it.
      elsewhere += std::this_thread::get_id() != here || threads_here() == 1;
      const std::string last = name.substr(name.rfind('.') + 1);
      if (last == "S" || last == "dS") scores.push_back(text(name, ' ', value.rows));
    };
    const Pass pass(DropoutMasks(), &observer);
    MultiHeadAttention::Cache cache;
    layer.forward(x, x, pattern, pass.in("attention"), cache);
    Tensor dx = Tensor::zeros(x.shape());
    layer.backward(dy, x, x, pattern, pass.in("attention"), cache, dx, dx);
    CHECK(elsewhere == 0);

    // Sentence by sentence, head by head.
    std::vector<std::string> expected;
    for (const char* const name : {"S", "dS"}) {
      for (const int rows : {4, 5}) {
        for (const int i : {0, 1, 2}) {
          expected.push_back(text("attention.heads.", i, ".", name, ' ', rows));
        }
      }
    }
    CHECK(scores == expected);
  }
}
