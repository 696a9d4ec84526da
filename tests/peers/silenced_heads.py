#!/usr/bin/env python3
"""What becomes of the model in data/phrasebook without each of its heads: data/measurements/silenced_heads.tsv

    tests/peers/silenced_heads.py PROGRAM

A head is silent when its rows of W^O are 0. Needs numpy."""

import json
import pathlib
import shutil
import sys
import tempfile

import numpy

from measuring import PHRASEBOOK, fail, run, write_table

ATTENTIONS = {"encoder": "encoder.{}.self_attention", "decoder": "decoder.{}.self_attention",
              "cross": "decoder.{}.cross_attention"}
LAYERS, HEADS = 2, 4
# Nouns of two genders: le livre, the book, and la livre, the pound
NOUNS = {"livre": {"book", "pound"}, "poste": {"job", "office"}, "tour": {"trick", "tower"}, "voile": {"veil", "sail"}}


def silenced(model, place, name, head):
    """Writes a copy of the model in which that head of an attention is silent."""
    data = bytearray((model / "model.safetensors").read_bytes())
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    weights = header[f"{name}.output.weight"]
    first, last = (begin + offset for offset in weights["data_offsets"])
    rows = numpy.frombuffer(data, "<f4", (last - first) // 4, first).reshape(HEADS, -1)  # of W^O, head by head
    rows[head] = 0
    del header["__metadata__"]["checksum"]
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (place / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + data[begin:])


def counts(outputs):
    """How much comes out right; and the words of which one of two was to be chosen, and the other was."""
    sources, targets = ((PHRASEBOOK / f"test.{side}").read_text().splitlines() for side in ("source", "target"))
    found = {"exact": 100 * sum(map(str.__eq__, outputs, targets)) / len(targets)}
    for what in ("genders", "numbers"):
        asked = wrong = 0
        for source, target, output in zip(*(map(str.split, lines) for lines in (sources, targets, outputs))):
            choices = [NOUNS[word] for word in source if word in NOUNS] if what == "genders" else [{"do", "does"}]
            for words in choices:
                right = words & set(target)
                if len(right) == 1:
                    asked += 1
                    wrong += not right & set(output) and bool(words & set(output))
        found.update({what: asked, f"wrong_{what}": wrong})
    return found


def main():
    if len(sys.argv) != 2:
        fail(__doc__)
    program, rows = pathlib.Path(sys.argv[1]).resolve(), []
    heads = [(part, layer, head) for part in ATTENTIONS for layer in range(LAYERS) for head in range(HEADS)]
    with tempfile.TemporaryDirectory() as place:
        shutil.copy(PHRASEBOOK / "tokenizer.txt", place)
        for part, layer, head in [(None, 0, 0), *heads]:
            model = PHRASEBOOK
            if part:
                model = pathlib.Path(place)
                silenced(PHRASEBOOK, model, ATTENTIONS[part].format(layer), head)
            with open(PHRASEBOOK / "test.source") as lines:
                outputs = run(program, "translate", "--model", model, "--beam", 1, stdin=lines).splitlines()
            name = (part, layer + 1, head + 1) if part else ("-", "-", "-")
            rows.append({**dict(zip(("attention", "layer", "head"), name)), **counts(outputs)})
    write_table("silenced_heads", [
        "The model in data/phrasebook without one of its heads, whose rows of W^O are 0; head -: with all of them",
        "exact: percent of the test sentences that come out exactly right, greedily",
        "genders: nouns of two genders in them (le livre, la livre); wrong_genders: the other meaning comes out",
        "numbers: do and does; wrong_numbers: the other one comes out",
        "made by: tests/peers/silenced_heads.py"], rows, load=False)


if __name__ == "__main__":
    main()
