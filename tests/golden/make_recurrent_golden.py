#!/usr/bin/env python3
"""What PyTorch computes for small recurrent encoder–decoders, for
tests/lab/predecessors/recurrent_golden_test.cpp.

    make_recurrent_golden.py            writes recurrent_*.safetensors beside this file
    make_recurrent_golden.py --check    makes them again and compares; exits 1 if anything differs

The models below are written from the papers with torch.nn's cells, in double, one sentence and one
token at a time; they share nothing with src/. torch.nn keeps two biases where one is enough, has the
gates of an LSTM in another order, and reads [x; c] with one matrix: `named` translates. A file holds

    weights.NAME  logits  loss [1]  gradients.NAME

and in its metadata the configuration and the sentences. Needs torch and safetensors (2.13.0 and
0.8.0 made the files that are here).
"""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from make_pytorch_golden import SOURCES, TARGETS, write_or_check

N, LAYERS = 6, 2
COMMON = {"d_model": N, "layers": LAYERS, "dropout": 0, "label_smoothing": 0.1}

# The name of a file, and what its model has beside the above.
CASES = {
    f"recurrent_{cell}_{attention.replace('-', '_')}":
        {"architecture": cell, "attention": attention, "tie_embeddings": tied,
         "source_vocabulary": 11, "target_vocabulary": 11 if tied == "yes" else 13}
    for cell, attention, tied in (
        ("rnn", "none", "yes"), ("gru", "none", "no"), ("lstm", "none", "yes"),
        ("rnn", "bahdanau", "no"), ("gru", "bahdanau", "yes"), ("lstm", "bahdanau", "no"),
        ("rnn", "luong-dot", "yes"), ("gru", "luong-general", "no"), ("lstm", "luong-concat", "yes"))
}

CELLS = {"rnn": nn.RNNCell, "gru": nn.GRUCell, "lstm": nn.LSTMCell}


class Reader(nn.Module):
    """A cell, and how it reads a sentence."""

    def __init__(self, kind, d_in):
        super().__init__()
        self.kind, self.cell = kind, CELLS[kind](d_in, N)

    def start(self, h=None):
        h = torch.zeros(N) if h is None else h
        return (h, torch.zeros(N)) if self.kind == "lstm" else h

    def h(self, state):
        return state[0] if self.kind == "lstm" else state

    def read(self, xs, state):
        hs = []
        for x in xs:
            state = self.cell(x, state)
            hs.append(self.h(state))
        return torch.stack(hs), state


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.kind, self.attention = config["architecture"], config["attention"]
        both = self.attention == "bahdanau"
        source, target = config["source_vocabulary"], config["target_vocabulary"]
        if config["tie_embeddings"] == "yes":
            self.embedding = nn.Embedding(source, N)
        else:
            self.source_embedding = nn.Embedding(source, N)
            self.target_embedding = nn.Embedding(target, N)
            self.projection = nn.Linear(N, target, bias=False)
        d_z = 2 * N if both else N
        widths = [N] + [d_z] * (LAYERS - 1)
        self.encoder = nn.ModuleList(Reader(self.kind, d) for d in widths)
        if both:
            self.encoder_back = nn.ModuleList(Reader(self.kind, d) for d in widths)
            self.start = nn.ModuleList(nn.Linear(N, N) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(
            Reader(self.kind, N + d_z if both and i == 0 else N) for i in range(LAYERS))
        if self.attention in ("bahdanau", "luong-concat"):
            self.concat = nn.Linear(N + d_z, N, bias=False)  # of [q; k]
            self.v = nn.Parameter(torch.zeros(N))
        if self.attention == "luong-general":
            self.general = nn.Linear(N, N, bias=False)
        if self.attention != "none":
            self.attentional = nn.Linear(N + d_z, N, bias=False)  # of [s; c]

    def embed(self, side, ids):
        table = self.embedding if hasattr(self, "embedding") else getattr(self, side + "_embedding")
        return table(ids) * N ** 0.5

    def encode(self, xs):
        states = []
        for i, reader in enumerate(self.encoder):
            ys, state = reader.read(xs, reader.start())
            if self.attention == "bahdanau":
                back = self.encoder_back[i]
                back_ys, back_state = back.read(xs.flip(0), back.start())
                ys = torch.cat([ys, back_ys.flip(0)], dim=1)
                state = self.decoder[i].start(torch.tanh(self.start[i](back.h(back_state))))
            states.append(state)
            xs = ys
        return xs, states

    def context(self, query, z):
        if self.attention in ("bahdanau", "luong-concat"):
            pairs = torch.cat([query.expand(len(z), N), z], dim=1)
            scores = torch.tanh(self.concat(pairs)) @ self.v
        elif self.attention == "luong-general":
            scores = z @ self.general(query)
        else:
            scores = z @ query
        return scores.softmax(dim=0) @ z

    def forward(self, source, target):
        z, states = self.encode(self.embed("source", source))
        outputs = []
        for x in self.embed("target", target):
            c = None
            if self.attention == "bahdanau":
                c = self.context(self.decoder[0].h(states[0]), z)
                x = torch.cat([x, c])
            for i, reader in enumerate(self.decoder):
                states[i] = reader.cell(x, states[i])
                x = reader.h(states[i])
            if self.attention != "none":
                c = self.context(x, z) if c is None else c
                x = torch.tanh(self.attentional(torch.cat([x, c])))
            outputs.append(x)
        h = torch.stack(outputs)
        return h @ self.embedding.weight.T if hasattr(self, "embedding") else self.projection(h)


def by_gates(kind, tensor):
    """The columns of a tensor [..., G·n] in the order of src/: i f o g in place of i f g o."""
    if kind != "lstm":
        return tensor
    i, f, g, o = tensor.chunk(4, dim=-1)
    return torch.cat([i, f, o, g], dim=-1)


def cell_tensors(reader, name, of, is_gradient):
    """Those of a cell. Of two biases that are added, the values add up and the gradients are equal."""
    kind, cell = reader.kind, reader.cell
    ih, hh, b_ih, b_hh = (by_gates(kind, t) for t in (
        of(cell.weight_ih).T, of(cell.weight_hh).T, of(cell.bias_ih), of(cell.bias_hh)))
    tensors = {f"{name}.recurrent.weight": hh}
    if name == "decoder.0" and len(ih) > N:
        ih, tensors["decoder.context.weight"] = ih[:N], ih[N:]
    tensors[f"{name}.input.weight"] = ih
    if kind == "gru":
        tensors[f"{name}.input.bias"], tensors[f"{name}.recurrent.bias"] = b_ih, b_hh
    else:
        tensors[f"{name}.input.bias"] = b_ih if is_gradient else b_ih + b_hh
    return tensors


def named(model, prefix, is_gradient):
    """Tensors by the names and in the layouts of src/."""
    of = (lambda p: p.grad) if is_gradient else (lambda p: p)
    tensors = {}
    for name in ("embedding", "source_embedding", "target_embedding"):
        if hasattr(model, name):
            tensors[f"{name}.weight"] = of(getattr(model, name).weight)
    if hasattr(model, "projection"):
        tensors["projection.weight"] = of(model.projection.weight).T
    for i in range(LAYERS):
        tensors |= cell_tensors(model.encoder[i], f"encoder.{i}.forwards", of, is_gradient)
        tensors |= cell_tensors(model.decoder[i], f"decoder.{i}", of, is_gradient)
        if hasattr(model, "encoder_back"):
            tensors |= cell_tensors(model.encoder_back[i], f"encoder.{i}.backwards", of, is_gradient)
            tensors[f"encoder.{i}.start.weight"] = of(model.start[i].weight).T
            tensors[f"encoder.{i}.start.bias"] = of(model.start[i].bias)
    if hasattr(model, "concat"):
        W = of(model.concat.weight).T
        tensors["decoder.attention.query.weight"] = W[:N]
        tensors["decoder.attention.key.weight"] = W[N:]
        tensors["decoder.attention.v"] = of(model.v)
    if hasattr(model, "general"):
        tensors["decoder.attention.query.weight"] = of(model.general.weight).T
    if hasattr(model, "attentional"):
        W = of(model.attentional.weight).T
        tensors["decoder.readout.state.weight"] = W[:N]
        tensors["decoder.readout.context.weight"] = W[N:]
    return {f"{prefix}.{name}": t.detach().clone().contiguous() for name, t in tensors.items()}


def make(special):
    config = COMMON | special
    torch.manual_seed(1)
    model = Model(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.4)
    logits = torch.cat([model(torch.tensor(source), torch.tensor(target[:-1]))
                        for source, target in zip(SOURCES, TARGETS)])
    outputs = torch.tensor([id for target in TARGETS for id in target[1:]])
    loss = F.cross_entropy(logits, outputs, label_smoothing=config["label_smoothing"])
    loss.backward()
    tensors = named(model, "weights", False) | named(model, "gradients", True)
    tensors |= {"logits": logits.detach(), "loss": loss.detach().reshape(1)}
    lines = {name: "\n".join(" ".join(map(str, ids)) for ids in sentences)
             for name, sentences in (("source", SOURCES), ("target", TARGETS))}
    return tensors, {f"config.{name}": str(value) for name, value in config.items()} | lines


if __name__ == "__main__":
    write_or_check(__doc__, {name: partial(make, special) for name, special in CASES.items()}, tolerance=1e-7)
