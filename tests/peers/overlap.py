#!/usr/bin/env python3
"""Pairs to learn what a test is worth whose answers were trained on: CORPORA/kept-SEED and removed-SEED for trials.py

    tests/peers/overlap.py FILE CORPORA SEED...

FILE has sentence pairs in Tatoeba's format, English first. `data/tatoeba --by-source` splits it so that no source of
the test is in training; but targets are. *kept* lost at random as many training pairs of other targets as *removed*
lost of those whose target is in the test. asked is the test sentences whose target may be in training, others is the
rest."""

import pathlib
import random
import sys

from measuring import DATA, fail, run

SIDES = ("source", "target")


def pairs_of(corpus, part):
    return list(zip(*((corpus / f"{part}.{side}").read_text().splitlines() for side in SIDES)))


def write(corpus, part, pairs):
    corpus.mkdir(parents=True, exist_ok=True)
    for side, lines in zip(SIDES, zip(*pairs)):
        (corpus / f"{part}.{side}").write_text("".join(line + "\n" for line in lines))


def main():
    if len(sys.argv) < 4:
        fail(__doc__)
    file, corpora = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    split = corpora / "by-source"
    if not split.exists():
        run(DATA / "tatoeba", "--swap", "--by-source", "--share", 66, "--out", split, file)
    train, validation, test = (pairs_of(split, part) for part in ("train", "validation", "test"))
    answers, trained = {target for _, target in test}, {target for _, target in train}
    shared, others = ([pair for pair in train if (pair[1] in answers) == is_shared] for is_shared in (True, False))
    for seed in sys.argv[3:]:
        lost = set(random.Random(int(seed)).sample(range(len(others)), len(shared)))
        kept = shared + [pair for i, pair in enumerate(others) if i not in lost]
        for name, pairs in (("kept", kept), ("removed", others)):
            corpus = corpora / f"{name}-{seed}"
            write(corpus, "train", pairs)
            write(corpus, "validation", validation)
            write(corpus, "asked", [pair for pair in test if pair[1] in trained])
            write(corpus, "others", [pair for pair in test if pair[1] not in trained])


if __name__ == "__main__":
    main()
