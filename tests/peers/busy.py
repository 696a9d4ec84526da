#!/usr/bin/env python3
"""A training step while another program keeps one processor busy. Prints a table (tab-separated) on stdout.

    tests/peers/busy.py --program build/attention-lab [--quick]

In each of seven rounds (one, if quick), by turns: one thread with the machine to itself, all threads
with the machine to themselves, and all threads beside a program that spins."""

import argparse
import contextlib
import os
import subprocess
import sys

from measuring import benchmark_step, machine, median, say, table, wait_until_quiet

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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--quick", action="store_true", help="one round")
    o = parser.parse_args()
    rows = []
    for name, options in STEPS.items():
        alone, beside = [], []
        for _ in range(1 if o.quick else 7):
            wait_until_quiet(20)
            one = benchmark_step(o.program, threads=1, **options)["seconds"]
            alone.append(one / benchmark_step(o.program, threads=os.cpu_count(), **options)["seconds"])
            with spinning():
                beside.append(one / benchmark_step(o.program, threads=os.cpu_count(), **options)["seconds"])
        rows.append({"step": name, "alone": median(alone), "beside": median(beside),
                     "least_beside": min(beside), "most_beside": max(beside),
                     "time_beside": 1 / median(beside)})
        say(f"{name}: {median(alone):.2f} alone, {median(beside):.2f} beside a program that spins")
    print(table(
        ["Speed of a training step on all processors, in that of one thread with the machine to itself: alone, and "
         "beside one program that spins; medians of the ratios within each round",
         "time_beside: time beside it, in that of the one thread", *machine()],
        ["step", "alone", "beside", "least_beside", "most_beside", "time_beside"], rows), end="")


if __name__ == "__main__":
    main()
