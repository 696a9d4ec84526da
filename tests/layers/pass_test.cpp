// A pass: its parts and their names, its masks, and what a watcher is shown.
#include "layers/pass.h"

#include <doctest/doctest.h>

#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "layers/multi_head_attention.h"
#include "support/product.h"
#include "support/random_tensors.h"

using namespace attn;
using namespace attn::test;

namespace {

using Story = std::vector<std::string>;

// Writes down the parts of a pass: "+a" begins, "-a" ends, and <a is of the backward pass.
Watcher storyteller(Story& story) {
  const auto place = [](const Pass& part) { return (part.is_backward() ? "<" : "") + part.name(); };
  Watcher watcher;
  watcher.begin = [&story, place](const Pass& part) { story.push_back("+" + place(part)); };
  watcher.end = [&story, place](const Pass& part) { story.push_back("-" + place(part)); };
  return watcher;
}

// A value as it was shown, with numbers of its own.
struct Kept {
  std::string name, symbol, file, function;
  Shape shape;
  Tensor numbers;
};

Watcher collector(std::vector<Kept>& values) {
  Watcher watcher;
  watcher.value = [&values](const SeenValue& seen) {
    values.push_back({seen.full_name(), seen.called.symbol, seen.called.file, seen.called.function,
                      seen.shape, copy_of(seen.numbers)});
  };
  return watcher;
}

bool same_mask(const DropoutMask& a, const DropoutMask& b) {
  return a.p == b.p && a.random.seed == b.random.seed && a.random.stream == b.random.stream;
}

}  // namespace

TEST_SUITE("pass") {
  TEST_CASE("parts are nested, and begin and end in order, forward and backward") {
    Story story;
    const Watcher watcher = storyteller(story);
    {
      const Pass pass(watcher);
      CHECK(pass.name().empty());
      {
        const Pass encoder = pass.in("encoder");
        for (const Index i : {0, 12}) {
          const Pass layer = encoder.in(i);
          const Pass norm = layer.in("norm");
        }
      }
      const Pass back = pass.back();
      const Pass encoder = back.in("encoder");
      const Pass layer = encoder.in(3);
      CHECK(layer.name() == "encoder.3");
    }
    CHECK(story == Story{"+encoder", "+encoder.0", "+encoder.0.norm", "-encoder.0.norm",
                         "-encoder.0", "+encoder.12", "+encoder.12.norm", "-encoder.12.norm",
                         "-encoder.12", "-encoder", "+<encoder", "+<encoder.3", "-<encoder.3",
                         "-<encoder"});
  }

  TEST_CASE("a copy of a part has its name, and neither begins nor ends it") {
    Story story;
    const Watcher watcher = storyteller(story);
    const Pass pass(watcher);
    {
      const Pass part = pass.in("part");
      const Pass copy = part, back = part.back(), keeping = part.keeping();
      CHECK(copy.name() == "part");
      CHECK(back.name() == "part");
      CHECK(keeping.name() == "part");
    }
    CHECK(story == Story{"+part", "-part"});
  }

  TEST_CASE("a pass knows whether a backward pass follows, whether it is one, and its parts too") {
    const Pass inference, training = DropoutMasks();
    const Pass keeping = inference.keeping(), back = training.back();
    CHECK_FALSE(inference.keeps());
    CHECK_FALSE(inference.in("part").keeps());
    CHECK(training.keeps());
    CHECK(training.in(2).keeps());
    CHECK(keeping.in("part").keeps());
    CHECK_FALSE(training.is_backward());
    CHECK(back.is_backward());
    CHECK(back.in("part").is_backward());
    const Watcher watcher;
    CHECK_FALSE(Pass(watcher).keeps());
  }

  TEST_CASE("parts draw from the masks of the whole pass; a copy of it draws the same ones again") {
    DropoutMasks masks(3, 4);
    const Pass pass = masks;
    const Pass copy = pass;
    const DropoutMask first = masks.next(0.1), second = masks.next(0.2), third = masks.next(0.3);
    CHECK_FALSE(same_mask(first, second));

    const Pass part = pass.in("part"), inner = part.in(5), sibling = pass.in("sibling");
    CHECK(same_mask(inner.next_mask(0.1), first));
    CHECK(same_mask(pass.next_mask(0.2), second));
    CHECK(same_mask(sibling.next_mask(0.3), third));

    CHECK(same_mask(copy.next_mask(0.1), first));
    CHECK(same_mask(copy.in("part").next_mask(0.2), second));
    CHECK(Pass().next_mask(0.5).p == 0);
  }

  TEST_CASE("dropping is a part of its own, with the next mask; where nothing drops it is none") {
    Story story;
    const Watcher watcher = storyteller(story);
    const Pass pass(DropoutMasks(3, 4), &watcher);
    const Tensor x = random_tensor({5, 6}, 1);
    Tensor dropped = x, expected = x, dx = x;
    const DropoutMask mask = pass.in("attention").drop(0.4, dropped);
    CHECK(same_mask(mask, DropoutMasks(3, 4).next(0.4)));
    dropout(mask, expected);
    CHECK(same(dropped, expected));
    CHECK_FALSE(same(dropped, x));
    pass.back().drop(mask, dx);
    CHECK(same(dx, expected));
    CHECK(story == Story{"+attention", "+attention.dropout", "-attention.dropout", "-attention",
                         "+<dropout", "-<dropout"});

    story.clear();
    Tensor whole = x;
    CHECK(pass.drop(0, whole).p == 0);
    CHECK(Pass(watcher).drop(0.4, whole).p == 0);
    CHECK(same(whole, x));
    CHECK(story.empty());
  }

  TEST_CASE("a watcher sees tensors, views, ids and what is computed for it alone") {
    std::vector<Kept> values;
    const Watcher watcher = collector(values);
    const Pass pass(watcher);
    CHECK(pass.is_watched());
    const Tensor x = random_tensor({3, 5}, 1), bias = random_tensor({5}, 2);
    pass.see("x", x);
    const Pass encoder = pass.in("encoder");
    encoder.as("bias", "b").see(bias);
    const Pass layer = encoder.in(1);
    layer.see("columns", block(x, 1, 3, 2, 3));
    layer.as("transposed", "xᵀ").see(transposed(x));
    pass.see("ids", std::vector<int>{7, 0, 12});
    layer.as("mean", "μ").see(tensor_of({2}, {8, 9}));

    REQUIRE(values.size() == 6);
    const char* const names[] = {
        "x", "encoder.bias", "encoder.1.columns", "encoder.1.transposed", "ids", "encoder.1.mean"};
    const char* const symbols[] = {"x", "b", "columns", "xᵀ", "ids", "μ"};
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(values[i].name == names[i]);
      CHECK(values[i].symbol == symbols[i]);
      CHECK(!values[i].function.empty());
      const std::string here = "layers/pass_test.cpp";
      const std::string& file = values[i].file;
      CHECK((file.size() > here.size() && file.substr(file.size() - here.size()) == here));
    }
    CHECK(same(values[0].numbers, x));
    CHECK(values[0].shape == Shape{3, 5});
    // A vector is one row of numbers.
    CHECK(values[1].shape == Shape{5});
    CHECK(same(values[1].numbers, Tensor(bias).reshaped({1, 5})));
    CHECK(values[2].shape == Shape{2, 3});
    CHECK(same(values[2].numbers, copy_of(block(x, 1, 3, 2, 3))));
    CHECK(values[2].numbers(1, 2) == x(2, 4));
    CHECK(values[3].shape == Shape{5, 3});
    CHECK(same(values[3].numbers, transposed_copy(x)));
    CHECK(values[4].shape == Shape{3});
    CHECK(same(values[4].numbers, tensor_of({1, 3}, {7, 0, 12})));
    CHECK(values[5].shape == Shape{2});
    CHECK(same(values[5].numbers, tensor_of({1, 2}, {8, 9})));
  }

  TEST_CASE("a watcher is told how a value was made, by the call that makes it") {
    const Tensor A = random_tensor({2, 3}, 1), B = random_tensor({4, 3}, 2);
    Tensor C = Tensor::zeros({2, 4}), sums = tensor_of({3}, {1, 1, 1});
    struct Told {
      std::string name;
      Made made;
      Tensor first, second, numbers;
    };
    std::vector<Told> told;
    Watcher watcher;
    watcher.value = watcher.unnamed = [&](const SeenValue& seen) {
      const std::vector<Term>& terms = seen.made.terms;
      told.push_back({seen.called.name != nullptr ? seen.called.name : "", seen.made,
                      copy_of(terms.at(0).a), copy_of(terms.back().a), copy_of(seen.numbers)});
    };
    const Pass pass(watcher);

    matmul(A, transposed(B), C, pass.as("C"));
    REQUIRE(told.size() == 1);
    CHECK(told[0].name == "C");
    CHECK(told[0].made.operation == Operation::sum);
    CHECK(told[0].made.terms[0].kind == Term::Kind::product);
    CHECK(told[0].made.terms[0].b.data == B.data());
    CHECK(same(told[0].numbers, product(A, transposed(B))));

    // What is added to is told as it was before; a part with a name of its own, alone as well.
    const Tensor old = C;
    add_matmul(A, transposed(B), C, pass.as("again"));
    REQUIRE(told.size() == 3);
    CHECK(told[1].name == "again");
    CHECK(told[1].made.is_part);
    CHECK(same(told[1].numbers, old));
    CHECK(told[2].name.empty());
    CHECK(same(told[2].first, old));
    CHECK(same(told[2].second, old));
    CHECK(same(told[2].numbers, C));

    add_column_sums(A, sums, pass);
    CHECK(same(told[3].first, tensor_of({1, 3}, {1, 1, 1})));
    CHECK(told[3].made.terms[1].kind == Term::Kind::column_sums);
    Tensor y = old;
    add(C, y, pass.as("y"));
    CHECK(same(told[4].first, C));
    CHECK(same(told[4].second, old));
    CHECK(same(told[4].numbers, y));
  }

  TEST_CASE("nothing is told, or copied, where nobody looks at values") {
    Story story;
    const Watcher stopwatch = storyteller(story), nobody;
    const Tensor x = random_tensor({2, 2}, 1);
    for (const Watcher* watcher : {&stopwatch, &nobody}) {
      const Pass pass(*watcher);
      CHECK_FALSE(pass.is_watched());
      CHECK(pass.before(x).empty());
      pass.see("x", x);
    }
    CHECK(Pass().before(x).empty());
    CHECK_FALSE(Name().is_watched());
    std::vector<Kept> values;
    const Watcher watcher = collector(values);
    CHECK(same(Pass(watcher).before(x), x));
  }

  TEST_CASE("a watcher sees the values of parts as deep as it wants, and of none below") {
    std::vector<Kept> values;
    Watcher watcher = collector(values);
    watcher.depth = 2;
    const Tensor x = random_tensor({2, 2}, 1);
    const Pass pass(watcher), back = pass.back();
    for (const Pass* whole : {&pass, &back}) {
      const Pass stack = whole->in("stack"), layer = stack.in(Index{0}),
                 sublayer = layer.in("attention");
      CHECK(layer.is_watched());
      CHECK_FALSE(sublayer.is_watched());
      CHECK_FALSE(sublayer.in("heads").is_watched());
      for (const Pass* part : {whole, &stack, &layer, &sublayer}) part->see("x", x);
    }
    std::vector<std::string> names;
    for (const Kept& value : values) names.push_back(value.name);
    CHECK(names ==
          std::vector<std::string>{"x", "stack.x", "stack.0.x", "x", "stack.x", "stack.0.x"});
  }
}

TEST_SUITE("3.2.2 multi-head attention") {
  TEST_CASE("heads are no parts for a stopwatch; a watcher of values sees them one after another") {
    const WithThreads three(3);
    MultiHeadAttention layer(6, 3, 2, 2, false, 0);
    randomise(layer, 1);
    const Tensor x = random_tensor({9, 6}, 1), dy = random_tensor({9, 6}, 2);
    const Offsets offsets = {0, 4, 9};
    const MultiHeadAttention::Input input{x, offsets, x, offsets, Mask::causal};
    const auto run = [&](const Watcher& watcher) {
      const Pass pass(DropoutMasks(), &watcher), back = pass.back();
      MultiHeadAttention::Cache cache;
      layer.forward(input, pass.in("attention"), cache);
      Tensor dx = Tensor::zeros(x.shape());
      layer.backward(dy, input, back.in("attention"), cache, dx);
    };

    // Every call comes on the thread that runs the pass.
    const std::thread::id here = std::this_thread::get_id();
    Story story;
    Watcher stopwatch = storyteller(story);
    int elsewhere = 0;
    const auto told_here = [&](const std::function<void(const Pass&)>& tell) {
      return [&elsewhere, here, tell](const Pass& part) {
        elsewhere += std::this_thread::get_id() != here;
        tell(part);
      };
    };
    stopwatch.begin = told_here(stopwatch.begin);
    stopwatch.end = told_here(stopwatch.end);
    run(stopwatch);
    CHECK(elsewhere == 0);
    CHECK(story == Story{"+attention", "-attention", "+<attention", "-<attention"});

    // Sentence by sentence, head by head.
    std::vector<std::string> scores;
    std::mutex mutex;
    Watcher watcher;
    watcher.value = [&](const SeenValue& seen) {
      const std::string name = seen.called.name;
      if (name != "S" && name != "dS") return;
      elsewhere += threads_here() == 1;  // a task: another thread could have taken it
      const std::lock_guard<std::mutex> lock(mutex);
      elsewhere += std::this_thread::get_id() != here;
      scores.push_back(text(seen.full_name(), to_string(seen.shape)));
    };
    run(watcher);
    CHECK(elsewhere == 0);
    std::vector<std::string> expected;
    for (const char* const name : {"S", "dS"}) {
      for (const char* const shape : {"[4, 4]", "[5, 5]"}) {
        for (const int i : {0, 1, 2}) {
          expected.push_back(text("attention.heads.", i, ".", name, shape));
        }
      }
    }
    CHECK(scores == expected);
  }
}
