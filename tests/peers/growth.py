#!/usr/bin/env python3
"""How time and memory of a training step grow with the model and the batch. Prints a table.

    growth.py --program build/attention [--quick]

One size varies, all others stay as they are; each measurement is a process of its own. Column
`exponent` is p in cost ~ size^p: between this row and the one before; rows `fit_…` have it by least
squares over all sizes (in logarithms), and over the last two. Column `theory` is the exponent of
the number of multiply-adds, counted by formula.
"""

import argparse
import math

from measuring import benchmark_step, machine, median, say, table, take_turns

# What varies, its values, what else is as in FIXED, and what theory says.
FIXED = dict(preset="base", layers=2, d_model=256, d_ff=1024, heads=4, vocabulary=1000,
             sentences=8, source_length=32, target_length=32)
SWEEPS = {
    "length": (
        [16, 32, 64, 128, 256, 512],
        "products with weights grow as n, attention's as n²; in an encoder and a decoder layer "
        "these are 28 d² n and 6 d n² multiply-adds a sentence, equal where n is 4.7 d: from 1 "
        "towards 2"),
    "d_model": (
        [128, 256, 512, 1024],
        "with d_ff = 4 d_model and heads of 64: products with weights and their number grow as d², "
        "attention, activations and the rest as d: from 1 towards 2"),
    "layers": (
        [1, 2, 3, 4, 6, 8, 12],
        "all grows as N but embeddings and output projection: from below towards 1"),
    "sentences": (
        [4, 8, 16, 32, 64, 128],
        "all grows as the batch but Adam's update, and the memory of the weights: from below "
        "towards 1"),
}
COLUMNS = ["sweep", "size", "tokens", "ms", "exponent", "theory", "peak_MB", "exponent_of_memory",
           "gflops", "others"]


def settings(sweep: str, value: int) -> dict:
    chosen = dict(FIXED)
    if sweep == "length":
        chosen.update(source_length=value, target_length=value)
    elif sweep == "d_model":
        chosen.update(d_model=value, d_ff=4 * value, heads=value // 64)
    else:
        chosen[sweep] = value
    return chosen


def multiply_adds(c: dict) -> float:
    """Those of the products of a step, forward and twice as many backward: what theory counts."""
    n, d = c["source_length"], c["d_model"]
    encoder_layer = n * (4 * d * d + 2 * d * c["d_ff"]) + 2 * n * n * d
    decoder_layer = n * (8 * d * d + 2 * d * c["d_ff"]) + 4 * n * n * d
    output = n * d * c["vocabulary"]
    return 3.0 * c["sentences"] * (c["layers"] * (encoder_layer + decoder_layer) + output)


def slope(sizes: list, costs: list) -> float:
    """p of cost ~ size^p, by least squares in logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(cost) for cost in costs]
    x_mean, y_mean = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) /
            sum((a - x_mean) ** 2 for a in x))


def exponents(rows: list) -> dict:
    sizes = [row["size"] for row in rows]
    return {name: slope(sizes, [row[cost] for row in rows]) for name, cost in
            (("exponent", "ms"), ("theory", "operations"), ("exponent_of_memory", "peak_MB"))}


def measure(program, sweep: str, value: int, options) -> dict:
    chosen = settings(sweep, value)
    rounds, others = take_turns(
        [lambda: benchmark_step(program, dropout=0, threads=options.threads,
                                steps=2 if options.quick else 5, **chosen)],
        options.rounds, options.patience)
    turns = [turn for turn, in rounds]
    return {
        "sweep": sweep, "size": value, "tokens": 2 * chosen["sentences"] * chosen["source_length"],
        "ms": 1e3 * median(turn["seconds"] for turn in turns),
        "peak_MB": median(turn["peak_memory_bytes"] for turn in turns) / 1e6,
        "operations": multiply_adds(chosen),
        "gflops": median(turn["gflops"] for turn in turns), "others": others,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="our program, attention")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=20,
                        help="seconds a measurement waits for other programs to be quiet")
    parser.add_argument("--quick", action="store_true", help="one short run of each")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.patience = 1, 0

    rows, comments = [], []
    for sweep, (values, theory) in SWEEPS.items():
        found = []
        for value in values:
            row = measure(options.program, sweep, value, options)
            say(f"{sweep} {value}: {row['ms']:.1f} ms, {row['peak_MB']:.0f} MB")
            if found:
                row.update(exponents([found[-1], row]))
            found.append(row)
        rows += found
        for name, some in (("fit_" + sweep, found), ("last_" + sweep, found[-2:])):
            rows.append({"sweep": name, "size": f"{some[0]['size']}-{some[-1]['size']}",
                         **exponents(some)})
        comments.append(f"{sweep}: {theory}")
    fixed = ", ".join(f"{name} {value}" for name, value in FIXED.items() if name != "preset")
    print(table([
        "How a training step grows: its time, and the peak of memory of a process that takes it.",
        f"What does not vary: {fixed}; {options.threads} threads, no dropout.",
        "exponent: p in cost ~ size^p, from the row before to this one; fit_: over all; "
        "last_: the last two; theory: the same of the multiply-adds that the step's products take",
        *comments, *machine()], COLUMNS, rows), end="")


if __name__ == "__main__":
    main()
