#!/usr/bin/env python3
"""A training step of ours beside one of PyTorch's. Prints a table (tab-separated) on stdout.

    pytorch_step.py --program build/attention-lab [--only base] [--quick]

First it proves that both compute the same: PyTorch's model takes weights that our program wrote,
and loss and every gradient must agree. Then the two take turns, A B A B, each some steps at a time in a
process of its own, with two threads each; the ratio is the median over the rounds of PyTorch's time
/ ours, so above 1 we are faster. Rounds in which other programs were busy are repeated.

Rows: three models on sentences of equal lengths, so that PyTorch has nothing to pad, without and with dropout
of 0.1.

PyTorch runs as fast as it can be made to: eagerly and compiled, with malloc as it is and told to
keep freed memory (as PyTorch's tuning guide advises), whichever is the fastest; column `mode` says
which. pytorch_worker.py has the model. Needs torch, numpy and safetensors.
"""

import argparse
import json
import os
import pathlib
import random
import selectors
import subprocess
import sys
import tempfile
import time

from measuring import (benchmark_step, fail, machine, median, run, say, table, take_turns,
                       wait_until_quiet)

WORKER = pathlib.Path(__file__).with_name("pytorch_worker.py")
THREADS = 2
COMPILE_LIMIT = 400  # seconds that compiling may take
# glibc's malloc: never give memory back, so that large tensors need not be mapped anew each step.
KEEP_MEMORY = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40),
               "MALLOC_TOP_PAD_": str(1 << 26)}

# Sentences of equal lengths: how many, and their source and target tokens. Steps: of a turn.
CONFIGURATIONS = {
    "base": dict(preset="base", vocabulary=37000, equal=(32, 32, 32), steps=3),
    "small": dict(preset="small", vocabulary=8000, equal=(62, 24, 24), steps=8),
    "toy": dict(preset="tiny", vocabulary=29, equal=(46, 11, 11), steps=100),
}
COLUMNS = ["row", "sentences", "tokens", "dropout", "mode", "ours_ms", "pytorch_ms", "ratio",
           "ours_MB", "pytorch_MB", "memory_ratio", "torch_import_MB",
           "memory_ratio_without_import", "pytorch_forward", "pytorch_backward", "pytorch_adam", "ours_gflops",
           "ours_matmul_gflops", "ours_share_of_matmul", "rounds", "ratio_least", "ratio_most",
           "others"]


class Worker:
    """PyTorch in a process of its own."""

    def __init__(self, configuration: dict, environment: dict):
        self.process = subprocess.Popen(
            [sys.executable, str(WORKER), json.dumps(configuration)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, bufsize=1, env={**os.environ, **environment})

    def ask(self, command: str, limit: float = 3600) -> dict:
        """Its answer; None if it fails or takes longer than the limit (seconds)."""
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(limit):
                return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def configuration_of(program, setup: dict, vocabulary: int, *model) -> dict:
    """Of a preset, or of a model."""
    words = model or ("--preset", setup["preset"], "--vocabulary", vocabulary)
    found = json.loads(run(program, "inspect", *words, "--json"))["configuration"]
    preset = setup["preset"]
    wanted = dict(norm="post", positions="sinusoidal", tie_embeddings=True, label_smoothing=0.1)
    for name, value in wanted.items():
        if found[name] != value:
            fail(f"preset {preset} has {name} = {found[name]}; PyTorch's model here has {value}")
    return {**{name: found[name] for name in ("layers", "d_model", "d_ff", "heads",
                                              "architecture")},
            "vocabulary": vocabulary, "dropout": 0, "threads": THREADS, "compile": False}


# ---- The same model ----

def prove(program, setup: dict) -> dict:
    """Loss and gradients of our program's model after one step of training, in both."""
    rng = random.Random(1)
    words = [f"w{i}" for i in range(997)]
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)

        def write(name, lines):
            (place / name).write_text("".join(" ".join(map(str, line)) + "\n" for line in lines))
            return place / name

        def sentences(least, pool, count=8):
            return [[rng.choice(pool) for _ in range(rng.randint(least, 15))] for _ in range(count)]

        def text():  # every word, and sentences of all lengths
            return [words] + sentences(1, words)

        run(program, "train", "text", "--source", write("source", text()), "--target",
            write("target", text()), "--preset", setup["preset"], "--vocabulary", 1000, "--steps", 1,
            "--out", place / "run", "--quiet")
        vocabulary = json.loads(run(program, "inspect", "--model", place / "run", "--json"))[
            "configuration"]["source_vocabulary"]
        source = write("source.ids", sentences(1, range(vocabulary)))
        target = write("target.ids", sentences(2, range(vocabulary)))
        run(program, "forward", "--model", place / "run", "--source-ids", source,
            "--target-ids", target, "--out", place / "forward.safetensors", "--gradients")
        worker = Worker(configuration_of(program, setup, vocabulary, "--model", place / "run"), {})
        found = worker.ask(f"prove {place}/run {source} {target} {place}/forward.safetensors")
        worker.close()
    if found is None:
        fail("PyTorch could not compute the loss of our model")
    if not (found["loss_difference"] < 1e-4 and found["gradient_difference"] < 1e-3):
        fail(f"preset {setup['preset']}: PyTorch's model is not ours: {found}")
    return found


# ---- The comparison ----

def fastest_worker(configuration: dict, lengths: str, steps: int, may_compile: bool,
                   patience: float) -> tuple:
    """The fastest way to run PyTorch: its name and its process."""
    candidates = [("eager", False, {}), ("eager+malloc", False, KEEP_MEMORY)]
    if may_compile:
        candidates.append(("compiled+malloc", True, KEEP_MEMORY))
    best = None
    for name, compiled, environment in candidates:
        worker = Worker({**configuration, "compile": compiled}, environment)
        answer = worker.ask(f"steps 1 {lengths}", COMPILE_LIMIT)  # warms up, or compiles
        if answer is not None:
            wait_until_quiet(patience)
            answer = worker.ask(f"steps {steps} {lengths}")
        if answer is None:
            say(f"  {name}: failed, or took longer than {COMPILE_LIMIT} s")
            worker.close()
            continue
        say(f"  {name}: {1e3 * answer['seconds']:.1f} ms")
        if best is None or answer["seconds"] < best[2]:
            if best is not None:
                best[1].close()
            best = name, worker, answer["seconds"]
        else:
            worker.close()
    if best is None:
        fail("PyTorch took no step")
    return best[:2]


def compare(program, row: str, setup: dict, dropout: float, options) -> dict:
    """A row of the table."""
    say(row)
    configuration = {**configuration_of(program, setup, setup["vocabulary"]),
                     "dropout": dropout}
    steps = max(1, setup["steps"] // 3) if options.quick else setup["steps"]
    batch = "x".join(map(str, setup["equal"]))
    mode, worker = fastest_worker(configuration, batch, steps, not options.no_compile, options.patience / 10)

    def pytorch():
        answer = worker.ask(f"steps {steps} {batch}")
        if answer is None:
            fail("PyTorch's process has ended")
        time.sleep(0.3)  # until its threads no longer spin
        return answer

    def ours():
        sizes = dict(zip(("sentences", "source_length", "target_length"), setup["equal"]))
        return benchmark_step(program, preset=setup["preset"], vocabulary=setup["vocabulary"], dropout=dropout,
                              threads=THREADS, steps=steps, **sizes)

    rounds, others = take_turns([pytorch, ours], options.rounds, options.patience, [worker.process])
    memory = worker.ask("memory")
    worker.close()

    def mean(side, key):
        values = [results[side][key] for results in rounds if results[side].get(key) is not None]
        return median(values) if values else None

    ratios = [theirs["seconds"] / our["seconds"] for theirs, our in rounds]
    parts = {name: mean(0, name) for name in ("forward", "backward", "adam")}
    ours_memory = max(our["peak_memory_bytes"] for _, our in rounds)
    tokens = [theirs["tokens"] for theirs, _ in rounds]
    result = {
        "row": row, "dropout": float(dropout), "mode": mode, "tokens": int(median(tokens)),
        "sentences": setup["equal"][0],
        "ours_ms": 1e3 * mean(1, "seconds"), "pytorch_ms": 1e3 * mean(0, "seconds"),
        "ratio": median(ratios), "ratio_least": min(ratios), "ratio_most": max(ratios),
        "ours_MB": ours_memory / 1e6, "pytorch_MB": memory["peak"] / 1e6,
        "memory_ratio": memory["peak"] / ours_memory, "torch_import_MB": memory["of_import"] / 1e6,
        "memory_ratio_without_import": (memory["peak"] - memory["of_import"]) / ours_memory,
        "ours_gflops": mean(1, "gflops"),
        "ours_matmul_gflops": mean(1, "matmul_1024_gflops"),
        "ours_share_of_matmul": mean(1, "share_of_matmul"), "rounds": len(rounds), "others": others,
    }
    for name, seconds in parts.items():
        result["pytorch_" + name] = seconds / sum(parts.values())
    say(f"  ours {result['ours_ms']:.1f} ms, PyTorch {result['pytorch_ms']:.1f} ms ({mode}): "
        f"{result['ratio']:.2f}; others used {100 * others:.0f} % of the processors")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True, help="our program, attention")
    parser.add_argument("--only", default="", help="only rows whose names begin so")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--patience", type=float, default=120,
                        help="seconds a row waits for other programs to be quiet")
    parser.add_argument("--no-compile", action="store_true", help="do not try torch.compile")
    parser.add_argument("--quick", action="store_true", help="few steps and rounds")
    options = parser.parse_args()
    if options.quick:
        options.rounds, options.patience = 2, 5

    rows, proofs = [], []
    for name, setup in CONFIGURATIONS.items():
        cases = [(row, dropout) for row, dropout in ((name, 0), (name + "_dropout", 0.1))
                 if row.startswith(options.only)]
        if not cases:
            continue
        proof = prove(options.program, setup)
        proofs.append(f"{name}: the same model: loss within "
                      f"{proof['loss_difference']:.1e}, {proof['gradients']} gradients "
                      f"together within {proof['gradient_difference']:.1e} of PyTorch's")
        say(proofs[-1])
        for row, dropout in cases:
            rows.append(compare(options.program, row, setup, dropout, options))
    if not rows:
        fail(f"no row begins with {options.only}")
    versions = run(sys.executable, "-c", "import torch; print('PyTorch', torch.__version__)")
    print(table([
        "A training step: forward, backward, Adam; medians; two threads each, by turns.",
        "ratio: PyTorch's time / ours; memory_ratio: its peak / ours, and without what importing "
        "torch takes",
        "pytorch_forward, _backward, _adam: shares of its step",
        "others: the most of all processors that other programs had during a round",
        *proofs, versions.strip(), *machine()], COLUMNS, rows), end="")


if __name__ == "__main__":
    main()
