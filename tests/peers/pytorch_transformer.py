"""The model that `attention export` writes and `attention import` reads, made of torch.nn's own
TransformerEncoder and TransformerDecoder; and how to ask the program for its numbers. For the peers
in this directory."""

import math
import pathlib
import subprocess

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F


class Transformer(nn.Module):
    """config: a dict of what the metadata of an exported file hold, "config.d_model" and so on."""

    def __init__(self, config):
        super().__init__()
        get = lambda name: config["config." + name]
        self.width, heads, layers = int(get("d_model")), int(get("heads")), int(get("layers"))
        self.label_smoothing = float(get("label_smoothing"))
        pre = get("norm") == "pre"
        options = {"dim_feedforward": int(get("d_ff")), "dropout": float(get("dropout")),
                   "batch_first": True, "norm_first": pre}
        norm = lambda: nn.LayerNorm(self.width) if pre else None
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(self.width, heads, **options), layers, norm(),
            enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(self.width, heads, **options), layers, norm())
        source, target = int(get("source_vocabulary")), int(get("target_vocabulary"))
        if get("tie_embeddings") == "yes":
            self.embedding = nn.Embedding(source, self.width)
        else:
            self.source_embedding = nn.Embedding(source, self.width)
            self.target_embedding = nn.Embedding(target, self.width)
            self.projection = nn.Linear(self.width, target, bias=False)
        if get("positions") == "learned":
            self.source_positions = nn.Embedding(int(get("max_positions")), self.width)
            self.target_positions = nn.Embedding(int(get("max_positions")), self.width)
        self.dropout = nn.Dropout(float(get("dropout")))

    def embed(self, side, ids):
        table = self.embedding if hasattr(self, "embedding") else getattr(self, side + "_embedding")
        places = torch.arange(ids.shape[1])
        if hasattr(self, "source_positions"):
            positions = getattr(self, side + "_positions")(places)
        else:
            even = torch.arange(0, self.width, 2)
            angles = places[:, None].double() / 10000 ** (even.double() / self.width)
            positions = torch.stack([angles.sin(), angles.cos()], 2).flatten(1)[:, : self.width]
        return self.dropout(table(ids) * math.sqrt(self.width) + positions.to(table.weight.dtype))

    def forward(self, source, target):
        """Logits of padded batches; padding is -1."""
        causal = nn.Transformer.generate_square_subsequent_mask(
            target.shape[1], dtype=next(self.parameters()).dtype)
        z = self.encoder(self.embed("source", source.clamp(min=0)), src_key_padding_mask=source < 0)
        h = self.decoder(self.embed("target", target.clamp(min=0)), z, tgt_mask=causal,
                         tgt_is_causal=True, memory_key_padding_mask=source < 0)
        return h @ self.embedding.weight.T if hasattr(self, "embedding") else self.projection(h)


def padded(sentences):
    return nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in sentences], True, -1)


def logits_and_loss(model, sources, targets):
    """The logits of all target tokens, one below the other, and the mean loss."""
    read, predicted = padded([ids[:-1] for ids in targets]), padded([ids[1:] for ids in targets])
    logits = model(padded(sources), read)[predicted >= 0]
    return logits, F.cross_entropy(logits, predicted[predicted >= 0],
                                   label_smoothing=model.label_smoothing)


def run(program, *words):
    result = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"FAILED: {' '.join(map(str, words))}\n{result.stderr}")


def program_forward(program, directory, sources, targets, *options):
    """What `attention forward` writes for the run in a directory, by name."""
    directory = pathlib.Path(directory)
    for name, sentences in (("source.ids", sources), ("target.ids", targets)):
        (directory / name).write_text("".join(" ".join(map(str, ids)) + "\n" for ids in sentences))
    run(program, "forward", "--model", directory, "--source-ids", directory / "source.ids",
        "--target-ids", directory / "target.ids", "--out", directory / "out.safetensors", *options)
    return load_file(directory / "out.safetensors")


def error(ours, theirs, whole=0):
    """|a - b| / (|b| + 1e-3 of the norm of all tensors of the kind), in double."""
    if ours.shape != theirs.shape:
        return math.inf
    ours, theirs = ours.double(), theirs.double()
    return ((ours - theirs).norm() / (theirs.norm() + 1e-3 * whole)).item()
