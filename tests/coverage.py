#!/usr/bin/env python3
"""Prints what the tests reached of src/, by folder, and what they did not.

    tests/coverage.py BUILD-FOLDER

The build must have been made with g++ --coverage and its tests run. A line that was not reached needs
a test, or is one that a test cannot reach (a disk that fails); no share is asked for, so this never
fails. A branch that the kernels have is counted once for each instruction set.
"""
import collections
import json
import subprocess
import sys

def main(build):
    output = subprocess.run(
        ["gcovr", "--root", ".", "--filter", "src/", "--exclude-throw-branches",
         "--exclude-unreachable-branches", "--gcov-ignore-parse-errors", "--json", "-", build],
        check=True, stdout=subprocess.PIPE).stdout
    folders = collections.defaultdict(lambda: [0, 0, 0, 0])
    missed = []
    for file in json.loads(output)["files"]:
        path = file["file"]
        with open(path, encoding="utf-8") as source:
            texts = source.read().split("\n")
        for name in (path.split("/")[1], "all"):
            sums = folders[name]
            for line in file["lines"]:
                if line.get("gcovr/noncode"):
                    continue
                branches = [b for b in line["branches"] if not b.get("throw")]
                sums[0] += line["count"] > 0
                sums[1] += 1
                sums[2] += sum(b["count"] > 0 for b in branches)
                sums[3] += len(branches)
                if name == "all" and line["count"] == 0:
                    missed.append((path, line["line_number"], texts[line["line_number"] - 1].strip()))
    print(f"{'folder':12} {'lines':>14} {'branches':>22}")
    for name, (lines, all_lines, branches, all_branches) in folders.items():
        if name != "all":
            print_row(name, lines, all_lines, branches, all_branches)
    print_row("all", *folders["all"])
    print(f"{len(missed)} lines not reached")
    for path, number, text in missed:
        print(f"  {path}:{number}: {text}")


def print_row(name, lines, all_lines, branches, all_branches):
    def share(part, whole):
        return f"{100 * part / whole:5.1f} %" if whole else "      -"
    print(f"{name:12} {lines:5}/{all_lines:5} {share(lines, all_lines)}"
          f" {branches:6}/{all_branches:6} {share(branches, all_branches)}")


if __name__ == "__main__":
    main(sys.argv[1])
