#!/usr/bin/env python3
"""Scores by sacreBLEU, for tests/metrics: writes scores.json beside this file.

    python3 make_scores_golden.py          needs sacrebleu (pip install sacrebleu==2.6.0)
    python3 make_scores_golden.py --check  compares instead of writing
"""
import json
import pathlib
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU

HERE = pathlib.Path(__file__).parent

# Lines on which tokenisations differ: punctuation beside digits and letters, entities, scripts
# without spaces, combining marks, white space of every kind, nothing at all.
LINES = [
    "The cat sat on the mat.", "the the the the the the the", "It's 3.14, or 1,000.5-fold; isn't it?",
    "a-b 3-4 -5 6- x.y 7.z .8 9. ,1 2,", "He said: \"no\" (twice) & left...", "&quot;A&amp;B&quot; &lt;c&gt; &amp;lt;",
    "<skipped>one<skipped> two", "L'Afrique, en septembre !", "Größe: 12,5 m²\u00a0(ca.)", "東京は日本の首都です。",
    "مرحبا بالعالم، كيف حالك؟", "e\u0301te\u0301 \u2003 tab\tand\u3000wide", "", "word", "two words", "U.S.A. v. 1.2.3..4,,5",
    "{[`~^_|\\]} @#$% *+/=<>?", "🙂 smile 👩‍👩‍👧 family", "100% sure--really?!", "  spaces   at  both ends  ",
]


def noisy(line, rng):
    """A hypothesis for a reference: words dropped, doubled, swapped, letters changed."""
    words = line.split(" ")
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(words))
        kind = rng.randrange(4)
        if kind == 0 and len(words) > 1:
            del words[at]
        elif kind == 1:
            words.insert(at, words[at])
        elif kind == 2 and at + 1 < len(words):
            words[at], words[at + 1] = words[at + 1], words[at]
        else:
            words[at] = words[at][:-1] + "x"
    return " ".join(words)


def cases():
    rng = random.Random(1)
    for size in [1, 2, 5, 20, 60]:
        for references in [1, 3]:
            truth = [rng.choice(LINES) for _ in range(size)]
            yield ([noisy(line, rng) for line in truth],
                   [[noisy(line, rng) if r else line for line in truth] for r in range(references)])
    yield (LINES, [LINES])
    yield (["a b c d e f"] * 3, [["a b c d e f g h i j"] * 3])
    yield (["x y z"], [["p q r"]])
    yield (["a b c"], [["a b c"]])


def make():
    result = []
    for hypotheses, references in cases():
        case = {"hypotheses": hypotheses, "references": references}
        for name in ["13a", "none", "char"]:
            score = BLEU(tokenize=name, force=True).corpus_score(hypotheses, references)
            case[name] = {"score": score.score, "precisions": score.precisions, "bp": score.bp}
        result.append(case)
    return {"sacrebleu": sacrebleu.__version__, "cases": result}


def main():
    text = json.dumps(make(), indent=0, ensure_ascii=True) + "\n"
    path = HERE / "scores.json"
    if "--check" not in sys.argv[1:]:
        path.write_text(text)
        return
    old, new = json.loads(path.read_text())["cases"], json.loads(text)["cases"]
    if old != new:
        sys.exit("scores.json is not what sacreBLEU computes")
    print(f"{len(new)} corpora: scores.json is what sacreBLEU {sacrebleu.__version__} computes")


main()
