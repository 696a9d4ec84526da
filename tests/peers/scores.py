#!/usr/bin/env python3
"""What dividing the scores by √d_k does to models that learn: data/measurements/scaling.tsv

    cmake --build build --target measure-scores example-3.2.1-random
    build/measure-scores DIR             trains; continues after a kill; several may share the work
    tests/peers/scores.py build DIR      writes the tables

scaling.tsv has every trial, scaling_sweep.tsv the sweep of rates, and scaling_summary.tsv a row for each
model, task and d_k, with each measure's mean over the seeds (right: percent) of each division, and the least
and most of what is right early and at the end. With random vectors, the numbers of example-3.2.1-random are
derived a second time here, from other draws."""

import pathlib
import re
import sys

import numpy

from measuring import fail, read_table, run, write_table

WHAT = ("one-head/reverse", "one-head/copy", "transformer/reverse", "wide-transformer/reverse",
        "transformer/copy")
RANGES = ("right_100", "right_1000")


def split_name(variant):
    """reverse start-only d_k=64"""
    task, division, width = variant.split()[:3]
    return task, division, int(width.split("=")[1])


def best_scales(swept):
    best = {}
    for row in swept:
        name, _, scale = row["variant"].rpartition(" x ")
        if name not in best or float(row["validation"]) < best[name][0]:
            best[name] = (float(row["validation"]), scale)
    return {name: scale for name, (_, scale) in best.items()}


def summary(model, rows, scales):
    result = {}
    for variant in dict.fromkeys(row["variant"] for row in rows):
        task, division, width = split_name(variant)
        summed = result.setdefault((task, width), {"row": f"{model}/{task}/{width}"})
        trials = [row for row in rows if row["variant"] == variant]
        summed["seeds"] = str(len(trials))
        summed[f"{division}_scale"] = scales[variant.replace("copy ", "reverse ")]
        for key in rows[0]:
            if key in ("variant", "seed"):
                continue
            values = numpy.array([float(row[key]) for row in trials]) * (100 if key.startswith("right") else 1)
            summed[f"{division}_{key}"] = f"{values.mean():.4g}"
            if key in RANGES:
                summed[f"{division}_{key}_least"] = f"{values.min():.4g}"
                summed[f"{division}_{key}_most"] = f"{values.max():.4g}"
    return list(result.values())


def check_random(build):
    """|dq| of 4,000 random queries with eight keys, against the example's 2,000."""
    printed = run(build / "example-3.2.1-random", "values")
    for d_k in (4, 16, 64, 256, 512):
        for divided in (False, True):
            name = f"{'divided' if divided else 'undivided'}.{d_k}"
            lengths = []
            random = numpy.random.default_rng(d_k)
            for _ in range(400):
                q = random.normal(size=(10, d_k))
                K = random.normal(size=(10, 8, d_k))
                dp = random.normal(size=(10, 8))
                scale = d_k**-0.5 if divided else 1
                a = scale * numpy.einsum("nc,njc->nj", q, K)
                p = numpy.exp(a - a.max(axis=1, keepdims=True))
                p /= p.sum(axis=1, keepdims=True)
                ds = scale * p * (dp - (p * dp).sum(axis=1, keepdims=True))
                lengths.append(numpy.linalg.norm(numpy.einsum("nj,njc->nc", ds, K), axis=1))
            lengths = numpy.concatenate(lengths)
            median = numpy.median(lengths)
            for what, value, tolerance in (("rms", numpy.sqrt((lengths**2).mean()), 0.15),
                                           ("mean", lengths.mean(), 0.15),
                                           ("median", median, 0.15 if median > 0.1 else 0.5)):
                theirs = float(re.search(rf"^{re.escape(name)}\.{what} = (.*)$", printed, re.MULTILINE).group(1))
                if not abs(theirs - value) <= tolerance * value:
                    fail(f"{name}.{what}: the example says {theirs}, here {value}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, directory = map(pathlib.Path, sys.argv[1:])
    check_random(build)
    trials, swept, sums = [], [], []
    for what in WHAT:
        if not (directory / what / "results.tsv").exists():
            continue
        model = what.split("/")[0]
        rows = read_table(directory / what / "results.tsv")
        sweep = read_table(directory / model / "sweep" / "results.tsv")
        model = model.replace("wide-", "")
        trials += [{"model": model, **row} for row in rows]
        swept += [{"model": model, **row} for row in sweep if row["variant"] not in
                  {row["variant"] for row in swept if row["model"] == model}]
        sums += summary(model, rows, best_scales(sweep))
    about = ["build/measure-scores DIR; made by: tests/peers/scores.py",
             "one thread at a time, among other work: nothing here is a time"]
    for name, rows in (("scaling", trials), ("scaling_sweep", swept), ("scaling_summary", sums)):
        columns = ["model", "variant", "seed", "validation"] if name == "scaling_sweep" else None
        write_table(name, about, rows, columns, load=False)


if __name__ == "__main__":
    main()
