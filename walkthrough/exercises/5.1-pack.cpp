// A packed batch                                                              ★ 15 min, §5.1
//
// Sentence pairs become one batch without padding. Source ids go in as they are. Of the target ids
// (<bos> y1 … yn <eos>), the decoder reads all but the last and must predict all but the first. The
// sentences of each kind are packed back to back. offsets [B + 1] say where each sentence begins;
// the last offset is the number of tokens.
//
//     Jane visite <eos> / <bos> Jane visits <eos>      source  Jane visite <eos> Oui <eos>
//     Oui <eos>         / <bos> Yes <eos>              offsets 0 3 5
//                                                      input   <bos> Jane visits <bos> Yes
//                                                      output  Jane visits <eos> Yes <eos>
#include "support/exercise.h"

using Ids = std::vector<int>;

struct PackedBatch {
  Ids source, input, output;
  Offsets source_offsets, target_offsets;
};

PackedBatch pack(const std::vector<std::pair<Ids, Ids>>& pairs) {
  not_yet();
}
