#!/usr/bin/env python3
"""`attention benchmark matmul` and `attention benchmark step` as tables: each rung of the ladder of
products, with its share of what the machine can do, and where the time of a step goes; and how
fast one thread reads what fits into its caches, or does not.

    tests/peers/rooflines.py --program build/attention ladder
    tests/peers/rooflines.py --program build/attention parts
    tests/peers/rooflines.py --program build/example-B reads

Every number is a median over rounds. Other programs should be quiet meanwhile."""

import argparse
import json

from measuring import Watch, machine, median, run, say, table

LADDER = ["matmul", "--sizes", "256,512,1024,2048"]
PARTS = {"feed_forward": "feed-forward", "self_attention": "attention", "cross_attention": "attention",
         "output": "output_and_loss", "adam": "Adam"}  # by the last word of a name


def measured(program, what: list, rounds: int, seconds: float) -> tuple:
    """What the benchmark printed in each round, and the most that others used meanwhile."""
    found, others = [], 0.0
    for i in range(rounds):
        say(f"{what[0]}: round {i + 1} of {rounds}")
        with Watch() as watch:
            found.append(json.loads(run(program, "benchmark", *what, "--seconds", seconds,
                                        "--json")))
        others = max(others, watch.others)
    return found, others


def middle(values: list) -> float:
    return float(median(values))


def comments(found: list, others: float, program) -> list:
    m = found[0]["machine"]
    return [f"program: {run(program, '--version').strip()}, instruction set {m['isa']}, "
            f"{m['compiler']}",
            f"medians of {len(found)} rounds; others used at most {100 * others:.0f} % of the "
            "processors in a round", *machine()]


def ladder(program, rounds: int, seconds: float) -> str:
    found, others = measured(program, LADDER, rounds, seconds)
    rows = []
    # The limits: multiply-adds in registers, and reading memory.
    threads = found[0]["machine"]["threads"]
    for count, suffix in [(1, "_1"), (threads, "")][:1 if threads == 1 else 2]:
        def limit(name):
            return middle([one["machine"][name + suffix] for one in found])
        peak, read = limit("fma_peak_gflops"), limit("read_gbytes_per_second")
        rows.append({"rung": "peak", "threads": count, "gflops": peak, "read": read, "ridge": peak / read})
    before = {}
    for i, rung in enumerate(found[0]["ladder"]):
        gflops = [one["ladder"][i]["gflops"] for one in found]
        size = rung["size"]
        rows.append({"rung": rung["rung"], "size": size, "threads": rung["threads"],
                     "gflops": middle(gflops),
                     "share": 100 * middle([one["ladder"][i]["share"] for one in found]),
                     "times": middle([a / b for a, b in zip(gflops, before[size])])
                              if size in before else None})
        before[size] = gflops
    return table(
        ["Products of square matrices by each rung of src/kernels/matmul.h",
         "share: percent of the peak of as many threads; times: as fast as the rung before",
         "peak: multiply-adds in registers; read: GB/s of memory; ridge: gflops / read",
         *comments(found, others, program)],
        ["rung", "size", "threads", "gflops", "share", "times", "read", "ridge"], rows)


def parts(program, rounds: int, seconds: float) -> str:
    found, others = measured(program, ["step"], rounds, seconds)
    rows = {name: [0.0] * rounds for name in [*dict.fromkeys(PARTS.values()), "other"]}
    for i, one in enumerate(found):
        for part in one["parts"]:
            row = rows[PARTS.get(part["name"].split()[-1], "other")]
            row[i] += 1000 * (part["forward_seconds"] + part["backward_seconds"])
    return table(
        ["Where the time of a training step of a base model goes (V = 37000): 32 sentence pairs of 32 tokens",
         "ms, forward and backward; other: norms, dropout, embeddings", *comments(found, others, program)],
        ["part", "ms"], [{"part": name, "ms": middle(times)} for name, times in rows.items()])


def reads(program, rounds: int, _) -> str:
    found = [[line.split() for line in run(program, "reads").splitlines()] for _ in range(rounds)]
    rows = [{"kib": sizes[0][0], "read": middle([float(read) for _, read in sizes])}
            for sizes in zip(*found)]
    return table(["How fast one thread reads an array of so many KiB again and again, in GB/s",
                  f"medians of {rounds} rounds, each the fastest of 20 times",
                  "made by: tests/peers/rooflines.py --program build/example-B reads", *machine()],
                 ["kib", "read"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["ladder", "parts", "reads"])
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each rung")
    o = parser.parse_args()
    make = {"ladder": ladder, "parts": parts, "reads": reads}[o.what]
    print(make(o.program, o.rounds, o.seconds), end="")


if __name__ == "__main__":
    main()
