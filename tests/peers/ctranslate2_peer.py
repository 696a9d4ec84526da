#!/usr/bin/env python3
"""Translation beside CTranslate2's, in float32. Prints a table (tab-separated) on stdout.

    ctranslate2_peer.py --program build/attention-lab [--quick]

Our program makes a base model (§3; V = 37000) with random weights, and CTranslate2 gets the same
weights. First it is proved that both compute the same: their greedy translations have the same
tokens and, within rounding, the same log-probabilities; so have the translations of a beam of 4.
Then the two take turns, A B A B, in processes of their own: sentences of 32 tokens are translated
into 32 tokens each. The ratio is the median over the rounds of CTranslate2's time / ours, so above
1 we are faster. Rounds in which other programs were busy are repeated.

Needs ctranslate2, numpy and safetensors.
"""

import argparse
import pathlib
import random
import subprocess
import tempfile
import time

import ctranslate2
import numpy
import safetensors
import safetensors.numpy

from measuring import fail, machine, median, run, say, table, take_turns

VOCABULARY = 37000
LENGTH = 32  # tokens of a source sentence, with <eos>, and of a translation
COLUMNS = ["what", "threads", "ours", "peer", "ratio", "unit", "least_ratio", "most_ratio"]


# ---- The model ----

def make_model(program, directory: pathlib.Path) -> list:
    """A run directory with random weights. Returns the tokens, by id."""
    words = directory / "words"
    words.write_text("".join(f"w{i}\n" for i in range(VOCABULARY - 3)))
    run(program, "train", "text", "--source", words, "--target", words, "--preset", "base",
        "--tokenizer", "words", "--vocabulary", VOCABULARY, "--steps", 0, "--quiet", "--out", directory / "run")

    # A model that has learned nothing attends to everything alike and says the same of everything.
    # With sharper attention, and more of the source in its decoder, it does not (much sharper, and
    # rounding would decide what it says); and none of its parameters is 0 or 1.
    path = directory / "run" / "model.safetensors"
    with safetensors.safe_open(path, "numpy") as file:
        metadata = file.metadata()
    del metadata["attention.checksum"]  # of other weights
    weights = safetensors.numpy.load_file(path)
    generator = numpy.random.default_rng(1)
    for name, weight in weights.items():
        if weight.ndim == 1:
            weight += generator.normal(0, 0.05, weight.shape).astype(numpy.float32)
        elif ".query." in name or ".key." in name:
            weight *= 4
        elif ".cross_attention.output." in name:
            weight *= 4
    safetensors.numpy.save_file(weights, path, metadata)

    lines = (directory / "run" / "tokenizer.txt").read_text().splitlines()
    return lines[2:2 + int(lines[1])]


def positions(count: int, d_model: int) -> numpy.ndarray:
    """§3.5: PE(pos, 2i) = sin(pos/10000^(2i/d_model)), PE(pos, 2i + 1) = cos of the same."""
    angles = numpy.arange(count)[:, None] / 10000 ** (numpy.arange(0, d_model, 2) / d_model)
    table = numpy.empty((count, d_model), numpy.float32)
    table[:, 0::2] = numpy.sin(angles)
    table[:, 1::2] = numpy.cos(angles)
    return table


def convert(run_directory: pathlib.Path, tokens: list, output: pathlib.Path) -> None:
    """The same model for CTranslate2, whose matrices are [out, in]."""
    weights = safetensors.numpy.load_file(run_directory / "model.safetensors")
    embedding = weights["embedding.weight"]
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("encoder."))
    spec = ctranslate2.specs.TransformerSpec.from_config((layers, layers), 8, pre_norm=False)

    def matrix(*names):
        joined = numpy.concatenate([weights[name + ".weight"] for name in names], axis=1)
        return numpy.ascontiguousarray(joined.T)

    def norm(to, name):
        to.gamma, to.beta = weights[name + ".gamma"], weights[name + ".beta"]

    def self_attention(to, name):
        to.linear[0].weight = matrix(name + ".query", name + ".key", name + ".value")
        to.linear[1].weight = matrix(name + ".output")
        norm(to.layer_norm, name + "_norm")

    def cross_attention(to, name):
        to.linear[0].weight = matrix(name + ".query")
        to.linear[1].weight = matrix(name + ".key", name + ".value")
        to.linear[2].weight = matrix(name + ".output")
        norm(to.layer_norm, name + "_norm")

    def feed_forward(to, name):
        for linear, part in ((to.linear_0, ".inner"), (to.linear_1, ".outer")):
            linear.weight, linear.bias = matrix(name + part), weights[name + part + ".bias"]
        norm(to.layer_norm, name + "_norm")

    for stack, name in ((spec.encoder, "encoder"), (spec.decoder, "decoder")):
        embeddings = stack.embeddings[0] if name == "encoder" else stack.embeddings
        embeddings.weight = embedding
        stack.scale_embeddings = True  # by √d_model
        stack.position_encodings.encodings = positions(512, embedding.shape[1])
        for i, layer in enumerate(stack.layer):
            self_attention(layer.self_attention, f"{name}.{i}.self_attention")
            if name == "decoder":
                cross_attention(layer.attention, f"{name}.{i}.cross_attention")
            feed_forward(layer.ffn, f"{name}.{i}.feed_forward")
    spec.decoder.projection.weight = embedding
    spec.config.unk_token, spec.config.bos_token, spec.config.eos_token = "<unk>", "<bos>", "<eos>"
    spec.config.decoder_start_token = "<bos>"
    spec.register_source_vocabulary(tokens)
    spec.register_target_vocabulary(tokens)
    spec.validate()
    spec.optimize()
    output.mkdir()
    spec.save(str(output))


def sentences(count: int, tokens: list) -> list:
    generator = random.Random(1)
    return [generator.choices(tokens[3:], k=LENGTH - 1) for _ in range(count)]


# ---- The proof ----

def prove_equal(program, run_directory, translator, tokens: list, beam: int) -> str:
    """Without a length penalty, so that scores are plain log-probabilities."""
    extra = 9
    source = sentences(16, tokens)
    ours = run(program, "translate", "--model", run_directory, "--beam", beam, "--alpha", 0,
               "--nbest", 1, "--max-extra", extra,
               input="".join(" ".join(words) + "\n" for words in source))
    sources = [words + ["<eos>"] for words in source]
    theirs = translator.translate_batch(
        sources, beam_size=beam, length_penalty=0, max_decoding_length=LENGTH - 1 + extra)
    # It does not count the end of an output of the longest length, so it scores ours, with <eos>.
    lines = [line.split("\t")[1:] for line in ours.splitlines()]
    scores = [sum(scored.log_probs) for scored in
              translator.score_batch(sources, [translation.split() for _, translation in lines])]
    same = 0
    largest = 0.0
    different = set()
    for (score, translation), their, their_score in zip(lines, theirs, scores, strict=True):
        error = abs(float(score) - their_score) / abs(their_score)
        largest = max(largest, error)
        if not error <= 1e-4:
            fail(f"beam {beam}: our log-probability is {score}, CTranslate2's {their_score}")
        same += translation.split() == their.hypotheses[0]
        different.update(translation.split())
    if beam == 1 and same < len(source):
        fail(f"only {same} of {len(source)} greedy translations are the same")
    if len(different) < len(source) // 2:
        fail(f"only {len(different)} different tokens were translated to: that proves little")
    return (f"proved: beam {beam}: {same} of {len(source)} translations the same ({len(different)} "
            f"different tokens), log-probabilities within {largest:.0e}")


# ---- The turns ----

class Ours:
    def __init__(self, program, run_directory, threads: int, batch: int, beam: int):
        self.process = subprocess.Popen(
            [str(word) for word in (
                program, "benchmark", "decode", "--model", run_directory, "--threads", threads,
                "--batch", batch, "--beam", beam, "--source-length", LENGTH, "--tokens", LENGTH,
                "--each-line")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def __call__(self) -> float:
        time.sleep(0.3)  # until the other's threads have stopped waiting for work
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Theirs:
    def __init__(self, translator, tokens: list, batch: int, beam: int):
        self.translator, self.beam = translator, beam
        self.source = [words + ["<eos>"] for words in sentences(batch, tokens)]

    def __call__(self) -> float:
        time.sleep(0.3)
        begin = time.monotonic()
        results = self.translator.translate_batch(
            self.source, beam_size=self.beam, length_penalty=0.6,
            min_decoding_length=LENGTH, max_decoding_length=LENGTH)
        seconds = time.monotonic() - begin
        if any(len(result.hypotheses[0]) != LENGTH for result in results):
            fail("CTranslate2's translations have other lengths")
        return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="few rounds, whatever others do")
    options = parser.parse_args()
    program = options.program.resolve()

    rows, busy = [], 0.0
    with tempfile.TemporaryDirectory() as place:
        directory = pathlib.Path(place)
        say("making the model")
        tokens = make_model(program, directory)
        convert(directory / "run", tokens, directory / "peer")

        def translator(threads):
            return ctranslate2.Translator(str(directory / "peer"), device="cpu", inter_threads=1,
                                          intra_threads=threads, compute_type="float32")

        proofs = [prove_equal(program, directory / "run", translator(2), tokens, beam)
                  for beam in (1, 4)]
        for proof in proofs:
            say(proof)
        for threads in (2, 1):
            theirs_loaded = translator(threads)
            for batch in (1, 32):
                for beam in (1, 4):
                    ours = Ours(program, directory / "run", threads, batch, beam)
                    theirs = Theirs(theirs_loaded, tokens, batch, beam)
                    ours(), theirs()  # the first time takes memory and wakes threads
                    rounds = 3 if options.quick else 11
                    found, others = take_turns([ours, theirs], rounds, 0 if options.quick else 120,
                                               [ours.process])
                    ours.close()
                    busy = max(busy, others)
                    rows.append({
                        "what": f"batch_{batch}_beam_{beam}_threads_{threads}", "threads": threads,
                        "ours": batch * LENGTH / median([a for a, _ in found]),
                        "peer": batch * LENGTH / median([b for _, b in found]),
                        "ratio": median([b / a for a, b in found]), "unit": "tokens/s",
                        "least_ratio": min(b / a for a, b in found),
                        "most_ratio": max(b / a for a, b in found)})
                    say(f"{rows[-1]['what']}: {rows[-1]['ratio']:.2f}")

    comments = ["Translation with a base model (V = 37000) beside CTranslate2's, float32",
                f"sentences of {LENGTH} tokens into {LENGTH} tokens; ratio above 1: we are faster",
                *proofs,
                f"CTranslate2 {ctranslate2.__version__}; ours: {run(program, '--version').strip()}",
                *machine(), f"others used at most {100 * busy:.0f} % of the processors in a round"]
    print(table(comments, COLUMNS, rows), end="")


if __name__ == "__main__":
    main()
