#!/usr/bin/env python3
"""Writes the tables of what `attention experiment positions` measured.

    tests/peers/position_tables.py DIR

DIR is what the experiment was given as --out. data/measurements/positions.tsv gets every trial that is
finished, positions_summary.tsv a row for each task, model and kind of positions: the number n of seeds;
of each measure the mean and its interval of 95 %, low to high; and the mean difference from sinusoids in
the same model, seed by seed, with its interval. Rows "both" have the decoder-only model's difference from
the Transformer with the same kind. Intervals are Student's, of the values themselves: with n of them,
mean ± t · s/√n; that of a share ends at 0 and 100. What is a share in the trials is there in percent. test: sequences of up to 20 letters;
longer: 21 to 30; to_50: 31 to 50; to_100: 51 to 100; steps: of training, until the task was solved."""

import argparse
import math
import pathlib
import statistics

from measuring import fail, read_table, write_table

MEASURES = ("test", "longer", "to_50", "to_100", "steps")
# The 97.5 % quantiles of Student's distribution with 1, 2, … degrees of freedom.
STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010)


def mean_and_interval(values, least=-math.inf, most=math.inf):
    """Mean, low, high as text; "-" where there are too few values. There is nothing beyond the limits."""
    if not values:
        return "-", "-", "-"
    mean = statistics.mean(values)
    if len(values) < 2:
        return f"{mean:.2f}", "-", "-"
    half = STUDENT[len(values) - 2] * statistics.stdev(values) / len(values) ** 0.5
    return f"{mean:.2f}", f"{max(least, mean - half):.2f}", f"{min(most, mean + half):.2f}"


def values_of(rows, measure):
    """By variant and seed; percent, where it is a share. A trial that diverged has none."""
    factor = 1 if measure == "steps" else 100
    found = {}
    for row in rows:
        if row[measure] != "diverged":
            found.setdefault(row["variant"], {})[row["seed"]] = factor * float(row[measure])
    return found


def differences(values, base):
    return [values[seed] - base[seed] for seed in values if seed in base]


def summary(task, rows):
    result = []
    values = {measure: values_of(rows, measure) for measure in MEASURES}
    for variant in values["test"]:
        model, kind = variant.split()
        row = {"row": f"{task}/{model}-{kind}", "n": len(values["test"][variant])}
        for measure in MEASURES:
            own = values[measure][variant]
            base = values[measure].get(f"{model} sinusoidal", {})
            limits = () if measure == "steps" else (0, 100)
            row[measure], row[measure + "_low"], row[measure + "_high"] = mean_and_interval(
                list(own.values()), *limits)
            names = (measure + end for end in ("_difference", "_difference_low", "_difference_high"))
            row.update(zip(names, mean_and_interval([] if kind == "sinusoidal" else differences(own, base))))
        result.append(row)
    for variant in values["test"]:
        model, kind = variant.split()
        other = f"transformer {kind}"
        if model != "decoder" or other not in values["test"]:
            continue
        row = {"row": f"{task}/both-{kind}", "n": len(differences(values["test"][variant], values["test"][other]))}
        for measure in MEASURES:
            found = mean_and_interval(differences(values[measure][variant], values[measure][other]))
            row.update(zip((measure + end for end in ("_difference", "_difference_low", "_difference_high")), found))
        result.append(row)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    directory = parser.parse_args().directory
    if "--quick" in (directory / "experiment.txt").read_text():
        fail("that was the quick experiment, which trains too little")
    trials, sums = [], []
    for task in ("copy", "reverse"):
        path = directory / task / "results.tsv"
        rows = read_table(path) if path.exists() else []
        trials += [{"task": task, **row} for row in rows]
        sums += summary(task, rows)
    if not trials:
        fail(f"no trial is finished in {directory}")
    hours = sum(float(row["seconds"]) for row in trials if row["seconds"] != "diverged") / 3600
    about = ["attention experiment positions", "made by: tests/peers/position_tables.py",
             f"{hours:.1f} hours of one thread, beside other work: seconds and ms_per_token are not for comparing"]
    for name, rows in (("positions", trials), ("positions_summary", sums)):
        write_table(name, about, rows)


if __name__ == "__main__":
    main()
