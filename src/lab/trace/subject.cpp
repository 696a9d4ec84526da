#include "lab/trace/subject.h"

#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "decoding/greedy.h"
#include "lab/trace/example.h"
#include "lab/trace/trace.h"
#include "model/decoder_only.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn {

namespace {

// Source and target with <eos> or <bos>. Only the Transformer attends to the words of the same
// sentence, too; to a decoder-only model, both are one sentence.
void check_room(const SequenceModel& model, Index source, Index target, Index most_scores) {
  const Settings settings = model.settings();
  const auto number = [&](const char* name) {
    return parse_number<Index>(settings.at(name), "a whole number");
  };
  Index scores = target * source;
  if (settings.count("heads") > 0) {
    if (reads_one_sequence(model)) scores *= 2;
    scores = number("layers") * number("heads") * (source * source + target * target + scores);
  }
  ATTN_CHECK(scores <= most_scores, grouped(source - 1), " and ", grouped(target - 1),
             " words have ", grouped(scores),
             " attention scores in this model; a trace has room for ", grouped(most_scores),
             ": take shorter sentences");
}

}  // namespace

bool reads_one_sequence(const SequenceModel& model) {
  return dynamic_cast<const DecoderOnly*>(&model) != nullptr;
}

TraceSubject trace_subject(std::unique_ptr<SequenceModel> model, Tokenizer tokenizer,
                           const std::vector<std::string>& sentences,
                           const std::function<void(std::string_view word)>& unknown_word,
                           Index most_scores) {
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::size_t valid = first_invalid_utf8(sentences[i]);
    ATTN_CHECK(valid == sentences[i].size(), "the ", i == 0 ? "source" : "target",
               " sentence is not UTF-8 at byte ", valid + 1);
  }
  const auto tell_unknown = [&](const std::string& sentence) {
    for (const std::string_view word : tokenizer.unknown_words(sentence)) unknown_word(word);
  };
  TraceSubject subject;
  subject.source = sentences.empty() ? kExampleSource : sentences[0];
  const std::vector<int> source = encode_source(tokenizer, subject.source);
  ATTN_CHECK(source.size() > 1, "the source sentence has no words");
  const Index source_tokens = static_cast<Index>(source.size());
  check_length(*model, source_tokens, "source");
  tell_unknown(subject.source);

  // Without a target, the model's own: its very tokens, which its text may be split into otherwise.
  // The example has one.
  std::vector<int> target;
  if (sentences.size() == 2) {
    subject.target = sentences[1];
    tell_unknown(subject.target);
  } else if (sentences.empty()) {
    subject.target = kExampleTarget;
  } else {
    PackedIds packed;
    packed.append(source);
    target = decode_greedily(*model, packed).front();
    subject.target = tokenizer.decode(target);
    subject.translated = true;
    target.insert(target.begin(), kBos);
    target.push_back(kEos);
  }
  if (!subject.translated) target = encode_target(tokenizer, subject.target);
  const Index target_tokens = static_cast<Index>(target.size()) - 1;
  check_length(*model, target_tokens, "target");
  check_room(*model, source_tokens, target_tokens, most_scores);
  subject.batch.append(source, target);
  subject.tokens = trace_tokens(subject.batch, tokenizer);
  subject.model = std::move(model);
  subject.tokenizer = std::move(tokenizer);
  return subject;
}

}  // namespace attn
