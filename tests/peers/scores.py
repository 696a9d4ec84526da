#!/usr/bin/env python3
"""What dividing the scores by √d_k does to models that learn: data/measurements/scaling.tsv

    cmake --build build --target measure-scores example-3.2.1-random
    build/measure-scores DIR             trains; continues after a kill; several may share the work
    tests/peers/scores.py build DIR      writes the tables

    tests/peers/scores.py build DIR --begin     puts the tables' trials into DIR: only what is missing is trained

scaling.tsv has every trial, scaling_sweep.tsv the sweep of rates, and scaling_summary.tsv a row for each
model, task and d_k, with each measure's mean over the seeds (right: percent) of each division, the least and
most of what is right early and at the end, and as typical the median's mean share of the rms. With random
vectors, the numbers of example-3.2.1-random are derived a second time here, from other draws."""

import pathlib
import re
import sys

import numpy

from measuring import TABLES, fail, read_table, run, table, write_table

WHAT = ("one-head/reverse", "one-head/copy", "transformer/reverse", "wide-transformer/reverse",
        "transformer/copy", "transformer/phrasebook", "wide-transformer/phrasebook")
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
            summed[f"{division}_{key}"] = f"{values.mean():.6g}"
            if key in RANGES:
                summed[f"{division}_{key}_least"] = f"{values.min():.6g}"
                summed[f"{division}_{key}_most"] = f"{values.max():.6g}"
            if "median" in key:
                ratios = [value / float(row[key.replace("median", "rms")]) for value, row in zip(values, trials)]
                summed[f"{division}_{key.replace('median', 'typical')}"] = f"{numpy.mean(ratios):.6g}"
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


def sweep_of(model, task):
    """The directory of the rates that are tried for it."""
    return pathlib.Path(model) / ("sweep-phrasebook" if task == "phrasebook" else "sweep")


def place_in_result(column):
    """The table has the measures that all models have first; a result, step by step, all attentions."""
    found = re.fullmatch(r"(self_)?(entropy|rms|mean|median)_(\d+)", column)
    return (int(found[3]), bool(found[1])) if found else (float("inf") if column == "temperature" else -1, False)


def begin(directory):
    """A result.tsv, as the program writes it, for each row of the tables."""
    for name in ("scaling", "scaling_sweep"):
        for row in read_table(TABLES / f"{name}.tsv"):
            model = row.pop("model")
            task, _, width = split_name(row["variant"])
            model = "wide-transformer" if (model, width) == ("transformer", 512) else model
            place = directory / (sweep_of(model, task) if name == "scaling_sweep" else pathlib.Path(model) / task)
            trial = place / re.sub(r"[^A-Za-z0-9._]", "-", f"{row['variant']} {row['seed']}") / "result.tsv"
            trial.parent.mkdir(parents=True, exist_ok=True)
            trial.write_text(table([], sorted((key for key in row if row[key] != "-"), key=place_in_result), [row]))


def main():
    if sys.argv[3:] not in ([], ["--begin"]) or len(sys.argv) < 3:
        sys.exit(__doc__)
    build, directory = map(pathlib.Path, sys.argv[1:3])
    if sys.argv[3:]:
        return begin(directory)
    check_random(build)
    trials, swept, sums = [], [], []
    for what in WHAT:
        if not (directory / what / "results.tsv").exists():
            continue
        model = what.split("/")[0]
        rows = read_table(directory / what / "results.tsv")
        sweep = read_table(directory / sweep_of(model, what.split("/")[1]) / "results.tsv")
        model = model.replace("wide-", "")
        trials += [{"model": model, **row} for row in rows]
        swept += [found for row in sweep if (found := {"model": model, **row}) not in swept]
        sums += summary(model, rows, best_scales(sweep))
    about = ["build/measure-scores DIR; made by: tests/peers/scores.py",
             "one thread at a time, among other work: nothing here is a time"]
    for name, rows in (("scaling", trials), ("scaling_sweep", swept), ("scaling_summary", sums)):
        columns = ["model", "variant", "seed", "validation"] if name == "scaling_sweep" else None
        write_table(name, about, rows, columns, load=False)


if __name__ == "__main__":
    main()
