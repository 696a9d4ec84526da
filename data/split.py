"""Splits pairs into training, validation and test, for the scripts in this folder.

A pair's part depends on a hash of a key, so it is the same in every run, and all pairs of a key are in
the same part. If the key is that of the source alone, it is the same in every version of a corpus too.
"""
import argparse
import hashlib
import os
import shutil
import sys
import tempfile

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

PARTS = ("train", "validation", "test")
FILES = {f"{part}.{kind}" for part in PARTS for kind in ("source", "target", "authors")}


def not_empty(name):
    if not name:
        raise argparse.ArgumentTypeError("a file or directory needs a name")
    return name


def parser(description):
    """The options that all scripts have; description: its own documentation."""
    result = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--out", metavar="DIR", type=not_empty, required=True, help="the directory to write")
    return result


def sha256(contents):
    return hashlib.sha256(contents).hexdigest()


def part_of(key, validation, test):
    """The part of a key; validation, test: in a thousand."""
    number = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % 1000
    if number < test:
        return "test"
    return "validation" if number < test + validation else "train"


def groups_of(links):
    """The connected components of links, pairs of two sides: for each link, the number of its own.

    Two links are connected if they have their left or their right side in common.
    """
    parents = {}

    def root_of(node):
        while parents.setdefault(node, node) != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    for left, right in links:
        parents[root_of((1, right))] = root_of((0, left))
    numbers = {}
    return [numbers.setdefault(root_of((0, left)), len(numbers)) for left, _ in links]


def is_same(path, content):
    try:
        with open(path, "rb") as file:
            return file.read() == content
    except OSError:
        return False


def write(out, files):
    """Writes the files (contents by name) and SHA256SUMS, which `sha256sum -c` reads. What is there and
    differs is not replaced: a run may be trained with it."""
    repository_data = os.path.dirname(os.path.realpath(__file__))
    if os.path.commonpath([repository_data, os.path.realpath(out)]) == repository_data:
        sys.exit(f"{sys.argv[0]}: error: {out} is in the repository's data/; give another --out")
    contents = {name: text.encode() for name, text in files.items()}
    contents["SHA256SUMS"] = "".join(f"{sha256(c)}  {name}\n" for name, c in contents.items()).encode()
    new = ""
    try:
        os.makedirs(out, exist_ok=True)
        if fcntl:  # until the process ends, no other one writes here
            fcntl.flock(os.open(out, os.O_RDONLY), fcntl.LOCK_EX)
        for name in sorted({*FILES, *contents}):
            path = os.path.join(out, name)
            if os.path.lexists(path) and not is_same(path, contents.get(name)):
                sys.exit(f"{sys.argv[0]}: error: {path} exists and is not what would be written; give another "
                         f"--out, or remove {out} first")
        new = tempfile.mkdtemp(prefix=".new-", dir=out)
        for name, content in contents.items():
            with open(os.path.join(new, name), "wb") as file:
                file.write(content)
        # There was room for all.
        for name in contents:
            os.replace(os.path.join(new, name), os.path.join(out, name))
        os.rmdir(new)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        sys.exit(f"{sys.argv[0]}: error: cannot write to {out}: {error.strerror}")


def pair_files(pairs):
    """train.source, train.target, … of lists of pairs by part."""
    files = {}
    for part in PARTS:
        if not pairs[part]:
            sys.exit(f"{sys.argv[0]}: error: nothing is left for {part}; the corpus is too small")
        files[f"{part}.source"] = "".join(source + "\n" for source, _ in pairs[part])
        files[f"{part}.target"] = "".join(target + "\n" for _, target in pairs[part])
    return files


def overlap(pairs, part, key_of):
    """How many of a part's pairs have a source, a target, and all of them as a pair, in training."""
    keys = {p: [tuple(map(key_of, pair)) for pair in pairs[p]] for p in ("train", part)}
    sources, targets = ({key[side] for key in keys["train"]} for side in (0, 1))
    both = set(keys["train"])
    return (sum(source in sources for source, _ in keys[part]),
            sum(target in targets for _, target in keys[part]),
            sum(key in both for key in keys[part]))


def counts(pairs, noun):
    """A line for the user."""
    return ", ".join(
        f"{part} {len(pairs[part]):,} pairs of {len({source for source, _ in pairs[part]}):,} {noun}"
        for part in PARTS)
