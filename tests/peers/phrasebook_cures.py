#!/usr/bin/env python3
"""What keeps heads soft on the phrasebook, and what it costs: data/measurements/phrasebook_cures.tsv

    tests/peers/phrasebook_cures.py PROGRAM WORK [SEED...]    by default seeds 1 to 6, then the table

Each cure changes the options or the source of data/phrasebook's recipe, in half as many steps. A run whose result is
in WORK is not repeated, so two processes can share WORK, each with seeds of its own. experiment_tables.py --again
makes the summary. Needs torch and safetensors."""

import json

from measuring import on_phrasebook, program_work_seeds, words_of, write_table
from saturated_heads import PATCHES, RUNS, attention_weights, changed, load, looks, phrasebook_pairs, program_of

STEPS = 5000
RECIPE = {"learning-rate-scale": 0.35, "averaging": 0.995}
CURES = {**{name: options for name, options in RUNS.items() if name != "pytorch"},
         "slow": {"learning-rate-scale": 0.14}, "warm-up": {"warmup": 400, "learning-rate-scale": 0.99}}
PLACES = {"decoder_first": "decoder.layers.0.self_attn", "encoder_first": "encoder.layers.0.self_attn",
          "last_cross": "decoder.layers.1.multihead_attn"}
SEEDS = range(1, 7)


def look(program, cure, model):
    """Of a model's 24 heads: how many are saturated, entropies in nats, and the share of the last cross-attention's
    queries that give at least 0.99 to one position."""
    with changed(load(program, model, True).eval(), cure) as model:
        pairs = phrasebook_pairs(program)
        seen = {name: looks(*found) for name, found in attention_weights(model, pairs).items()}
    row = {place: seen[name][1] for place, name in PLACES.items()}
    return {**row, "saturated": sum(found[0] for found in seen.values()),
            "all_attention": sum(found[1] for found in seen.values()) / len(seen),
            "decided": seen[PLACES["last_cross"]][2]}


def trial(program, work, cure, seed):
    """A row of the table."""
    model = work / f"{cure}-{seed}"
    seen = model.with_name(f"{model.name}-heads.json")
    own = program if seen.exists() else program_of(program, work, cure)
    found = on_phrasebook(own, model, {**RECIPE, **CURES[cure]}, STEPS, seed, ["test", "longer"])
    if not seen.exists():
        seen.write_text(json.dumps(look(own, cure, model)))
    return {"variant": cure, "seed": seed, **{part: found[part]["exact_match"] for part in ("test", "longer")},
            **json.loads(seen.read_text())}


def main():
    program, work, seeds = program_work_seeds(__doc__, SEEDS)
    trials = [trial(program, work, cure, seed) for seed in seeds for cure in CURES]
    if len(seeds) < len(SEEDS):
        return
    changes = "; ".join(f"{cure}, " + (" ".join(words_of(options)) or f"{PATCHES[cure]}.patch")
                        for cure, options in CURES.items() if cure != "recipe")
    write_table("phrasebook_cures", [
        f"attention train phrasebook {' '.join(words_of(RECIPE))} --steps {STEPS} --seed N, changed: "
        + changes,
        "test, longer: exact match of greedy decoding; saturated: of 24 heads, as saturated_heads_text.tsv counts them",
        "decoder_first, encoder_first, last_cross, all_attention: entropy of a query in nats, mean over the first "
        "self-attention of decoder and encoder, over the last cross-attention and over all six; decided: share of the "
        "last cross-attention's queries that give at least 0.99 to one position; over 200 sentences of the test, the "
        "right target before them", "made by: tests/peers/phrasebook_cures.py"], trials)


if __name__ == "__main__":
    main()
