#include "trace/subject.h"

#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "decoding/greedy.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "trace/example.h"
#include "trace/trace.h"

namespace attn {

namespace {

// Source and target with <eos> or <bos>. Only the Transformer attends to the words of the same
// sentence, too; to a decoder-only model, both are one sentence.
void check_room(const SequenceModel& model, Index source, Index target, Index most_scores) {
  const Settings settings = model.facts.settings;
  const auto number = [&](const char* name) {
    return parse_number<Index>(settings.at(name), "a whole number");
  };
  Index scores = target * source;
  if (settings.count("heads") > 0) {
    if (model.facts.one_sequence) scores *= 2;
    scores = number("layers") * number("heads") * (source * source + target * target + scores);
  }
  ATTN_CHECK(scores <= most_scores, source > 0 ? grouped(source - 1) + " and " : "",
             grouped(target - 1), " words have ", grouped(scores),
             " attention scores in this model; a trace has room for ", grouped(most_scores),
             ": take shorter sentences");
}

void check_utf8(const std::string& sentence, const char* which) {
  const std::size_t valid = first_invalid_utf8(sentence);
  ATTN_CHECK(valid == sentence.size(), "the ", which, " is not UTF-8 at byte ", valid + 1);
}

void add_unknown_words(const std::string& sentence, TraceSubject& subject) {
  for (const std::string_view word : subject.tokenizer.unknown_words(sentence)) {
    subject.unknown.emplace_back(word);
  }
}

// The subject with its tokens, which a language model reads without a source.
TraceSubject completed(TraceSubject subject, const std::vector<int>& source,
                       const std::vector<int>& target, Index most_scores) {
  check_room(*subject.model, static_cast<Index>(source.size()),
             static_cast<Index>(target.size()) - 1, most_scores);
  subject.batch.append(source, target);
  subject.tokens = trace_tokens(subject.batch, subject.tokenizer);
  return subject;
}

}  // namespace

TraceSubject trace_subject(std::unique_ptr<SequenceModel> model, Tokenizer tokenizer,
                           const std::vector<std::string>& sentences, Index most_scores) {
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    check_utf8(sentences[i], i == 0 ? "source sentence" : "target sentence");
  }
  TraceSubject subject{std::move(model), std::move(tokenizer)};
  const auto given = [&](std::size_t i) { return as_known(subject.tokenizer, sentences[i]); };
  subject.source = sentences.empty() ? kExampleSource : given(0);
  const std::vector<int> source = encode_source(subject.tokenizer, subject.source);
  ATTN_CHECK(!is_blank(subject.source), "the source sentence has no words");
  check_length(*subject.model, static_cast<Index>(source.size()), "source");
  add_unknown_words(subject.source, subject);

  // Without a target, the model's own: its very tokens, which its text may be split into otherwise.
  // The example has one.
  std::vector<int> target;
  subject.translated = sentences.size() == 1;
  if (subject.translated) {
    BeamOptions options = kGreedy;
    options.unknown = subject.tokenizer.writes_unknown();
    target = decode_greedily(*subject.model, packed(source), options).front();
    subject.target = subject.tokenizer.decode(target);
    target.insert(target.begin(), kBos);
    target.push_back(kEos);
  } else {
    subject.target = sentences.empty() ? kExampleTarget : given(1);
    target = encode_target(subject.tokenizer, subject.target);
    add_unknown_words(subject.target, subject);
  }
  check_length(*subject.model, static_cast<Index>(target.size()) - 1, "target");
  return completed(std::move(subject), source, target, most_scores);
}

TraceSubject trace_subject(TrainedModel trained, const std::vector<std::string>& sentences) {
  if (trained.context == 0) {
    return trace_subject(std::move(trained.model), std::move(trained.tokenizer), sentences);
  }
  ATTN_CHECK(sentences.size() == 1, "a language model reads one text, without a target");
  TraceSubject subject{std::move(trained.model), std::move(trained.tokenizer)};
  check_utf8(sentences[0], "text");
  subject.target = as_known(subject.tokenizer, sentences[0]);
  for (const std::string& line : split(subject.target, '\n')) add_unknown_words(line, subject);
  const std::vector<int> ids = whole_text(subject.tokenizer, subject.target);
  ATTN_CHECK(static_cast<Index>(ids.size()) - 1 <= trained.context, "the text takes ",
             grouped(static_cast<Index>(ids.size()) - 1),
             " tokens, an end of line before it included; this model reads ", trained.context,
             " at a time");
  return completed(std::move(subject), {}, ids, kTracedScores);
}

}  // namespace attn
