#!/usr/bin/env python3
"""A published recipe to its end, and what its hardened heads are worth: data/measurements/multi30k.tsv and
multi30k_levelled.tsv

    tests/peers/multi30k.py PROGRAM CORPUS WORK RUN-SEED...    such as recipe-1

CORPUS is that of saturated_heads.py, with test2016 too, and WORK what it made: the runs, with a checkpoint
every 100 steps. BLEU is of the corpus's own tokens, with a beam of 5, of the last weights and of the mean of
the last ten checkpoints; by the program, and by sacreBLEU as a second opinion. The tables keep the rows of
runs that are not named."""

import pathlib
import sys

import sacrebleu
import torch

from measuring import TABLES, fail, read_table, run, write_table
from pytorch_transformer import padded
from saturated_heads import RUNS, attention_weights, load, looks, pairs_of, perplexity

MEAN_OF, BEAM = 10, 5


def bleu(program, model, corpus, part):
    """Of a part of the corpus, from English to French."""
    references = corpus / f"{part}.fr"
    with open(corpus / f"{part}.en") as lines:
        outputs = run(program, "translate", "--model", model, "--beam", BEAM, "--threads", 1, stdin=lines)
    ours = float(run(program, "bleu", "--reference", references, "--tokenize", "none", input=outputs).split()[2])
    theirs = sacrebleu.corpus_bleu(outputs.splitlines(), [references.read_text().splitlines()], tokenize="none",
                                   force=True).score
    if abs(ours - theirs) > 0.011:
        fail(f"BLEU is {ours} here and {theirs} by sacreBLEU")
    return f"{theirs:.2f}"


def outputs_mean(model, module, pairs):
    """The mean over all tokens of what an attention computes."""
    total, tokens = 0, 0

    def add(_, inputs, result):
        nonlocal total, tokens
        total, tokens = total + result[0][legal].sum(0), tokens + int(legal.sum())

    hook = module.register_forward_hook(add)
    with torch.no_grad():
        for start in range(0, len(pairs), 100):
            sources, targets = zip(*pairs[start:start + 100])
            source, target = padded(sources), padded([ids[:-1] for ids in targets])
            legal = (source if module in set(model.encoder.modules()) else target) >= 0
            model(source, target)
    hook.remove()
    return total / tokens


def levelled(program, corpus, directory, checkpoint):
    """A row for each self-attention: entropy, and perplexity of validation when its output is the same
    everywhere."""
    model = load(program, checkpoint, RUNS[directory.name.rsplit("-", 1)[0]] is not None).eval()
    torch.backends.mha.set_fastpath_enabled(False)
    pairs = pairs_of(program, corpus, directory / "tokenizer.txt", "valid")
    found = attention_weights(model, pairs[:200])
    whole = perplexity(model, pairs)
    model.eval()
    for name, module in [(n, m) for n, m in model.named_modules() if n.endswith("self_attn")]:
        mean = outputs_mean(model, module, pairs)
        hook = module.register_forward_hook(lambda _, inputs, result, mean=mean: (mean.expand_as(result[0]), None))
        without = perplexity(model, pairs)
        model.eval()
        hook.remove()
        yield {"run": directory.name, "attention": name, "entropy": f"{looks(*found[name])[1]:.4f}",
               "perplexity": f"{whole:.4f}", "levelled": f"{without:.4f}", "factor": f"{without / whole:.3f}"}


def main():
    if len(sys.argv) < 5:
        fail(__doc__)
    program, corpus, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    named = sys.argv[4:]
    scores, levels = ([row for row in read_table(TABLES / f"{name}.tsv") if row["run"] not in named]
                      for name in ("multi30k", "multi30k_levelled"))
    for name in named:
        checkpoints = sorted((work / name / "checkpoints").glob("step-*.safetensors"))
        mean = work / f"{name}-mean-{checkpoints[-1].stem}"
        if not mean.exists():
            run(program, "average", "--out", mean, *checkpoints[-MEAN_OF:])
        for weights, model in (("the last", checkpoints[-1]), (f"mean of {MEAN_OF}", mean)):
            scores.append({"run": name, "step": int(checkpoints[-1].stem.split("-")[1]), "weights": weights,
                           "validation": bleu(program, model, corpus, "valid"),
                           "test": bleu(program, model, corpus, "test2016")})
        levels += levelled(program, corpus, work / name, checkpoints[-1])
    about = ["Multi30k English-French, trained as saturated_heads_text.tsv says"]
    made = "made by: tests/peers/multi30k.py"
    write_table("multi30k", [
        *about, f"BLEU with a beam of {BEAM} of the corpus's tokens, lower-cased: validation, and test2016",
        f"mean of {MEAN_OF}: of the last checkpoints, 100 steps apart", made],
        sorted(scores, key=lambda row: row["run"]))
    write_table("multi30k_levelled", [
        *about, "the last weights; entropy: mean of a query, in nats, in 200 sentences of validation",
        "levelled: perplexity of validation when the attention's output is its mean over all tokens, at every "
        "position; factor: by how much that is more", made],
        sorted(levels, key=lambda row: row["run"]))


if __name__ == "__main__":
    main()
