#include "tasks/letters.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

#include <doctest/doctest.h>
#include "base/check.h"
#include "base/random.h"
#include "tasks/task.h"

using namespace attn;

TEST_SUITE("tasks: copy and reverse") {
  TEST_CASE("no training example of any seed is one that models are judged by") {
    std::unordered_set<std::string> held_out;
    const Task task = find_task("reverse");
    for (const auto& set : {task.validation_set(), task.test_set(), task.longer_test_set()}) {
      for (const TextPair& pair : set) held_out.insert(pair.source);
    }
    CHECK(held_out.size() == 500 + 1000 + 200);  // and the sets have nothing in common
    int leaks = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      for (std::uint64_t i = 0; i < 200000; ++i) {
        leaks += static_cast<int>(held_out.count(task.training_example(seed, i).source));
      }
    }
    CHECK(leaks == 0);
  }

  TEST_CASE("one sequence in twenty is kept for validation, one for the test, and none of 1 or 2") {
    std::map<Split, int> counts;
    std::string letters(4, 'a');
    for (int n = 0; n < 26 * 26 * 26 * 26; ++n) {
      int rest = n;
      for (char& letter : letters) {
        letter = static_cast<char>('a' + rest % 26);
        rest /= 26;
      }
      ++counts[split_of(letters)];
    }
    // Of 456,976: 22,849 each, with a standard deviation of 147.
    CHECK(std::abs(counts[Split::validation] - 22849) < 900);
    CHECK(std::abs(counts[Split::test] - 22849) < 900);
    CHECK(counts[Split::longer] == 0);
    for (char a = 'a'; a <= 'z'; ++a) {
      CHECK(split_of({&a, 1}) == Split::training);
      for (char b = 'a'; b <= 'z'; ++b) {
        const std::string two{a, b};
        CHECK(split_of(two) == Split::training);
      }
    }
    CHECK(split_of(std::string(20, 'a')) != Split::longer);
    CHECK(split_of(std::string(21, 'a')) == Split::longer);
  }

  TEST_CASE("of 400 training sequences 2n - 1 have n letters, and the letters are uniform") {
    constexpr std::uint64_t kExamples = 200000;
    std::map<std::size_t, int> lengths;
    std::map<char, int> all, first, last;
    for (std::uint64_t i = 0; i < kExamples; ++i) {
      const std::string letters = training_letters(3, i);
      ++lengths[letters.size()];
      for (const char letter : letters) ++all[letter];
      ++first[letters.front()];
      ++last[letters.back()];
    }
    // 500 (2n − 1) of length n, with a standard deviation of 134 at most.
    CHECK(lengths.size() == 20);
    CHECK(lengths.begin()->first == 1);
    CHECK(lengths.rbegin()->first == 20);
    for (const auto& [length, count] : lengths) {
      CHECK(std::abs(count - 500 * (2 * static_cast<int>(length) - 1)) < 700);
    }
    // Each letter about 200,000 · 13.825 / 26 times (deviation 320), and 7692 times at the ends
    // (86).
    CHECK(all.size() == 26);
    CHECK(all.begin()->first == 'a');
    CHECK(all.rbegin()->first == 'z');
    for (const auto& [letter, count] : all) CHECK(std::abs(count - 106346) < 2000);
    for (const auto& [letter, count] : first) CHECK(std::abs(count - 7692) < 500);
    for (const auto& [letter, count] : last) CHECK(std::abs(count - 7692) < 500);
  }

  TEST_CASE("a training example depends on seed and index, and on both") {
    std::set<std::string> long_ones;
    int count = 0;
    for (const std::uint64_t seed : {0u, 1u, 2u}) {
      for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::string letters = training_letters(seed, i);
        REQUIRE(letters == training_letters(seed, i));
        if (letters.size() < 12) continue;  // short ones meet by chance
        ++count;
        long_ones.insert(letters);
      }
    }
    CHECK(count > 6000);
    CHECK(long_ones.size() == static_cast<std::size_t>(count));
  }

  TEST_CASE("held-out lengths are evenly spread and no source comes twice") {
    struct Expected {
      Split split;
      std::size_t size, shortest, longest;
    };
    for (const Expected& expected : {Expected{Split::validation, 500, 3, 20},
                                     {Split::test, 1000, 3, 20},
                                     {Split::longer, 200, 21, 30}}) {
      const std::vector<std::string> sequences = held_out_letters(expected.split);
      CHECK(sequences.size() == expected.size);
      CHECK(std::set<std::string>(sequences.begin(), sequences.end()).size() == expected.size);
      std::map<std::size_t, std::size_t> lengths;
      for (const std::string& letters : sequences) {
        ++lengths[letters.size()];
        CHECK(split_of(letters) == expected.split);
        CHECK(letters.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == letters.npos);
      }
      const std::size_t kinds = expected.longest - expected.shortest + 1;
      CHECK(lengths.size() == kinds);
      CHECK(lengths.begin()->first == expected.shortest);
      CHECK(lengths.rbegin()->first == expected.longest);
      for (const auto& [length, count] : lengths) {
        const bool even = count == expected.size / kinds || count == expected.size / kinds + 1;
        CHECK(even);
      }
    }
    CHECK_THROWS_AS(held_out_letters(Split::training), Error);
  }

  TEST_CASE("copy copies, reverse reverses, and both have the same sources") {
    const Task copy = find_task("copy"), reverse = find_task("reverse");
    CHECK(copy.name == "copy");
    CHECK(reverse.name == "reverse");
    const auto check = [](const TextPair& copied, const TextPair& reversed) {
      REQUIRE(copied.source == reversed.source);
      REQUIRE(copied.target == copied.source);
      // Words are single letters, so a line backwards is its words backwards.
      REQUIRE(reversed.target == std::string(copied.source.rbegin(), copied.source.rend()));
    };
    for (std::uint64_t i = 0; i < 1000; ++i) {
      check(copy.training_example(9, i), reverse.training_example(9, i));
      std::string letters = copy.training_example(9, i).source;
      letters.erase(std::remove(letters.begin(), letters.end(), ' '), letters.end());
      REQUIRE(letters == training_letters(9, i));
    }
    const auto check_sets = [&check](const auto& a, const auto& b) {
      REQUIRE(a.size() == b.size());
      for (std::size_t i = 0; i < a.size(); ++i) check(a[i], b[i]);
    };
    check_sets(copy.validation_set(), reverse.validation_set());
    check_sets(copy.test_set(), reverse.test_set());
    check_sets(copy.longer_test_set(), reverse.longer_test_set());
  }

  TEST_CASE("the vocabulary is the alphabet, and every word of the data is in it") {
    for (const char* name : {"copy", "reverse"}) {
      const Task task = find_task(name);
      CHECK(task.tokenizer.size() == 29);
      for (int i = 0; i < 26; ++i) {
        CHECK(task.tokenizer.token(3 + i) == std::string(1, static_cast<char>('a' + i)));
      }
      for (const TextPair& pair : task.test_set()) {
        REQUIRE(task.tokenizer.decode(task.tokenizer.encode(pair.source)) == pair.source);
        REQUIRE(pair.target.find("<unk>") == pair.target.npos);
      }
    }
  }
}
