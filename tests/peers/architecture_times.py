#!/usr/bin/env python3
"""How fast the rungs of `attention experiment ladder` train and decode:
data/measurements/architectures_times.tsv, for chapter 6.2.

    tests/peers/architecture_times.py PROGRAM DIR [--rounds N] [--patience SECONDS]

DIR is what the experiment was given as --out; the ladder of the phrasebook must be finished. Each
round takes the model that every rung trained with seed 1, trains it for some more steps and translates the
test sentences with it, one word after the other, on one thread; rounds in which others were busy are
thrown away. The table has medians over the rounds."""

import argparse
import json
import pathlib
import shutil
import statistics
import tempfile
import time

from measuring import DATA, read_table, run, say, take_turns, write_table

STEPS = 90


def steps_of(model):
    with open(model / "training.safetensors", "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        return int(json.loads(file.read(size))["__metadata__"]["state.step"])


def training_rate(program, model, temporary):
    """Tokens per second, of both sides, of some more steps: the median over them."""
    copy = temporary / "run"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(model, copy)
    run(program, "train", "--resume", copy, "--steps", steps_of(copy) + STEPS, "--threads", 1, "--quiet")
    return statistics.median(float(row["tokens_per_second"]) for row in read_table(copy / "log.tsv"))


def decode_rate(program, model):
    """Tokens per second, <eos> included."""
    with open(DATA / "phrasebook" / "test.source") as sources:
        start = time.monotonic()
        lines = run(program, "translate", "--model", model, "--beam", 1, "--threads", 1, stdin=sources)
        return sum(len(line.split()) + 1 for line in lines.splitlines()) / (time.monotonic() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--patience", type=float, default=600)
    arguments = parser.parse_args()
    runs = {line.split("\t")[0]: run_directory.parent / "run"
            for run_directory in sorted((arguments.directory / "phrasebook").glob("*-1/result.tsv"))
            for line in run_directory.read_text().splitlines()[1:]}
    with tempfile.TemporaryDirectory() as temporary:
        def side(model):
            return lambda: (training_rate(arguments.program, model, pathlib.Path(temporary)),
                            decode_rate(arguments.program, model))

        rounds, others = take_turns([side(model) for model in runs.values()], arguments.rounds,
                                    arguments.patience)
    rows = []
    for i, variant in enumerate(runs):
        training, decoding = (statistics.median(turn[i][part] for turn in rounds) for part in (0, 1))
        rows.append({"variant": variant.replace(" ", "-"), "training": f"{training / 1000:.1f}",
                     "decoding": f"{decoding / 1000:.1f}"})
        say(f"{variant}: {training:.0f}, {decoding:.0f}")
    write_table("architectures_times", [
        "Thousand tokens per second of the ladder's models of the phrasebook (attention experiment ladder, seed 1)",
        "training: tokens of both sides; decoding: of the output, greedy, the test sentences together; one thread",
        f"medians of {len(rounds)} rounds; others used at most {100 * others:.0f} % of the processors",
        "made by: tests/peers/architecture_times.py"], rows)


if __name__ == "__main__":
    main()
