#!/usr/bin/env python3
"""The layers of Table 1 by the clock: data/measurements/table1-times.tsv

    tests/peers/table1_times.py PROGRAM WORK

Runs `attention experiment table1 --threads 1` three times, a minute each, in directories of WORK; what is
there is not repeated. Nothing else should run meanwhile."""

import pathlib
import re
import sys

from measuring import fail, median, run, write_table

ROUNDS = 3


def printed(program, work, number):
    """Of each layer: microseconds, the exponents of n and d, multiply-adds in a nanosecond."""
    output = work / f"{number}.txt"
    if not output.exists():
        text = run(program, "experiment", "table1", "--threads", 1, "--out", work / str(number))
        output.write_text(text)
    times = output.read_text().split("The same by the clock.")[1]
    rows = re.findall(r"^(\S+) +([\d.]+) +([\d.]+) \([\d.]+\) +([\d.]+) \([\d.]+\) +([\d.]+)$", times, re.MULTILINE)
    return {layer: [float(number) for number in numbers] for layer, *numbers in rows}


def main():
    if len(sys.argv) != 3:
        fail(__doc__)
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    rounds = [printed(sys.argv[1], work, number + 1) for number in range(ROUNDS)]
    rows = []
    for layer in rounds[0]:
        us, p_n, p_d, per_ns = (median(numbers) for numbers in zip(*(found[layer] for found in rounds)))
        rows.append({"layer": layer, "microseconds": f"{us:.1f}", "p_n": f"{p_n:.2f}", "p_d": f"{p_d:.2f}",
                     "per_ns": f"{per_ns:.1f}"})
    write_table("table1-times", [
        "The time of each layer of Table 1 forward, n = 256, d = 128, one thread, and the exponents of n (128 to "
        "1024) and of d (64 to 512) fitted to it; per_ns: multiply-adds in a nanosecond",
        f"medians of {ROUNDS} runs of attention experiment table1 --threads 1, nothing else running",
        "made by: tests/peers/table1_times.py PROGRAM WORK"], rows, load=False)


if __name__ == "__main__":
    main()
