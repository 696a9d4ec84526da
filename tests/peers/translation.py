#!/usr/bin/env python3
"""Measures translation of real text: data/measurements/translation.tsv, _curves.tsv, _search.tsv and
_examples.tsv.

    tests/peers/translation.py PROGRAM CORPUS WORK [NAME...]    some of the runs, by default all it has
    tests/peers/translation.py --tables WORK                    the tables; of a run that WORK lacks, as they are
    tests/peers/translation.py --rivals PROGRAM CORPUS WORK     rivals.tsv, from what is finished of them
    tests/peers/translation.py --averaging PROGRAM CORPUS WORK  averaging.tsv, of transformer, no-averaging

CORPUS has {train,dev,test}.{fr,en} for most runs, .{ja,en} for ja-en
(github.com/odashi/small_parallel_enja), and for cmudict what data/cmudict makes. Every run has the
directory WORK/NAME; one that was stopped goes on, and a finished one is not repeated, so several
processes can share WORK, each with names of its own. The runs take a fixed number of steps: 5,000 take
two quiet cores of an AMD EPYC about ten minutes. Scores by sacreBLEU, for each sentence and as a second
opinion on the program's."""

import json
import pathlib
import resource
import shutil
import sys

from measuring import TABLES, fail, read_table, run, words_of, write_table

SEARCHES = [(1, 0.6), (4, 0), (4, 0.6), (4, 1), (4, 2), (16, 0.6)]  # beam, alpha
# With about as many weights as the Transformer, 3.9 million, and three layers on each side but for lstm,
# which has one. Seeds 1 to 3 have the rate that suited each best, and keep the weights with the least
# perplexity of validation; the state of a run has the last ones too.
RIVALS = {"transformer": {},
          "lstm": {"architecture": "lstm", "attention": "bahdanau", "layers": 1, "d-model": 268},
          "lstm3": {"architecture": "lstm", "attention": "bahdanau", "d-model": 176},
          "convs2s": {"architecture": "convs2s"}}
RATES = {"transformer": (0.35, 0.7, 1.4, 2.8), "lstm": (0.7, 1.4, 2.8),
         "lstm3": (0.35, 0.7, 1.4, 2.8, 5.6), "convs2s": (0.35, 0.7, 1.4, 2.8)}
BEST_RATE = {"transformer": 0.7, "lstm": 1.4, "lstm3": 2.8, "convs2s": 0.7}
# name: source, target, seed, steps, options
RUNS = {
    "fr-en-1": ("fr", "en", 1, 5000, {}), "en-fr-1": ("en", "fr", 1, 5000, {}),
    "fr-en-2": ("fr", "en", 2, 5000, {}), "fr-en-3": ("fr", "en", 3, 5000, {}),
    "dropout-0": ("fr", "en", 1, 5000, {"dropout": 0}),
    "dropout-0.1": ("fr", "en", 1, 5000, {"dropout": 0.1}),
    "words": ("fr", "en", 1, 5000, {"tokenizer": "words"}),
    **{name: ("fr", "en", seed, 5000, {"averaging": 0, "save-every": 200, "keep": "best"})
       for name, seed in (("no-averaging", 1), ("no-averaging-2", 2), ("no-averaging-3", 3))},
    "en-fr-2": ("en", "fr", 2, 5000, {}), "en-fr-3": ("en", "fr", 3, 5000, {}),
    "ja-en": ("ja", "en", 1, 10000, {}),
    # as many weights as fr-en, in one stack
    **{f"decoder-{seed}": ("fr", "en", seed, 5000, {"architecture": "decoder", "d-ff": 960})
       for seed in (1, 2, 3)},
    "cmudict": ("source", "target", 1, 16000, {"tokenizer": "words", "layers": 2, "dropout": 0.1}),
    **{f"{name}-{seed}": ("fr", "en", seed, 5000,
                          {**options, "learning-rate-scale": BEST_RATE[name], "keep": "best"})
       for seed in (1, 2, 3) for name, options in RIVALS.items()},
    # Which learning rate suits each rival, judged by validation alone.
    **{f"{name}-rate-{rate}": ("fr", "en", 11, 1500, {**options, "learning-rate-scale": rate, "keep": "best"})
       for name, options in RIVALS.items() for rate in RATES[name]},
}


def part_of(corpus, part, side):
    """The file of train, dev or test in one language; data/cmudict calls dev validation."""
    name = {"dev": "validation"}.get(part, part) if side in ("source", "target") else part
    return corpus / f"{name}.{side}"


def train(program, corpus, directory, name):
    """Trains to the end. Returns the processor time that this took, here and before."""
    source, target, seed, steps, options = RUNS[name]
    if (directory / "training.safetensors").exists():
        command = ["--resume", directory]
    else:
        command = ["text", "--source", part_of(corpus, "train", source),
                   "--target", part_of(corpus, "train", target),
                   "--valid-source", part_of(corpus, "dev", source),
                   "--valid-target", part_of(corpus, "dev", target),
                   "--seed", seed, "--out", directory, "--steps", steps, *words_of(options)]
    spent = directory.parent / f"{name}.cpu"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        with open(directory.parent / f"{name}.err", "a") as log:
            run(program, "train", *command, "--threads", 1, stderr=log)
    finally:
        total = float(spent.read_text()) if spent.exists() else 0.0
        total += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        spent.write_text(str(total))
    return total


def translations(program, model, file, beam, alpha):
    """The score and the translation of each line of a file."""
    with open(file) as lines:
        out = run(program, "translate", "--model", model, "--beam", beam, "--alpha", alpha, "--nbest", 1,
                  "--threads", 1, stdin=lines)
    found = [line.split("\t")[1:] for line in out.splitlines()]
    return [float(score) for score, _ in found], [output for _, output in found]


def output_of(model):
    """The file of a run's translations of the test, with beam 4."""
    return model.parent / f"{model.name}.output"


def searches(program, model, corpus, name, kinds):
    """What beams and length penalties do, beside greedy decoding."""
    import sacrebleu

    source, target, *_ = RUNS[name]
    references = part_of(corpus, "test", target).read_text().splitlines()
    rows, greedy = [], None
    for beam, alpha in kinds:
        scores, outputs = translations(program, model, part_of(corpus, "test", source), beam, alpha)
        bleu = sacrebleu.corpus_bleu(outputs, [references])
        ours = float(run(program, "bleu", "--reference", part_of(corpus, "test", target),
                         input="".join(output + "\n" for output in outputs)).split()[2])
        if abs(ours - bleu.score) > 0.011:
            fail(f"BLEU is {ours} here and {bleu.score} by sacreBLEU")
        own = [sacrebleu.sentence_bleu(o, [r]).score for o, r in zip(outputs, references)]
        greedy = greedy or (scores, own)
        if (beam, alpha) == (4, 0.6):
            output_of(model).write_text("".join(output + "\n" for output in outputs))
        lower = sum(b < g - 1e-5 for b, g in zip(scores, greedy[0])) / len(scores)
        worse, better = (sum(sign * (b - g) > 1e-9 for b, g in zip(own, greedy[1])) / len(own)
                         for sign in (-1, 1))
        rows.append({"run": name, "beam": beam, "alpha": alpha, "bleu": f"{bleu.score:.2f}",
                     "chrf": f"{sacrebleu.corpus_chrf(outputs, [references]).score:.2f}",
                     "exact": f"{sum(o == r for o, r in zip(outputs, references)) / len(own):.4f}",
                     "length_ratio": f"{bleu.ratio:.4f}",
                     # scores with different alpha cannot be compared
                     "lower_score": f"{lower:.4f}" if alpha == kinds[0][1] else "-",
                     "worse": f"{worse:.4f}", "better": f"{better:.4f}"})
    return rows


def curve(directory, name):
    """A row per validation; loss and perplexity of training are means since the one before."""
    head, *lines = (directory / "log.tsv").read_text().splitlines()
    rows, since = [], []
    for line in lines:
        row = dict(zip(head.split("\t"), line.split("\t")))
        since.append(row)
        if row["validation_loss"]:
            mean = {key: sum(float(r[key]) for r in since) / len(since) for key in ("loss", "perplexity")}
            rows.append({"run": name, "step": row["step"], "loss": f"{mean['loss']:.4f}",
                         "perplexity": f"{mean['perplexity']:.4f}",
                         **{key: row[key] for key in ("validation_loss", "validation_perplexity",
                                                      "validation_bleu")}})
            since = []
    return rows


def error_rate(program, model, corpus, name):
    """The word error rate of a dictionary: the percentage of different sources that come out wrong."""
    source, target, *_ = RUNS[name]
    numbers = json.loads(run(program, "evaluate", "--model", model, "--beam", 4, "--threads", 1, "--json",
                             "--source", part_of(corpus, "test", source),
                             "--target", part_of(corpus, "test", target)))
    return f"{100 * numbers['error_rate']:.2f}"


def examples(program, model, corpus, name):
    """Lines 1, 101, ..., 901 of the test: nobody chose them."""
    source, target, *_ = RUNS[name]
    _, outputs = translations(program, model, part_of(corpus, "test", source), 4, 0.6)
    sides = [part_of(corpus, "test", side).read_text().splitlines() for side in (source, target)]
    return [{"line": i + 1, "source": sides[0][i], "reference": sides[1][i], "output": outputs[i]}
            for i in range(0, len(outputs), 100)]


def measure(program, corpus, work, name):
    directory = work / name
    seconds = train(program, corpus, directory, name)
    dictionary = name == "cmudict"
    kinds = SEARCHES if name == "fr-en-1" else [(1, 0.6), (4, 0.6)]
    result = {"search": searches(program, directory, corpus, name, kinds),
              "examples": examples(program, directory, corpus, name) if name == "fr-en-1" else []}
    validations = curve(directory, name)
    best = min(validations, key=lambda row: float(row["validation_perplexity"]))
    greedy, beam = result["search"][0], next(r for r in result["search"] if (r["beam"], r["alpha"]) == (4, 0.6))
    source, target, seed, _, options = RUNS[name]
    kept = best if options.get("keep") == "best" else validations[-1]
    result["run"] = {"run": name, "source": source, "target": target, "seed": seed,
                     "steps": validations[-1]["step"], "best_step": best["step"],
                     "least_perplexity": best["validation_perplexity"],
                     "perplexity": kept["validation_perplexity"], "greedy_bleu": greedy["bleu"],
                     "bleu": beam["bleu"], "chrf": beam["chrf"], "exact": beam["exact"],
                     "word_error_rate": error_rate(program, directory, corpus, name) if dictionary else "-",
                     "cpu_minutes": f"{seconds / 60:.1f}"}
    if name.startswith("no-averaging"):
        checkpoints = sorted((directory / "checkpoints").glob("*.safetensors"))
        mean = work / f"mean-of-5-{RUNS[name][2]}"
        if not mean.exists():
            run(program, "average", "--out", mean, *checkpoints[-5:])
        for row, model in (("mean of 5", mean), ("the last", checkpoints[-1])):
            result["search"] += [{**r, "run": f"{name}: {row}"}
                                 for r in searches(program, model, corpus, name, [(1, 0.6), (4, 0.6)])]
    (work / f"{name}.json").write_text(json.dumps(result))


def tables(work):
    def run_of(row):
        return row["run"].split(":")[0]

    files = [work / f"{name}.json" for name in RUNS]
    results = [json.loads(file.read_text()) for file in files if file.exists()]
    there = {result["run"]["run"] for result in results}
    for result in results:
        result["curve"] = curve(work / result["run"]["run"], result["run"]["run"])
        result["run"].setdefault("word_error_rate", "-")
    about = ["corpora: sentences of Tatoeba, French and English: 15,118 pairs to train on, 1,000 to validate, "
             "1,000 to test; small_parallel_enja: 50,000, 500 and 500; cmudict: data/README.md",
             "made by: tests/peers/translation.py PROGRAM CORPUS WORK"]
    for name, key, text in (
            ("translation", "run", "train text with its defaults, or the change that the name says; perplexity: "
             "of validation, least_perplexity at best_step, the other of the weights that are kept"),
            ("translation_curves", "curve", "the same runs, validation by validation; loss: with label "
             "smoothing; loss and perplexity of training are means since the row before, with dropout"),
            ("translation_search", "search", "lower_score: share of sentences whose score (ln p over the "
             "penalty) is below greedy decoding's; worse, better: share with a lower, a higher sentence "
             "BLEU than greedily"),
            ("translation_examples", "examples", "what the run fr-en-1 makes of lines 1, 101, ... 901 of "
             "the test, with beam 4")):
        rows = [row for r in results for row in ([r[key]] if key == "run" else r.get(key, []))]
        if not rows:
            continue
        columns = list(rows[0])
        if key != "examples":
            rows += [row for row in read_table(TABLES / f"{name}.tsv") if run_of(row) not in there]
            rows.sort(key=lambda row: list(RUNS).index(run_of(row)))
        write_table(name, [text, *about], rows, columns)


def last_weights(directory):
    """A model of what the running mean was when training ended."""
    from safetensors import safe_open
    from safetensors.numpy import save_file

    out = directory.parent / f"{directory.name}.last"
    out.mkdir(exist_ok=True)
    with safe_open(directory / "model.safetensors", "np") as model:
        metadata, names = model.metadata(), list(model.keys())
    del metadata["checksum"]
    with safe_open(directory / "training.safetensors", "np") as training:
        save_file({name: training.get_tensor("mean." + name) for name in names},
                  out / "model.safetensors", metadata)
    shutil.copy(directory / "tokenizer.txt", out)
    return out


def bleu_of(program, model, corpus, part):
    """From French to English, with beam 4."""
    import sacrebleu

    _, outputs = translations(program, model, part_of(corpus, part, "fr"), 4, 0.6)
    return sacrebleu.corpus_bleu(outputs, [part_of(corpus, part, "en").read_text().splitlines()]).score


def averaging(program, corpus, work):
    """Every way to end a training, judged by BLEU of validation; of the best in the mean, and of the least
    perplexity, that of the test. Runs that are not finished are left out."""
    models = {}
    for seed in (1, 2, 3):
        models.update({("running mean, least perplexity", seed): work / f"transformer-{seed}",
                       ("running mean, the last", seed): last_weights(work / f"transformer-{seed}")})
        plain = work / ("no-averaging" if seed == 1 else f"no-averaging-{seed}")
        if not (work / f"{plain.name}.json").exists():
            continue
        checkpoints = sorted((plain / "checkpoints").glob("*.safetensors"))
        models.update({("least perplexity", seed): plain, ("the last", seed): checkpoints[-1],
                       ("mean of the last 5", seed): work / f"mean-of-5-{seed}"})
    found = {way: bleu_of(program, model, corpus, "dev") for way, model in models.items()}
    means = {}
    for (kind, _), score in found.items():
        means.setdefault(kind, []).append(score)
    best = max(means, key=lambda kind: sum(means[kind]) / len(means[kind]))
    tested = ("running mean, least perplexity", "running mean, the last", best)
    rows = [{"weights": kind, "seed": seed, "validation": f"{score:.2f}",
             "test": f"{bleu_of(program, models[kind, seed], corpus, 'test'):.2f}" if kind in tested else "-"}
            for (kind, seed), score in sorted(found.items(), key=lambda found: list(means).index(found[0][0]))]
    write_table("averaging", [
        "French to English, BLEU with beam 4: which weights of a training to keep",
        "running mean: --averaging 0.999; the others without it",
        "test: of the running mean's two, and of what has the highest mean on validation",
        "made by: tests/peers/translation.py --averaging PROGRAM CORPUS WORK"], rows)


def paired_bootstrap(references, one, other):
    """sacreBLEU's p, from its own samples."""
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    lines = [file.read_text().splitlines() for file in (other, one)]
    test = PairedTest(list(zip(("other", "one"), lines)), {"BLEU": BLEU()}, [references.read_text().splitlines()],
                      test_type="bs", n_samples=10000)
    return f"{test()[1]['BLEU'][1].p_value:.4f}"


def rivals(program, corpus, work):
    """A row for each of their runs; a bootstrap compares it with the Transformer of the same seed."""
    rows = []
    for name in (name for name in RUNS if (work / f"{name}.json").exists()):
        architecture, *_, last = name.split("-")
        if architecture not in RIVALS:
            continue
        row = json.loads((work / f"{name}.json").read_text())["run"]
        row["architecture"] = architecture
        row["rate"] = RUNS[name][4]["learning-rate-scale"]
        row["step_of_40"] = next((v["step"] for v in curve(work / name, name)
                                  if float(v["validation_bleu"]) >= 40), None)
        if row["step_of_40"]:
            share = int(row["step_of_40"]) / int(row["steps"])
            row["minutes_of_40"] = f"{share * float(row['cpu_minutes']):.1f}"
        if "rate" not in name and (work / name / "training.safetensors").exists():
            row["bleu_last"] = f"{bleu_of(program, last_weights(work / name), corpus, 'test'):.2f}"
        other = output_of(work / f"transformer-{last}")
        if "rate" not in name and architecture != "transformer" and other.exists():
            references = part_of(corpus, "test", "en")
            with open(output_of(work / name)) as output:
                compared = run(program, "bleu", "--reference", references, "--compare", other, stdin=output)
            row["p"] = compared.split("p = ")[1].split()[0]
            row["p_sacrebleu"] = paired_bootstrap(references, output_of(work / name), other)
        rows.append(row)
    write_table("rivals", [
        "French to English by three architectures with about as many weights",
        "rates: seed 11, 1,500 steps, judged by the perplexity of validation; then seeds 1 to 3 at the best rate",
        "bleu, chrf, exact: of the weights with the least perplexity of validation; bleu_last: of the last",
        "step_of_40: the first validation whose BLEU is 40 or more, and the processor time until then",
        "p: paired bootstrap against the Transformer of the same seed, by the program; p_sacrebleu: by sacreBLEU, "
        "10,000 samples of its own",
        "made by: tests/peers/translation.py --rivals PROGRAM CORPUS WORK"], rows,
        ["run", "architecture", "rate", "seed", "steps", "best_step", "perplexity", "bleu", "chrf", "exact",
         "bleu_last", "p", "p_sacrebleu", "step_of_40", "minutes_of_40", "cpu_minutes"])


def main():
    if len(sys.argv) == 5 and (task := {"--rivals": rivals, "--averaging": averaging}.get(sys.argv[1])):
        return task(*(pathlib.Path(a).resolve() for a in sys.argv[2:]))
    if sys.argv[1:2] == ["--tables"] and len(sys.argv) == 3:
        return tables(pathlib.Path(sys.argv[2]))
    if len(sys.argv) < 4 or any(name not in RUNS for name in sys.argv[4:]):
        fail(f"{__doc__}\nnames: {' '.join(RUNS)}")
    program, corpus, work = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    work.mkdir(parents=True, exist_ok=True)
    there = [name for name, (source, *_) in RUNS.items() if part_of(corpus, "train", source).exists()]
    for name in sys.argv[4:] or there:
        if not (work / f"{name}.json").exists():
            measure(program, corpus, work, name)
    return None


if __name__ == "__main__":
    main()
