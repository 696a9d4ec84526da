#!/usr/bin/env python3
"""Measures what one model of `attention experiment ladder` does with half the rate that its sweep chose,
which there was nearly as good: data/measurements/architectures_rates.tsv.

    tests/peers/learning_rate.py PROGRAM WORK [SEED...]    by default seeds 1 to 6, then the table

The tables of the ladder must be there: it is compared with their Transformer. A run whose result is in WORK
is not repeated, so two processes can share WORK, each with seeds of its own. Needs numpy."""

import json
import pathlib
import sys

from experiment_tables import PHRASEBOOK, TABLES, summary, write
from measuring import fail, read_table, run

OPTIONS = ["--architecture", "lstm", "--attention", "bahdanau", "--d-model", 58, "--learning-rate-scale", 0.7,
           "--steps", 5000]
SEEDS = range(1, 7)


def trial(program, work, seed):
    """The share of right outputs on the phrasebook's test and on its longer sentences."""
    place = work / f"{seed}.json"
    if not place.exists():
        run(program, "train", "phrasebook", *OPTIONS, "--seed", seed, "--threads", 1, "--out", work / str(seed),
            "--quiet")
        found = {part: json.loads(run(program, "evaluate", "--model", work / str(seed), "--threads", 1, "--json",
                                      "--source", PHRASEBOOK / f"{part}.source",
                                      "--target", PHRASEBOOK / f"{part}.target"))["exact_match"]
                 for part in ("test", "longer")}
        place.write_text(json.dumps(found))
    return {"variant": "lstm bahdanau x 0.7", "seed": seed, **json.loads(place.read_text())}


def main():
    if len(sys.argv) < 3:
        fail(__doc__)
    program, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    trials = [trial(program, work, seed) for seed in map(int, sys.argv[3:] or SEEDS)]
    if len(trials) < len(SEEDS):
        return
    transformer = [row for row in read_table(TABLES / "architectures.tsv")
                   if (row["task"], row["variant"]) == ("phrasebook", "transformer")]
    rows = summary("phrasebook", transformer + trials, ["test", "longer"])
    write("architectures_rates",
          ["attention train phrasebook " + " ".join(map(str, OPTIONS)) + " --seed N",
           "exact match on test/longer, seed by seed: " + " ".join(f"{t['test']}/{t['longer']}" for t in trials),
           "the mean of both in percent, and against the Transformer in architectures.tsv",
           "made by: tests/peers/learning_rate.py"], rows[1:])


if __name__ == "__main__":
    main()
