#!/usr/bin/env python3
"""Compares `attention bleu` with sacreBLEU on text of its own making.

    python3 sacrebleu_peer.py build/attention       needs sacrebleu (pip install sacrebleu==2.6.0)

Lines are drawn from every script and from punctuation in all its combinations; hypotheses are noisy
copies. Scores must agree within 0.005, which is what two printed digits allow.
"""
import random
import subprocess
import sys
import tempfile

import sacrebleu
from sacrebleu.metrics import BLEU

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz", "ABCDEFGH", "0123456789", ".,;:!?-'\"()[]{}<>&%$#@*+/=\\^_`|~",
    "äöüßéèçñ", "αβγδεζηθ", "абвгдежз", "אבגדהוזח", "ابتثجحخد", "あいうえおかきく", "漢字日本語中文", "🙂🚀👍🏽",
    "\u0301\u0308", "\u00a0\u3000\u2009\u2028\u0085 ",
]
ENTITIES = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;quot;", "<skipped>"]


def word(rng):
    if rng.random() < 0.03:
        return rng.choice(ENTITIES)
    return "".join(rng.choice(rng.choice(ALPHABETS[:8] if rng.random() < 0.8 else ALPHABETS))
                   for _ in range(rng.randint(1, 6)))


def noisy(line, rng):
    words = line.split(" ")
    for _ in range(rng.randrange(5)):
        at = rng.randrange(len(words))
        if rng.random() < 0.3 and len(words) > 1:
            del words[at]
        elif rng.random() < 0.5:
            words.insert(at, words[at])
        else:
            words[at] = word(rng)
    return " ".join(words)


def ours(program, tokenize, references, hypotheses):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, reference in enumerate(references):
            paths.append(f"{folder}/{i}")
            with open(paths[-1], "w", encoding="utf-8", newline="") as file:
                file.write("".join(line + "\n" for line in reference))
        result = subprocess.run([program, "bleu", "--tokenize", tokenize, "--reference", *paths],
                                check=True, input="".join(line + "\n" for line in hypotheses).encode(),
                                stdout=subprocess.PIPE).stdout.decode()
        return float(result.split(" ")[2].split("\n")[0])


def main():
    program = sys.argv[1]
    rng = random.Random(7)
    worst = 0.0
    for trial in range(25):
        vocabulary = [word(rng) for _ in range(60)]
        truth = [" ".join(rng.choice(vocabulary) for _ in range(rng.randint(1, 20)))
                 for _ in range(rng.choice([1, 10, 200]))]
        references = [truth] + [[noisy(line, rng) for line in truth] for _ in range(trial % 3)]
        hypotheses = [noisy(line, rng) for line in truth]
        for name in ["13a", "none", "char"]:
            theirs = BLEU(tokenize=name, force=True).corpus_score(hypotheses, references).score
            error = abs(theirs - ours(program, name, references, hypotheses))
            if not error <= 0.005 + 1e-9:
                sys.exit(f"trial {trial}, {name}: sacreBLEU says {theirs}, off by {error}")
            worst = max(worst, error)
    print(f"75 corpus scores as sacreBLEU {sacrebleu.__version__} computes them, within {worst:.4f}")


main()
