// The README's program: a task of one's own, from the first step to the answer.
#include <attention/attention.h>

#include <algorithm>
#include <iostream>
#include <random>

int main() {
  // A word is a letter from a to h. The task is to put five of them in order.
  const attn::Tokenizer words({"a", "b", "c", "d", "e", "f", "g", "h"});
  const auto batch = [&](std::uint64_t index) {
    std::mt19937_64 random(index);
    attn::Batch pairs;
    for (int i = 0; i < 64; ++i) {
      std::string letters;
      for (int j = 0; j < 5; ++j) letters += "abcdefgh"[random() % 8];
      attn::TextPair pair;
      for (char letter : letters) (pair.source += letter) += ' ';
      std::sort(letters.begin(), letters.end());
      for (char letter : letters) (pair.target += letter) += ' ';
      const attn::SentencePair ids = attn::encode_pair(words, pair);
      pairs.append(ids.source, ids.target);
    }
    return pairs;
  };

  attn::TransformerConfig config = attn::preset("tiny");
  config.source_vocabulary = config.target_vocabulary = words.size();
  attn::Transformer model(config);
  attn::initialise_parameters(model, 1);

  attn::Trainer trainer;
  trainer.settings.warmup = 100;
  for (int step = 0; step < 300; ++step) {
    const attn::StepReport report = trainer.take_step(model, batch);
    if (report.step % 100 == 0) std::cout << "loss " << report.sums.mean_loss() << "\n";
  }

  attn::create_model("sorter", model, words);
  const attn::TrainedModel sorter = attn::load_trained_model("sorter");
  std::cout << attn::translate(*sorter.model, sorter.tokenizer, {"d a c h b"})[0][0].line << "\n";
}
