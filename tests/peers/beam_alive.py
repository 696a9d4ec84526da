#!/usr/bin/env python3
"""What a beam is worth that finished outputs do not shrink: data/measurements/beam_alive.tsv, for chapter 6.1.

    tests/peers/beam_alive.py PROGRAM WORK

Builds a second program in WORK, with walkthrough/break-it/beam-stays-alive.patch, which keeps as many
hypotheses alive as the authors' tensor2tensor does. Both translate the phrasebook's sentences with the model
in data/phrasebook and a beam of 4."""

import pathlib
import sys

from measuring import DATA, changed_program, fail, run, write_table

MODEL = DATA / "phrasebook"
BEAM = 4


def translations(program, source):
    """(score, output) of each line."""
    with open(source) as lines:
        out = run(program, "translate", "--model", MODEL, "--beam", BEAM, "--nbest", 1, stdin=lines)
    return [(float(score), output) for score, output in (line.split("\t")[1:] for line in out.splitlines())]


def main():
    if len(sys.argv) != 3:
        fail(__doc__)
    programs = {"ours": sys.argv[1], "alive": changed_program(pathlib.Path(sys.argv[2]).resolve(), "beam-stays-alive")}
    rows = []
    for part in ("test", "longer"):
        references = MODEL / f"{part}.target"
        answers, ours = references.read_text().splitlines(), None
        for name, program in programs.items():
            found = translations(program, MODEL / f"{part}.source")
            ours = ours or found
            outputs = [output for _, output in found]
            bleu = run(programs["ours"], "bleu", "--reference", references,
                       input="".join(output + "\n" for output in outputs)).split()[2]
            other = [(a[0], b[0]) for a, b in zip(found, ours) if a[1] != b[1]]
            rows.append({"sentences": f"{part}_{name}", "beam": BEAM, "bleu": bleu,
                         "exact": sum(o == a for o, a in zip(outputs, answers)),
                         "words": sum(len(output.split()) for output in outputs), "differ": len(other),
                         "better": sum(theirs > mine for theirs, mine in other)})
    write_table("beam_alive", [
        "Two beam searches with the model in data/phrasebook: ours, whose beam shrinks by each finished output, and",
        "alive, which keeps as many hypotheses alive beside the finished ones, as tensor2tensor does",
        "sentences: test, 1,000 of the kind it was trained on; longer, 200 that are longer than any of those",
        "exact: translations that are right to the last word; words: of all translations; differ: sentences that "
        "the two translate differently; better: of these, those whose score (ln p over the penalty) is better",
        "made by: tests/peers/beam_alive.py"], rows)


if __name__ == "__main__":
    main()
