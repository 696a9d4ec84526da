#!/usr/bin/env python3
"""Compares the merges of `attention tokenizer train` with those of Sennrich's subword-nmt.

    python3 subword_nmt_peer.py build/attention       needs subword-nmt (pip install subword-nmt==0.3.8)

Both learn from the same pieces of the same text of its own making. Of equally frequent pairs
subword-nmt takes the last in the order of their characters, and we the one whose left and then right
symbol has the lower id; here it is given our rule, in place of its own.
"""
import io
import pathlib
import random
import re
import sys
import tempfile

import subword_nmt.apply_bpe as apply_bpe
import subword_nmt.learn_bpe as learn_bpe

from measuring import run

FIRST_CHARACTER = 3 + 256 + 1
SPACE = "\u2423"  # subword-nmt separates words by spaces: inside a piece a space is written so


def text_of(rng):
    """Lines of words that share stems and endings, with punctuation and characters of many bytes."""
    stems = ["".join(rng.choice("abcdeéfghiklmnoprstuвгд漢字語") for _ in range(rng.randint(1, 5)))
             for _ in range(150)]
    endings = ["", "s", "ing", "ed", "aa", "aaa", "ation", "é", "です"]
    for _ in range(2000):
        words = []
        for _ in range(rng.randint(1, 12)):
            word = rng.choice(stems) * rng.choice([1, 1, 1, 2]) + rng.choice(endings)
            words.append(word + rng.choice(["", "", "", ",", ".", "'", " -", "..."]))
        yield " ".join(words)


def pieces(line):
    """tensor2tensor's rule, for this text: runs of word characters, and runs of others."""
    found = re.findall(r"\w+|\W+", line)
    return [p for i, p in enumerate(found) if not (p == " " and 0 < i < len(found) - 1)]


def unescape(token):
    token = re.sub(r"(?<!\\)_$", "</w>", token)
    return re.sub(r"\\(s|_|\\)", lambda m: SPACE if m[1] == "s" else m[1], token)


def main():
    program = sys.argv[1]
    for seed, size in [(1, 500), (2, 1000), (3, 3000)]:
        lines = list(text_of(random.Random(seed)))
        with tempfile.TemporaryDirectory() as folder:
            source, tokenizer = pathlib.Path(folder, "text"), pathlib.Path(folder, "t")
            text = "\n".join(lines) + "\n"
            source.write_text(text, encoding="utf-8")
            run(program, "tokenizer", "train", "--source", source, "--vocabulary", size, "--out", tokenizer)
            contents = tokenizer.read_text(encoding="utf-8").split("\n")[:-1]
            encoded = run(program, "tokenizer", "encode", "--tokenizer", tokenizer, input=text, encoding="utf-8")
        count = int(contents[1])
        tokens = [unescape(t) for t in contents[2:2 + count]]
        ours = [tuple(unescape(t) for t in line.split(" ")) for line in contents[2 + count:]]
        ids = {token: id_ for id_, token in enumerate(tokens) if id_ >= FIRST_CHARACTER}

        by_rule = lambda stats, key: max(  # noqa: E731
            stats, key=lambda p: (stats[p], -ids.get(p[0], 0), -ids.get(p[1], 0)))
        learn_bpe.max = lambda values, key=None: by_rule(values, key) if key else max(values)
        split = [[p.replace(" ", SPACE) for p in pieces(line)] for line in lines]
        out = io.StringIO()
        learn_bpe.learn_bpe(io.StringIO("\n".join(" ".join(p) for p in split)), out, len(ours))
        theirs = [tuple(line.split(" ")) for line in out.getvalue().split("\n")[1:-1]]
        for i, (a, b) in enumerate(zip(ours, theirs)):
            if a != b:
                sys.exit(f"seed {seed}: merge {i} is {a} here and {b} there")
        if len(ours) != len(theirs):
            sys.exit(f"seed {seed}: {len(ours)} merges here and {len(theirs)} there")

        # The same cuts as well, of every piece.
        theirs_cut = apply_bpe.BPE(io.StringIO(out.getvalue()))
        for line, words, ours_line in zip(lines, split, encoded.split("\n")):
            cut = [s for w in words for s in theirs_cut.segment_tokens([w])]
            joined = [s[:-2] if s.endswith("@@") else s + "</w>" for s in cut]
            if joined != [unescape(t) for t in ours_line.split(" ")]:
                sys.exit(f"seed {seed}: {line!r} is cut differently")
        print(f"{len(lines)} lines: {len(ours)} merges and every cut as subword-nmt has them")


main()
