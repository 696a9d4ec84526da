// Where the trained model of data/phrasebook looks: attention weights of single heads.
#include <algorithm>

#include "examples/load_transformer.h"
#include "figures.h"
#include "trace/subject.h"
#include "trace/trace.h"

namespace attn::walkthrough {

namespace {

// All values of a sentence that the model translates itself.
struct Translated {
  TraceTokens tokens;
  std::vector<TraceValue> values;

  const TraceValue& value(const std::string& name) const {
    for (const TraceValue& v : values) {
      if (v.name == name) return v;
    }
    ATTN_CHECK(false, "the phrasebook's model has no value ", name);
  }
};

Translated translated(const std::string& measurements, const std::string& source) {
  const std::string run = measurements + "/../phrasebook";
  auto model = load_transformer(run);
  Tokenizer tokenizer = load_trained_model(run).tokenizer;
  const TraceSubject subject = trace_subject({std::move(model), std::move(tokenizer)}, {source});
  ATTN_CHECK(subject.tokenizer.unknown_words(source).empty(),
             "the phrasebook's model does not know all words of ", source);
  return {subject.tokens, trace_of(*subject.model, subject.batch, subject.tokens, false).values};
}

struct MapStyle {
  double cell = 40;
  const char* colour = "blue";
  bool numbers = true, row_words = true;
};

// A map of weights with a word for each row and each column.
void draw_map(Svg& svg, Point corner, const Tensor& P, const Labels& rows, const Labels& columns,
              const MapStyle& style) {
  const Index m = P.rows(), n = P.cols();
  const HeatMap map = heat_map(P);
  const Rect area{corner.x, corner.y, static_cast<double>(n) * style.cell,
                  static_cast<double>(m) * style.cell};
  draw_heat_map(svg, area, map, style.colour);
  draw_grid(svg, area, map.rows, map.cols, "grid thin");
  draw_rect(svg, area, "line muted thin");
  for (Index i = 0; i < m; ++i) {
    const double y = area.y + (static_cast<double>(i) + 0.5) * style.cell + 5;
    if (style.row_words) {
      draw_text(svg, {area.x - 8, y}, rows[i], "small end");
    }
    for (Index j = 0; style.numbers && j < n; ++j) {
      const double w = static_cast<double>(P(i, j));
      if (w < 0.005) continue;
      draw_text(svg, {area.x + (static_cast<double>(j) + 0.5) * style.cell, y}, fixed_number(w, 2),
                w > 0.7 ? "small middle paper" : "small middle");
    }
  }
  for (Index j = 0; j < n; ++j) {
    draw_turned_text(svg, {area.x + (static_cast<double>(j) + 0.5) * style.cell + 4, area.y - 8},
                     45, columns[j], "small");
  }
}

// The rows of some words, found by their places.
Tensor rows_at(const Tensor& P, const std::vector<Index>& places) {
  Tensor some = Tensor::zeros({static_cast<Index>(places.size()), P.cols()});
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::copy_n(P.row(places[i]), P.cols(), some.row(i));
  }
  return some;
}

}  // namespace

Svg attention_translation(const std::string& measurements) {
  Svg svg{880, 508, "Where a trained model looks while it translates",
          "Two heat maps with a row for each English word that is written and a column for each "
          "French word that was read. Nearly every row is dark in one cell, at the word that it "
          "translates; where English puts the adjective first, two rows cross over. The row of "
          "does, for which French has no word, is dark at pas, as that of not is.",
          ""};
  const char* const sources[] = {"la maison bleue", "il ne porte pas une robe noire"};
  const double x[] = {110, 490};
  for (int i = 0; i < 2; ++i) {
    const Translated t = translated(measurements, sources[i]);
    const TraceValue& P = t.value("decoder.1.cross_attention.heads.1.P");
    const double cell = i == 0 ? 52 : 42;
    draw_text(svg, {x[i] - 70, 34}, sources[i], "bold");
    draw_map(svg, {x[i], 112}, P.data, t.tokens.target_output, t.tokens.source, {cell, "green"});
  }
  draw_text(svg, {40, 482},
            "Row: the word that is written. Column: a word that was read. In the cell: the weight; "
            "empty: less than 0.005.",
            "small muted");
  return svg;
}

Svg attention_article(const std::string& measurements) {
  Svg svg{880, 330, "A head that looks at a noun's article",
          "Two heat maps of two rows each. The row of livre is darkest at itself after le, and at "
          "its article after la; the row of table is darkest at itself.",
          ""};
  const char* const sources[] = {"le livre est sous la table", "la livre est sous la table"};
  const double x[] = {90, 520};
  for (int i = 0; i < 2; ++i) {
    const Translated t = translated(measurements, sources[i]);
    const TraceValue& P = t.value("encoder.1.self_attention.heads.3.P");
    std::string english;
    for (const std::string& word : t.tokens.target_output) {
      if (word != "<eos>") english += (english.empty() ? "" : " ") + word;
    }
    draw_text(svg, {x[i] - 50, 34}, sources[i], "bold");
    draw_text(svg, {x[i] - 50, 56}, "→ " + english, "muted");
    draw_map(svg, {x[i], 138}, rows_at(P.data, {1, 5}), {"livre", "table"}, t.tokens.source,
             {46, "blue"});
  }
  draw_text(svg, {40, 272},
            "Encoder, layer 2, head 4 of 4: two rows of P, those of the nouns. "
            "Row: the word that asks. Column: the word that answers.",
            "small muted");
  draw_text(svg, {40, 292}, "In the cell: the weight; empty: less than 0.005.", "small muted");
  return svg;
}

Svg attention_heads(const std::string& measurements) {
  Svg svg{880, 406, "Four heads of one layer",
          "Four heat maps of the same sentence, one for each head. In the first, the row of porte "
          "is darkest at itself; in the second it is pale; in the third and fourth it is darkest "
          "at robe. The weights of the row of porte are written in it: 0.75 at porte in head 1, "
          "0.92 and 0.89 at robe in heads 3 and 4.",
          ""};
  const Translated t = translated(measurements, "il porte une robe noire");
  constexpr double kCell = 31, kTop = 134;
  const char* const colours[] = {"blue", "orange", "green", "purple"};
  draw_text(svg, {66, 34}, "Encoder, layer 2 (encoder.1)", "bold");
  for (int head = 0; head < 4; ++head) {
    const double x = 66 + 201.0 * head;
    draw_text(svg, {x, 62}, text("head ", head + 1), text("bold ", colours[head]));
    const TraceValue& P = t.value(text("encoder.1.self_attention.heads.", head, ".P"));
    draw_map(svg, {x, kTop}, P.data, t.tokens.source, t.tokens.source,
             {kCell, colours[head], false, head == 0});
    const Rect porte{x, kTop + kCell, 6 * kCell, kCell};
    for (Index j = 0; j < 6; ++j) {
      const double w = static_cast<double>(P.data(1, j));
      draw_text(svg, {x + (static_cast<double>(j) + 0.5) * kCell, kTop + 1.5 * kCell + 4},
                fixed_number(w, 2).substr(1), w > 0.7 ? "small middle paper" : "small middle");
    }
    draw_rect(svg, porte, "line thick");
  }
  draw_text(svg, {66, 364},
            "Row: the word that asks. Column: the word that answers. The stronger the colour, the "
            "larger the weight.",
            "small muted");
  draw_text(svg, {66, 384}, "Framed: the row of porte, with its weights: .81 is 0.81.",
            "small muted");
  return svg;
}

Svg attention_three_uses(const std::string& measurements) {
  Svg svg{
      880, 404, "The three uses of attention in a trained model",
      "Three heat maps. Encoder self-attention: weights everywhere. Decoder self-attention: "
      "nothing above the diagonal. Encoder–decoder attention: black looks at noir, 0.99, and cat "
      "at chat, 0.98, in the other order.",
      ""};
  const Translated t = translated(measurements, "le chat noir dort");
  struct Use {
    const char *title, *value, *colour;
    const Labels &rows, &columns;
    const char* note;
  };
  const Use uses[] = {
      {"Encoder, layer 2, head 3", "encoder.1.self_attention.heads.2.P", "blue", t.tokens.source,
       t.tokens.source, "row: source word"},
      {"Decoder, layer 2, head 4", "decoder.1.self_attention.heads.3.P", "orange",
       t.tokens.target_input, t.tokens.target_input, "row: word just read"},
      {"Encoder–decoder, layer 2, head 1", "decoder.1.cross_attention.heads.0.P", "green",
       t.tokens.target_output, t.tokens.source, "row: word to be written"},
  };
  for (int i = 0; i < 3; ++i) {
    const double x = 66 + 282.0 * i;
    draw_text(svg, {x - 46, 34}, uses[i].title, text("bold ", uses[i].colour));
    draw_map(svg, {x, 112}, t.value(uses[i].value).data, uses[i].rows, uses[i].columns,
             {40, uses[i].colour});
    draw_text(svg, {x - 46, 340}, uses[i].note, "small muted");
  }
  draw_text(svg, {20, 384},
            "Column: the word that answers. In the cell: the weight; empty: less than 0.005.",
            "small muted");
  return svg;
}

Svg phrasebook_heads(const std::string& measurements) {
  Svg svg{880, 900, "A head of the phrasebook's model",
          "Head 4 of the encoder's second layer. Above, two sentences: the word livre looks at "
          "itself after le, and at la in the other. Below, two questions: est-ce looks at montre "
          "in one and at montrent in the other.",
          ""};
  draw_text(svg, {30, 36}, "Which livre? Encoder, layer 2, head 4", "large bold");
  draw_text(svg, {30, 392}, "Do or does? The same head", "large bold");
  struct Looking {
    const char* source;
    Point corner;
    const char* answer = nullptr;
  };
  for (const Looking& l : {Looking{"Marie perd le livre", {150, 130}, "… loses the book"},
                           Looking{"Marie perd la livre", {574, 130}, "… loses the pound"}}) {
    const Translated t = translated(measurements, l.source);
    draw_map(svg, l.corner, t.value("encoder.1.self_attention.heads.3.P").data, t.tokens.source,
             t.tokens.source, {34, "blue", false});
    draw_text(svg, {l.corner.x + 85, 326}, l.answer, "small muted middle");
  }
  for (const Looking& l :
       {Looking{"est-ce que la reine heureuse montre un grand livre ?", {100, 510}},
        Looking{"est-ce que les reines heureuses montrent un grand livre ?", {524, 510}}}) {
    const Translated t = translated(measurements, l.source);
    draw_map(svg, l.corner, t.value("encoder.1.self_attention.heads.3.P").data, t.tokens.source,
             t.tokens.source, {29, "blue", false});
  }
  draw_text(svg, {30, 874},
            "Row: the word that looks. Column: the word it looks at. The stronger the colour, the "
            "more weight.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
