#!/usr/bin/env python3
"""`attention benchmark matmul` and `attention benchmark layers` as tables: each rung of the ladder
of products, and each kind of layer of a base model, with its share of what the machine can do;
and how fast one thread reads what fits into its caches, or does not.

    tests/peers/rooflines.py --program build/attention ladder
    tests/peers/rooflines.py --program build/attention layers
    tests/peers/rooflines.py --program build/example-B reads

Every number is a median over rounds. Other programs should be quiet meanwhile."""

import argparse
import json

from measuring import Watch, machine, median, run, say, table

LADDER = ["matmul", "--sizes", "256,512,1024,2048", "--models", "none"]
LAYERS = ["layers"]


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
    # The limits: multiply-adds in registers, and memory (two read and one written; read only).
    threads = found[0]["machine"]["threads"]
    for count, suffix in [(1, "_1"), (threads, "")][:1 if threads == 1 else 2]:
        def limit(name):
            return middle([one["machine"][name + suffix] for one in found])
        peak, read = limit("fma_peak_gflops"), limit("read_gbytes_per_second")
        rows.append({"rung": "peak", "threads": count, "gflops": peak, "read": read,
                     "triad": limit("bandwidth_gbytes_per_second"), "ridge": peak / read})
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
         "peak: multiply-adds in registers; read, triad: GB/s of memory; ridge: gflops / read",
         *comments(found, others, program)],
        ["rung", "size", "threads", "gflops", "share", "times", "read", "triad", "ridge"], rows)


def layers(program, rounds: int, seconds: float) -> str:
    found, others = measured(program, LAYERS, rounds, seconds)
    rows, all_seconds = [], []
    for i, layer in enumerate(found[0]["layers"]):
        name = layer["name"].replace(" & ", "_and_").replace(" ", "_")
        row = {"layer": name, "count": layer["count"],
               "part": "yes" if layer["part_of_the_layer_before"] else "no"}
        whole = [one["layers"][i]["count"] * (one["layers"][i]["forward_seconds"] +
                                              (one["layers"][i]["backward_seconds"] or 0))
                 for one in found]
        row["ms_of_step"] = 1000 * middle(whole)
        if not layer["part_of_the_layer_before"]:
            all_seconds.append(whole)
        for name in ("forward", "backward"):
            if layer[name] is None:
                continue
            row[name + "_ms"] = 1000 * middle([one["layers"][i][name + "_seconds"]
                                               for one in found])
            row[name + "_share"] = 100 * middle([one["layers"][i][name]["share"]
                                                 for one in found])
            row[name + "_limit"] = layer[name]["limit"]
        rows.append(row)
    total = 1000 * middle([sum(column) for column in zip(*all_seconds)])
    for row in rows:
        row["of_step"] = 100 * row["ms_of_step"] / total
    rows.append({"layer": "all", "ms_of_step": total, "of_step": 100.0})
    return table(
        ["Each kind of layer of a base model (V = 37000): 32 sentence pairs of 32 tokens",
         "_ms: of one layer; _share: percent of what its limit allows (fma: the peak of products; "
         "memory: its bandwidth)",
         "ms_of_step: of all layers of the kind, forward and backward; of_step: percent of all",
         "part: of the layer in the row before, and not added to all",
         *comments(found, others, program)],
        ["layer", "count", "part", "forward_ms", "forward_share", "forward_limit", "backward_ms",
         "backward_share", "backward_limit", "ms_of_step", "of_step"], rows)


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
    parser.add_argument("what", choices=["ladder", "layers", "reads"])
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each rung or layer")
    o = parser.parse_args()
    make = {"ladder": ladder, "layers": layers, "reads": reads}[o.what]
    print(make(o.program, o.rounds, o.seconds), end="")


if __name__ == "__main__":
    main()
