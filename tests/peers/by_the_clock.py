#!/usr/bin/env python3
"""What a token costs in each architecture, by the clock: data/measurements/clock.tsv, for chapters 4 and 6.2.

    tests/peers/by_the_clock.py PROGRAM WORK [--rounds N] [--patience SECONDS] [--out FILE]

Table 1 of the paper says how much work a layer has, and how many steps of it must wait for each other. How
long that takes depends on what else there is to do meanwhile: a recurrent layer has one row for each sentence
of the batch to multiply at a time, attention and convolution in training those of all positions too. So the
length of the sentences varies here, and the number of sentences that are computed together, and threads. In
decoding, where each token waits for the one before, everybody has one row for each sentence.

All architectures have two layers in the encoder and two in the decoder (the decoder-only model four), and
about as many weights in them. Their widths are multiples of 16, so that no row of weights ends within a
vector of the processor; that leaves differences of up to 5 %. Sentences are random words, all of one length:
no position is padding, and the lengths of outputs do not depend on what is learned. Nothing is dropped out.
A step of training is a whole one: forward, backward, Adam and the running mean of the weights. The last two
take the same time for every batch, and are a large part of what a batch of ten words costs.

For every cell the architectures take turns, one run each per round; a round in which others were busy is
thrown away. WORK keeps the finished cells, and a measurement that was stopped goes on with the next one;
another program needs another WORK. Three rounds take a quarter of an hour on two quiet cores."""

import argparse
import json
import pathlib
import random
import shutil
import statistics

from measuring import TABLES, fail, machine, read_table, run, say, table, take_turns, words_of

LENGTHS = (10, 100, 1000)  # tokens of a sentence, <eos> included
WORDS = 196                # and four special tokens
ARCHITECTURES = {
    "transformer": {"d-model": 128, "d-ff": 512},
    "decoder-only": {"architecture": "decoder", "layers": 4, "d-model": 128, "d-ff": 640},
    "rnn-bahdanau": {"architecture": "rnn", "attention": "bahdanau", "d-model": 192},
    "gru-bahdanau": {"architecture": "gru", "attention": "bahdanau", "d-model": 128},
    "lstm-bahdanau": {"architecture": "lstm", "attention": "bahdanau", "d-model": 112},
    "lstm-luong-general": {"architecture": "lstm", "attention": "luong-general", "d-model": 160},
    "convs2s": {"architecture": "convs2s", "d-model": 192, "max-positions": max(LENGTHS)},
}
# What, tokens of a sentence, sentences, threads. Left out is what takes gigabytes and many seconds a step.
CELLS = [("training", length, sentences, threads) for threads in (1, 2) for length in LENGTHS
         for sentences in (1, 8, 64) if length * sentences <= 8000]
CELLS += [("decoding", length, sentences, 1) for length in LENGTHS for sentences in (1, 32)
          if length * sentences <= 8000]
TOKENS = 8000  # that a run trains with or decodes, about; but two steps at least


def train(program, work, name, directory, length, tokens, steps, threads):
    """A new run; its log has five lines, or one for each step if they are few."""
    shutil.rmtree(directory, ignore_errors=True)
    every = max(1, steps // 5)
    options = {"source": work / f"{length}.source", "target": work / f"{length}.target", "hold-out": 0,
               "tokenizer": "words", "vocabulary": WORDS + 4, "preset": "tiny", "dropout": 0,
               "batch-tokens": tokens, "steps": steps, "validate-every": 10 * every, "threads": threads,
               "out": directory, **ARCHITECTURES[name]}
    run(program, "train", "text", "--quiet", *words_of(options))
    return read_table(directory / "log.tsv")


def weights(program, model):
    """Those of the layers. Embeddings, and the positions that ConvS2S learns, are looked up, not computed."""
    totals = json.loads(run(program, "inspect", "--model", model, "--json"))["totals"]
    return totals["all"] - totals["embeddings"]


def microseconds(program, work, name, what, length, sentences, threads):
    """Of a token of the target, in the median step or translation: the first is not counted."""
    if what == "training":
        lines = train(program, work, name, work / "run", length, length * sentences,
                      max(2, TOKENS // (length * sentences)), threads)
        # The log counts the tokens of the source too, which are as many.
        return 2e6 / statistics.median(float(line["tokens_per_second"]) for line in lines[1:])
    times = run(program, "benchmark", "decode", "--model", work / name, "--each-line", "--source-length", length,
                "--tokens", length, "--batch", sentences, "--threads", threads,
                input="\n" * (1 + max(2, min(100, TOKENS // (4 * length * sentences)))))
    return 1e6 * statistics.median(map(float, times.split()[1:])) / (length * sentences)


def prepare(program, work):
    """Sentences, and of each architecture a model that has taken one step; returns their weights."""
    work.mkdir(parents=True, exist_ok=True)
    for length in LENGTHS:
        for side in ("source", "target"):
            draw = random.Random(f"{length} {side}")
            (work / f"{length}.{side}").write_text("".join(
                " ".join(f"w{draw.randrange(WORDS)}" for _ in range(length - 1)) + "\n" for _ in range(256)))
    found = {}
    for name in ARCHITECTURES:
        train(program, work, name, work / name, 10, 80, 1, 1)
        found[name] = weights(program, work / name)
    for name, count in found.items():
        if abs(count / found["transformer"] - 1) > 0.05:
            fail(f"{name} has {count} weights in its layers, the Transformer {found['transformer']}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=600, help="seconds a cell waits for quiet rounds")
    parser.add_argument("--out", type=pathlib.Path, default=TABLES / "clock.tsv")
    arguments = parser.parse_args()
    program, work = arguments.program, arguments.work.resolve()
    counts = prepare(program, work)
    kept = work / "clock.json"
    cells = json.loads(kept.read_text()) if kept.exists() else {}
    for cell in CELLS:
        if str(cell) in cells:
            continue
        rounds, others = take_turns([lambda name=name: microseconds(program, work, name, *cell)
                                     for name in ARCHITECTURES], arguments.rounds, arguments.patience)
        cells[str(cell)] = {"others": others, **dict(zip(ARCHITECTURES, zip(*rounds)))}
        kept.write_text(json.dumps(cells))
        say(f"{cell}: " + ", ".join(f"{name} {statistics.median(cells[str(cell)][name]):.1f}"
                                    for name in ARCHITECTURES))
    rows = []
    for what, length, sentences, threads in CELLS:
        for name in ARCHITECTURES:
            times = cells[str((what, length, sentences, threads))][name]
            rows.append({"architecture": name, "weights": counts[name], "what": what, "length": length,
                         "sentences": sentences, "threads": threads, "microseconds": statistics.median(times),
                         "least": min(times), "most": max(times)})
    arguments.out.write_text(table(
        ["Microseconds for each token of the target, in training and in decoding greedily, by architecture",
         "length: tokens of every source, and of every target, <eos> included; sentences: computed together",
         "weights: without embeddings and learned positions; two layers on each side, decoder-only four",
         f"microseconds: median of {len(times)} rounds; least, most: of them; each of a run's median step",
         f"others used at most {100 * max(c['others'] for c in cells.values()):.0f} % of the processors in a round",
         f"made by: tests/peers/by_the_clock.py; {run(program, '--version').splitlines()[0]}", *machine()],
        list(rows[0]), rows))


if __name__ == "__main__":
    main()
