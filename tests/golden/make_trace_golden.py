#!/usr/bin/env python3
"""Every value of `attention trace`, forward and backward, for tests/trace/trace_test.cpp.

    make_trace_golden.py            writes trace.json beside this file
    make_trace_golden.py --check    computes it again and compares; exits 1 if anything differs

The walkthrough's model and its sentence pair, in plain Python: the paper's formulas as loops over
numbers, in double. It shares nothing with src/, not even the weights, which are written down here
once more. The gradients are not derived by hand as in src/: each number remembers the numbers that
it was made of and the slope towards each, and backward() follows these from the loss to all others.

trace.json is one object: {"NAME": data, ...}, the names as `attention trace` prints them, a vector as
a list and a matrix as a list of rows; null is minus infinity. Needs Python 3.8, and nothing else.
"""

import json
import math
import pathlib
import sys

FILE = pathlib.Path(__file__).parent / "trace.json"

WORDS = ["<unk>", "<bos>", "<eos>", "Jane", "visite", "l'Afrique", "en", "septembre", "visits",
         "Africa", "in", "September"]
SOURCE = "Jane visite l'Afrique en septembre".split()
TARGET = "Jane visits Africa in September".split()
D_MODEL, HEADS, D_K, D_V, SMOOTHING, NORM_EPSILON = 4, 2, 2, 2, 0.1, 1e-5

WEIGHTS = {
    "embedding.weight": """
        -0.5 -0.5    1  0.5
        -0.5 -0.5    1 -0.5
        -0.5   -1    1 -0.5
          -1    1   -1  0.5
         0.5 -0.5 -0.5  0.5
         0.5   -1 -0.5 -0.5
           0    0    1 -0.5
        -0.5    1   -1    1
           1  0.5 -0.5 -0.5
           1 -0.5    0  0.5
         0.5   -1  0.5 -0.5
           0   -1    0  0.5
        """,
    "encoder.0.self_attention.query.weight": """
         0.5    1    0 -0.5
         0.5    0  0.5    0
           1 -0.5    0    1
          -1  0.5    1    1
        """,
    "encoder.0.self_attention.key.weight": """
           0  0.5 -0.5 -0.5
        -0.5 -0.5   -1    1
           0 -0.5    0 -0.5
           0  0.5    0    1
        """,
    "encoder.0.self_attention.value.weight": """
           0   -1   -1  0.5
           0    0    1    0
           0    0   -1    0
        -0.5  0.5 -0.5  0.5
        """,
    "encoder.0.self_attention.output.weight": """
           0   -1   -1    0
           1    0   -1    0
          -1    0    0    0
           0 -0.5    0  0.5
        """,
    "encoder.0.self_attention_norm.gamma": "1 1.25 1.5 1.5",
    "encoder.0.self_attention_norm.beta": "0 0 -0.25 0.5",
    "encoder.0.feed_forward.inner.weight": """
          -1   -1   -1  0.5    0
           1 -0.5   -1    1  0.5
           0  0.5 -0.5    0    1
          -1  0.5    0    0    0
        """,
    "encoder.0.feed_forward.inner.bias": "0 0.25 0.25 0 -0.25",
    "encoder.0.feed_forward.outer.weight": """
           0    0    0    1
           1   -1  0.5   -1
           0    1  0.5    1
        -0.5    0    1    1
        -0.5    0  0.5 -0.5
        """,
    "encoder.0.feed_forward.outer.bias": "0.5 0 0.25 0",
    "encoder.0.feed_forward_norm.gamma": "1.25 1 1 1",
    "encoder.0.feed_forward_norm.beta": "0 0.25 0.5 0.25",
    "decoder.0.self_attention.query.weight": """
           1    0    1 -0.5
        -0.5    0   -1  0.5
        -0.5    0    1    0
          -1   -1  0.5    0
        """,
    "decoder.0.self_attention.key.weight": """
           0 -0.5   -1  0.5
           0 -0.5 -0.5    0
          -1    1 -0.5   -1
        -0.5  0.5  0.5    0
        """,
    "decoder.0.self_attention.value.weight": """
           1  0.5    0    0
          -1    0    0    0
        -0.5    1   -1 -0.5
        -0.5    0    0    1
        """,
    "decoder.0.self_attention.output.weight": """
          -1    0   -1    1
           0  0.5    0    0
           0 -0.5    0    0
           0   -1  0.5    0
        """,
    "decoder.0.self_attention_norm.gamma": "1 1 1.5 0.5",
    "decoder.0.self_attention_norm.beta": "0 0 0 0",
    "decoder.0.cross_attention.query.weight": """
           0  0.5    0    0
           0    1 -0.5    1
           1  0.5    1  0.5
           0   -1  0.5 -0.5
        """,
    "decoder.0.cross_attention.key.weight": """
          -1    0  0.5 -0.5
           1    0 -0.5    0
         0.5   -1    1    1
           1    0   -1    0
        """,
    "decoder.0.cross_attention.value.weight": """
           0    0  0.5    0
           0    0  0.5    1
           0    1    0    0
        -0.5    0    0  0.5
        """,
    "decoder.0.cross_attention.output.weight": """
           0    1    0  0.5
           0 -0.5  0.5   -1
           1    0    0 -0.5
           1    0    1    0
        """,
    "decoder.0.cross_attention_norm.gamma": "1 1.5 1.25 1.25",
    "decoder.0.cross_attention_norm.beta": "0 0.25 -0.25 0",
    "decoder.0.feed_forward.inner.weight": """
          -1  0.5 -0.5 -0.5    1
           0    0    0 -0.5   -1
           0  0.5    0    0   -1
        -0.5  0.5  0.5 -0.5   -1
        """,
    "decoder.0.feed_forward.inner.bias": "-0.25 -0.5 0.25 -0.5 -0.25",
    "decoder.0.feed_forward.outer.weight": """
        -0.5    0    0 -0.5
        -0.5  0.5    0    0
           0    1 -0.5    0
         0.5   -1    0    1
        -0.5   -1   -1    0
        """,
    "decoder.0.feed_forward.outer.bias": "0.5 0.25 0 0.25",
    "decoder.0.feed_forward_norm.gamma": "1 1.5 0.5 1.25",
    "decoder.0.feed_forward_norm.beta": "0.25 0 0 -0.5",
}


class Number:
    """A number, what it was made of, and dL/d(itself) once backward() has run."""

    def __init__(self, value, made_of=()):
        self.value, self.made_of, self.gradient = value, made_of, 0.0


def plus(*terms):
    return Number(math.fsum(t.value for t in terms), [(t, 1.0) for t in terms])


def times(a, b):
    return Number(a.value * b.value, [(a, b.value), (b, a.value)])


def scaled(a, factor):
    return Number(a.value * factor, [(a, factor)])


def power(a, exponent):
    return Number(a.value ** exponent, [(a, exponent * a.value ** (exponent - 1))])


def exp(a):
    return Number(math.exp(a.value), [(a, math.exp(a.value))])


def log(a):
    return Number(math.log(a.value), [(a, 1 / a.value)])


def relu(a):
    return Number(max(0.0, a.value), [(a, 1.0 if a.value > 0 else 0.0)])


def backward(loss):
    """Every number after all that are made of it."""
    order, seen, stack = [], set(), [(loss, False)]
    while stack:
        number, done = stack.pop()
        if done:
            order.append(number)
        elif id(number) not in seen:
            seen.add(id(number))
            stack.append((number, True))
            stack.extend((part, False) for part, _ in number.made_of)
    loss.gradient = 1.0
    for number in reversed(order):
        for part, slope in number.made_of:
            part.gradient += number.gradient * slope


# Matrices: lists of rows of Numbers.

def product(a, b):
    return [[plus(*[times(row[k], b[k][j]) for k in range(len(b))]) for j in range(len(b[0]))]
            for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def added(a, b):
    return [[plus(x, y) for x, y in zip(r, s)] for r, s in zip(a, b)]


def copied(a):
    """The same numbers on a path of their own, so that it has a gradient of its own."""
    return [[scaled(x, 1.0) for x in row] for row in a]


def columns(a, begin, end):
    return [row[begin:end] for row in a]


def softmax(scores):
    """Of a row. The largest score is subtracted; that changes nothing but the rounding."""
    largest = max(s.value for s in scores)
    powers = [exp(plus(s, Number(-largest))) for s in scores]
    one_over_sum = power(plus(*powers), -1)
    return [times(p, one_over_sum) for p in powers]


class Trace:
    """The model's values by name, in the order of the forward pass, and paths of single uses."""

    def __init__(self):
        self.values, self.paths, self.weights = {}, {}, {}
        for name, numbers in WEIGHTS.items():
            rows = [[Number(float(x)) for x in line.split()] for line in numbers.strip().split("\n")]
            self.weights[name] = rows if "\n" in numbers else rows[0]

    def keep(self, name, value):
        self.values[name] = value
        return value

    def path(self, name, matrix):
        self.paths[name] = copied(matrix)
        return self.paths[name]

    def linear(self, name, x):
        y = product(x, self.weights[name + ".weight"])
        if name + ".bias" in self.weights:
            y = [[plus(value, b) for value, b in zip(row, self.weights[name + ".bias"])] for row in y]
        return y

    # 3.4 and 3.5: the embedding times the square root of d_model, plus sines and cosines.
    def embedded(self, side, ids, result):
        table = self.path(side + ".dE", self.weights["embedding.weight"])
        e = self.keep(side + ".embedding",
                      [[scaled(x, math.sqrt(D_MODEL)) for x in table[i]] for i in ids])
        encoding = []
        for position in range(len(ids)):
            angles = [position / 10000 ** (2 * (j // 2) / D_MODEL) for j in range(D_MODEL)]
            encoding.append([Number(math.cos(a) if j % 2 else math.sin(a))
                             for j, a in enumerate(angles)])
        return self.keep(result, added(e, self.keep(side + ".position", encoding)))

    # 3.2.1 and 3.2.2
    def attention(self, name, u, memory, memory_symbol, causal):
        self.keep(name + ".u", u)
        u_q = self.path(name + ".du_Q", u)
        q_all = self.linear(name + ".query", u_q)
        k_all = self.linear(name + ".key", self.path(f"{name}.d{memory_symbol}_K", memory))
        v_all = self.linear(name + ".value", self.path(f"{name}.d{memory_symbol}_V", memory))
        outputs = []
        for head in range(HEADS):
            at = f"{name}.heads.{head}."
            q = self.keep(at + "Q", columns(q_all, head * D_K, (head + 1) * D_K))
            k = self.keep(at + "K", columns(k_all, head * D_K, (head + 1) * D_K))
            v = self.keep(at + "V", columns(v_all, head * D_V, (head + 1) * D_V))
            s = self.keep(at + "S", product(q, transposed(k)))
            a, p = [], []
            for i, row in enumerate(s):
                legal = i + 1 if causal else len(row)
                hidden = len(row) - legal
                a.append([scaled(x, 1 / math.sqrt(D_K)) for x in row[:legal]])
                p.append(softmax(a[i]) + [Number(0.0) for _ in range(hidden)])
                a[i] += [Number(-math.inf) for _ in range(hidden)]
            self.keep(at + "A", a)
            self.keep(at + "P", p)
            outputs.append(self.keep(at + "O", product(p, v)))
        concat = self.keep(name + ".concat", [sum(rows, []) for rows in zip(*outputs)])
        return self.keep(name + ".output", self.linear(name + ".output", concat))

    # 3.3
    def feed_forward(self, name, u):
        self.keep(name + ".u", u)
        a = self.keep(name + ".inner", self.linear(name + ".inner", u))
        hidden = self.keep(name + ".hidden", [[relu(x) for x in row] for row in a])
        return self.keep(name + ".output", self.linear(name + ".outer", hidden))

    # 3.1: LayerNorm(x + Sublayer(x))
    def add_and_norm(self, name, x, f, result):
        s = self.keep(name + ".sum", added(x, f))
        mean, inv_std, x_hat = [], [], []
        for row in s:
            mean.append(scaled(plus(*row), 1 / len(row)))
            centred = [plus(v, scaled(mean[-1], -1.0)) for v in row]
            variance = scaled(plus(*[times(c, c) for c in centred]), 1 / len(row))
            inv_std.append(power(plus(variance, Number(NORM_EPSILON)), -0.5))
            x_hat.append([times(c, inv_std[-1]) for c in centred])
        self.keep(name + ".mean", mean)
        self.keep(name + ".inv_std", inv_std)
        self.keep(name + ".x_hat", x_hat)
        gamma, beta = self.weights[name + ".gamma"], self.weights[name + ".beta"]
        return self.keep(result, [[plus(times(g, v), b) for g, v, b in zip(gamma, row, beta)]
                                  for row in x_hat])

    def self_attention(self, layer, x, causal):
        u = copied(x)
        f = self.attention(layer + ".self_attention", u, u, "u", causal)
        return self.add_and_norm(layer + ".self_attention_norm", x, f, layer + ".attended")

    def feed_forward_sublayer(self, layer, x, result):
        f = self.feed_forward(layer + ".feed_forward", copied(x))
        y = self.add_and_norm(layer + ".feed_forward_norm", x, f, layer + ".output")
        return self.keep(result, y)

    def run(self):
        ids = {word: number for number, word in enumerate(WORDS)}
        x = [ids[word] for word in SOURCE + ["<eos>"]]
        y_shifted = [ids[word] for word in ["<bos>"] + TARGET]
        y = [ids[word] for word in TARGET + ["<eos>"]]

        self.keep("x", [Number(i) for i in x])
        e = self.embedded("source", x, "e")
        attended = self.self_attention("encoder.0", e, causal=False)
        z = self.feed_forward_sublayer("encoder.0", attended, "z")

        self.keep("y_shifted", [Number(i) for i in y_shifted])
        g = self.embedded("target", y_shifted, "g")
        attended = self.self_attention("decoder.0", g, causal=True)
        f = self.attention("decoder.0.cross_attention", attended, z, "z", causal=False)
        informed = self.add_and_norm("decoder.0.cross_attention_norm", attended, f,
                                     "decoder.0.informed")
        h = self.feed_forward_sublayer("decoder.0", informed, "h")

        table = self.path("output.dE", self.weights["embedding.weight"])
        logits = self.keep("logits", product(h, transposed(table)))
        p = self.keep("p", [softmax(row) for row in logits])
        self.keep("y", [Number(i) for i in y])
        q = [[(1 - SMOOTHING) * (v == target) + SMOOTHING / len(WORDS) for v in range(len(WORDS))]
             for target in y]
        self.keep("q", [[Number(v) for v in row] for row in q])
        losses = self.keep("losses", [plus(*[scaled(log(v), -w) for v, w in zip(row, weights)])
                                      for row, weights in zip(p, q)])
        loss = scaled(plus(*losses), 1 / len(losses))
        self.keep("loss", [loss])
        backward(loss)
        return self


def numbers_of(value, attribute):
    if isinstance(value, list):
        return [numbers_of(part, attribute) for part in value]
    number = getattr(value, attribute)
    return None if number == -math.inf else float(f"{number:.9g}")


def with_d(name):
    before, dot, last = name.rpartition(".")
    return before + dot + "d" + last


# Values that attention trace gives no gradient of, because src/ computes none of its own: constants,
# what stays inside LayerNorm, softmax and the loss, and what leads to the decoder's queries.
def has_gradient(name):
    last = name.rsplit(".", 1)[-1]
    return name not in ("x", "y", "y_shifted", "p", "q", "losses", "loss",
                        "decoder.0.cross_attention.u") and last not in (
        "position", "mean", "inv_std", "x_hat", "A")


def all_numbers():
    trace = Trace().run()
    result = {name: numbers_of(value, "value")
              for name, value in list(trace.weights.items()) + list(trace.values.items())}
    for name, value in trace.paths.items():
        result[name] = numbers_of(value, "gradient")
    for name, value in list(trace.values.items()) + list(trace.weights.items()):
        if name in trace.weights or has_gradient(name):
            result[with_d(name)] = numbers_of(value, "gradient")
    return result


def flat(value):
    return sum((flat(part) for part in value), []) if isinstance(value, list) else [value]


def differences(computed, committed):
    """Names, shapes and which numbers there are must be equal, the numbers but for rounding."""
    found = [name for name in computed.keys() ^ committed.keys()]
    for name in computed.keys() & committed.keys():
        a, b = flat(computed[name]), flat(committed[name])
        same = len(a) == len(b) and all(
            (s is None) == (t is None) and (s is None or abs(s - t) <= 1e-8 * (abs(t) + 1e-3))
            for s, t in zip(a, b))
        if not same:
            found.append(name)
    return sorted(found)


def main():
    computed = all_numbers()
    if sys.argv[1:] == ["--check"]:
        different = differences(computed, json.loads(FILE.read_text(encoding="utf-8")))
        for name in different:
            print(f"{FILE.name}: {name} is not what is computed now", file=sys.stderr)
        return 1 if different else 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    lines = (f"{json.dumps(name)}: {json.dumps(data)}" for name, data in computed.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
