#!/usr/bin/env python3
"""The model and the training step of pytorch_step.py in PyTorch, as a process of its own.

    pytorch_worker.py CONFIGURATION

CONFIGURATION is JSON: layers, d_model, d_ff, heads, vocabulary, dropout, threads, compile (true or
false), architecture (transformer, post-norm; or decoder, pre-norm, of plain text). Then it reads commands on stdin, one a line, and answers each with a line of JSON:

    steps K LENGTHS       K training steps on a batch, fewer if they take longer than ten seconds;
                          LENGTHS is a file of lines "source target", or a word BxSxT for B
                          sentences of S + T tokens, S = 0 for plain text. One step before is not
                          timed.
    prove MODEL SOURCE TARGET FORWARD
                          loads MODEL/model.safetensors of our program, and compares loss and
                          gradients with those in FORWARD that `attention forward --gradients` wrote
    memory                this process's peak, and what it was when only torch had been imported

How it is made as fast as one makes it: batches are prepared before; no mask that is not needed (a
batch of equal lengths has no padding, and causal attention cannot see padding after the sentence),
is_causal where the mask is causal; padding is dropped before the output projection; Adam is fused;
gradients are set to None. What differs from our model: nn.TransformerEncoderLayer has biases in
attention, which the paper has not. It would drop attention weights and the hidden layer of the
feed-forward network too, which is switched off, so that both programs drop the same.
"""

import json
import math
import resource
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn


def peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


MEMORY_OF_IMPORT = peak_memory()
LABEL_SMOOTHING = 0.1
LONGEST = 10  # seconds of steps at a time


def sinusoidal_positions(length: int, d_model: int) -> torch.Tensor:
    position = torch.arange(length, dtype=torch.float64)[:, None]
    angle = position / 10000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    return torch.stack((angle.sin(), angle.cos()), dim=2).reshape(length, d_model).float()


class Model(nn.Module):
    """What both architectures share; each adds its layers, and decodes a batch with them."""

    def __init__(self, c: dict):
        super().__init__()
        d_model = c["d_model"]
        self.scale = math.sqrt(d_model)
        self.embedding = nn.Embedding(c["vocabulary"], d_model)
        nn.init.normal_(self.embedding.weight, std=d_model ** -0.5)
        self.register_buffer("positions", sinusoidal_positions(1024, d_model))
        self.dropout = nn.Dropout(c["dropout"])
        self.add_layers(c["layers"], dict(d_model=d_model, nhead=c["heads"], dim_feedforward=c["d_ff"],
                                          dropout=c["dropout"], batch_first=True))
        for module in self.modules():
            if isinstance(module, (nn.TransformerEncoderLayer, nn.TransformerDecoderLayer)):
                module.dropout.p = 0.0
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0

    def embed(self, ids):
        return self.dropout(self.embedding(ids) * self.scale + self.positions[:ids.shape[1]])

    def forward(self, batch: dict):
        """The mean loss of a batch's target tokens."""
        h = self.decode(batch)
        h = h.reshape(-1, h.shape[2])
        if batch["real"] is not None:
            h = h[batch["real"]]
        logits = F.linear(h, self.embedding.weight)
        return F.cross_entropy(logits, batch["output"], label_smoothing=LABEL_SMOOTHING)


class Transformer(Model):
    def add_layers(self, count: int, sizes: dict):
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**sizes), count,
                                             enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**sizes), count)

    def decode(self, batch: dict):
        z = self.encoder(self.embed(batch["source"]), src_key_padding_mask=batch["padding"])
        return self.decoder(self.embed(batch["input"]), z, tgt_mask=batch["causal"],
                            tgt_is_causal=True, memory_key_padding_mask=batch["padding"])


class DecoderOnly(Model):
    """torch.nn's encoder with a causal mask."""

    def add_layers(self, count: int, sizes: dict):
        self.decoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**sizes, norm_first=True), count,
                                             nn.LayerNorm(sizes["d_model"]), enable_nested_tensor=False)

    def decode(self, batch: dict):
        return self.decoder(self.embed(batch["input"]), mask=batch["causal"], is_causal=True)


def make_batch(sources: list, inputs: list, outputs: list) -> dict:
    """Tensors of a batch, padded where lengths differ."""
    def padded(sentences):
        return nn.utils.rnn.pad_sequence([torch.tensor(s) for s in sentences], batch_first=True)

    source, target = padded(sources), padded(inputs)
    source_lengths = torch.tensor([len(s) for s in sources])
    target_lengths = torch.tensor([len(s) for s in inputs])
    padding = torch.arange(source.shape[1])[None] >= source_lengths[:, None]
    real = torch.arange(target.shape[1])[None] < target_lengths[:, None]
    return {
        "source": source,
        "input": target,
        "output": torch.cat([torch.tensor(s) for s in outputs]),
        "causal": nn.Transformer.generate_square_subsequent_mask(target.shape[1]),
        "padding": padding if padding.any() else None,
        "real": None if real.all() else real.reshape(-1).nonzero()[:, 0],
    }


def random_batch(lengths: list, vocabulary: int) -> dict:
    def ids(length):
        return torch.randint(3, vocabulary, (length,)).tolist()

    sources = [ids(source) for source, _ in lengths]
    targets = [ids(target + 1) for _, target in lengths]
    return make_batch(sources, [t[:-1] for t in targets], [t[1:] for t in targets])


def read_lengths(text: str) -> list:
    if text.count("x") == 2 and text.replace("x", "").isdigit():
        sentences, source, target = map(int, text.split("x"))
        return [(source, target)] * sentences
    with open(text) as file:
        return [tuple(map(int, line.split())) for line in file]


# ---- Our weights in its model ----

def by_our_names(model: Model, of) -> dict:
    """of(parameter), its value or its gradient, as views that are named and shaped as ours."""
    found = {"embedding.weight": of(model.embedding.weight)}

    def attention(layer, name):
        for part, rows in zip(("query", "key", "value"), of(layer.in_proj_weight).chunk(3)):
            found[f"{name}.{part}.weight"] = rows.T
        found[name + ".output.weight"] = of(layer.out_proj.weight).T

    one_stack = isinstance(model, DecoderOnly)
    if one_stack:
        found["decoder.norm.gamma"] = of(model.decoder.norm.weight)
        found["decoder.norm.beta"] = of(model.decoder.norm.bias)
    for side in ("decoder",) if one_stack else ("encoder", "decoder"):
        for i, layer in enumerate(getattr(model, side).layers):
            name = f"{side}.{i}"
            attention(layer.self_attn, name + ".self_attention")
            norms = ["self_attention_norm", "feed_forward_norm"]
            if side == "decoder" and not one_stack:
                attention(layer.multihead_attn, name + ".cross_attention")
                norms.insert(1, "cross_attention_norm")
            for number, norm in enumerate(norms, 1):
                found[f"{name}.{norm}.gamma"] = of(getattr(layer, f"norm{number}").weight)
                found[f"{name}.{norm}.beta"] = of(getattr(layer, f"norm{number}").bias)
            for part, linear in (("inner", layer.linear1), ("outer", layer.linear2)):
                found[f"{name}.feed_forward.{part}.weight"] = of(linear.weight).T
                found[f"{name}.feed_forward.{part}.bias"] = of(linear.bias)
    return found


def load_weights(model: Model, path: str) -> None:
    from safetensors.torch import load_file
    ours = load_file(path)
    weights = by_our_names(model, lambda parameter: parameter.data)
    if weights.keys() != ours.keys():
        raise ValueError(f"{path}: other parameters than expected: {weights.keys() ^ ours.keys()}")
    for name, weight in weights.items():
        weight.copy_(ours[name])
    for name, parameter in model.named_parameters():  # ours has no biases in attention
        if name.endswith(("in_proj_bias", "out_proj.bias")):
            parameter.data.zero_()


def prove(model: Model, directory: str, source: str, target: str, forward: str) -> dict:
    from safetensors.torch import load_file

    def read_ids(path):
        with open(path) as file:
            return [[int(word) for word in line.split()] for line in file]

    load_weights(model, directory + "/model.safetensors")
    ours = load_file(forward)
    # Plain text is in one file, which our program calls its source.
    one_stack = isinstance(model, DecoderOnly)
    targets = read_ids(source if one_stack else target)
    sources = [[] for _ in targets] if one_stack else read_ids(source)
    batch = make_batch(sources, [t[:-1] for t in targets], [t[1:] for t in targets])
    model.zero_grad()
    loss = model(batch)
    loss.backward()
    gradients = by_our_names(model, lambda parameter: parameter.grad)
    # Of all gradients together: rounding can take a unit to the other side of ReLU's kink, which
    # changes the gradients of the layers below it by a thousandth.
    difference = torch.stack([(ours["grad." + name] - gradient).norm()
                              for name, gradient in gradients.items()]).norm()
    whole = torch.stack([gradient.norm() for gradient in gradients.values()]).norm()
    our_loss = ours["loss"].item()
    return {"loss": loss.item(), "our_loss": our_loss,
            "loss_difference": abs(loss.item() - our_loss) / abs(loss.item()),
            "gradient_difference": (difference / whole).item(), "gradients": len(gradients)}


def main() -> None:
    c = json.loads(sys.argv[1])
    torch.manual_seed(1)
    torch.set_num_threads(c["threads"])
    model = (DecoderOnly if c["architecture"] == "decoder" else Transformer)(c)
    adam = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)
    loss_of = torch.compile(model) if c["compile"] else model
    batches = {}

    def step(batch) -> list:
        times = [time.perf_counter()]
        loss = loss_of(batch)
        times.append(time.perf_counter())
        loss.backward()
        times.append(time.perf_counter())
        adam.step()
        adam.zero_grad(set_to_none=True)
        times.append(time.perf_counter())
        return [later - earlier for earlier, later in zip(times, times[1:])]

    def take_steps(count: int, lengths: str) -> dict:
        if lengths not in batches:
            batches[lengths] = random_batch(read_lengths(lengths), c["vocabulary"])
        batch = batches[lengths]
        step(batch)
        times = []
        while not times or (len(times) < count and sum(map(sum, times)) < LONGEST):
            times.append(step(batch))
        times.sort(key=sum)
        forward, backward, update = (sum(t[i] for t in times) / len(times) for i in range(3))
        numbers = batch["source"].numel() + batch["input"].numel()
        tokens = sum(map(sum, read_lengths(lengths)))
        return {"seconds": sum(times[len(times) // 2]), "forward": forward, "backward": backward,
                "adam": update, "tokens": tokens, "padding": 1 - tokens / numbers}

    for line in sys.stdin:
        command, *words = line.split()
        if command == "steps":
            answer = take_steps(int(words[0]), words[1])
        elif command == "prove":
            answer = prove(model, *words)
        elif command == "memory":
            answer = {"peak": peak_memory(), "of_import": MEMORY_OF_IMPORT,
                      "version": torch.__version__}
        else:
            raise ValueError(f"unknown command {command}")
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
