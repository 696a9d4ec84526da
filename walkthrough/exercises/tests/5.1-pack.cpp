// The example of the comment, then the library's own batch.
#include "model/batch.h"
#include "support/checks.h"

static const exercises::Exercise pack_exercise("5.1-pack", [](exercises::Checks& check) {
  using exercises::show;
  const auto same = [&](const std::string& what, const auto& got, const auto& want,
                        const std::string& hint) {
    const std::vector<Index> a(got.begin(), got.end()), b(want.begin(), want.end());
    check.that(a == b, what + " is " + show(a) + ", should be " + show(b) + ". " + hint);
  };
  const std::vector<std::pair<Ids, Ids>> pairs = {{{10, 11, 2}, {1, 20, 21, 2}},
                                                  {{12, 2}, {1, 22, 2}}};
  const PackedBatch two = pack(pairs);
  check.claim("two sentences' source tokens are packed back to back");
  same("source", two.source, Ids{10, 11, 2, 12, 2}, "");
  same("source_offsets", two.source_offsets, Offsets{0, 3, 5},
       "B + 1 numbers: it begins with 0 and ends with T.");
  check.claim("the decoder reads each target without its last token");
  same("input", two.input, Ids{1, 20, 21, 1, 22}, "");
  same("target_offsets", two.target_offsets, Offsets{0, 3, 5},
       "They count the tokens that the decoder reads.");
  check.claim("and predicts each target without its first");
  same("output", two.output, Ids{20, 21, 2, 22, 2}, "");
  check.claim("a batch may have no sentences");
  const PackedBatch none = pack({});
  same("source_offsets", none.source_offsets, Offsets{0}, "B + 1 numbers, and B is 0.");
  same("target_offsets", none.target_offsets, Offsets{0}, "B + 1 numbers, and B is 0.");
  same("source", none.source, Ids{}, "");
  same("input", none.input, Ids{}, "");
  same("output", none.output, Ids{}, "");
  check.claim("five pairs of other lengths, as the library packs them");
  std::vector<std::pair<Ids, Ids>> more;
  attn::Batch library;
  for (int i = 0; i < 5; ++i) {
    more.emplace_back(Ids(7 - i, i + 3), Ids(i + 2, i + 5));
    library.append(more.back().first, more.back().second);
  }
  const PackedBatch five = pack(more);
  same("source", five.source, library.source.ids, "");
  same("source_offsets", five.source_offsets, library.source.offsets, "");
  same("input", five.input, library.target_input.ids, "");
  same("output", five.output, library.target_output, "");
  same("target_offsets", five.target_offsets, library.target_input.offsets,
       "Sources and targets differ in length, so each kind has its own offsets.");
});
