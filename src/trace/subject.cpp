#include "trace/subject.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "decoding/greedy.h"
#include "model/transformer.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn {

namespace {

// data/example/weights.txt
constexpr char kWeights[] =
#include "trace/weights.inc"
    ;

// The sentence as the tokenizer knows it.
std::string known(const Tokenizer& tokenizer, const std::string& sentence, const char* which) {
  const std::size_t valid = first_invalid_utf8(sentence);
  ATTN_CHECK(valid == sentence.size(), "the ", which, " is not UTF-8 at byte ", valid + 1);
  return as_known(tokenizer, sentence);
}

// Without a target, the model's own: its very tokens, which its text may be split into otherwise.
SentencePair encoded_pair(const std::vector<std::string>& sentences, TraceSubject& subject) {
  const Tokenizer& tokenizer = subject.tokenizer;
  subject.translated = sentences.size() == 1;
  subject.source = known(tokenizer, sentences[0], "source sentence");
  if (!subject.translated) subject.target = known(tokenizer, sentences[1], "target sentence");
  ATTN_CHECK(!is_blank(subject.source), "the source sentence has no words");

  SentencePair pair = encode_pair(tokenizer, {subject.source, subject.target});
  check_length(*subject.model, pair.source_tokens(), "source");
  if (subject.translated) {
    BeamOptions options = kGreedy;
    options.unknown = tokenizer.writes_unknown();
    const auto own = decode_greedily(*subject.model, packed(pair.source), options).front();
    subject.target = tokenizer.decode(own);
    pair.target.insert(pair.target.begin() + 1, own.begin(), own.end());
  }
  check_length(*subject.model, pair.target_tokens(), "target");
  return pair;
}

// What a language model reads and is to predict, without a source.
SentencePair encoded_text(const std::vector<std::string>& sentences, Index context,
                          TraceSubject& subject) {
  ATTN_CHECK(sentences.size() == 1, "a language model reads one text, without a target");
  subject.target = known(subject.tokenizer, sentences[0], "text");
  const SentencePair pair{{}, whole_text(subject.tokenizer, subject.target)};
  ATTN_CHECK(pair.target_tokens() <= context, "the text takes ", grouped(pair.target_tokens()),
             " tokens, an end of line before it included; this model reads ", context,
             " at a time");
  return pair;
}

// Only models with heads attend within a sentence; to a decoder-only model, both are one.
void check_room(const SequenceModel& model, const SentencePair& pair, Index most_scores) {
  const Index source = pair.source_tokens(), target = pair.target_tokens();
  const Settings& settings = model.facts.settings;
  Index scores = target * source;
  if (settings.count("heads") > 0) {
    if (model.facts.one_sequence) scores *= 2;
    scores += source * source + target * target;
    for (const char* each : {"layers", "heads"}) {
      scores *= parse_number<Index>(settings.at(each), "a whole number");
    }
  }
  ATTN_CHECK(scores <= most_scores, source > 0 ? grouped(source - 1) + " and " : "",
             grouped(target - 1), " words have ", grouped(scores),
             " attention scores in this model; a trace has room for ", grouped(most_scores),
             ": take shorter sentences");
}

}  // namespace

TraceSubject trace_subject(TrainedModel trained, const std::vector<std::string>& sentences,
                           Index most_scores) {
  TraceSubject subject{std::move(trained.model), std::move(trained.tokenizer)};
  const SentencePair pair = trained.context > 0 ? encoded_text(sentences, trained.context, subject)
                                                : encoded_pair(sentences, subject);
  check_room(*subject.model, pair, most_scores);
  subject.batch.append(pair.source, pair.target);
  subject.tokens = trace_tokens(subject.batch, subject.tokenizer);
  return subject;
}

TrainedModel trace_example() {
  TrainedModel example;
  example.tokenizer = Tokenizer(
      {"Jane", "visite", "l'Afrique", "en", "septembre", "visits", "Africa", "in", "September"});
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = example.tokenizer.size();
  config.layers = 1;
  config.d_model = 4;
  config.d_ff = 5;
  config.heads = 2;
  config.d_k = config.d_v = 2;
  example.model = std::make_unique<Transformer>(config);
  std::vector<Real> numbers;  // of all parameters, in their order
  for (const std::string& line : split(kWeights, '\n')) {
    if (line[0] != ' ') continue;
    for (const std::string_view word : words(line)) {
      if (const auto number = number_in<Real>(word)) numbers.push_back(*number);
    }
  }
  const Real* next = numbers.data();
  example.model->visit_parameters([&](const std::string&, Parameter& parameter) {
    std::copy_n(next, parameter.value.elements(), parameter.value.data());
    next += parameter.value.elements();
  });
  return example;
}

}  // namespace attn
