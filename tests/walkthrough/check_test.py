#!/usr/bin/env python3
"""walkthrough/check.py finds every kind of fault, planted in a made-up book of two chapters."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "walkthrough" / "check.py"
SOURCE = """// A layer, with { in a comment.
const char* text() { return "}}} { \\"("; }

std::vector<float> Linear::forward(const Tensor& x) const {
  // Each row
  for (int i = 0; i < 1'000; ++i) {
    first(i);

    second('{');
  }
  return y;
}

Linear::Linear(int in) : in_(in), weights_{in} { init(); }
Linear::Linear(const Linear& other) {}
"""
CHAPTER = """# A chapter

<!-- listing: src/layer.cpp Linear::forward "Each row" -->
```cpp
// Each row
for (int i = 0; i < 1'000; ++i) {
  first(i);

  second('{');
}
return y;
```

<!-- listing: src/layer.cpp Linear::Linear(int in) -->
```cpp
Linear::Linear(int in) : in_(in), weights_{in} { init(); }
```

<!-- output: build/example-values -->
```
loss = 1.7320508
```

<!-- command: values = build/example-values -->

The loss is <!-- number: values loss -->1.73, or **<!-- number: values loss -->1.732**, in a table:

| <!-- measured: data/measurements/matmul.tsv kernel=simd size,gflops -->512 | 41.2 |

See [the other](other.md#two-words-1) and [here](#a-chapter), <!-- minutes: other.md -->5 minutes.

<!-- run -->
```sh
test -d data
```

<!-- takes: a day -->
```sh
tests/mutants
```
"""
TABLE = "# a note\nkernel\tsize\tgflops\nnaive\t512\t1.5\nsimd\t512\t41.23\n"
MORE = "# More\n\n"
LISTING = "<!-- listing: %s -->\n```\n```\n"
SHELL = "<!-- run -->\n```sh\n%s\n```\n"
# What is replaced in which file, by what, and a part of the report.
FAULTS = [
    ("src/layer.cpp", "first(i)", "first(i + 1)", "a.md:3: stale listing"),
    ("src/layer.cpp", "Linear::forward", "Linear::run", "is defined 0 times"),
    ("src/layer.cpp", "first(i)", "first(i", "has no partner"),
    ("a.md", "(int in) -->", " -->", "is defined 2 times"),
    ("a.md", "1.732**", "1.733**", "stale number"),
    ("a.md", "1.7320508", "1.7320509", "stale output"),
    ("a.md", "values loss -->1.73,", "values gain -->1.73,", "prints 'gain' 0 times"),
    ("a.md", "-->1.73,", "-->about 1.73,", "expected a number"),
    ("a.md", "-->512 | 41.2", "-->512 | 41.3", "stale number 41.3"),
    ("a.md", "test -d data", "test -d nothing", "exits with 1"),
    ("a.md", "<!-- run -->", "", "needs a mark above"),
    ("other.md", MORE, SHELL.replace("run", "takes: a week") % "tests/mutants", "mutants' takes"),
    ("a.md", "#two-words-1", "#two-words-2", "has no heading"),
    ("a.md", "(other.md#", "(gone.md#", "there is no walkthrough/gone.md"),
    ("a.md", "(#a-chapter)", "(../src/layer.cpp#L10)", "has no heading '#L10'"),
    ("other.md", MORE, "x <!-- open\n", "is not closed"),
    ("other.md", MORE, "so $<!-- paper -->1$ is\n", "inside a formula"),
    ("other.md", MORE, "<!-- paper -->1 is\n", "begins a line"),
    ("other.md", MORE, SHELL % "build/tests/some none", "exits with 1"),
]


class CheckTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.write("data/measurements/matmul.tsv", TABLE)
        self.write("src/layer.cpp", SOURCE)
        self.write("walkthrough/a.md", CHAPTER)
        self.write("walkthrough/other.md", "# Two words\n## Two `words`\n" + MORE)
        self.write("build/example-values", "#!/bin/sh\necho loss = 1.7320508\n")
        self.write("build/tests/some", '#!/bin/sh\n[ $1 = all ] && echo "filters: 2"\n')
        shutil.copy(SCRIPT, self.root / "walkthrough")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def check(self, *options):
        command = [self.root / "walkthrough" / "check.py", *options]
        result = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(result.returncode, 0 if " 0 wrong" in result.stdout else 1)
        return result.stdout

    def test_true_book(self):
        self.write("walkthrough/c.md", SHELL % "build/tests/some all")
        self.assertIn("marks, 0 wrong", self.check())

    def test_faults(self):
        for name, old, new, report in FAULTS:
            path = self.root / (name if "/" in name else f"walkthrough/{name}")
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(old, new, 1), encoding="utf-8")
            with self.subTest(planted=new):
                self.assertIn(report, self.check())
            path.write_text(text, encoding="utf-8")

    def test_update_repairs(self):
        stale = CHAPTER.replace("return y;", "x;\n\ny").replace("= 1.7", "= 2")
        self.write("walkthrough/a.md", stale.replace("1.732*", "−9.001*").replace("41.2", "7.0"))
        self.check("update")
        self.assertEqual((self.root / "walkthrough/a.md").read_text(encoding="utf-8"), CHAPTER)

    def test_update_makes_no_zero_of_a_small_number(self):
        self.write("data/measurements/matmul.tsv", TABLE.replace("41.23", "0.0123"))
        self.check("update")
        self.assertIn("-->512 | 0.01 |", (self.root / "walkthrough/a.md").read_text(encoding="utf-8"))

    def test_core_leaves_out_the_laboratory(self):
        self.write("walkthrough/examples/values.cpp", '#include "lab/x.h"\n')
        text = LISTING % "src/lab/x.h f" + "[x](../src/lab/x.h)\n" + SHELL % "build/attention-lab"
        self.write("walkthrough/c.md", text)
        self.assertIn("3 wrong", self.check())
        printed = self.check("--core")
        for report in [" 0 wrong", "build/example-values (3)", "src/lab/x.h (2)"]:
            self.assertIn(report, printed)


if __name__ == "__main__":
    unittest.main()
