#!/usr/bin/env python3
"""Makes the book's measured tables again: data/measurements/TABLE.tsv

    tests/peers/trials.py --only TABLE [--only TABLE]...    trains, judges and writes these tables
    tests/peers/trials.py --list                            the tables, and what is trained for each
    tests/peers/trials.py --check                           does every table name a command that exists?

A row of a table is what `train` is given: a task, options, patches of walkthrough/break-it that the program is built
with. It is trained with each seed and judged by `evaluate`; the table has the mean and the standard deviation (_sd)
over the seeds. A finished run is not repeated, an interrupted one goes on, and tables share runs that they have in
common. Text is read from CORPORA/NAME/{train,validation,test}.{source,target}: fr-en is made by data/tatoeba, captions
is Multi30k with test2016 (chapter 6.1.1), kept-SEED and removed-SEED are made by tests/peers/overlap.py. With --seeds
or --steps, a smaller table is printed, and data/measurements stays as it is. Needs numpy."""

import argparse
import functools
import json
import os
import pathlib
import re
import time
from typing import NamedTuple

import numpy

from measuring import DATA, ROOT, TABLES, changed_program, fail, machine, run, say, table, words_of

MOST, LARGE = 450, 20  # KB: of all tables; of one that is large


class Row(NamedTuple):
    task: str
    options: dict = {}
    patches: tuple = ()
    seeds: int = 0  # 0: as many as the table has
    average: int = 0  # judges the mean of so many last checkpoints


class Measure(NamedTuple):
    of: str  # of evaluate's; or "steps" of the run, "least" perplexity of validation, "tokens": BLEU of uncut tokens
    part: str = "test"
    beam: int = 1
    factor: float = 1


class Trials(NamedTuple):
    about: list
    rows: dict
    measures: dict
    seeds: int = 6
    environment: dict = {}


# ---- The list of runs ----

# For the sentences in data/
SMALL = {"tokenizer": "words", "preset": "tiny", "dropout": 0, "batch_tokens": 512, "warmup": 50, "clip": 1,
         "learning_rate_scale": 0.25, "averaging": 0.998}
TREES = {**SMALL, "warmup": 400, "learning_rate_scale": 0.35, "averaging": 0.995}


def phrasebook(*patches, seeds=0, steps=5000, **options):
    return Row("phrasebook", {**SMALL, "steps": steps, **options}, patches, seeds)


def text(task="fr-en", steps=5000, seeds=0, average=0, **options):
    return Row(task, {"steps": steps, **options}, (), seeds, average)


ONE_HEAD = {"layers": 1, "heads": 1, "d-v": 64, "label-smoothing": 0, "clip": 0, "averaging": 0, "steps": 1000}
RNN = {"architecture": "rnn", "attention": "bahdanau"}
# By name: options, among them the width that gives about as many weights as the Transformer has; the best learning rate
# of 0.0875, 0.175 … 2.8 for 5,000 steps; the best of seven choices of warm-up, rate and clipping for 20,000. Judged by
# perplexity of validation with seed 11, after 2,500 steps.
PREDECESSORS = {
    "transformer": ({}, 0.35, (800, 0.7, 1)),
    "lstm-none": ({"architecture": "lstm", "attention": "none", "d-model": 82}, 0.7, (800, 1.4, 1)),
    "rnn-bahdanau": ({**RNN, "d-model": 92}, 0.35, (200, 0.7, 0.3)),
    "gru-bahdanau": ({**RNN, "architecture": "gru", "d-model": 64}, 0.7, (800, 1.4, 0.3)),
    "lstm-bahdanau": ({**RNN, "architecture": "lstm", "d-model": 58}, 1.4, (800, 1.4, 0.3)),
    "lstm-luong-general": ({"architecture": "lstm", "attention": "luong-general", "d-model": 78}, 1.4, (200, 1.4, 1)),
    "convs2s": ({"architecture": "convs2s", "d-model": 64, "max-positions": 32}, 0.35, (800, 0.7, 1))}
CHECKPOINTS = {"averaging": 0, "save-every": 200}
CAPTIONS = {"vocabulary": 10000, "batch-tokens": 4096, "layers": 4, "d-model": 128, "d-ff": 256, "heads": 4,
            "dropout": 0.3, "warmup": 2000, "learning-rate-scale": 2.5, "averaging": 0, "save-every": 100}

EXACT = "test, longer: exact match in percent, greedily"
BOTH = {part: Measure("exact_match", part, factor=100) for part in ("test", "longer")}
TATOEBA = "Tatoeba, French and English: 15,118 pairs to train on, 1,000 to validate, 1,000 to test; 5,000 steps"

KNOWN = {
    "variations": Trials(
        ["The phrasebook after 5,000 steps", EXACT + "; perplexity: of test"],
        {"base": phrasebook(), "A-h-1": phrasebook(heads=1), "B-d_k-4": phrasebook(d_k=4),
         "C-N-1": phrasebook(layers=1), "C-N-4": phrasebook(layers=4), "C-d_model-32": phrasebook(d_model=32),
         "D-dropout-0.1": phrasebook(dropout=0.1), "E-learned-positions": phrasebook(positions="learned"),
         "without-√d_model": phrasebook("embedding-without-scale", "embedding-backward-without-scale"),
         "no-norm": phrasebook("layer-norm-left-out")},
        {**BOTH, "perplexity": Measure("perplexity")}, 12),
    "predecessors": Trials(
        ["The Transformer and its predecessors on the phrasebook, after 5,000 and 20,000 steps", EXACT],
        {**{f"5000/{name}": phrasebook(**options, learning_rate_scale=rate)
            for name, (options, rate, _) in PREDECESSORS.items()},
         **{f"20000/{name}": phrasebook(seeds=3, steps=20000, **options, validate_every=1250,
                                        **dict(zip(("warmup", "learning_rate_scale", "clip"), tuned)))
            for name, (options, _, tuned) in PREDECESSORS.items()}}, BOTH),
    "decoder": Trials(
        ["An encoder-decoder and a decoder-only Transformer with as many weights, on the phrasebook", EXACT],
        {"transformer": phrasebook(learning_rate_scale=0.35),
         **{f"decoder-{loss}": phrasebook(architecture="decoder", d_ff=320, loss=loss, learning_rate_scale=rate)
            for loss, rate in (("target", 0.35), ("all", 0.7))}}, BOTH, 12),
    "bracketing": Trials(
        ["Sentences of a toy grammar and their trees, after 4,000 steps", EXACT],
        {"transformer": Row("bracketing", TREES),
         "lstm-bahdanau": Row("bracketing", {**TREES, **RNN, "architecture": "lstm", "d-model": 56})}, BOTH),
    "positions": Trials(
        ["Models that learned to copy at most 20 letters", EXACT + "; longer: 21 to 30 letters"],
        {kind: Row("copy", {"positions": kind}) for kind in ("sinusoidal", "learned", "none", "rotary")}, BOTH),
    "scaling": Trials(
        ["One layer and one head, with and without the division by √d_k", "right: percent of the test's tokens"],
        {f"{task}/{d_k}/{name}": Row(task, {**ONE_HEAD, "d-k": d_k, "learning-rate-scale": rate}, patches)
         for task in ("copy", "reverse") for d_k in (16, 64) for name, rate, patches in (
             ("divided", 0.35, ()), ("undivided", 0.175, ("attention-without-scale",)))},
        {"right": Measure("token_accuracy", factor=100)}, 3),
    "variants": Trials(
        ["copy with a mistake; portable kernels"],
        {"as_it_is": Row("copy"), "positions-not-added": Row("copy", {"label-smoothing": 0}, ("positions-not-added",)),
         **{patch: Row("copy", {}, (patch,)) for patch in (
             "embedding-without-scale", "embedding-backward-without-scale", "embedding-first-deviation-1")}},
        {"steps": Measure("steps"), "perplexity": Measure("perplexity"), "accuracy": Measure("token_accuracy"),
         "exact": Measure("exact_match")}, 1, {"ATTENTION_ISA": "portable"}),
    "translation": Trials(
        [TATOEBA, "train text with its defaults, or the change that the row says",
         "least_perplexity: of validation; greedy, bleu: BLEU of test, greedily and with a beam of 4; exact: percent"],
        {"fr-en": text(), "en-fr": text("en-fr"), "words": text(seeds=1, tokenizer="words"),
         "dropout-0": text(seeds=1, dropout=0), "dropout-0.1": text(seeds=1, dropout=0.1)},
        {"least_perplexity": Measure("least"), "greedy": Measure("bleu"), "bleu": Measure("bleu", beam=4),
         "exact": Measure("exact_match", beam=4, factor=100)}, 3),
    "averaging": Trials(
        [TATOEBA, "French to English, BLEU with a beam of 4: which weights of a training to keep"],
        {"running-mean-least": text(keep="best"), "running-mean-last": text(), "last": text(**CHECKPOINTS),
         "mean-of-5": text(**CHECKPOINTS, average=5)},
        {part: Measure("bleu", part, 4) for part in ("validation", "test")}, 3),
    "captions": Trials(
        ["Multi30k, English to French, 8,000 steps; BLEU of the corpus's own tokens with a beam of 5; test: test2016"],
        {"last": text("captions", 8000, **CAPTIONS), "mean-of-10": text("captions", 8000, average=10, **CAPTIONS)},
        {part: Measure("tokens", part, 5) for part in ("validation", "test")}, 3),
    "overlap": Trials(
        ["French to English, BLEU with a beam of 4: targets of the test in training (kept) or not (removed)",
         "asked: the test sentences whose target may be in training; others: the rest"],
        {name: text(name, 3000, keep="best") for name in ("removed", "kept")},
        {part: Measure("bleu", part, 4) for part in ("asked", "others")}, 2)}


# ---- Training and judging ----

class Work:
    """Where programs, text and runs are, and how much is left to do."""

    def __init__(self, given):
        self.given, self.done, self.spent = given, 0, 0.0
        self.left = sum(self.steps_of(row) for name in given.only for row in KNOWN[name].rows.values()
                        for _ in self.seeds_of(row, name))

    def seeds_of(self, row, name):
        return range(1, (self.given.seeds or row.seeds or KNOWN[name].seeds) + 1)

    def steps_of(self, row):
        return self.given.steps or row.options.get("steps", 4000)

    def program(self, patches):
        if patches:
            return changed_program(self.given.work / "-".join(("with", *patches)), *patches)
        lab = self.given.build / "attention-lab"
        return lab if lab.exists() else self.given.build / "attention"

    def files(self, row, part, seed, prefix=""):
        """Words for train and evaluate."""
        corpus = {"en-fr": "fr-en", "kept": f"kept-{seed}", "removed": f"removed-{seed}"}.get(row.task, row.task)
        place = DATA / row.task if (DATA / row.task).exists() else self.given.corpora / corpus
        source, target = ("target", "source") if row.task == "en-fr" else ("source", "target")
        return [f"--{prefix}source", place / f"{part}.{source}", f"--{prefix}target", place / f"{part}.{target}"]

    def trained(self, row, seed, environment):
        """The directory of a run that has ended."""
        options = {**row.options, "steps": self.steps_of(row)}
        name = "-".join([row.task, *row.patches, *words_of(options), *environment.values()])
        place = self.given.work / re.sub("[^A-Za-z0-9._]+", "-", name) / str(seed)
        ended = place.with_name(f"{seed}.ended")
        if ended.exists():
            return place
        words = ["--resume", place, "--steps", options["steps"]]
        if not (place / "training.safetensors").exists():
            pairs = [*self.files(row, "train", seed), *self.files(row, "validation", seed, "valid-")]
            words = [row.task] if row.task in ("copy", "reverse") else ["text", *pairs]
            words += [*words_of(options), "--seed", seed, "--out", place]
        place.parent.mkdir(parents=True, exist_ok=True)
        run(self.program(row.patches), "train", *words, "--threads", 1, "--quiet", env={**os.environ, **environment})
        ended.touch()
        return place

    def judged(self, row, seed, trials):
        """The measures of a run. They are kept beside it."""
        place = self.trained(row, seed, trials.environment)
        kept, model = place.with_name(f"{seed}-{row.average}.json"), place
        found = json.loads(kept.read_text()) if kept.exists() else {}
        program = functools.partial(run, self.program(row.patches), env={**os.environ, **trials.environment})
        if row.average:
            model = place.with_name(f"{seed}-mean-of-{row.average}")
            if not model.exists():
                program("average", "--out", model, *sorted((place / "checkpoints").iterdir())[-row.average:])
        values = []
        for m in trials.measures.values():
            key = f"{m.of}, {m.part}, beam {m.beam}"
            if key not in found and m.of in ("steps", "least"):
                head, *lines = (line.split("\t") for line in (place / "log.tsv").read_text().splitlines())
                log = [dict(zip(head, line)) for line in lines]
                found[key] = float(log[-1]["step"]) if m.of == "steps" else min(
                    float(line["validation_perplexity"]) for line in log if line["validation_perplexity"])
            elif key not in found and m.of == "tokens":
                _, source, _, target = self.files(row, m.part, seed)
                with open(source) as lines:
                    outputs = program("translate", "--model", model, "--beam", m.beam, stdin=lines)
                said = program("bleu", "--tokenize", "none", "--reference", target, input=outputs)
                found[key] = float(said.split()[2])
            elif key not in found:
                said = json.loads(program("evaluate", "--model", model, *self.files(row, m.part, seed),
                                          "--beam", m.beam, "--json"))
                found.update({f"{of}, {m.part}, beam {m.beam}": value for of, value in said.items()})
            values.append(m.factor * found[key])
        kept.write_text(json.dumps(found))
        return values

    def make(self, name):
        """A table's comments and rows."""
        trials, rows = KNOWN[name], []
        for label, row in trials.rows.items():
            values = []
            for seed in self.seeds_of(row, name):
                minutes = f"; about {self.spent / self.done * self.left / 60:.0f} min left" if self.done else ""
                say(f"{name}: {label}, seed {seed}{minutes}")
                begin, steps = time.monotonic(), self.steps_of(row)
                values.append(self.judged(row, seed, trials))
                self.left -= steps
                if time.monotonic() - begin > 1:  # it was not there already
                    self.done, self.spent = self.done + steps, self.spent + time.monotonic() - begin
            rows.append({"row": label, "seeds": len(values)})
            for column, of_seeds in zip(trials.measures, numpy.array(values).T):
                rows[-1][column] = f"{of_seeds.mean():.6g}"
                rows[-1][f"{column}_sd"] = f"{of_seeds.std(ddof=1):.3g}" if len(values) > 1 else "-"
        return [*trials.about, f"made by: tests/peers/trials.py --only {name}"], rows


def check():
    """Whether every table names a command that exists, and how large they are."""
    wrong, sizes = [], {}
    for path in sorted(TABLES.rglob("*.tsv")):
        made = re.search(r"made by: ([^\s;]+)(?: --only (\w+))?", path.read_text())
        name = str(path.relative_to(TABLES))
        sizes[name] = path.stat().st_size / 1000
        if not made:
            wrong.append(f"{name}: nothing made it")
        elif made[1].endswith("trials.py") and made[2] not in KNOWN:
            wrong.append(f"{name}: trials.py does not know {made[2]}")
        elif "/" in made[1] and not made[1].startswith("build/") and not (ROOT / made[1]).exists():
            wrong.append(f"{name}: there is no {made[1]}")
    say("large: " + ", ".join(f"{name} {size:.0f} KB" for name, size in sizes.items() if size > LARGE))
    if sum(sizes.values()) > MOST:
        wrong.append(f"{sum(sizes.values()):.0f} KB in all, more than {MOST}")
    if wrong:
        fail("\n".join(wrong))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", default=[], choices=list(KNOWN), metavar="TABLE")
    for name, default in (("build", "build"), ("work", "runs/trials"), ("corpora", "corpora")):
        parser.add_argument(f"--{name}", type=lambda word: pathlib.Path(word).resolve(), default=ROOT / default)
    for name in ("seeds", "steps"):
        parser.add_argument(f"--{name}", type=int)
    for name in ("list", "check"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    if given.check:
        check()
    for name, trials in KNOWN.items() if given.list else ():
        print(f"{name}: {trials.about[0]}")
        for label, row in trials.rows.items():
            print(f"    {label}: {' '.join(map(str, (row.task, *words_of(row.options), *row.patches)))}")
    work = Work(given)
    for name in given.only:
        comments, rows = work.make(name)
        made = table([*comments, *machine(load=False)], list(rows[0]), rows)
        print(made, end="", flush=True)
        if not given.seeds and not given.steps:
            (TABLES / f"{name}.tsv").write_text(made)


if __name__ == "__main__":
    main()
