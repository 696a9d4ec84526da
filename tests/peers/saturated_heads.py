#!/usr/bin/env python3
"""When heads saturate on real text, and what prevents it: data/measurements/saturated_heads_text.tsv

    tests/peers/saturated_heads.py PROGRAM CORPUS WORK STEPS RUN-SEED...    such as recipe-1 pytorch-1
    tests/peers/saturated_heads.py PROGRAM --table CORPUS WORK             the table, of all runs in WORK
    tests/peers/saturated_heads.py PROGRAM --phrasebook                    phrasebook_heads.tsv, of data/phrasebook

CORPUS has {train,valid}.{en,fr}: Multi30k, lower-cased and tokenized, as Wu et al. 2021 publish it
(github.com/LividWo/Revisit-MMT). Runs, each a directory of WORK: recipe, which is theirs; pre, slow, warm-up and
attention-dropout, which change an option or two of it; embedding-norm, quiet-start and capped, by programs that are
built in WORK with a patch of walkthrough/break-it; pytorch, the recipe with torch.nn's layers, their own initial
weights, and batches of its own. A run that was stopped goes on, and one of fewer steps can be prolonged, so
several processes can share WORK, each with runs of its own. 2,000 steps of our program take half an hour of
one thread, PyTorch's several times that. The table keeps the rows of runs that WORK lacks.

A head is counted as `attention train` counts it (src/trace/attention_maps.h), but by PyTorch, whose
attention weights these are: all checkpoints are loaded into torch.nn's layers. Needs torch and safetensors."""

import contextlib
import math
import pathlib
import random
import sys
import tempfile

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

from measuring import PHRASEBOOK, TABLES, changed_program, fail, read_table, run, say, words_of, write_table
from pytorch_transformer import Transformer, padded

TABLE = TABLES / "saturated_heads_text.tsv"
SATURATED = 0.99
EVERY = 100  # steps from one look to the next
SENTENCES = 200  # of validation, that are looked at
WARMUP, SCALE, BATCH_TOKENS = 2000, 2.5, 4096
RECIPE = {"layers": 4, "d-model": 128, "d-ff": 256, "heads": 4, "dropout": 0.3, "warmup": WARMUP,
          "learning-rate-scale": SCALE, "batch-tokens": BATCH_TOKENS, "vocabulary": 10000, "averaging": 0,
          "save-every": EVERY}
RUNS = {"recipe": {}, "pre": {"norm": "pre"}, "slow": {"learning-rate-scale": 1},
        "warm-up": {"warmup": 4000, "learning-rate-scale": 3.54}, "quiet-start": {},
        "attention-dropout": {"attention-dropout": 0.1}, "capped": {}, "embedding-norm": {}, "pytorch": None}
PATCHES = {"embedding-norm": "embedding-normed", "quiet-start": "multi-head-quiet-start",
           "capped": "attention-scores-capped"}
CAP = 5  # attention-scores-capped.patch
COLUMNS = ["run", "seed", "step", "perplexity", "bleu", "decoder_first", "encoder_first", "elsewhere",
           "entropy_decoder_first", "entropy_encoder_first", "entropy_elsewhere", "decided", "at_first",
           "embedded", "embedded_target", "query", "key", "value"]


def program_of(program, work, name):
    """The program, or the one that is built in work with the run's patch."""
    return changed_program(work / f"{name}-program", PATCHES[name]) if name in PATCHES else program


def train(program, corpus, directory, seed, steps, options):
    """With our program, to so many steps."""
    if (directory / "training.safetensors").exists():
        command = ["--resume", directory]
    else:
        command = ["text", "--seed", seed, "--out", directory,
                   "--source", corpus / "train.en", "--target", corpus / "train.fr",
                   "--valid-source", corpus / "valid.en", "--valid-target", corpus / "valid.fr",
                   *words_of({**RECIPE, **options})]
    run(program, "train", *command, "--steps", steps, "--threads", 1)


# ---- The same with PyTorch ----

def ids_of(program, tokenizer, file):
    """The lines of a file in tokens' ids, without the special ones."""
    ids = {token: number for number, token in enumerate(tokenizer.read_text().split("\n")[2:])}
    with open(file) as lines:
        return [[ids[token] for token in line.split()]
                for line in run(program, "tokenizer", "encode", "--tokenizer", tokenizer,
                                stdin=lines).splitlines()]


def pairs_of(program, corpus, tokenizer, part):
    sources, targets = (ids_of(program, tokenizer, corpus / f"{part}.{side}") for side in ("en", "fr"))
    return [(source + [2], [1] + target + [2]) for source, target in zip(sources, targets)]


def batches(pairs, seed):
    """For ever: of pairs of about the same length, so many that neither side has more tokens."""
    chance = random.Random(seed)
    while True:
        shuffled = sorted(chance.sample(pairs, len(pairs)), key=lambda pair: (len(pair[1]), len(pair[0])))
        made, batch, longest = [], [], 0
        for pair in shuffled:
            longest = max(longest, len(pair[0]), len(pair[1]) - 1)
            if longest * (len(batch) + 1) > BATCH_TOKENS:
                made.append(batch)
                batch, longest = [], max(len(pair[0]), len(pair[1]) - 1)
            batch.append(pair)
        yield from chance.sample([*made, batch], len(made) + 1)


def mean_loss(model, pairs, smoothing):
    sources, targets = zip(*pairs)
    predicted = padded([ids[1:] for ids in targets])
    logits = model(padded(sources), padded([ids[:-1] for ids in targets]))[predicted >= 0]
    return F.cross_entropy(logits, predicted[predicted >= 0], label_smoothing=smoothing)


def new_model(vocabulary):
    """What no dropout of ours does, PyTorch's layers are told not to do."""
    config = {"config." + name.replace("-", "_"): value for name, value in RECIPE.items()}
    config.update({"config.norm": "post", "config.positions": "sinusoidal", "config.tie_embeddings": "yes",
                   "config.label_smoothing": 0.1, "config.source_vocabulary": vocabulary,
                   "config.target_vocabulary": vocabulary})
    model = Transformer(config)
    nn.init.normal_(model.embedding.weight, std=model.width**-0.5)
    for layer in (*model.encoder.layers, *model.decoder.layers):
        layer.dropout.p = layer.self_attn.dropout = 0.0
    for layer in model.decoder.layers:
        layer.multihead_attn.dropout = 0.0
    return model, {name: str(value) for name, value in config.items()}


def perplexity(model, pairs):
    model.eval()
    with torch.no_grad():
        parts = [pairs[i:i + 100] for i in range(0, len(pairs), 100)]
        tokens = [sum(len(target) - 1 for _, target in part) for part in parts]
        total = sum(n * mean_loss(model, part, 0).item() for n, part in zip(tokens, parts))
    model.train()
    return math.exp(total / sum(tokens))


def train_pytorch(program, corpus, directory, seed, steps):
    tokenizer, state = directory / "tokenizer.txt", directory / "state.pt"
    (directory / "checkpoints").mkdir(parents=True, exist_ok=True)
    if not tokenizer.exists():
        run(program, "tokenizer", "train", "--source", corpus / "train.en", "--target", corpus / "train.fr",
            "--vocabulary", RECIPE["vocabulary"], "--out", tokenizer)
    pairs, valid = (pairs_of(program, corpus, tokenizer, part) for part in ("train", "valid"))
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model, metadata = new_model(RECIPE["vocabulary"])
    adam = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True)
    done, log = 0, directory / "log.tsv"
    if state.exists():
        saved = torch.load(state)
        done = saved["step"]
        model.load_state_dict(saved["model"])
        adam.load_state_dict(saved["adam"])
        torch.set_rng_state(saved["random"])
        lines = log.read_text().splitlines()[:1 + done // EVERY]
    else:
        lines = ["step\tloss\tvalidation_perplexity"]
    losses = []
    for step, batch in enumerate(batches(pairs, seed), 1):
        if step > steps:
            return
        if step <= done:
            continue
        for group in adam.param_groups:
            group["lr"] = SCALE * model.width**-0.5 * min(step**-0.5, step * WARMUP**-1.5)
        adam.zero_grad()
        loss = mean_loss(model, batch, 0.1)
        loss.backward()
        adam.step()
        losses.append(loss.item())
        if step % EVERY == 0:
            lines.append(f"{step}\t{sum(losses) / len(losses):.4f}\t{perplexity(model, valid):.4f}")
            say(f"{directory.name}: {lines[-1]}")
            losses = []
            save_file(model.state_dict(), directory / "checkpoints" / f"step-{step:08d}.safetensors", metadata)
            log.write_text("\n".join(lines) + "\n")
            torch.save({"step": step, "model": model.state_dict(), "adam": adam.state_dict(),
                        "random": torch.get_rng_state()}, directory / "new.pt")
            (directory / "new.pt").rename(state)


# ---- Looking ----

def attention_weights(model, pairs):
    """Of every multi-head attention, by name: weights [sentences, heads, queries, keys], and which of
    them are legal [sentences, 1, queries, keys]."""
    names = {module: name for name, module in model.named_modules()
             if isinstance(module, nn.MultiheadAttention)}
    seen, forward = {}, nn.MultiheadAttention.forward

    def watched(self, *inputs, **options):
        options.update(need_weights=True, average_attn_weights=False)
        seen[names[self]] = (result := forward(self, *inputs, **options))[1]
        return result

    sources, targets = zip(*pairs)
    read, source = padded([ids[:-1] for ids in targets]), padded(sources)
    nn.MultiheadAttention.forward = watched
    torch.backends.mha.set_fastpath_enabled(False)  # it does not call forward
    try:
        with torch.no_grad():
            model(source, read)
    finally:
        nn.MultiheadAttention.forward = forward
    queries, keys = (read >= 0)[:, None, :, None], (source >= 0)[:, None, None, :]
    causal = torch.ones(read.shape[1], read.shape[1]).tril().bool()
    legal = {"encoder": (source >= 0)[:, None, :, None] & keys, "self_attn": queries & causal,
             "multihead_attn": queries & keys}
    return {name: (weights, legal["encoder" if name.startswith("encoder") else name.split(".")[-1]])
            for name, weights in seen.items()}


def looks(weights, legal):
    """Of one attention: the number of saturated heads, the mean entropy in nats, and which shares of the
    queries give nearly everything to one position, and most to the first."""
    choice = legal.sum(-1, keepdim=True) >= 2  # a query of one key has none
    legal = legal & choice
    queries = choice.sum()
    # per head: for each position, how many queries give it nearly everything
    there = ((weights >= SATURATED) & legal).sum((0, 2))
    saturated = (there.max(-1).values >= SATURATED * queries).sum()
    p = weights.where(legal, torch.zeros(()))
    entropy = -torch.special.xlogy(p, p).sum() / (queries * weights.shape[1])
    asked = choice.expand(-1, weights.shape[1], -1, -1)[..., 0]
    decided = (weights.max(-1).values >= SATURATED)[asked].float().mean()
    at_first = (weights.argmax(-1) == 0)[asked].float().mean()
    return int(saturated), float(entropy), float(decided), float(at_first)


def look(model, pairs):
    """A row's counts and entropies."""
    row = {key: 0 for key in ("decoder_first", "encoder_first", "elsewhere")}
    entropies = {key: [] for key in row}
    for name, (weights, legal) in attention_weights(model.eval(), pairs).items():
        place = {"decoder.layers.0.self_attn": "decoder_first",
                 "encoder.layers.0.self_attn": "encoder_first"}.get(name, "elsewhere")
        saturated, entropy, decided, at_first = looks(weights, legal)
        row[place] += saturated
        entropies[place].append(entropy)
        if place == "decoder_first":
            row.update(decided=f"{100 * decided:.1f}", at_first=f"{100 * at_first:.1f}")
    row.update({f"entropy_{place}": f"{sum(found) / len(found):.4f}" for place, found in entropies.items()})
    for column, side, ids in (("embedded", "source", padded([source for source, _ in pairs])),
                              ("embedded_target", "target", padded([target[:-1] for _, target in pairs]))):
        embedded = model.embed(side, ids.clamp(min=0))[ids >= 0]
        row[column] = f"{embedded.square().mean().sqrt():.4f}"
    matrices = model.decoder.layers[0].self_attn.in_proj_weight.detach().chunk(3)
    row.update((name, f"{matrix.norm():.3f}") for name, matrix in zip(("query", "key", "value"), matrices))
    return row


@contextlib.contextmanager
def changed(model, name):
    """What the run's patch does, done to PyTorch's model. (A start is in the weights.)"""
    embed, softmax = model.embed, F.softmax
    if name == "embedding-norm":
        model.embed = lambda side, ids: F.layer_norm(e := embed(side, ids), e.shape[-1:])
    if name == "capped":
        F.softmax = lambda scores, dim: softmax(
            torch.where(scores.isinf(), scores, CAP * torch.tanh(scores / CAP)), dim=dim)
    try:
        yield model
    finally:
        model.embed, F.softmax = embed, softmax


def load(program, path, ours):
    with tempfile.TemporaryDirectory() as directory:
        if ours:
            run(program, "export", "--model", path, "--pytorch", pathlib.Path(directory) / "model.safetensors")
            path = pathlib.Path(directory) / "model.safetensors"
        with safe_open(path, "pt") as file:
            model = Transformer(file.metadata())
            model.load_state_dict({name: file.get_tensor(name) for name in file.keys()})
            return model


def rows_of(program, corpus, directory):
    name, seed = directory.name.rsplit("-", 1)
    pairs = pairs_of(program, corpus, directory / "tokenizer.txt", "valid")[:SENTENCES]
    head, *lines = (directory / "log.tsv").read_text().splitlines()
    validated = {}
    for line in lines:
        row = dict(zip(head.split("\t"), line.split("\t")))
        if row.get("validation_perplexity"):
            validated[int(row["step"])] = {"perplexity": f"{float(row['validation_perplexity']):.4f}",
                                           "bleu": row.get("validation_bleu", "-")}
    for path in sorted((directory / "checkpoints").glob("step-*.safetensors")):
        step = int(path.stem.split("-")[1])
        with changed(load(program, path, RUNS[name] is not None), name) as model:
            yield {"run": name, "seed": seed, "step": step, "perplexity": "-", "bleu": "-",
                   **validated.get(step, {}), **look(model, pairs)}


def phrasebook_pairs(program):
    sources, targets = (ids_of(program, PHRASEBOOK / "tokenizer.txt", PHRASEBOOK / f"test.{side}")[:SENTENCES]
                        for side in ("source", "target"))
    return [(source + [2], [1] + target + [2]) for source, target in zip(sources, targets)]


def phrasebook(program):
    """A row for each head of the model that the book shows."""
    model, rows = load(program, PHRASEBOOK, True).eval(), []
    for name, (weights, legal) in attention_weights(model, phrasebook_pairs(program)).items():
        for head in range(weights.shape[1]):
            saturated, entropy, decided, _ = looks(weights[:, head:head + 1], legal)
            rows.append({"attention": name, "head": head, "saturated": saturated, "entropy": f"{entropy:.4f}",
                         "decided": f"{100 * decided:.1f}"})
    write_table("phrasebook_heads", [
        f"The heads of data/phrasebook on the first {SENTENCES} sentences of its test, the right target before them",
        "saturated: 1 if 99 % of the queries give at least 0.99 to one position; entropy: mean of a query, in nats",
        "decided: percentage of the queries that give at least 0.99 to any position",
        "made by: tests/peers/saturated_heads.py PROGRAM --phrasebook"], rows)


def main():
    words = sys.argv[1:]
    if len(words) == 2 and words[1] == "--phrasebook":
        return phrasebook(words[0])
    if len(words) == 4 and words[1] == "--table":
        program, corpus, work = (pathlib.Path(words[i]).resolve() for i in (0, 2, 3))
        there = [name for run in RUNS for name in sorted(work.glob(f"{run}-[0-9]"))]
        rows = [row for row in read_table(TABLE) if f"{row['run']}-{row['seed']}" not in {d.name for d in there}]
        rows += [row for directory in there for row in rows_of(program, corpus, directory)]
        rows.sort(key=lambda row: (list(RUNS).index(row["run"]), int(row["seed"]), int(row["step"])))
        options = " ".join(words_of(RECIPE))
        write_table("saturated_heads_text", [
            f"attention train text {options} --seed SEED, of Multi30k English-French, and one option changed: "
            + "; ".join(f"{name}, " + " ".join(words_of(changed)) for name, changed in RUNS.items() if changed),
            "; ".join(f"{name}: a program with {patch}.patch" for name, patch in PATCHES.items())
            + " of walkthrough/break-it",
            "perplexity and bleu (greedy): of validation, every second time",
            "pytorch: the same with torch.nn's layers, initial weights and biases in attention",
            "decoder_first, encoder_first, elsewhere: heads of which 99 % of the queries in 200 sentences of "
            "validation give at least 0.99 to one position, of 4, 4 and 40; entropy: mean of a query, in nats",
            "decided, at_first: of the decoder's first, the percentage of queries that give at least 0.99 to one "
            "position, and that of queries that give the first position most",
            "embedded: root mean square of E sqrt(d_model) + PE, over the tokens of these sources; embedded_target: "
            "over those of the targets, <bos> too",
            "query, key, value: Frobenius norm of the decoder's first W^Q, W^K and W^V, all heads together",
            "made by: tests/peers/saturated_heads.py"], rows, COLUMNS)
        return None
    if len(words) < 5:
        fail(__doc__)
    program, corpus, work = (pathlib.Path(word).resolve() for word in words[:3])
    for wanted in words[4:]:
        name, _, seed = wanted.rpartition("-")
        if name not in RUNS:
            fail(f"there is no run {name}, but {', '.join(RUNS)}")
        if RUNS[name] is None:
            train_pytorch(program, corpus, work / wanted, int(seed), int(words[3]))
        else:
            train(program_of(program, work, name), corpus, work / wanted, int(seed), int(words[3]), RUNS[name])
    return None


if __name__ == "__main__":
    main()
