#!/usr/bin/env python3
"""Random Transformers and decoder-only models made in PyTorch, imported and run by this program.

    random_configurations.py ATTENTION [HOW MANY, 20 if not given]

Each model has random sizes, options and weights, in float32 or float64. `attention-lab import` reads it,
and `attention forward --gradients` must find the logits, the loss and every gradient that PyTorch
finds in double, within 1e-5:

    |a - b| <= 1e-5 (|b| + 1e-3 |all gradients together|)

The program computes in float. Where the input of a ReLU is so near to 0 that rounding decides
whether it passes, both are right and the gradients still differ; so weights are drawn until every
input is further from 0 than three times the largest error that PyTorch makes in float there. And
d_model is at least 8, because LayerNorm makes of two or three numbers almost the same ones whatever
they are: what is left of the gradient is rounding, in PyTorch's float as well.

Needs torch and safetensors. Exits 1 if anything differs.
"""

import copy
import math
import pathlib
import random
import sys
import tempfile

import torch
from safetensors.torch import save_file

from measuring import run
from pytorch_transformer import error, logits_and_loss, model_of, program_forward

TOLERANCE = 1e-5


def random_config(rng):
    heads, tied = rng.randint(1, 5), rng.random() < 0.5
    source = rng.randint(4, 60)
    d_k = rng.randint(math.ceil(8 / heads), 17)
    return {f"config.{name}": str(value) for name, value in {
        "layers": rng.randint(1, 4), "heads": heads, "d_model": heads * d_k,
        "d_ff": rng.randint(1, 130), "norm": rng.choice(["post", "pre"]), "dropout": 0.1,
        "tie_embeddings": "yes" if tied else "no", "label_smoothing": 0.1,
        "attention_bias": rng.choice(["yes", "no"]), "source_vocabulary": source,
        "target_vocabulary": source if tied else rng.randint(4, 60),
        "positions": rng.choice(["sinusoidal", "learned"]), "max_positions": rng.randint(20, 40),
        "architecture": rng.choice(["transformer", "decoder"]),
    }.items()}


def random_sentences(rng, vocabulary, count, least):
    return [[rng.randrange(vocabulary) for _ in range(rng.randint(least, 20))]
            for _ in range(count)]


def is_attention_bias(name):
    return name.endswith(("in_proj_bias", "out_proj.bias"))


def randomise(model, config, dtype):
    """Weights of such sizes that signals keep theirs; all of them can be written as dtype."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" in name:
                parameter.normal_(std=0.2).add_(1 if name.endswith("weight") else 0)
            elif name.endswith("bias"):
                parameter.normal_(std=0.2)
            else:
                parameter.normal_(std=parameter.shape[1] ** -0.5)
            if is_attention_bias(name) and config["config.attention_bias"] == "no":
                parameter.zero_()
            parameter.copy_(parameter.to(dtype).to(torch.double))


def relu_inputs(model, batch):
    """What goes into every ReLU, all in one; padding, whose numbers reach no loss, included."""
    inputs = []
    hooks = [module.register_forward_hook(lambda *call: inputs.append(call[2].flatten().double()))
             for name, module in model.named_modules() if name.endswith("linear1")]
    with torch.no_grad():
        logits_and_loss(model, *batch)
    for hook in hooks:
        hook.remove()
    return torch.cat(inputs)


def margin(model, batch):
    """How near to 0 the input of a ReLU comes, in units of the largest error that float makes."""
    exact = relu_inputs(model, batch)
    rounded = relu_inputs(copy.deepcopy(model).float(), batch)
    return (exact.abs().min() / (rounded - exact).abs().max()).item()


def ours(name, width, one_stack):
    """Where a gradient of the program is in PyTorch's: the name, the rows, and whether transposed."""
    for here, there in (
            ("encoder.", "encoder.layers."),
            ("decoder.", "layers." if one_stack else "decoder.layers."), ("layers.norm.", "norm."), (".feed_forward.inner.", ".linear1."),
            (".feed_forward.outer.", ".linear2."), (".gamma", ".weight"), (".beta", ".bias"),
            (".self_attention_norm.", ".norm1."), (".cross_attention_norm.", ".norm2."),
            (".feed_forward_norm.",
             ".norm3." if name.startswith("decoder") and not one_stack else ".norm2."),
            (".self_attention.", ".self_attn."), (".cross_attention.", ".multihead_attn."),
            (".output.", ".out_proj.")):
        name = name.replace(here, there)
    rows = slice(None)
    for third, projection in enumerate((".query.", ".key.", ".value.")):
        if projection in name:
            name = name.replace(projection, ".in_proj_")
            rows = slice(third * width, (third + 1) * width)
    is_table = "embedding" in name or "positions" in name
    return name, rows, name.endswith("weight") and "norm" not in name and not is_table


def check(program, number, directory):
    """The configuration, and the errors of logits, loss and gradients, by the program's names."""
    rng = random.Random(number)
    torch.manual_seed(number)
    config = random_config(rng)
    count, dtype = rng.randint(1, 6), rng.choice([torch.float, torch.double])
    one_stack = config["config.architecture"] == "decoder"
    batch = (None if one_stack else
             random_sentences(rng, int(config["config.source_vocabulary"]), count, 1),
             random_sentences(rng, int(config["config.target_vocabulary"]), count, 2))
    # In training mode PyTorch takes the path that has gradients; dropout is made nothing.
    model = model_of(config | {"config.dropout": "0"}).double().train()
    draws = 0
    while draws == 0 or margin(model, batch) < 3:
        randomise(model, config, dtype)
        draws += 1

    # Biases that are none may be absent or zeros.
    absent = config["config.attention_bias"] == "no" and rng.random() < 0.5
    save_file({name: tensor.to(dtype).contiguous() for name, tensor in model.state_dict().items()
               if not (absent and is_attention_bias(name))}, directory / "model.safetensors")
    run(program, "import", "--pytorch", directory / "model.safetensors",
        "--heads", config["config.heads"], "--norm", config["config.norm"],
        "--architecture", config["config.architecture"], "--out", directory / "run")
    found = program_forward(program, directory / "run", *batch, "--gradients")

    logits, loss = logits_and_loss(model, *batch)
    loss.backward()
    gradients = {name: parameter.grad for name, parameter in model.named_parameters()}
    trained = [gradient for name, gradient in gradients.items() if not (
        is_attention_bias(name) and config["config.attention_bias"] == "no")]
    whole = torch.stack([gradient.norm() for gradient in trained]).norm().item()
    errors = {"logits": error(found.pop("logits"), logits.detach()),
              "loss": error(found.pop("loss"), loss.detach()[None])}
    elements = 0
    for name, gradient in found.items():
        there, rows, transposed = ours(name.removeprefix("grad."), model.width, one_stack)
        expected = gradients[there][rows]
        errors[name] = error(gradient, expected.T if transposed else expected, whole)
        elements += gradient.numel()
    if elements != sum(gradient.numel() for gradient in trained):
        errors["number of gradients"] = math.inf
    return config, draws, errors


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    how_many = int(sys.argv[2]) if len(sys.argv) == 3 else 20
    torch.set_default_dtype(torch.double)
    torch.set_num_threads(1)
    failures, worst = 0, {"logits": 0.0, "loss": 0.0, "gradients": 0.0}
    for number in range(1, how_many + 1):
        with tempfile.TemporaryDirectory() as directory:
            config, draws, errors = check(sys.argv[1], number, pathlib.Path(directory))
        for name, value in errors.items():
            kind = name if name in worst else "gradients"
            worst[kind] = max(worst[kind], value)
        # Written so that a NaN fails.
        wrong = {name: value for name, value in errors.items() if not value <= TOLERANCE}
        failures += bool(wrong)
        largest = max(errors, key=errors.get)
        print(f"{'FAILED' if wrong else 'ok'}: {number}: "
              + " ".join(config[f"config.{name}"] for name in (
                  "architecture", "layers", "d_model", "heads", "d_ff", "source_vocabulary", "target_vocabulary",
                  "norm", "tie_embeddings", "attention_bias", "positions"))
              + f": drawn {draws} times, worst {largest} {errors[largest]:.1e}")
        for name, value in wrong.items():
            print(f"    {name}: {value:.1e}")
    print(f"{how_many} models, {failures} failures; worst "
          + ", ".join(f"{kind} {value:.1e}" for kind, value in worst.items()))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
