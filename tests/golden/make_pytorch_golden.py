#!/usr/bin/env python3
"""What PyTorch computes for small models, for tests/model/pytorch_golden_test.cpp.

    make_pytorch_golden.py            writes pytorch_*.safetensors beside this file
    make_pytorch_golden.py --check    makes them again and compares; exits 1 if anything differs

The models below are written from the papers with torch.nn and torch.nn.functional, in double, one
sentence at a time; they share nothing with src/. A file holds the weights, what comes out of every
sub-layer, the logits, every gradient of the loss, and the weights after steps of Adam:

    weights.NAME  values.NAME  logits  gradients.NAME  losses [10]  trained.NAME [steps kept, ...]

Weights have the names and layouts of src/: matrices [in, out]. The metadata hold the configuration,
the sentences and after which steps weights are kept. Needs torch and safetensors (2.13.0 and 0.8.0 made the files that are here).
"""

import math
import pathlib
import sys
from functools import partial

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

HERE = pathlib.Path(__file__).parent

# d_model = h·d_k = 6, as in the paper, so attention's matrices are square; d_ff and the vocabularies
# have other lengths.
COMMON = {"architecture": "transformer", "d_model": 6, "heads": 2, "d_k": 3, "d_v": 3, "d_ff": 7,
          "dropout": 0, "attention_dropout": 0, "relu_dropout": 0, "label_smoothing": 0.1,
          "max_positions": 8}
SMALL = {"layers": 1, "norm": "pre", "tie_embeddings": "yes", "attention_bias": "no",
         "source_vocabulary": 11, "target_vocabulary": 11}

# The name of a file, what its model has beside the above, and after which steps weights are kept.
CASES = {
    "pytorch_post_tied": (
        {"layers": 2, "norm": "post", "tie_embeddings": "yes", "attention_bias": "no",
         "positions": "sinusoidal", "source_vocabulary": 11, "target_vocabulary": 11}, [10]),
    "pytorch_pre_untied": (
        {"layers": 2, "norm": "pre", "tie_embeddings": "no", "attention_bias": "yes",
         "positions": "learned", "source_vocabulary": 11, "target_vocabulary": 13}, [10]),
    "pytorch_post_untied": (
        {"layers": 1, "norm": "post", "tie_embeddings": "no", "attention_bias": "yes",
         "positions": "sinusoidal", "source_vocabulary": 11, "target_vocabulary": 13},
        range(1, 11)),
    "pytorch_pre_tied": (
        {"layers": 1, "norm": "pre", "tie_embeddings": "yes", "attention_bias": "no",
         "positions": "learned", "source_vocabulary": 11, "target_vocabulary": 11},
        range(1, 11)),
    # What came after the paper. An odd d_k, of which rotary positions leave a number as it is.
    "pytorch_rotary": (SMALL | {"positions": "rotary", "attention_bias": "yes", "d_k": 5, "d_v": 4},
                       [10]),
    "pytorch_decoder": (SMALL | {"architecture": "decoder", "loss": "target", "layers": 2,
                                 "positions": "rotary", "d_k": 4}, [10]),
}

# Sentence pairs of different lengths, 1 among them; tokens that occur twice.
SOURCES = [[5, 3, 5, 2], [2], [10, 4, 2]]
TARGETS = [[1, 4, 9, 2], [1, 2], [1, 3, 3, 5, 10, 2]]

STEPS, WARMUP, RATE_SCALE = 10, 6, 0.1


class Recorder:
    """Collects values under names, those of several sentences one below the other."""

    def __init__(self):
        self.parts = {}
        self.smallest_preactivation = math.inf

    def keep(self, name, value):
        self.parts.setdefault(name, []).append(value.detach())
        return value

    def values(self):
        return {name: torch.cat(parts) for name, parts in self.parts.items()}


class MultiHead(nn.Module):
    """3.2.2: Concat(head_1, ..., head_h) W^O."""

    def __init__(self, config, causal):
        super().__init__()
        self.heads, width, bias = config["heads"], config["d_model"], config["attention_bias"] == "yes"
        self.causal, self.positions = causal, config["positions"]
        self.query = nn.Linear(width, self.heads * config["d_k"], bias)
        self.key = nn.Linear(width, self.heads * config["d_k"], bias)
        self.value = nn.Linear(width, self.heads * config["d_v"], bias)
        self.output = nn.Linear(self.heads * config["d_v"], width, bias)

    def turned(self, x):
        """Su et al.: pair c of a head's numbers, as a complex one, times e^(i t 10000^(-2c/d_k))."""
        if self.positions != "rotary":
            return x
        x = x.unflatten(1, (self.heads, -1))
        d_k, even = x.shape[2], x.shape[2] // 2 * 2
        angles = torch.arange(len(x))[:, None] * 10000.0 ** (-torch.arange(0, even, 2) / d_k)
        pairs = torch.complex(x[..., 0:even:2], x[..., 1:even:2])
        pairs = pairs * torch.polar(torch.ones_like(angles), angles)[:, None]
        return torch.cat([torch.view_as_real(pairs).flatten(2), x[..., even:]], dim=2).flatten(1)

    def forward(self, x, memory, record, name):
        Q = record.keep(name + ".Q", self.turned(self.query(x)))
        K = record.keep(name + ".K", self.turned(self.key(memory)))
        V = record.keep(name + ".V", self.value(memory))
        heads = []
        parts = (matrix.chunk(self.heads, dim=1) for matrix in (Q, K, V))
        future = torch.arange(len(x))[:, None] < torch.arange(len(memory))
        mask = torch.zeros(len(x), len(memory)).masked_fill(future & self.causal, -math.inf)
        for q, k, v in zip(*parts):
            heads.append(F.scaled_dot_product_attention(
                q[None, None], k[None, None], v[None, None], mask)[0, 0])
            # The weights by themselves: the function does not give them.
            scores = q @ k.T / math.sqrt(q.shape[1]) + mask
            record.keep(name + ".P", scores.softmax(dim=1).flatten())
        return self.output(record.keep(name + ".concat", torch.cat(heads, dim=1)))


class FeedForward(nn.Module):
    """3.3: max(0, x W1 + b1) W2 + b2."""

    def __init__(self, config):
        super().__init__()
        self.inner = nn.Linear(config["d_model"], config["d_ff"])
        self.outer = nn.Linear(config["d_ff"], config["d_model"])

    def forward(self, x, record, name):
        inner = self.inner(x)
        record.smallest_preactivation = min(record.smallest_preactivation,
                                            inner.detach().abs().min().item())
        return self.outer(record.keep(name + ".hidden", F.relu(inner)))


class Layer(nn.Module):
    """3.1: a layer of the encoder or, with cross-attention, of the decoder."""

    def __init__(self, config, causal, cross):
        super().__init__()
        self.pre = config["norm"] == "pre"
        self.self_attention = MultiHead(config, causal)
        self.self_attention_norm = nn.LayerNorm(config["d_model"])
        if cross:
            self.cross_attention = MultiHead(config, causal=False)
            self.cross_attention_norm = nn.LayerNorm(config["d_model"])
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = nn.LayerNorm(config["d_model"])
        self.cross = cross

    def add_and_norm(self, norm, x, sublayer):
        return x + sublayer(norm(x)) if self.pre else norm(x + sublayer(x))

    def forward(self, x, z, record, name):
        x = record.keep(name + ".attended", self.add_and_norm(
            self.self_attention_norm, x, lambda u: self.self_attention(
                u, u, record, name + ".self_attention")))
        if self.cross:
            x = record.keep(name + ".informed", self.add_and_norm(
                self.cross_attention_norm, x, lambda u: self.cross_attention(
                    u, z, record, name + ".cross_attention")))
        return self.add_and_norm(self.feed_forward_norm, x, lambda u: self.feed_forward(
            u, record, name + ".feed_forward"))


class Stack(nn.Module):
    def __init__(self, config, causal, cross):
        super().__init__()
        self.layers = nn.ModuleList(Layer(config, causal, cross) for _ in range(config["layers"]))
        if config["norm"] == "pre":
            self.norm = nn.LayerNorm(config["d_model"])

    def forward(self, x, z, record, name):
        for i, layer in enumerate(self.layers):
            x = layer(record.keep(f"{name}.{i}.input", x), z, record, f"{name}.{i}")
        return record.keep(name + ".output", self.norm(x) if hasattr(self, "norm") else x)


class Transformer(nn.Module):
    """Figure 1."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        width, source, target = (config[name] for name in
                                 ("d_model", "source_vocabulary", "target_vocabulary"))
        if config["tie_embeddings"] == "yes":
            self.embedding = nn.Embedding(source, width)
        else:
            self.source_embedding = nn.Embedding(source, width)
            self.target_embedding = nn.Embedding(target, width)
            self.projection = nn.Linear(width, target, bias=False)
        if config["positions"] == "learned":
            self.source_positions = nn.Embedding(config["max_positions"], width)
            self.target_positions = nn.Embedding(config["max_positions"], width)
        self.encoder = Stack(config, causal=False, cross=False)
        self.decoder = Stack(config, causal=True, cross=True)

    def positions(self, side, length):
        if self.config["positions"] == "learned":
            return getattr(self, side + "_positions")(torch.arange(length))
        if self.config["positions"] != "sinusoidal":
            return 0  # attention knows them
        width = self.config["d_model"]
        angles = torch.arange(length, dtype=torch.double)[:, None] / 10000 ** (
            torch.arange(0, width, 2, dtype=torch.double) / width)
        return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)

    def embed(self, side, ids):
        table = self.embedding if hasattr(self, "embedding") else getattr(self, side + "_embedding")
        return table(ids) * math.sqrt(self.config["d_model"]) + self.positions(side, len(ids))

    def forward(self, source, target, record):
        z = self.encoder(self.embed("source", source), None, record, "encoder")
        h = self.decoder(self.embed("target", target), z, record, "decoder")
        return h @ self.embedding.weight.T if hasattr(self, "embedding") else self.projection(h)


class DecoderOnly(nn.Module):
    """Liu et al.: one causal stack reads source and target as one sequence. Embeddings are tied, and
    attention knows the positions."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config["target_vocabulary"], config["d_model"])
        self.decoder = Stack(config, causal=True, cross=False)

    def forward(self, source, target, record):
        e = self.embedding(torch.cat([source, target])) * math.sqrt(self.config["d_model"])
        h = self.decoder(e, None, record, "decoder")
        return h[len(source):] @ self.embedding.weight.T


def logits_and_loss(model, sentences, record):
    """All logits, one sentence below the other, and the mean loss over target tokens."""
    logits, outputs = [], []
    for source, target in zip(*sentences):
        logits.append(model(torch.tensor(source), torch.tensor(target[:-1]), record))
        outputs += target[1:]
    logits = torch.cat(logits)
    return logits, F.cross_entropy(logits, torch.tensor(outputs),
                                   label_smoothing=model.config["label_smoothing"])


def named(model, prefix, tensor_of):
    """Tensors by the names and in the layouts of src/."""
    result = {}
    for module_name, module in model.named_modules():
        for name, parameter in module.named_parameters(recurse=False):
            tensor = tensor_of(parameter)
            if isinstance(module, nn.Linear) and name == "weight":
                tensor = tensor.T
            if isinstance(module, nn.LayerNorm):
                name = {"weight": "gamma", "bias": "beta"}[name]
            path = module_name.replace(".layers.", ".")
            result[f"{prefix}.{path}.{name}"] = tensor.detach().clone().contiguous()
    return result


def rate(step, width):
    """Eq. (3), times RATE_SCALE."""
    return RATE_SCALE * width ** -0.5 * min(step ** -0.5, step * WARMUP ** -1.5)


def compute(config, sentences, kept_steps, seed):
    """The tensors of a file; and how near to its kink a ReLU came in all steps."""
    torch.manual_seed(seed)
    model = (DecoderOnly if config["architecture"] == "decoder" else Transformer)(config)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            norm_scale = "norm" in name and name.endswith("weight")
            parameter.normal_(std=0.4).add_(1 if norm_scale else 0)

    record = Recorder()
    logits, loss = logits_and_loss(model, sentences, record)
    loss.backward()
    tensors = named(model, "weights", lambda p: p) | named(model, "gradients", lambda p: p.grad)
    tensors |= {"values." + name: value for name, value in record.values().items()}
    tensors["logits"] = logits.detach()

    losses, kept = [], []
    optimizer = torch.optim.Adam(model.parameters(), lr=1, betas=(0.9, 0.98), eps=1e-9)
    nearest = math.inf
    for step in range(1, STEPS + 1):
        record = Recorder()
        optimizer.zero_grad()
        loss = logits_and_loss(model, sentences, record)[1]
        loss.backward()
        nearest = min(nearest, record.smallest_preactivation)
        losses.append(loss.detach())
        optimizer.param_groups[0]["lr"] = rate(step, config["d_model"])
        optimizer.step()
        if step in kept_steps:
            kept.append(named(model, "trained", lambda p: p))
    tensors |= {name: torch.stack([weights[name] for weights in kept]) for name in kept[0]}
    tensors["losses"] = torch.stack(losses)
    return tensors, nearest


def make(special, sentences, kept_steps):
    """Tensors and metadata of a file, of the first seed with which rounding turns no ReLU on or off:
    none of their inputs is within 0.001 of 0, in float an error of thousands of roundings."""
    config = COMMON | special
    seed = 1
    while (made := compute(config, sentences, kept_steps, seed))[1] < 1e-3:
        seed += 1
    lines = {name: "\n".join(" ".join(map(str, ids)) for ids in side)
             for name, side in zip(("source", "target"), sentences)}
    settings = {"warmup": str(WARMUP), "learning_rate_scale": str(RATE_SCALE),
                "kept_steps": " ".join(map(str, kept_steps))}
    return made[0], {f"config.{name}": str(value) for name, value in config.items()} | lines | settings


def differences(path, tensors, metadata, tolerance):
    with safe_open(path, "pt") as file:
        old = {name: file.get_tensor(name) for name in file.keys()}
        if file.metadata() != metadata or old.keys() != tensors.keys():
            return [f"{path.name}: other metadata or names"]
    return [f"{path.name}: {name}" for name, tensor in tensors.items()
            if not (tensor - old[name]).norm() <= tolerance * (1e-3 + old[name].norm())]


def write_or_check(usage, files, tolerance):
    """What the scripts that make such files do when they are called. files: by name, what returns the tensors
    and the metadata."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(usage)
    torch.set_default_dtype(torch.double)
    torch.set_num_threads(1)
    failures = []
    for name, make_file in files.items():
        path = HERE / f"{name}.safetensors"
        tensors, metadata = make_file()
        if sys.argv[1:] == ["--check"]:
            failures += differences(path, tensors, metadata, tolerance)
        else:
            save_file(tensors, path, metadata)
    for failure in failures:
        print(f"FAILED: PyTorch computes something else than {failure}")
    print(f"files: {len(files)}, failures: {len(failures)}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    # Other processors and versions round otherwise, and Adam magnifies what is rounding alone: the
    # gradients of key biases. Anything else that changed would be far larger.
    write_or_check(__doc__, {name: partial(make, special, (SOURCES, TARGETS), kept_steps)
                             for name, (special, kept_steps) in CASES.items()}, tolerance=1e-7)
