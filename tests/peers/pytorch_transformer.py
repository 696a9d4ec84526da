"""The models that `attention-lab export` writes and `attention-lab import` reads, made of torch.nn's own
TransformerEncoder and TransformerDecoder; and how to ask the program for its numbers. For the peers
in this directory."""

import math
import pathlib

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

from measuring import run


def layer_options(config):
    """Of a layer of torch.nn."""
    return {"d_model": int(config["config.d_model"]), "nhead": int(config["config.heads"]),
            "dim_feedforward": int(config["config.d_ff"]),
            "dropout": float(config["config.dropout"]), "batch_first": True,
            "norm_first": config["config.norm"] == "pre"}


def final_norm(config):
    pre = config["config.norm"] == "pre"
    return nn.LayerNorm(int(config["config.d_model"])) if pre else None


def embedded(ids, table, positions):
    """positions: learned ones, or None."""
    width, places = table.embedding_dim, torch.arange(ids.shape[1])
    if positions is not None:
        rows = positions(places)
    else:
        even = torch.arange(0, width, 2)
        angles = places[:, None].double() / 10000 ** (even.double() / width)
        rows = torch.stack([angles.sin(), angles.cos()], 2).flatten(1)[:, :width]
    return table(ids) * math.sqrt(width) + rows.to(table.weight.dtype)


def causal_mask(model, length):
    return nn.Transformer.generate_square_subsequent_mask(
        length, dtype=next(model.parameters()).dtype)


class Transformer(nn.Module):
    """config: a dict of what the metadata of an exported file hold, "config.d_model" and so on."""

    def __init__(self, config):
        super().__init__()
        get = lambda name: config["config." + name]
        self.width, layers = int(get("d_model")), int(get("layers"))
        self.label_smoothing = float(get("label_smoothing"))
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(**layer_options(config)), layers, final_norm(config),
            enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(**layer_options(config)), layers, final_norm(config))
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
        return self.dropout(embedded(ids, table, getattr(self, side + "_positions", None)))

    def forward(self, source, target):
        """Logits of padded batches; padding is -1."""
        causal = causal_mask(self, target.shape[1])
        z = self.encoder(self.embed("source", source.clamp(min=0)), src_key_padding_mask=source < 0)
        h = self.decoder(self.embed("target", target.clamp(min=0)), z, tgt_mask=causal,
                         tgt_is_causal=True, memory_key_padding_mask=source < 0)
        return h @ self.embedding.weight.T if hasattr(self, "embedding") else self.projection(h)


class DecoderOnly(nn.TransformerEncoder):
    """The same for a decoder-only model: torch.nn's encoder, called with a causal mask."""

    def __init__(self, config):
        get = lambda name: config["config." + name]
        super().__init__(nn.TransformerEncoderLayer(**layer_options(config)), int(get("layers")),
                         final_norm(config), enable_nested_tensor=False)
        self.width = int(get("d_model"))
        self.label_smoothing = float(get("label_smoothing"))
        self.embedding = nn.Embedding(int(get("target_vocabulary")), self.width)
        self.positions = self.projection = None
        if get("tie_embeddings") == "no":
            self.projection = nn.Linear(self.width, int(get("target_vocabulary")), bias=False)
        if get("positions") == "learned":
            self.positions = nn.Embedding(int(get("max_positions")), self.width)
        self.dropout = nn.Dropout(float(get("dropout")))

    def forward(self, _, target):
        """Logits of a padded batch of texts; padding is -1."""
        e = self.dropout(embedded(target.clamp(min=0), self.embedding, self.positions))
        h = super().forward(e, mask=causal_mask(self, target.shape[1]), is_causal=True)
        return h @ self.embedding.weight.T if self.projection is None else self.projection(h)


def model_of(config):
    """That of the architecture."""
    return (DecoderOnly if config["config.architecture"] == "decoder" else Transformer)(config)


def padded(sentences):
    return nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in sentences], True, -1)


def logits_and_loss(model, sources, targets):
    """The logits of all target tokens, one below the other, and the mean loss. A decoder-only model
    has texts as targets, and no sources."""
    read, predicted = padded([ids[:-1] for ids in targets]), padded([ids[1:] for ids in targets])
    logits = model(padded(sources) if sources else None, read)[predicted >= 0]
    return logits, F.cross_entropy(logits, predicted[predicted >= 0],
                                   label_smoothing=model.label_smoothing)


def program_forward(program, directory, sources, targets, *options):
    """What `attention forward` writes for the run in a directory, by name."""
    directory, files = pathlib.Path(directory), []
    for side, sentences in zip(("source", "target"), (sources, targets) if sources else (targets,)):
        files += [f"--{side}-ids", directory / f"{side}.ids"]
        files[-1].write_text("".join(" ".join(map(str, ids)) + "\n" for ids in sentences))
    run(program, "forward", "--model", directory, *files, "--out", directory / "out.safetensors",
        *options)
    return load_file(directory / "out.safetensors")


def error(ours, theirs, whole=0):
    """|a - b| / (|b| + 1e-3 of the norm of all tensors of the kind), in double."""
    if ours.shape != theirs.shape:
        return math.inf
    ours, theirs = ours.double(), theirs.double()
    return ((ours - theirs).norm() / (theirs.norm() + 1e-3 * whole)).item()
