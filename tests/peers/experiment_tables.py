#!/usr/bin/env python3
"""Writes the tables of what `attention experiment` measured, and derives its statistics a second time.

    tests/peers/experiment_tables.py PROGRAM [ladder=DIR] [decoder=DIR] [table3=DIR] [scores=DIR]
        [bracketing=DIR] [windows=DIR] [--patched WORK]
    tests/peers/experiment_tables.py --again build/example-6.2 [--check]

DIR is what the experiment was given as --out; it must be finished. Of an experiment with several tasks, those that
are not in DIR keep their rows. Of all but scores the tables in data/measurements are NAME.tsv (architectures.tsv
for the ladder), every trial, and NAME_summary.tsv: mean, interval of 95 % (Student's t) and, against the first
variant, seed by seed, the mean difference, its interval, p of the sign-flip test, of the variant alone and of all
together, and `found`, the difference that would be found in four experiments of five; what is a share in the trials
is there in percent. Interval (scipy), p (numpy) and the difference that would be found in four experiments of five
(numpy, by simulation with other random numbers) are computed here and must be what the program prints.
Of a variant that diverged with any seed the mean is "diverged", and the other variants are compared as if it were not
there.
Of ladder, decoder and windows, NAME_lengths.tsv has the percentage of right sentences by their length, over all
seeds, NAME_sweep.tsv the sweep of learning rates, and NAME_kinds_summary.tsv what the saved models make of kinds of
the phrasebook's test sentences: those with a word of two meanings, those without, and by length. Of scores the tables
are every trial and the means.

--again: nothing is run. Every table that example-6.2 prints from the trials in data/measurements is checked,
and the summaries are made again from these, and pairs.tsv: two variants, neither of them the first, which a
prediction compares; with --check, they have to be what they would become.

--patched: adds three rows to table3, of the base trained by programs with patches of walkthrough/break-it, which WORK
receives: it may have been done before. (Batch norm's weights are counted with the running means.) So p of all is of
more rows here than in the program."""

import argparse
import functools
import json
import pathlib
import re

import numpy
import scipy.stats

from measuring import (PHRASEBOOK, ROOT, TABLES, changed_program, fail, on_phrasebook, read_table, run, table,
                       write_table)

NAMES = {"ladder": "architectures"}
NO_SHARES = ("perplexity", "steps", "bleu", "saturated", "decoder_first", "encoder_first", "last_cross",
             "all_attention")
PATCHED = {"without √d_model": ("embedding-without-scale", "embedding-backward-without-scale"),
           "no norm": ("layer-norm-left-out",), "batch norm": ("layer-norm-over-the-batch",)}
PAIRS = {"architectures": ("rnn bahdanau", "lstm bahdanau"), "decoder": ("decoder target", "decoder all")}
TASKS = {"ladder": ["reverse", "phrasebook"],
         "decoder": ["copy", "reverse", "phrasebook"],
         "windows": [*(f"{task}-{n}-layers" for task in ("copy", "reverse", "phrasebook") for n in (2, 4)),
                     "copy-2-layers-decoder"]}


def signs(n):
    """All choices of signs, [2^n, n]."""
    return 1 - 2 * (numpy.arange(2**n)[:, None] >> numpy.arange(n) & 1)


def distances(differences):
    """[2^n, variants]: how far from 0 each mean is in units of its spread, for each choice of signs."""
    scale = numpy.sqrt((differences**2).sum(axis=1))
    far = numpy.abs(signs(differences.shape[1]) @ differences.T)
    return numpy.divide(far, scale, out=numpy.zeros_like(far), where=scale > 0)


def p_alone_and_together(differences):
    """differences [variants, seeds]. The step-down of Westfall & Young (1993)."""
    d = distances(differences)
    found = d[0] * (1 - 1e-12) - 1e-12
    alone = (d >= found).mean(axis=0)
    together, least = numpy.zeros(len(found)), 0.0
    order = numpy.argsort(-found, kind="stable")
    for rank, variant in enumerate(order):
        least = max(least, (d[:, order[rank:]].max(axis=1) >= found[variant]).mean())
        together[variant] = least
    return alone, together


def interval(values):
    """For the mean, by Student's t."""
    if numpy.ptp(values) == 0:
        return values[0], values[0]
    return scipy.stats.t.interval(0.95, len(values) - 1, values.mean(), scipy.stats.sem(values))


@functools.lru_cache
def found_in_80_percent(variants, seeds):
    """How large the difference of one of the variants has to be, in standard deviations of its differences,
    to have p of all below 0.05 in four experiments of five; None if no difference is."""
    random = numpy.random.default_rng(1)
    needed = []
    for _ in range(400):
        values = random.standard_normal((variants + 1, seeds))
        differences = (values[1:] - values[0]) / 2**0.5
        low, high = 0, 64
        while high - low > 0.02:
            shifted = differences.copy()
            shifted[0] += (low + high) / 2
            if p_alone_and_together(shifted)[1][0] < 0.05:
                high = (low + high) / 2
            else:
                low = (low + high) / 2
        needed.append(high)
    found = numpy.quantile(needed, 0.8)
    return found if found < 64 else None


def values_of(rows, variants, measure):
    """[variants, seeds]"""
    seeds = sorted({int(row["seed"]) for row in rows})
    found = {(row["variant"], int(row["seed"])): float(str(row[measure]).replace("diverged", "nan"))
             for row in rows}
    missing = [f"{v}, seed {s}" for v in variants for s in seeds if (v, s) not in found]
    if missing:
        fail(f"not finished: {'; '.join(missing)}")
    return numpy.array([[found[v, s] for s in seeds] for v in variants])


def compared(rows, measure):
    """The variants of which no trial diverged, and their values [variants, seeds], the baseline's first."""
    variants = in_order(rows)
    values = values_of(rows, variants, measure)
    whole = numpy.isfinite(values).all(axis=1)
    if not whole[0]:
        fail(f"{measure}: the baseline diverged")
    return [variant for variant, is_whole in zip(variants, whole) if is_whole], values[whole]


def in_order(rows):
    return list(dict.fromkeys(row["variant"] for row in rows))


def row_name(*parts):
    """A row's name for the marks of the chapters: phrasebook/lstm-none."""
    return "/".join(re.sub("[ =]", "-", str(part)) for part in parts if part != "")


def summary(task, rows, measures):
    """A row for each variant: each measure's mean, and low, high, difference, p, p_of_all and found of it."""
    variants = in_order(rows)
    result = [{"row": row_name(task, variant)} for variant in variants]
    for measure in measures:
        whole, values = compared(rows, measure)
        values = values * (1 if measure in NO_SHARES else 100)
        differences = values[1:] - values[0]
        alone, together = p_alone_and_together(differences)
        for variant, row in zip(variants, result):
            i = whole.index(variant) if variant in whole else None
            row[measure] = "diverged" if i is None else f"{values[i].mean():.4f}"
            ends = ("-", "-") if i is None else (f"{end:.4f}" for end in interval(values[i]))
            row[measure + "_low"], row[measure + "_high"] = ends
            found = 6 * ["-"]
            if i:
                d, power = differences[i - 1], found_in_80_percent(*differences.shape)
                found = [f"{value:z.4f}" for value in (d.mean(), *interval(d), alone[i - 1], together[i - 1])]
                found.append(f"{power * d.std(ddof=1):.4f}" if power else "-")
            names = ("difference", "difference_low", "difference_high", "p", "p_of_all", "found")
            row.update({f"{measure}_{name}": value for name, value in zip(names, found)})
    return result


def means(rows):
    """Of the scores: a row for each task and d_k, each measure's mean with each score."""
    result = {}
    for variant in in_order(rows):
        task, score, width = variant.split()
        row = result.setdefault((task, width), {"row": row_name(task, width.split("=")[1])})
        for key in rows[0]:
            if key not in ("variant", "seed"):
                mean = numpy.mean([float(r[key]) for r in rows if r["variant"] == variant])
                row[f"{score}_{key}"] = f"{mean * (100 if key in ('early', 'accuracy') else 1):.4g}"
    return list(result.values())


def check_program(printed, rows, measure):
    """What the program prints of each variant must be ours."""
    variants, values = compared(rows, measure)
    differences = values[1:] - values[0]
    alone, together = p_alone_and_together(differences)
    power = found_in_80_percent(*differences.shape)
    part = printed.split(f"\n{measure} ")[1]
    for i, variant in enumerate(variants[1:]):
        line = re.search(rf"^{re.escape(variant)}  .*$", part, re.MULTILINE).group(0)
        cells = re.split(r"  +", line)[2:]
        theirs = [float(number) for cell in cells[:6] for number in cell.split(" to ")]
        ours = [values[i + 1].mean(), *interval(values[i + 1]), differences[i].mean(), *interval(differences[i]),
                alone[i], together[i]]
        if not numpy.allclose(theirs, ours, rtol=1e-4, atol=0.00051):
            fail(f"{measure} of {variant}: the program says {theirs}, here {ours}")
        if (power is None) != (cells[6] == "–"):
            fail(f"{measure} of {variant}: the program would find {cells[6]}, here {power}")
        if power is not None and not numpy.isclose(float(cells[6]), power * differences[i].std(ddof=1),
                                                   rtol=0.1, atol=0.0001):
            fail(f"{measure} of {variant}: the program would find {cells[6]}, here "
                 f"{power * differences[i].std(ddof=1)}")


def place_of(directory, row):
    """The directory of a trial."""
    return directory / re.sub(r"[^A-Za-z0-9._]", "-", f"{row['variant']}-{row['seed']}")


def lengths_of(task, directory, rows):
    result = []
    for variant in in_order(rows):
        counts = {}
        for row in rows:
            if row["variant"] != variant or row["test"] == "diverged":
                continue
            for line in read_table(place_of(directory, row) / "lengths.tsv"):
                sentences, right = counts.get(int(line["words"]), (0, 0))
                counts[int(line["words"])] = (sentences + int(line["sentences"]), right + int(line["right"]))
        result += [{"row": row_name(task, variant, words), "task": task, "variant": variant, "words": words,
                    "sentences": n, "right": f"{100 * right / n:.2f}"}
                   for words, (n, right) in sorted(counts.items())]
    return result


def kinds_of(program, directory, rows):
    """For each trial on the phrasebook, the share of right outputs among sentences of each kind."""
    source, target, ambiguous = ((PHRASEBOOK / name).read_text().splitlines()
                                 for name in ("test.source", "test.target", "meanings.source"))
    ambiguous = set(ambiguous)
    kinds = {"two_meanings": lambda line: line in ambiguous, "one_meaning": lambda line: line not in ambiguous,
             "to_10_words": lambda line: len(line.split()) <= 10,
             "11_to_12_words": lambda line: 11 <= len(line.split()) <= 12,
             "13_to_14_words": lambda line: len(line.split()) >= 13}
    result = []
    for row in rows:
        if row["test"] == "diverged":
            continue
        with open(PHRASEBOOK / "test.source") as lines:
            out = run(program, "translate", "--beam", 1, "--threads", 1,
                      "--model", place_of(directory, row) / "run", stdin=lines).splitlines()
        right = [a == b for a, b in zip(out, target)]
        if abs(numpy.mean(right) - float(row["test"])) > 1e-9:
            fail(f"{row['variant']}, seed {row['seed']}: exact match is {row['test']} there, {numpy.mean(right)} here")
        shares = {kind: numpy.mean([r for r, line in zip(right, source) if of(line)])
                  for kind, of in kinds.items()}
        result.append({"variant": row["variant"], "seed": row["seed"], **shares,
                       "lost_to_meanings": shares["one_meaning"] - shares["two_meanings"]})
    return result


def measures_of(rows):
    return [key for key in rows[0]
            if key not in ("task", "variant", "seed", "weights", "validation", "seconds", "ms_per_token")]


def renew(place, comments, rows, check):
    """A table that is made of others; without comments its own stay."""
    made = table(comments or [line[2:] for line in place.read_text().splitlines() if line.startswith("# ")],
                 list(rows[0]), rows)
    if not check:
        place.write_text(made)
    elif place.read_text() != made:
        fail(f"{place} is stale")


def with_others(name, stem, rows, done):
    """These rows, and from the table that there is those of tasks that were not done now."""
    def task_of(row):
        return row["task"] if "task" in row else row["row"].split("/")[0]
    place = TABLES / f"{stem}.tsv"
    if name not in TASKS or not place.exists():
        return rows
    kept = [row for row in read_table(place) if task_of(row) not in done]
    return sorted(rows + kept, key=lambda row: TASKS[name].index(task_of(row)))


def pair(name, task, rows):
    one, other = PAIRS[name]
    values = 100 * values_of(rows, [one, other], "test")
    difference = values[0] - values[1]
    low, high = interval(difference)
    p = p_alone_and_together(difference[None])[0][0]
    return {"row": row_name(name, task), "variant": one, "against": other, "difference": f"{difference.mean():.4f}",
            "low": f"{low:.4f}", "high": f"{high:.4f}", "p": f"{p:.4f}"}


def real_text():
    """A trial for each seed that translates real text: BLEU of the test."""
    rivals = [row for row in read_table(TABLES / "rivals.tsv") if row["bleu_last"] != "-"]
    several = [row["architecture"] for row in rivals if row["seed"] == "2"]
    return [{"task": "rivals", "variant": row["architecture"], "seed": row["seed"], "bleu": row["bleu_last"]}
            for row in rivals if row["architecture"] in several] + [
                {"task": "captions", "variant": row["weights"], "seed": row["run"].split("-")[1], "bleu": row["test"]}
                for row in read_table(TABLES / "multi30k.tsv")]


def again(example, check):
    pairs = []
    renew(TABLES / "real_text.tsv", [
        "rivals: BLEU of the last weights in rivals.tsv; captions: BLEU of test2016 in multi30k.tsv",
        "made by: tests/peers/experiment_tables.py --again build/example-6.2"], real_text(), check)
    for name in ("table3", "architectures", "decoder", "bracketing", "windows", "real_text", "phrasebook_cures"):
        trials, sums = read_table(TABLES / f"{name}.tsv"), []
        for task in dict.fromkeys(row.get("task", "") for row in trials):
            rows = [row for row in trials if row.get("task", "") == task]
            for measure in measures_of(rows):
                printed = run(example, "results", name, *([task] if task else []), measure, cwd=ROOT)
                check_program("\n" + printed, rows, measure)
            sums += summary(task, rows, measures_of(rows))
            if name in PAIRS:
                pairs.append(pair(name, task, rows))
        renew(TABLES / f"{name}_summary.tsv", [], sums, check)
    renew(TABLES / "pairs.tsv", ["exact match on test, in points: one variant against another, seed by seed",
                                 "low, high: 95 % (Student's t); p: sign-flip test, of this pair alone",
                                 "made by: tests/peers/experiment_tables.py --again build/example-6.2"],
          pairs, check)


def patched_rows(work, seeds):
    """Of table3, the rows of programs that are not this one."""
    rows = []
    for variant, patches in PATCHED.items():
        place = work / row_name(variant)
        program = changed_program(place, *patches)
        for seed in seeds:
            model = place / str(seed)
            found = on_phrasebook(program, model, {}, 5000, seed, ["test", "longer", "validation"])
            weights = json.loads(run(program, "inspect", "--model", model, "--json"))["totals"]["all"]
            rows.append({"variant": variant, "seed": seed, "weights": weights, "test": found["test"]["exact_match"],
                         "longer": found["longer"]["exact_match"], "perplexity": found["test"]["perplexity"],
                         "validation": found["validation"]["perplexity"], "seconds": found["seconds"],
                         "ms_per_token": "-"})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", nargs="?")
    parser.add_argument("experiments", nargs="*", metavar="NAME=DIR")
    parser.add_argument("--again", type=pathlib.Path, metavar="EXAMPLE")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--patched", type=pathlib.Path, metavar="WORK")
    arguments = parser.parse_args()
    if arguments.again:
        again(arguments.again.resolve(), arguments.check)
    for given in arguments.experiments:
        name, _, place = given.partition("=")
        directory, stem = pathlib.Path(place), NAMES.get(name, name)
        quick = "--quick" in (directory / "experiment.txt").read_text()
        tasks = [task for task in TASKS.get(name, [""]) if (directory / task / "results.tsv").exists()]
        if not tasks:
            fail(f"{directory}: nothing of {name} is finished there")
        printed = "".join(run(arguments.program, "experiment", name, "--out", directory, "--quiet",
                              *(["--task", task] if task else []), *(["--quick"] if quick else []))
                          for task in tasks)
        about = [f"attention experiment {name}", "made by: tests/peers/experiment_tables.py"]
        if len(tasks) < len(TASKS.get(name, tasks)):
            about.append(f"its tasks may have been measured on several days: what follows is said of {', '.join(tasks)}")
        if name == "scores":
            rows = read_table(directory / "results.tsv")
            write_table(stem, about, rows)
            write_table(f"{stem}_summary", [*about, "means over the seeds; early, accuracy: percent"],
                        means(rows))
            continue
        trials, sums, kinds, lengths, sweeps = [], [], [], [], []
        for task in tasks:
            rows = read_table(directory / task / "results.tsv")
            if name == "decoder":  # of other tokens, with the loss on all
                rows = [{key: value for key, value in row.items() if key != "perplexity"} for row in rows]
            measures = measures_of(rows)
            said = printed.split(f"{name}, {task}\n", 1)[1] if task else printed
            for measure in measures:
                if f"\n{measure} " in "\n" + said:
                    check_program("\n" + said, rows, measure)
            if name == "table3" and arguments.patched:
                rows += patched_rows(arguments.patched.resolve(), sorted({int(row["seed"]) for row in rows}))
            tag = {"task": task} if task else {}
            trials += [{**tag, **row} for row in rows]
            sums += summary(task, rows, measures)
            if task == "phrasebook" and not quick:
                kinds = kinds_of(arguments.program, directory / task, rows)
            if task:
                lengths += lengths_of(task, directory / task, rows)
            if (directory / task / "sweep").exists():
                sweeps += [{**tag, **row} for row in read_table(directory / task / "sweep" / "results.tsv")]
        hours = sum(float(row["seconds"]) for row in trials + sweeps if row["seconds"] != "diverged") / 3600
        trials = with_others(name, stem, trials, tasks)
        sweeps = with_others(name, f"{stem}_sweep", sweeps, tasks)
        about.append(f"{hours:.1f} hours of one thread, beside another such run and other work: seconds and "
                     "ms_per_token are not for comparing")
        write_table(stem, about, trials)
        write_table(f"{stem}_summary", about, with_others(name, f"{stem}_summary", sums, tasks))
        if kinds:
            write_table(f"{stem}_kinds_summary",
                        [*about, "the phrasebook's test sentences by kind, decoded greedily; "
                         "lost_to_meanings: one_meaning less two_meanings"],
                        summary("phrasebook", kinds, list(kinds[0])[2:]))
        if lengths:
            write_table(f"{stem}_lengths", about, with_others(name, f"{stem}_lengths", lengths, tasks))
        if sweeps:
            write_table(f"{stem}_sweep", about, sweeps)


if __name__ == "__main__":
    main()
