#!/usr/bin/env python3
"""The phrasebook's rungs of `attention experiment ladder` with warm-up and clipping tuned, too, and four times as
long: data/measurements/architectures_longer.tsv, architectures_longer_sweep.tsv.

Each starts from the best rate of its sweep, with which it is also tried with a warm-up of 200 and of 800 steps instead
of 50, each at this rate and at twice it (a longer warm-up lowers the highest rate), and the best of these five without
clipping and with 0.3 instead of 1: with seed 11, for 2,500 steps, by the perplexity of validation. The best of all
trains for 20,000 steps with each of three seeds, and is scored at 1,250, 2,500, 5,000, 10,000 and 20,000.

    tests/peers/ladder_longer.py PROGRAM WORK

What has ended is not repeated, and two processes can share WORK. Needs numpy and scipy."""

import contextlib
import fcntl
import functools
import math
import pathlib
import sys

from measuring import TABLES, fail, on_phrasebook, read_table, write_table

RNN = {"architecture": "rnn", "attention": "bahdanau"}
RUNGS = {"transformer": {},
         "lstm none": {**RNN, "architecture": "lstm", "attention": "none", "d-model": 82},
         "rnn bahdanau": {**RNN, "d-model": 92},
         "gru bahdanau": {**RNN, "architecture": "gru", "d-model": 64},
         "lstm bahdanau": {**RNN, "architecture": "lstm", "d-model": 58},
         "lstm luong-general": {"architecture": "lstm", "attention": "luong-general", "d-model": 78},
         "convs2s": {"architecture": "convs2s", "d-model": 64, "max-positions": 32}}
SWEPT, STEPS, SEEDS = 2500, (1250, 2500, 5000, 10000, 20000), (1, 2, 3)
ALL = {"validate-every": 1250, "keep": "last"}
COLUMNS = ("variant", "warmup", "scale", "clip", "perplexity")


def in_turn(work, jobs):
    """What each job, by name, returns. What another process has begun is left to it, and waited for at the end."""
    done = {}
    for wait in (fcntl.LOCK_NB, 0):
        for name, job in jobs.items():
            with open(work / f"{name}.lock", "w") as lock, contextlib.suppress(BlockingIOError):
                if name not in done:
                    fcntl.flock(lock, fcntl.LOCK_EX | wait)
                    done[name] = job()
    return [done[name] for name in jobs]


def place_of(rung):
    return rung.replace(" ", "-")


def best_rates():
    """The rate of each rung with the least perplexity of validation in the ladder's sweep."""
    best = {}
    for row in read_table(TABLES / "architectures_sweep.tsv"):
        if row["task"] == "phrasebook" and row["validation"] != "diverged":
            rung, scale = row["variant"].split(" x ")
            best[rung] = min(best.get(rung, (math.inf, 0)), (float(row["validation"]), float(scale)))
    return {rung: scale for rung, (_, scale) in best.items()}


def sweep(program, work, rung, rate):
    """Every choice tried, with its perplexity; the one with the least comes first."""
    def tried(warmup, scale, clip):
        options = {"warmup": warmup, "learning-rate-scale": scale, "clip": clip}
        model = work / f"{place_of(rung)}-{warmup}-{scale}-{clip}"
        try:
            found = on_phrasebook(program, model, {**RUNGS[rung], **options, **ALL}, SWEPT, 11, ["validation"])
        except SystemExit as error:
            if "training has diverged" not in str(error):
                raise
            found = {"validation": {"perplexity": math.inf}}
        return dict(zip(COLUMNS, (rung, warmup, scale, clip, found["validation"]["perplexity"])))

    rows = [tried(50, rate, 1)] + [tried(warmup, scale, 1) for warmup in (200, 800) for scale in (rate, 2 * rate)]
    first = min(rows, key=lambda row: row["perplexity"])
    rows += [tried(first["warmup"], first["scale"], clip) for clip in (0, 0.3)]
    return sorted(rows, key=lambda row: row["perplexity"])


def longer(program, work, choice, seed):
    """What a rung with these choices gets right after so many steps."""
    options = {"warmup": choice["warmup"], "learning-rate-scale": choice["scale"], "clip": choice["clip"]}
    model = work / f"{place_of(choice['variant'])}-seed-{seed}"
    rows = []
    for steps in STEPS:
        found = on_phrasebook(program, model, {**RUNGS[choice["variant"]], **options, **ALL}, steps, seed,
                              ["test", "longer"])
        rows.append({"variant": choice["variant"], "seed": seed, "steps": steps, "test": found["test"]["exact_match"],
                     "longer": found["longer"]["exact_match"], "perplexity": found["test"]["perplexity"]})
    return rows


def main():
    if len(sys.argv) != 3:
        fail(__doc__)
    program, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    swept = in_turn(work, {place_of(rung): functools.partial(sweep, program, work, rung, rate)
                           for rung, rate in best_rates().items()})
    trials = in_turn(work, {f"{place_of(best['variant'])}-seed-{seed}": functools.partial(longer, program, work, best, seed)
                            for seed in SEEDS for best, *_ in swept})
    about = ["made by: tests/peers/ladder_longer.py"]
    write_table("architectures_longer_sweep",
                ["perplexity of validation after 2,500 steps, seed 11; scale: of the learning rate", *about],
                sum(swept, []), COLUMNS)
    write_table("architectures_longer",
                ["the phrasebook, with each rung's best choices in architectures_longer_sweep.tsv",
                 "test, longer: exact match", *about],
                sorted(sum(trials, []), key=lambda row: (
                    list(RUNGS).index(row["variant"]), row["steps"], row["seed"])))


if __name__ == "__main__":
    main()
