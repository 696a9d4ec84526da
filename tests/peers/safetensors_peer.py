#!/usr/bin/env python3
"""Exchanges files with the Python package safetensors, in both directions.

    safetensors_peer.py REWRITE [FILE...]

REWRITE is the program made of safetensors_rewrite.cpp, which reads a file and writes it again. The
package writes files that REWRITE must read, and reads those that REWRITE wrote: names, shapes,
metadata and every bit of every number must be the same. FILEs, such as a trained model, are read by
the package and sent the same way. Then bytes of a header are changed at random, and whatever REWRITE
accepts, the package must accept too, with the same tensors.

Needs numpy and safetensors. Exits 1 if anything differs.
"""

import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import numpy
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

CORRUPTIONS = 3000


def read(path):
    with safe_open(path, "numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}


def difference(expected, found):
    """What differs between two files, or None. A scalar is read as a vector of one number."""
    (tensors, metadata), (other_tensors, other_metadata) = expected, found
    if metadata != other_metadata:
        return f"metadata {metadata} became {other_metadata}"
    if tensors.keys() != other_tensors.keys():
        return f"names {sorted(tensors)} became {sorted(other_tensors)}"
    for name, tensor in tensors.items():
        other = other_tensors[name]
        if (tensor.shape or (1,)) != other.shape:
            return f"{name}: shape {tensor.shape} became {other.shape}"
        with numpy.errstate(all="ignore"):
            converted = tensor.astype(other.dtype)
        if converted.tobytes() != other.tobytes():
            return f"{name}: numbers differ"
    return None


def random_tensors(rng):
    """F32 numbers of any bits, F64 numbers that F32 holds exactly, all ranks, sizes 0 and 1 too."""
    tensors = {}
    for i in range(rng.integers(0, 8)):
        shape = tuple(rng.integers(0, 6, size=rng.integers(0, 5)))
        bits = rng.integers(0, 2**32, size=shape, dtype=numpy.uint32)
        numbers = numpy.asarray(bits).view(numpy.float32)
        if i % 3 == 2:
            numbers = numpy.nan_to_num(numbers, nan=1.0).astype(numpy.float64)
        tensors[f"layer.{i}.ö\n{'x' * int(rng.integers(0, 9))}"] = numpy.asarray(numbers)
    return tensors


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, files = sys.argv[1], sys.argv[2:]
    failures = 0

    def rewrite(source, target):
        return subprocess.run([program, source, target], capture_output=True, text=True)

    def report(what):
        nonlocal failures
        failures += 1
        print(f"FAILED: {what}")

    with tempfile.TemporaryDirectory() as directory:
        theirs, ours = (str(pathlib.Path(directory) / name) for name in ("theirs", "ours"))
        rng = numpy.random.default_rng(1)

        # The package's files through our reader and writer and back.
        for number in range(200):
            metadata = {f"key {i}\t": "värde\0" * i for i in range(rng.integers(0, 4))}
            # None, not {}: without tensors, version 0.8.0 writes a file that it cannot read itself.
            save_file(random_tensors(rng), theirs, metadata or None)
            result = rewrite(theirs, ours)
            if result.returncode != 0:
                report(f"file {number} was refused: {result.stderr}")
            elif problem := difference(read(theirs), read(ours)):
                report(f"file {number}: {problem}")
        for file in files:
            result = rewrite(file, ours)
            if result.returncode != 0:
                report(f"{file} was refused: {result.stderr}")
            elif problem := difference(read(file), read(ours)):
                report(f"{file}: {problem}")

        # Changed headers: what we accept, the package accepts.
        save_file({"a": numpy.ones((2, 1), numpy.float32), "b": numpy.ones(1, numpy.float64)},
                  theirs, {"k": "v"})
        whole = pathlib.Path(theirs).read_bytes()
        header_end = 8 + struct.unpack("<Q", whole[:8])[0]
        random.seed(1)
        accepted = refused = 0
        for _ in range(CORRUPTIONS):
            broken = bytearray(whole)
            for _ in range(random.choice((1, 1, 2))):
                broken[random.randrange(header_end)] = random.choice(
                    (random.randrange(256), *b'0123456789-.eE{}[]:,"\\ abkv'))
            pathlib.Path(theirs).write_bytes(broken)
            outcome = rewrite(theirs, ours)
            if outcome.returncode == 1:
                refused += 1
                continue
            if outcome.returncode != 0:
                report(f"{bytes(broken[:header_end])}: ended with {outcome.returncode}")
                continue
            accepted += 1
            try:
                if problem := difference(read(theirs), read(ours)):
                    report(f"{bytes(broken[:header_end])}: {problem}")
            except SafetensorError as error:
                report(f"{bytes(broken[:header_end])}: the package refuses it: {error}")

        if not (accepted and refused):
            report("the broken headers try only one of accepting and refusing")

    print(f"200 files of the package, {len(files)} given; of {CORRUPTIONS} broken headers "
          f"{accepted} accepted, {refused} refused; {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
