#!/usr/bin/env python3
"""Measures parsing of real text: data/measurements/treebank.tsv.

    tests/peers/treebank.py PROGRAM TREEBANK WORK

TREEBANK has {train,dev,test}.words, a sentence per line, and .lin, its tree as section 6.3 writes it. The
model is trained in WORK, by a fixed number of steps, on one thread. Labelled F1 is counted here a second
time."""

import collections
import pathlib
import re
import subprocess
import sys
import time

from measuring import fail, run, words_of, write_table

# With post-norm the encoder's output collapses on these data, as the program says.
OPTIONS = {"tokenizer": "words", "vocabulary": 3000, "norm": "pre", "steps": 8000, "keep": "best",
           "threads": 1}


def brackets(tree):
    """Label, first and last leaf of each constituent; nothing if this is no tree."""
    closed, opened, leaves = collections.Counter(), [], 0
    words = tree.split()
    for place, word in enumerate(words):
        if re.fullmatch(r"\(.+", word):
            opened.append((word[1:], leaves))
        elif re.fullmatch(r"\).+", word):
            label, first = opened.pop() if opened else ("", leaves)
            if label != word[1:] or first == leaves or (not opened and place + 1 < len(words)):
                return None
            closed[label, first, leaves] += label != "ROOT"
        elif opened:
            leaves += 1
        else:
            return None
    return closed if words and not opened else None


def labelled_f1(outputs, references):
    found = [brackets(tree) or collections.Counter() for tree in outputs]
    right = [brackets(tree) for tree in references]
    common = sum((a & b).total() for a, b in zip(found, right))
    return 200 * common / sum(a.total() + b.total() for a, b in zip(found, right))


def scores(program, model, treebank, part):
    """What the paper's search makes of one part, but for a beam of 4 instead of 21."""
    with open(treebank / f"{part}.words") as lines:
        out = run(program, "translate", "--model", model, "--beam", 4, "--alpha", 0.3, "--max-extra", 300,
                  "--threads", 1, stdin=lines)
    said = run(program, "bracket-f1", "--reference", treebank / f"{part}.lin", input=out)
    print(said, file=sys.stderr)
    outputs, references = out.splitlines(), (treebank / f"{part}.lin").read_text().splitlines()
    ours = labelled_f1(outputs, references)
    theirs = float(said.split()[2])
    if abs(ours - theirs) > 0.0051:
        fail(f"F1 is {theirs} by the program and {ours} here")
    trees = sum(brackets(output) is not None for output in outputs)
    exact = sum(a == b for a, b in zip(outputs, references))
    counted = sum(a.split().count("XX") == b.split().count("XX") for a, b in zip(outputs, references))
    shares = {"trees": trees, "exact": exact, "as_many_leaves": counted}
    return {"f1": f"{ours:.2f}", **{name: f"{100 * n / len(outputs):.2f}" for name, n in shares.items()}}


def main():
    if len(sys.argv) != 4:
        fail(__doc__)
    program, treebank, work = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    start = time.monotonic()
    subprocess.run([program, "train", "text", "--out", work, *words_of(OPTIONS),
                    "--source", treebank / "train.words", "--target", treebank / "train.lin",
                    "--valid-source", treebank / "dev.words", "--valid-target", treebank / "dev.lin"], check=True)
    minutes = (time.monotonic() - start) / 60
    rows = [{"part": part, **scores(program, work, treebank, part)} for part in ("dev", "test")]
    write_table("treebank", [
        "train text " + " ".join(words_of(OPTIONS)),
        f"and translate --beam 4 --alpha 0.3 --max-extra 300; {minutes:.0f} minutes of training",
        "free genres of GUM (github.com/amir-zeldes/gum, its trees by a parser): 3,707 trees to train on, 438 "
        "dev, 491 test; in percent", "made by: tests/peers/treebank.py"], rows)


if __name__ == "__main__":
    main()
