#!/usr/bin/env python3
"""What each program of walkthrough/grow learns: all of them, with several seeds. Prints a table.

    grow_stairs.py [--seeds 2 3 4 5 6] [--compiler clang++] [--work DIR] [--kept] > …/grow.tsv

One run at a time. What a program prints for a task and a seed is kept in the work directory, so
that an interrupted measurement goes on where it was. The table has the last loss that was printed
(the mean of about a hundred batches, the loss that the program trains on) and the number of test
sequences that were written without a mistake. Neither depends on the compiler, as far as compilers
round alike.
"""

import argparse
import pathlib
import re

from measuring import ROOT, fail, machine, run, say, table

GROW = ROOT / "walkthrough" / "grow"
COLUMNS = ["program", "task", "seed", "loss", "exact"]
SHUFFLE_FROM = 10  # the last program without the decoder's self-attention, which this task needs
# The last program with one thing taken out: (name, text, what is in its place).
VARIANTS = [("13-without-mean", "if (step == steps) p.value = p.mean;", "")]


def sources(work: pathlib.Path) -> dict:
    found = {path.stem: path for path in sorted(GROW.glob("[0-9][0-9]-*.cpp"))}
    last = found[max(found)].read_text()
    for name, old, new in VARIANTS:
        if last.count(old) != 1:
            fail(f"{name} no longer applies: '{old}' occurs {last.count(old)} times")
        found[name] = work / f"{name}.cpp"
        found[name].write_text(last.replace(old, new))
    return found


def measure(program: pathlib.Path, task: str, seed: int, output: pathlib.Path) -> dict:
    if not output.exists():
        text = run(program, task, "--seed", seed)
        output.write_text(text)
        say(f"{output.stem}: {text.splitlines()[-1]}")
    text = output.read_text()
    return {"program": program.name, "task": task, "seed": seed,
            "loss": re.findall(r"loss (\S+)", text)[-1],
            "exact": re.search(r"^exact: (\d+) of 1000$", text, re.MULTILINE).group(1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[2, 3, 4, 5, 6])
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--kept", action="store_true", help="run nothing: only what is kept")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("grow-stairs"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    programs = sources(options.work)
    for name, source in programs.items() if not options.kept else []:
        run(options.compiler, "-O2", "-std=c++17", source, "-o", options.work / name)

    rows = []
    for seed in options.seeds:
        for task in ("copy", "reverse", "shuffle"):
            for name in programs:
                if task == "shuffle" and int(name[:2]) < SHUFFLE_FROM:
                    continue
                if "without" in name and task != "reverse":
                    continue
                output = options.work / f"{name}.{task}.{seed}.txt"
                if output.exists() or not options.kept:
                    rows.append(measure(options.work / name, task, seed, output))
    rows.sort(key=lambda row: (row["task"], row["program"], row["seed"]))
    version = run(options.compiler, "--version").splitlines()[0]
    print(table([
        "walkthrough/grow: what each program learns from 16 pairs a step, in 3000 steps, 13 in 4000",
        "without-mean: with the last weights instead of the mean of the last fifth",
        "loss: that of training at the end, with label smoothing in 13; exact: of 1000 held-out "
        "sequences, written token by token",
        f"made by: tests/peers/grow_stairs.py; compiler: {version}, -O2", *machine()],
        COLUMNS, rows), end="")


if __name__ == "__main__":
    main()
