#!/usr/bin/env python3
"""Trains with this program, goes on with PyTorch, and comes back.

    pytorch_export_peer.py ATTENTION

Trains small models with the program ATTENTION, loads what `attention-lab export` writes into
torch.nn.TransformerEncoder and TransformerDecoder (a decoder-only model into the former alone, to
which a pair is one sequence), and demands the logits of `attention forward`
(1e-5, in norm). Then two processes go on training with DistributedDataParallel: the loss must fall,
and what `attention-lab import` makes of the weights must have the logits that PyTorch has at the end.

Needs torch and safetensors. Exits 1 if anything differs.
"""

import os
import pathlib
import random
import sys
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from measuring import run
from pytorch_transformer import error, logits_and_loss, model_of, program_forward

MODELS = {
    "as in the paper": [],
    "everything else": ["--norm", "pre", "--tie-embeddings", "no", "--attention-bias",
                        "--positions", "learned", "--max-positions", "32"],
    "decoder-only": ["--architecture", "decoder"],
    "decoder-only, everything else": ["--architecture", "decoder", "--norm", "pre",
                                      "--tie-embeddings", "no", "--attention-bias",
                                      "--positions", "learned", "--max-positions", "64"],
}
SIZES = ["--d-model", "24", "--heads", "3", "--d-ff", "40", "--layers", "2"]
WORKERS, STEPS = 2, 60


def copying_task(seed, sentences):
    """Sentence pairs of `attention train copy`: letters, ids 3 to 28, and the same letters."""
    rng = random.Random(seed)
    letters = [[rng.randrange(3, 29) for _ in range(rng.randrange(1, 9))] for _ in range(sentences)]
    return [ids + [2] for ids in letters], [[1] + ids + [2] for ids in letters]


def sentences_for(metadata, seed, count):
    """Those of the task, as the model of these metadata reads them."""
    sources, targets = copying_task(seed, count)
    if metadata["config.architecture"] == "decoder":
        return None, [source + target for source, target in zip(sources, targets)]
    return sources, targets


def load(path):
    with safe_open(path, "pt") as file:
        model = model_of(file.metadata())
        # Strict: the names are torch.nn's, every one of them and no other.
        model.load_state_dict({name: file.get_tensor(name) for name in file.keys()})
        return model, file.metadata()


def train(rank, path, losses_path):
    """One of the processes: each sees its own sentences, all keep the same weights."""
    torch.set_num_threads(1)
    store = distributed.FileStore(f"{path}.rendezvous", WORKERS)
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=WORKERS)
    model, metadata = load(path)
    parallel = DistributedDataParallel(model)
    parallel.label_smoothing = model.label_smoothing
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for step in range(STEPS):
        optimizer.zero_grad()
        loss = logits_and_loss(parallel,
                               *sentences_for(metadata, WORKERS * step + rank, 16))[1]
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    if rank == 0:
        save_file(model.state_dict(), path, metadata)
        losses_path.write_text(" ".join(map(str, losses)))
    # gloo's threads do not bear it if the other process leaves first, or if Python is taken down
    # around them: the processes leave together, and at once.
    store.set(f"finished {rank}", "")
    store.wait([f"finished {other}" for other in range(WORKERS)])
    os._exit(0)


def check(program, options, directory):
    """Figures of one kind of model: errors of the logits before and after, first and last loss."""
    first, second, path = directory / "run", directory / "imported", directory / "model.safetensors"
    run(program, "train", "copy", *SIZES, *options, "--steps", 50, "--quiet", "--out", first)
    run(program, "export", "--model", first, "--pytorch", path)
    sentences = sentences_for(load(path)[1], "test", 30)

    def logits_error(run_directory):
        model = load(path)[0].eval()
        with torch.no_grad():
            theirs = logits_and_loss(model, *sentences)[0]
        return error(program_forward(program, run_directory, *sentences)["logits"], theirs)

    before = logits_error(first)
    torch.multiprocessing.spawn(train, (path, directory / "losses"), WORKERS)
    losses = [float(loss) for loss in (directory / "losses").read_text().split()]
    norm = "pre" if "pre" in options else "post"
    architecture = "decoder" if "decoder" in options else "transformer"
    run(program, "import", "--pytorch", path, "--heads", 3, "--norm", norm, "--architecture",
        architecture, "--tokenizer", first / "tokenizer.txt", "--out", second)
    return before, logits_error(second), sum(losses[:10]) / 10, sum(losses[-10:]) / 10


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    failures = 0
    for name, options in MODELS.items():
        with tempfile.TemporaryDirectory() as directory:
            before, after, first, last = check(sys.argv[1], options, pathlib.Path(directory))
        right = before <= 1e-5 and after <= 1e-5 and last < first - 0.1
        failures += not right
        print(f"{'ok' if right else 'FAILED'}: {name}: exported logits {before:.1e}, loss in "
              f"{STEPS} steps of {WORKERS} processes {first:.3f} to {last:.3f}, "
              f"imported logits {after:.1e}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
