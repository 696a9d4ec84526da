// The library's own views answer.
#include "support/checks.h"

static const exercises::Exercise a_head_view("A-head-view", [](exercises::Answers& answers) {
  const Tensor Q = Tensor::zeros({10, 12});
  const Offsets offsets = {0, 4, 5, 10};
  const ConstMatrixView view = block(Q, offsets[2], offsets[3], 4, 4);
  const ConstMatrixView flipped = transposed(view);
  answers.count("a", 2 * Q.cols() + 5, "Two whole rows come before it: how long is a row of Q?",
                {{13, "A row is as long as all heads together, h·d_k, not d_k."}});
  answers.count("b", view.data - Q.data(), "First the row: tokens before the sentence, times 12.",
                {{60, "That is the sentence's first token. Which column does head 1 begin in?"},
                 {28, "Sentence 2 is the third: count from 0."}});
  answers.list("c", {view.rows, view.cols, view.row_stride, view.col_stride},
               "The row stride is how far it is from one row to the next in Q's memory.");
  answers.count("d", &view(3, 2) - Q.data(), "Begin at b; add 3 row strides and 2 column strides.");
  answers.list("e", {flipped.rows, flipped.cols, flipped.row_stride, flipped.col_stride},
               "Element (i, j) of the transpose is element (j, i) of the view.");
  answers.word("f", view.row_stride == view.cols ? "yes" : "no", {"yes", "no"},
               "What is in memory between the end of one row and the next row?");
  answers.count("g", 0, "A view points at numbers that are there already.");
});
