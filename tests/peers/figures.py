#!/usr/bin/env python3
r"""What some of the walkthrough's figures are drawn from, as tables:

    cmake --build build --target attention measure-figures measure-differences-{float,double} \
      measure-maps measure-heads measure-exposure
    tests/peers/figures.py build [TABLE]...      learning, attention, maps, exposure, gradients,
                                                 differences, phrasebook_silenced, phrasebook_roles,
                                                 phrasebook_meanings or phrasebook_maps

writes data/measurements/learning.tsv and so on, all of them unless some are named. The numbers do
not depend on how busy the machine is. Afterwards draw the figures anew:

    cmake --build build --target figures"""

import json
import pathlib
import sys
import tempfile

from measuring import DATA, TABLES, fail, machine, run, say

COMMENTS = {
    "learning": ["attention train copy and reverse with their defaults, seed 1",
                 "loss: mean over ten steps of training; validation_loss, wrong (share of tokens): "
                 "of the mean of the weights"],
    "attention": ["Encoder-decoder attention of the same two models, trained to the end, when they "
                  "write the word or its reverse",
                  "rows: the token that is written; columns: the tokens of the source"],
    "maps": ["Encoder-decoder attention of the last layer, mean over its four heads, of the same two "
             "models at steps of their training (the mean of the weights), when they write the "
             "word or its reverse",
             "attention train copy and reverse with their defaults, seed 1, --save-every 10",
             "right: share of the letters of the validation set that are right",
             "rows: the token that is written; columns: the tokens of the source"],
    "exposure": [
        "Words after a mistake: copy and reverse with their defaults, seed 1, --save-every 100, over "
        "their 1000 test sequences; the model in data/phrasebook over its 1000 test pairs; greedily",
        "model: trained to the end, or for so many steps",
        "forced, free: % of tokens that are right if all before them are the right ones, and if "
        "the model reads its own",
        "Then one mistake is put at each place that has a word after it, into a prefix that is right "
        "otherwise, and the model goes on: a word that the pair does not have (words, rest, "
        "inserted), or the word after the right one, which is skipped (skip_words, skip_rest, "
        "left_out)",
        "words: % of the later words that are right, each at its place; rest: of the outputs that "
        "are right to their end at these places; inserted, left_out: at the places one "
        "later, as if the wrong word had come in between, and one earlier",
        "the digits depend on the instruction set, but not on the number of threads"],
    "phrasebook_silenced": [
        "What becomes of the model in data/phrasebook without one of its heads (its rows of W^O "
        "are 0), without all of an attention, with all of them (none), or without all those at once "
        "(idle) of which none costs more than half a percent",
        "test: share of the 1000 test sentences that come out exactly right, greedily",
        "genders: nouns of two genders in them (le livre, la livre); right: their meaning is "
        "translated; wrong: another one is",
        "orders: nouns with an adjective after them; right_order: it comes before the English one; "
        "wrong_order: after it",
        "numbers: do and does; right_number: the right one; wrong_number: the other one"],
    "phrasebook_roles": [
        "Where the heads of the model in data/phrasebook look, over its 1000 test pairs, by what "
        "two words are to each other; cross: encoder-decoder attention, whose rows are the words that "
        "are written",
        "weight: mean weight of the other word; largest: share of the cases in which it has the "
        "most"],
    "phrasebook_meanings": [
        "Vectors of a noun of two genders in the sentences of data/phrasebook/meanings",
        "within, between: mean cosine of two vectors with the same meaning, with different ones",
        "source.embedding: the word alone; e: with its position; encoder.0.output, z: after the "
        "encoder's layers 1 and 2"],
    "phrasebook_maps": [
        "Weights of some heads of the model in data/phrasebook: attention attend --json",
        "row: a word that looks or, in cross, is written; column: one that is looked at"],
    "gradients": ["Norm of the gradient of a layer's weights before the first step",
                  "small models with 12 + 12 layers on a batch of copy; root of the mean square "
                  "over 10 seeds"],
    "differences": ["Central differences against backward, over all weights of a small model",
                    "error: norm of the difference over the norm of the gradient"],
}


def train_both(build: pathlib.Path, work: str, save_every: int) -> None:
    for task in ("copy", "reverse"):
        run(build / "attention", "train", task, "--save-every", save_every, "--quiet",
            "--out", f"{work}/{task}")


def trained_maps(build: pathlib.Path) -> str:
    with tempfile.TemporaryDirectory() as work:
        train_both(build, work, 10)
        return run(build / "measure-maps", f"{work}/copy", f"{work}/reverse")


def exposure(build: pathlib.Path) -> str:
    book = DATA / "phrasebook"
    with tempfile.TemporaryDirectory() as work:
        train_both(build, work, 100)
        tables = [run(build / "measure-exposure", *words) for words in (
            ("copy", f"{work}/copy"), ("reverse", f"{work}/reverse"),
            ("phrasebook", book, book / "test.source", book / "test.target"))]
    return tables[0] + "".join(one.split("\n", 1)[1] for one in tables[1:])


def phrasebook_maps(build: pathlib.Path) -> str:
    """The heads that the chapter on attention shows: one that tells le livre from la livre, and one
    that tells do from does."""
    rows = ["map\tattention\tlayer\thead\trow\tlooks\tcolumn\tat\tweight"]
    for number, (attention, layer, head, sentence) in enumerate([
            ("encoder", 1, 3, "Marie perd le livre"), ("encoder", 1, 3, "Marie perd la livre"),
            ("cross", 2, 2, "est-ce que la reine heureuse montre un grand livre ?"),
            ("cross", 2, 2, "est-ce que les reines heureuses montrent un grand livre ?")], 1):
        name = {"encoder": f"encoder.{layer - 1}.self_attention",
                "cross": f"decoder.{layer - 1}.cross_attention"}[attention]
        output = run(build / "attention", "attend", "--model", DATA / "phrasebook", "--json", sentence)
        seen = json.loads(output)[f"{name}.heads.{head - 1}.P"]
        for i, (looks, weights) in enumerate(zip(seen["writes"] or seen["rows"], seen["data"]), 1):
            rows += [f"{number}\t{attention}\t{layer}\t{head}\t{i}\t{looks}\t{j}\t{at}\t{weight:.3f}"
                     for j, (at, weight) in enumerate(zip(seen["columns"], weights), 1)]
    return "\n".join(rows) + "\n"


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or list(COMMENTS)
    for name in names:
        if name not in COMMENTS:
            fail(f"there is no table '{name}'")
        say(name)
        if name == "differences":
            rows = run(build / "measure-differences-float")
            rows += run(build / "measure-differences-double").split("\n", 1)[1]
        elif name == "maps":
            rows = trained_maps(build)
        elif name == "exposure":
            rows = exposure(build)
        elif name == "phrasebook_maps":
            rows = phrasebook_maps(build)
        elif name.startswith("phrasebook_"):
            rows = run(build / "measure-heads", name.split("_")[1], DATA)
        else:
            rows = run(build / "measure-figures", name)
        compiled = next(line.split("=", 1)[1] for line in (build / "CMakeCache.txt").open()
                        if line.startswith("CMAKE_CXX_COMPILER:")).strip()
        comments = [f"compiler: {run(compiled, '--version').splitlines()[0]}, Release",
                    f"program: {run(build / 'attention', '--version').strip()}",
                    *COMMENTS[name], f"made by: tests/peers/figures.py build {name}", *machine(load=False)]
        (TABLES / f"{name}.tsv").write_text("".join(f"# {line}\n" for line in comments) + rows)


if __name__ == "__main__":
    main()
