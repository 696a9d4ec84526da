#!/usr/bin/env python3
"""Measures other choices for the rivals of `attention experiment ladder`: data/measurements/architectures_choices.tsv.
For the LSTM with Bahdanau's attention half the rate that its sweep chose, which there was nearly as good, and one
layer instead of two, with as many weights; for ConvS2S tied embeddings, which leave it as many weights in its
layers as the others have, with the best rate of a sweep like the ladder's.

    tests/peers/ladder_choices.py PROGRAM WORK [SEED...]    by default seeds 1 to 6, then the table

The tables of the ladder must be there: it is compared with their Transformer. A run whose result is in WORK
is not repeated, so two processes can share WORK, each with seeds of its own. Needs numpy."""

from experiment_tables import summary
from measuring import TABLES, on_phrasebook, program_work_seeds, read_table, words_of, write_table

LSTM = {"architecture": "lstm", "attention": "bahdanau"}
TIED = "convs2s tied"
CHOICES = {"lstm bahdanau x 0.7": {**LSTM, "d-model": 58, "learning-rate-scale": 0.7},
           "lstm bahdanau 1 layer": {**LSTM, "layers": 1, "d-model": 76, "learning-rate-scale": 1.4},
           TIED: {"architecture": "convs2s", "tie-embeddings": "yes", "d-model": 88, "max-positions": 32}}
RATES = (0.0875, 0.175, 0.35, 0.7, 1.4)
SEEDS = range(1, 7)


def sweep(program, work):
    """The perplexity of validation for each rate."""
    return {rate: on_phrasebook(program, work / f"convs2s-tied-rate-{rate}",
                                {**CHOICES[TIED], "learning-rate-scale": rate}, 2500, 11,
                                ["validation"])["validation"]["perplexity"] for rate in RATES}


def trial(program, work, choice, seed):
    """The share of right outputs on the phrasebook's test and on its longer sentences."""
    found = on_phrasebook(program, work / f"{choice.replace(' ', '-')}-{seed}", CHOICES[choice], 5000, seed,
                          ["test", "longer"])
    return {"variant": choice, "seed": seed, **{part: score["exact_match"] for part, score in found.items()}}


def main():
    program, work, seeds = program_work_seeds(__doc__, SEEDS)
    swept = sweep(program, work)
    CHOICES[TIED]["learning-rate-scale"] = min(swept, key=swept.get)
    trials = [trial(program, work, choice, seed) for choice in CHOICES for seed in seeds]
    if len(seeds) < len(SEEDS):
        return
    transformer = [row for row in read_table(TABLES / "architectures.tsv")
                   if (row["task"], row["variant"]) == ("phrasebook", "transformer")]
    rows = summary("phrasebook", transformer + trials, ["test", "longer"])
    comments = []
    for choice in CHOICES:
        shares = " ".join(f"{t['test']}/{t['longer']}" for t in trials if t["variant"] == choice)
        comments += [f"{choice}: attention train phrasebook {' '.join(words_of(CHOICES[choice]))} --steps 5000 --seed N",
                     f"exact match on test/longer, seed by seed: {shares}"]
    write_table("architectures_choices", [
        *comments, f"{TIED}: perplexity of validation after 2,500 steps, seed 11, by rate: "
        + " ".join(f"{rate}: {perplexity:.4f}" for rate, perplexity in swept.items()),
        "the mean of both in percent, and against the Transformer in architectures.tsv; p of all over these rows",
        "made by: tests/peers/ladder_choices.py"], rows[1:])


if __name__ == "__main__":
    main()
