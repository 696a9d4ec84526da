// Greedy decoding                                                            ★★ 20 min, §6.1
//
// At each step take the most probable token except <bos>, which is never written. Stop at <eos>, or
// when there are `longest` tokens. You need two functions of the model:
//
//     auto state = model.start_decoding(source);            reads the source sentence
//     Tensor logits = state->next_logits({token});          [1, V]: takes the last token, returns
//                                                           the logits of the next, and moves on
//
// Give it kBos first. Return the tokens of the output, without <bos> and <eos>. There is one source
// sentence. Among equal logits take the first.
#include "model/sequence_model.h"
#include "support/exercise.h"
#include "text/vocabulary.h"

using attn::kBos;
using attn::kEos;

std::vector<int> decode_one(const attn::SequenceModel& model, const attn::PackedIds& source,
                            std::size_t longest) {
  not_yet();
}
