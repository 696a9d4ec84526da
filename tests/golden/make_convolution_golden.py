#!/usr/bin/env python3
"""What PyTorch computes for convolutions, batch norm, restricted attention and a small ConvS2S, for
tests/lab/predecessors/convolution_golden_test.cpp.

    make_convolution_golden.py            writes convolutions.safetensors beside this file
    make_convolution_golden.py --check    makes it again and compares; exits 1 if anything differs

Written with torch.nn.functional and autograd, in double, one sentence at a time; it shares nothing
with src/. Names in the file are CASE.NAME and CASE.gradient.NAME; weights have the names and layouts
of src/. Needs torch and safetensors (2.13.0 and 0.8.0 made the file that is here).
"""

import math

import torch
from torch.nn import functional as F

from make_pytorch_golden import SOURCES, TARGETS, write_or_check

LENGTHS = [6, 1, 4]  # of the packed sentences
IN, OUT = 3, 5

# k, causal, dilation.
WINDOWS = {"contiguous": (3, False, 1), "causal": (4, True, 1), "dilated": (3, False, 2),
           "causal_dilated": (3, True, 4)}

D, LAYERS, ENCODER_KERNEL, DECODER_KERNEL = 6, 2, 3, 2
SOURCE_VOCABULARY, TARGET_VOCABULARY, POSITIONS, SMOOTHING = 11, 13, 8, 0.1


class Case:
    """Leaves that gradients are taken of, by name, and what is computed from them."""

    def __init__(self, name):
        self.name, self.leaves, self.results = name, {}, {}

    def leaf(self, name, *shape, scale=0.5, shift=0.0):
        self.leaves[name] = (torch.randn(*shape) * scale + shift).requires_grad_()
        return self.leaves[name]

    def backward(self, y):
        """With a random dy, which is kept."""
        self.results["y"], self.results["dy"] = y, torch.randn(y.shape)
        y.backward(self.results["dy"])

    def tensors(self):
        return ({f"{self.name}.{name}": x for name, x in (self.leaves | self.results).items()} |
                {f"{self.name}.gradient.{name}": x.grad for name, x in self.leaves.items()})


def channels_first(x, k, causal, dilation):
    """[n, d] → [1, d, n] with the zeros that a window of k sees beyond the sentence."""
    reach = (k - 1) * dilation
    left = reach if causal else reach // 2
    return F.pad(x.T[None], (left, reach - left))


def conv(x, weight, bias, k, causal, dilation):
    """weight [k·in, out], W_j one below the other."""
    kernel = weight.view(k, -1, weight.shape[1]).permute(2, 1, 0)  # [out, in, k]
    return F.conv1d(channels_first(x, k, causal, dilation), kernel, bias, dilation=dilation)[0].T


def by_sentence(function, x):
    return torch.cat([function(part) for part in x.split(LENGTHS)])


def convolution(name, k, causal, dilation):
    case = Case(name)
    x = case.leaf("x", sum(LENGTHS), IN)
    weight, bias = case.leaf("weight", k * IN, OUT), case.leaf("bias", OUT)
    case.backward(by_sentence(lambda s: conv(s, weight, bias, k, causal, dilation), x))
    return case.tensors()


def separable(name, k, causal, dilation):
    case = Case("separable_" + name)
    x = case.leaf("x", sum(LENGTHS), IN)
    depthwise = case.leaf("depthwise", k, IN)
    weight, bias = case.leaf("pointwise.weight", IN, OUT), case.leaf("pointwise.bias", OUT)

    def one(sentence):
        padded = channels_first(sentence, k, causal, dilation)
        z = F.conv1d(padded, depthwise.T[:, None], groups=IN, dilation=dilation)
        return F.conv1d(z, weight.T[:, :, None], bias)[0].T

    case.backward(by_sentence(one, x))
    return case.tensors()


def glu():
    case = Case("glu")
    case.backward(F.glu(case.leaf("x", 7, 10, scale=2.0), dim=1))
    return case.tensors()


def batch_norm():
    case = Case("batch_norm")
    norm = torch.nn.BatchNorm1d(IN)
    case.leaves["gamma"], case.leaves["beta"] = norm.weight, norm.bias
    with torch.no_grad():
        norm.weight.normal_().add_(1)
        norm.bias.normal_()
    norm(torch.randn(9, IN) * 2 + 3)  # so that the random numbers after it are those in the file
    case.backward(norm(case.leaf("x", 7, IN, scale=2.0, shift=1.0)))
    return case.tensors()


def restricted(name, r, causal):
    """Attention with −∞ outside of the windows; h = 2 heads, d_model = 6, d_k = d_v = 3."""
    case, heads = Case("restricted_" + name), 2
    x = case.leaf("x", sum(LENGTHS), D)
    W = {part: (case.leaf(part + ".weight", D, D), case.leaf(part + ".bias", D))
         for part in ("query", "key", "value", "output")}

    def one(sentence):
        n = len(sentence)
        distance = torch.arange(n)[None] - torch.arange(n)[:, None]  # key − query
        seen = ((distance <= 0) & (distance > -r)) if causal else distance.abs() <= r // 2
        Q, K, V = (sentence @ W[part][0] + W[part][1] for part in ("query", "key", "value"))
        split = lambda M: M.view(n, heads, -1).transpose(0, 1)[None]
        O = F.scaled_dot_product_attention(split(Q), split(K), split(V), attn_mask=seen)
        return O[0].transpose(0, 1).reshape(n, D) @ W["output"][0] + W["output"][1]

    case.backward(by_sentence(one, x))
    return case.tensors()


def convs2s():
    """Gehring et al. 2017, of one width, without dropout."""
    case = Case("convs2s")
    leaf = lambda name, *shape: case.leaf(name, *shape, scale=0.4)
    E, G = (leaf(f"{side}_embedding.weight", V, D) for side, V in
            (("source", SOURCE_VOCABULARY), ("target", TARGET_VOCABULARY)))
    projection = leaf("projection.weight", D, TARGET_VOCABULARY)
    E_positions, G_positions = (leaf(f"{side}_positions.weight", POSITIONS, D)
                                for side in ("source", "target"))

    def convolution_of(name, k):
        return (leaf(name + ".convolution.weight", k * D, 2 * D),
                leaf(name + ".convolution.bias", 2 * D))

    encoder = [convolution_of(f"encoder.{i}", ENCODER_KERNEL) for i in range(LAYERS)]
    decoder = [(convolution_of(f"decoder.{i}", DECODER_KERNEL),
                leaf(f"decoder.{i}.attention.query.weight", D, D),
                leaf(f"decoder.{i}.attention.query.bias", D)) for i in range(LAYERS)]

    def logits_of(source, target):
        e = F.embedding(torch.tensor(source), E) * math.sqrt(D) + E_positions[:len(source)]
        g = F.embedding(torch.tensor(target), G) * math.sqrt(D) + G_positions[:len(target)]
        x = e
        for weight, bias in encoder:
            x = (x + F.glu(conv(x, weight, bias, ENCODER_KERNEL, False, 1))) * math.sqrt(0.5)
        z, x = x, g
        for (weight, bias), W, b in decoder:
            h = F.glu(conv(x, weight, bias, DECODER_KERNEL, True, 1))
            P = ((h @ W + b + g) @ z.T).softmax(dim=1)
            x = (x + h + math.sqrt(len(source)) * P @ (z + e)) * math.sqrt(0.5)
        return x @ projection

    logits = torch.cat([logits_of(s, t[:-1]) for s, t in zip(SOURCES, TARGETS)])
    outputs = torch.tensor([id for target in TARGETS for id in target[1:]])
    loss = F.cross_entropy(logits, outputs, label_smoothing=SMOOTHING, reduction="sum")
    loss.backward()
    case.results |= {"logits": logits, "loss": loss}
    return case.tensors()


def make():
    torch.manual_seed(1)
    tensors = glu() | batch_norm() | convs2s()
    for name, window in WINDOWS.items():
        tensors |= convolution(name, *window) | separable(name, *window)
    tensors |= restricted("centred", 3, False) | restricted("causal", 4, True)
    return {name: x.detach().reshape(x.shape or (1,)).contiguous() for name, x in tensors.items()}, None


if __name__ == "__main__":
    write_or_check(__doc__, {"convolutions": make}, tolerance=1e-10)
