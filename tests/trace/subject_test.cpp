#include "trace/subject.h"

#include <doctest/doctest.h>

#include "base/check.h"
#include "decoding/greedy.h"
#include "support/stub_model.h"
#include "text/corpus.h"

using namespace attn;

namespace {

TraceSubject subject_of(const std::vector<std::string>& sentences) {
  return trace_subject(trace_example(), sentences);
}

}  // namespace

TEST_SUITE("trace") {
  TEST_CASE("a subject has a pair of sentences and their tokens") {
    const TraceSubject subject = subject_of({kExampleSource, kExampleTarget});
    CHECK(subject.source == kExampleSource);
    CHECK(subject.target == kExampleTarget);
    CHECK(!subject.translated);
    CHECK(subject.batch.source.ids == std::vector<int>{3, 4, 5, 6, 7, 2});
    CHECK(subject.batch.target_input.ids == std::vector<int>{1, 3, 8, 9, 10, 11});
    CHECK(subject.tokens.source.back() == "<eos>");
    CHECK(subject.tokens.target_input.front() == "<bos>");
  }

  TEST_CASE("a source alone is translated greedily") {
    const TraceSubject subject = subject_of({"en Jane"});
    CHECK(subject.translated);
    const PackedIds source = packed(encode_source(subject.tokenizer, "en Jane"));
    CHECK(subject.target ==
          subject.tokenizer.decode(decode_greedily(*subject.model, source).front()));
  }

  TEST_CASE(
      "a translation is traced by the tokens that the model wrote, not by those of its text") {
    // "ab" is one token, but this model writes it byte by byte.
    const Tokenizer pairs = Tokenizer::learn_byte_pairs({{"ab", 5}}, 300);
    const test::Ids bytes{Tokenizer::kFirstByte + 'a', Tokenizer::kFirstByte + 'b'};
    const auto logits = [&](const test::Ids&, const test::Ids& target) {
      std::vector<Real> row(pairs.size(), Real{0});
      row[target.size() < 2 ? bytes[target.size()] : kEos] = 1;
      return row;
    };
    const TraceSubject subject =
        trace_subject({std::make_unique<test::StubModel>(pairs.size(), logits), pairs}, {"ab"});
    CHECK(subject.target == "ab");
    CHECK(subject.batch.target_input.ids == test::Ids{kBos, bytes[0], bytes[1]});
    CHECK(subject.batch.target_output == test::Ids{bytes[0], bytes[1], kEos});
    CHECK(encode_target(subject.tokenizer, "ab").size() < 4);
  }

  TEST_CASE("words that the vocabulary lacks are read as <unk>") {
    const TraceSubject subject = subject_of({"Jane visite Paris Paris", "Rome"});
    CHECK(!subject.translated);
    CHECK(subject.batch.source.ids == std::vector<int>{3, 4, kUnknown, kUnknown, kEos});
    CHECK(subject.batch.target_output == std::vector<int>{kUnknown, kEos});
  }

  TEST_CASE("sentences that cannot be traced are errors") {
    CHECK_THROWS_WITH_AS(subject_of({"a\xFF"}), "the source sentence is not UTF-8 at byte 2",
                         Error);
    CHECK_THROWS_WITH_AS(subject_of({"a", "\xC0\x80"}),
                         "the target sentence is not UTF-8 at byte 1", Error);
    for (const char* blank : {" ", "\u00A0"}) {
      CHECK_THROWS_WITH_AS(subject_of({blank}), "the source sentence has no words", Error);
    }
    std::string many;
    for (int i = 0; i < 4096; ++i) many += "en ";
    CHECK_THROWS_WITH_AS(subject_of({many}),
                         "source: 4,096 tokens; a sentence has at most 4,095 here, split it",
                         Error);
    // 3 attentions of 2 heads with 4000 · 4000 scores each.
    std::string long_one;
    for (int i = 0; i < 3999; ++i) long_one += "en ";
    CHECK_THROWS_WITH_AS(
        subject_of({long_one, long_one}),
        "3,999 and 3,999 words have 96,000,000 attention scores in this model; a trace has room "
        "for 67,108,864: take shorter sentences",
        Error);
  }
}
