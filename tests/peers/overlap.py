#!/usr/bin/env python3
"""What a test is worth whose answers were trained on: data/measurements/overlap.tsv

    tests/peers/overlap.py PROGRAM FILE WORK SEED...

FILE has sentence pairs in Tatoeba's format, English first. `data/tatoeba --by-source` splits it so that no
source of the test is in training; but targets are. Two models for each seed, of the same number of pairs:
*kept* lost at random as many pairs of other targets as *removed* lost of those whose target is in the
test. Both are scored on the test sentences whose target training had, on the others, and on all. A stopped
run goes on; each takes a quarter of an hour of one thread."""

import pathlib
import random
import sys

from measuring import DATA, fail, run, say, write_table
from translation import paired_bootstrap

STEPS = 3000


def lines(path):
    return path.read_text().splitlines()


def write(path, rows):
    path.write_text("".join(row + "\n" for row in rows))


def trainings(corpus, seed):
    """Both sets of pairs to train on, by name."""
    pairs = list(zip(lines(corpus / "train.source"), lines(corpus / "train.target")))
    asked = set(lines(corpus / "test.target"))
    shared = [pair for pair in pairs if pair[1] in asked]
    others = [pair for pair in pairs if pair[1] not in asked]
    lost = set(random.Random(seed).sample(range(len(others)), len(shared)))
    kept = [pair for i, pair in enumerate(others) if i not in lost]
    return {"kept": shared + kept, "removed": others}


def bleu(program, references, outputs, other=None):
    """BLEU of translations, and p of the paired bootstrap against others."""
    with open(outputs) as file:
        compared = run(program, "bleu", "--reference", references,
                       *(("--compare", other) if other else ()), stdin=file)
    return compared.split()[2], compared.split("p = ")[1].split()[0] if other else None


def measure(program, corpus, work, seed):
    """Rows of a seed."""
    asked, answers = lines(corpus / "test.source"), lines(corpus / "test.target")
    trained = set(lines(corpus / "train.target"))
    parts = {"in training": [i for i, a in enumerate(answers) if a in trained],
             "not": [i for i, a in enumerate(answers) if a not in trained], "all": range(len(answers))}
    outputs = {}
    for name, pairs in trainings(corpus, seed).items():
        directory = work / f"{name}-{seed}"
        for side, column in (("source", 0), ("target", 1)):
            write(work / f"{name}-{seed}.{side}", [pair[column] for pair in pairs])
        if (directory / "training.safetensors").exists():
            command = ["--resume", directory]
        else:
            command = ["text", "--source", f"{directory}.source", "--target", f"{directory}.target",
                       "--valid-source", corpus / "validation.source", "--valid-target",
                       corpus / "validation.target", "--keep", "best", "--seed", seed, "--out", directory]
        say(f"{name}-{seed}: training on {len(pairs):,} pairs")
        run(program, "train", *command, "--steps", STEPS, "--threads", 1)
        with open(corpus / "test.source") as file:
            outputs[name] = run(program, "translate", "--model", directory, "--threads", 1,
                                stdin=file).splitlines()
        if len(outputs[name]) != len(asked):
            fail(f"{directory}: {len(outputs[name])} translations of {len(asked)} lines")
    rows = []
    for part, chosen in parts.items():
        files = {"answers": answers, **outputs}
        for name, rows_of in files.items():
            write(work / f"{name}.part", [rows_of[i] for i in chosen])
        row = {"seed": seed, "answers": part, "sentences": len(chosen)}
        row["removed"], _ = bleu(program, work / "answers.part", work / "removed.part")
        row["kept"], row["p"] = bleu(program, work / "answers.part", work / "kept.part", work / "removed.part")
        row["p_sacrebleu"] = paired_bootstrap(*(work / f"{name}.part" for name in ("answers", "kept", "removed")))
        for name in outputs:
            same = sum(outputs[name][i] == answers[i] for i in chosen)
            row[f"{name}_exact"] = f"{same / len(chosen):.3f}"
        rows.append(row)
    return rows


def main():
    if len(sys.argv) < 5:
        fail(__doc__)
    program, file, work = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    corpus = work / "corpus"
    if not corpus.exists():
        run(DATA / "tatoeba", "--swap", "--by-source", "--share", 66, "--out", corpus, file)
    rows = [row for seed in map(int, sys.argv[4:]) for row in measure(program, corpus, work, seed)]
    write_table("overlap", [
        "French to English: BLEU where targets of the test are in training (kept) and where they are not",
        "answers: which sentences of the test are scored; p: paired bootstrap of kept against removed, by the "
        "program and by sacreBLEU",
        f"both trained for {STEPS} steps with the defaults, on as many pairs",
        "made by: tests/peers/overlap.py PROGRAM fra.txt WORK SEED..."], rows,
        ["seed", "answers", "sentences", "removed", "kept", "p", "p_sacrebleu", "removed_exact", "kept_exact"])


if __name__ == "__main__":
    main()
