#!/usr/bin/env python3
"""How training on text depends on the initial weights of attention: data/measurements/starts.tsv

    cmake --build build --target attention measure-starts
    tests/peers/starts.py build SOURCE TARGET VALID_SOURCE VALID_TARGET [--only START:NORM:LAYERS]

The files are parallel text; the table is of train.ja, train.en, dev.ja and dev.en of
github.com/odashi/small_parallel_enja, 50,000 pairs. They are cut into byte pairs first. A run takes
some minutes on one thread. With --only, the other rows of the table stay as they are."""

import argparse
import pathlib
import tempfile

from measuring import TABLES, read_table, run, say, write_table

TABLE = TABLES / "starts.tsv"
LAYERS = 6  # the most
COLUMNS = (["start", "norm", "layers", "seed", "step", "loss", "perplexity", "variation_0"]
           + [f"variation_{layer}" for layer in range(1, LAYERS + 1)])

HALF = 0.5**0.5
# start: the factors on Glorot's bounds of W^Q and W^K, and of W^V, for a number of layers
STARTS = {
    "alone": lambda layers: (1, 1),
    "joint": lambda layers: (HALF, HALF),
    "only_values": lambda layers: (1, HALF),
    "only_scores": lambda layers: (HALF, 1),
    "by_depth": lambda layers: (1, layers**-0.5),
}
# start, norm, layers, seeds, steps
RUNS = [
    ("alone", "post", 4, (1,), 800),
    ("joint", "post", 4, (1,), 800),
    ("alone", "post", 4, (2, 3), 400),
    ("joint", "post", 4, (2, 3), 400),
    ("only_values", "post", 4, (1,), 400),
    ("only_scores", "post", 4, (1,), 400),
    ("by_depth", "post", 4, (1, 2, 3), 400),
    ("alone", "post", 2, (1, 2, 3), 400),
    ("joint", "post", 2, (1, 2, 3), 400),
    ("alone", "post", 6, (1, 2, 3), 400),
    ("joint", "post", 6, (1, 2, 3), 400),
    ("by_depth", "post", 6, (1, 2, 3), 400),
    ("alone", "pre", 4, (1, 2, 3), 400),
    ("joint", "pre", 4, (1, 2, 3), 400),
]
SETTINGS = ("d_model=128 d_ff=256 heads=4 d_k=32 d_v=32 dropout=0.3 label_smoothing=0.1 "
            "batch_tokens=2048 warmup=2000 learning_rate_scale=2.5")


def encoded(attention, directory: pathlib.Path, files: list) -> list:
    """NAME=FILE for each, cut into byte pairs learned from the first two."""
    tokenizer = directory / "tokenizer.txt"
    run(attention, "tokenizer", "train", "--source", files[0], "--target", files[1],
        "--vocabulary", 4000, "--out", tokenizer)
    names = []
    for name, file in zip(("source", "target", "valid_source", "valid_target"), files):
        with open(file) as lines:
            tokens = run(attention, "tokenizer", "encode", "--tokenizer", tokenizer, stdin=lines)
        (directory / name).write_text(tokens)
        names.append(f"{name}={directory / name}")
    return names


def rows_of(output: str, start: str, norm: str, layers: int, seed: int) -> list:
    rows = []
    for line in output.splitlines():
        step, loss, perplexity, variations = line.split("\t")
        row = {"start": start, "norm": norm, "layers": layers, "seed": seed, "step": step,
               "loss": loss, "perplexity": perplexity}
        row.update((f"variation_{layer}", v) for layer, v in enumerate(variations.split()))
        rows.append(row)
    return rows


def write(rows: list) -> None:
    head = ["How training on text depends on the initial weights of attention: translation, ja-en "
            "of github.com/odashi/small_parallel_enja, 4000 byte pairs",
            f"settings: {SETTINGS}; validation every 50 steps",
            "start: Glorot's bound of each of W^Q, W^K, W^V alone; of the joint matrix of all "
            "three, 1/√2 of that; 1/√2 only_values (W^V), only_scores (W^Q and W^K); W^V by_depth, "
            "1/√layers",
            "loss: mean of the 50 steps; perplexity: of the validation, without smoothing",
            "variation_N: after N layers of the encoder, the share of squares that differs between "
            "the tokens of a sentence; 0: of the embeddings",
            "made by: tests/peers/starts.py build SOURCE TARGET VALID_SOURCE VALID_TARGET"]
    write_table("starts", head, rows, COLUMNS, load=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs=4)
    parser.add_argument("--only", action="append", metavar="START:NORM:LAYERS")
    options = parser.parse_args()
    old = read_table(TABLE) if TABLE.exists() else []
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        files = encoded(options.build / "attention", pathlib.Path(directory), options.files)
        for start, norm, layers, seeds, steps in RUNS:
            key = {"start": start, "norm": norm, "layers": str(layers)}
            if options.only and ":".join(key.values()) not in options.only:
                rows += [row for row in old if key.items() <= row.items()]
                continue
            for seed in seeds:
                say(f"{start}, {norm}-norm, {layers} layers, seed {seed}")
                qk, v = STARTS[start](layers)
                output = run(options.build / "measure-starts", *files, *SETTINGS.split(),
                             f"norm={norm}", f"layers={layers}", f"qk={qk}", f"v={v}",
                             f"seed={seed}", f"steps={steps}", "every=50")
                rows += rows_of(output, start, norm, layers, seed)
    write(rows)


if __name__ == "__main__":
    main()
