// Counted and tried; the penalty is the library's.
#include "decoding/beam_search.h"
#include "support/checks.h"

static const exercises::Exercise hypotheses_exercise(
    "6.1-hypotheses", [](exercises::Answers& answers) {
      const auto continuations = [](Index V, Index steps) {
        Index sum = 0, live = 1;
        for (Index step = 0; step < steps; ++step) {
          sum += live * V;
          live = 4;
        }
        return sum;
      };
      Index all = 0, exactly = 1;
      for (int length = 0; length < 3; ++length) {
        all += exactly;
        exactly *= 10;
      }
      all += exactly;
      Index half = 1;
      while (std::pow(0.9, static_cast<double>(half)) >= 0.5) ++half;
      const auto loses_from = [](double alpha) {
        const double empty = std::log(0.01) / attn::length_penalty(alpha, 1);
        Index length = 1;
        while (static_cast<double>(length) * std::log(0.9) / attn::length_penalty(alpha, length) >=
               empty) {
          ++length;
        }
        return length;
      };
      answers.count("a", exactly, "Ten words at each of three places.",
                    {{30, "They are multiplied, not added."}});
      answers.count("b", all, "Of 0, 1, 2 and 3 words.",
                    {{static_cast<double>(all - 1), "The empty output is one too."}});
      answers.count("c", continuations(11, 3), "11, and then 4 · 11 twice.",
                    {{4.0 * 11 * 3, "The first step has one hypothesis."},
                     {90, "<eos> is a continuation too."}});
      answers.count("d", continuations(37000, 30), "37000, and then 4 · 37000, 29 times.",
                    {{4.0 * 37000 * 30, "The first step has one hypothesis."}});
      answers.count("e", half, "0.9^n < ½.",
                    {{static_cast<double>(half - 1), "There it is still above ½."}});
      answers.count("f", loses_from(0), "|Y| · ln 0.9 < ln 0.01.",
                    {{static_cast<double>(loses_from(0) - 1), "There it still loses."}});
      answers.number("g", static_cast<double>(loses_from(0.6)),
                     "|Y| · ln 0.9/((5 + |Y|)/6)^0.6 < ln 0.01; lp of the empty output is 1. Try.");
      answers.number("h", 6 * std::log(0.9), "|Y|/((5 + |Y|)/6) approaches 6.",
                     {{std::log(0.9), "The 6 of the penalty stays."}});
      answers.word("i", "no", {"yes", "no"}, "Compare h with ln 0.01.");
    });
