#!/usr/bin/env python3
"""The medians over the seeds in data/measurements/grow.tsv, a row for each program and task, for chapter
walkthrough/grow.

    grow_summary.py data/measurements/grow.tsv > data/measurements/grow_summary.tsv
"""

import argparse
import pathlib

from measuring import median, read_table, table

COLUMNS = ["program", "seeds", "loss", "exact", "least", "most"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", type=pathlib.Path)
    runs = {}
    for row in read_table(parser.parse_args().table):
        runs.setdefault(f"{row['program']}/{row['task']}", []).append(row)
    rows = []
    for name, group in sorted(runs.items()):
        exact = [int(row["exact"]) for row in group]
        rows.append({"program": name, "seeds": len(group),
                     "loss": f"{median([float(row['loss']) for row in group]):.4f}",
                     "exact": f"{median(exact):g}", "least": min(exact), "most": max(exact)})
    print(table(["medians of the runs in grow.tsv; least, most: of the sequences that were exact",
                 "made by: tests/peers/grow_summary.py"], COLUMNS, rows), end="")


if __name__ == "__main__":
    main()
