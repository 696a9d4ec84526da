#!/usr/bin/env python3
r"""What some of the walkthrough's figures are drawn from, as tables:

    cmake --build build --target attention measure-figures measure-differences-{float,double} \
      measure-maps
    tests/peers/figures.py build [TABLE]...      learning, attention, maps, gradients or differences

writes data/measurements/learning.tsv and so on, all of them unless some are named. The numbers do
not depend on how busy the machine is. Afterwards draw the figures anew:

    cmake --build build --target figures"""

import pathlib
import sys
import tempfile

from measuring import TABLES, fail, machine, run, say

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
