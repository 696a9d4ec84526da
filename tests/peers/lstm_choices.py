#!/usr/bin/env python3
"""Measures two other choices for the LSTM with Bahdanau's attention of `attention experiment ladder`: half the
rate that its sweep chose, which there was nearly as good; and one layer instead of two, with as many weights:
data/measurements/architectures_choices.tsv.

    tests/peers/lstm_choices.py PROGRAM WORK [SEED...]    by default seeds 1 to 6, then the table

The tables of the ladder must be there: it is compared with their Transformer. A run whose result is in WORK
is not repeated, so two processes can share WORK, each with seeds of its own. Needs numpy."""

import json
import pathlib
import sys

from experiment_tables import PHRASEBOOK, TABLES, summary, write
from measuring import fail, read_table, run

CHOICES = {"lstm bahdanau x 0.7": {"d-model": 58, "learning-rate-scale": 0.7},
           "lstm bahdanau 1 layer": {"layers": 1, "d-model": 76, "learning-rate-scale": 1.4}}
SEEDS = range(1, 7)


def options_of(choice):
    words = ["--architecture", "lstm", "--attention", "bahdanau", "--steps", "5000"]
    for name, value in CHOICES[choice].items():
        words += [f"--{name}", str(value)]
    return words


def trial(program, work, choice, seed):
    """The share of right outputs on the phrasebook's test and on its longer sentences."""
    model = work / f"{choice.replace(' ', '-')}-{seed}"
    place = model.with_name(model.name + ".json")
    if not place.exists():
        run(program, "train", "phrasebook", *options_of(choice), "--seed", seed, "--threads", 1, "--out", model,
            "--quiet")
        found = {part: json.loads(run(program, "evaluate", "--model", model, "--threads", 1, "--json",
                                      "--source", PHRASEBOOK / f"{part}.source",
                                      "--target", PHRASEBOOK / f"{part}.target"))["exact_match"]
                 for part in ("test", "longer")}
        place.write_text(json.dumps(found))
    return {"variant": choice, "seed": seed, **json.loads(place.read_text())}


def main():
    if len(sys.argv) < 3:
        fail(__doc__)
    program, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    seeds = list(map(int, sys.argv[3:] or SEEDS))
    trials = [trial(program, work, choice, seed) for choice in CHOICES for seed in seeds]
    if len(seeds) < len(SEEDS):
        return
    transformer = [row for row in read_table(TABLES / "architectures.tsv")
                   if (row["task"], row["variant"]) == ("phrasebook", "transformer")]
    rows = summary("phrasebook", transformer + trials, ["test", "longer"])
    comments = []
    for choice in CHOICES:
        shares = " ".join(f"{t['test']}/{t['longer']}" for t in trials if t["variant"] == choice)
        comments += [f"{choice}: attention train phrasebook {' '.join(options_of(choice))} --seed N",
                     f"exact match on test/longer, seed by seed: {shares}"]
    write("architectures_choices", comments +
          ["the mean of both in percent, and against the Transformer in architectures.tsv; p of all over these rows",
           "made by: tests/peers/lstm_choices.py"], rows[1:])


if __name__ == "__main__":
    main()
