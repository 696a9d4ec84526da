// The counts are those of the library's models; the variances are added up one by one.
#include "model/transformer.h"
#include "support/checks.h"

static const exercises::Exercise norm_placement_exercise(
    "3.1-norm-placement", [](exercises::Answers& answers) {
      using attn::NormPlacement;
      Index norms[2] = {0, 0}, numbers = 0;
      for (const NormPlacement placement : {NormPlacement::post, NormPlacement::pre}) {
        attn::TransformerConfig config = attn::preset("base");
        config.d_ff = 1;  // small: the norms are what counts
        config.source_vocabulary = config.target_vocabulary = 3;
        config.norm = placement;
        attn::Transformer model(config);
        model.visit_parameters([&](const std::string& name, attn::Parameter& p) {
          if (name.find("norm.gamma") == std::string::npos) return;
          ++norms[placement == NormPlacement::pre];
          if (placement == NormPlacement::post) numbers += 2 * p.value.elements();
        });
      }
      double sum = 1, along = 1;
      for (int sublayer = 0; sublayer < 12; ++sublayer) {
        sum += 1;
        along /= std::sqrt(1.0 + 1.0);
      }
      answers.count("a", norms[0], "One for each sub-layer; how many has a decoder layer?",
                    {{24, "A decoder layer has three sub-layers."}});
      answers.count("b", norms[1], "What would normalise the sum at the end of each stack?",
                    {{30, "With pre-norm, the sum that leaves a stack needs a norm of its own."},
                     {31, "There are two stacks."}});
      answers.count("c", numbers, "γ and β, d_model numbers each.", {{numbers / 2, "γ and β."}});
      answers.word("d", "pre", {"post", "pre"}, "In which formula does x reach y without a norm?");
      answers.number("e", 1, "What is the last thing that a post-norm layer does?");
      answers.number("f", sum, "Variances of independent terms add up; 2 sub-layers per layer.",
                     {{7, "A layer has 2 sub-layers."}, {12, "x itself has variance 1."}});
      answers.number("g", 1 / sum, "1 divided by the answer to f.");
      answers.number("h", along, "The sum has variance 2: σ = √2, at 12 sub-layers.",
                     {{1.0 / 4096, "The variance is 2; σ is its root."}});
    });
