#!/usr/bin/env python3
"""A training step while another program keeps one processor busy: data/measurements/busy.tsv

    tests/peers/busy.py PROGRAM [ROUNDS]        seven rounds by default, some minutes

In each round, by turns: one thread with the machine to itself, all threads with the machine to
themselves, and all threads beside a program that spins."""

import contextlib
import os
import pathlib
import subprocess
import sys

from measuring import benchmark_step, fail, machine, median, say, table, wait_until_quiet

TABLE = pathlib.Path(__file__).resolve().parents[2] / "data" / "measurements" / "busy.tsv"
STEPS = {"toy": {"preset": "tiny", "sentences": 46, "source_length": 11, "target_length": 11, "steps": 300},
         "small": {"preset": "small", "steps": 8}}


@contextlib.contextmanager
def spinning():
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        other.kill()
        other.wait()


def main():
    if len(sys.argv) not in (2, 3):
        fail(__doc__)
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 7
    rows = []
    for name, options in STEPS.items():
        alone, beside = [], []
        for _ in range(rounds):
            wait_until_quiet(20)
            one = benchmark_step(program, threads=1, **options)["seconds"]
            alone.append(one / benchmark_step(program, threads=os.cpu_count(), **options)["seconds"])
            with spinning():
                beside.append(one / benchmark_step(program, threads=os.cpu_count(), **options)["seconds"])
        rows.append({"step": name, "alone": median(alone), "beside": median(beside),
                     "least_beside": min(beside), "most_beside": max(beside),
                     "time_beside": 1 / median(beside)})
        say(f"{name}: {median(alone):.2f} alone, {median(beside):.2f} beside a program that spins")
    TABLE.write_text(table(
        ["Speed of a training step on all processors, in that of one thread with the machine to itself: alone, and "
         "beside one program that spins; medians of the ratios within each round",
         "time_beside: time beside it, in that of the one thread",
         "made by: tests/peers/busy.py PROGRAM", *machine()],
        ["step", "alone", "beside", "least_beside", "most_beside", "time_beside"], rows))


if __name__ == "__main__":
    main()
