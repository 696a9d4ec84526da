#!/usr/bin/env python3
"""Checks that the book is true: its listings, numbers, links and commands.

    walkthrough/check.py            reports what is stale; exit status 1 if anything is
    walkthrough/check.py update     rewrites stale listings, outputs and numbers in place

Whatever a chapter shows of the code or of a program's output has an invisible comment, a mark, that
says where it comes from. Write the mark, leave the block empty, and let `update` fill it in.

MARKS OF BLOCKS are alone on the line above a fenced block; only ```math and ```mermaid have none.
  <!-- listing: PATH NAME -->      what a C++ file defines under this name, which may be qualified
                                   (Linear::forward), with the comment above; without NAME, the file
  <!-- listing: PATH NAME(PARAMETERS) -->  of several, the one whose parameters contain this
  <!-- listing: PATH NAME "WORDS" -->      a paragraph: from the comment (not in C++: the line) that
                                   begins with these words to the next blank line outside brackets
                                   or the end of the block; "…" "…" are joined, NAME is optional
  <!-- output: COMMAND -->         what build/NAME with arguments prints on stdout; it runs without
                                   a shell and with ATTENTION_ISA=portable, so that digits are the same
  <!-- run -->                     a ```sh block to run, in a folder that looks like this repository, but for
                                   what a mark runs; test programs only say if the filter finds a test
  <!-- takes: 30 s -->             a ```sh block that is not run, and how long it takes: the same
                                   wherever a block begins with the same command
  <!-- paper: Table 2 -->          quoted from the paper; not checked, nor is <!-- sketch -->

MARKS OF NUMBERS are in a sentence or a table's cell, directly before a number or a `code span`
(* _ $ may be between). They must not begin a line, nor contain -- or |: GitHub would show them.
A number is right if the value rounds to it at the digits shown; anything else must be equal.
  <!-- command: NAME = COMMAND -->  alone on a line: names a command for this file
  <!-- number: NAME KEY -->0.35     what it prints for KEY: in a line KEY = VALUE (or KEY: VALUE, or
                                    with a tab or two blanks), or in JSON, with a KEY like S[0].x
  <!-- measured: data/measurements/F.tsv ROW COLUMN -->41   a cell; ROW is the row's first cell or
                                    column=cell, or several; COLUMN,COLUMN is for two cells
  <!-- minutes: FILE.md -->25       how long that file takes to read: 150 words or 12 lines per minute

A listing is printed once (three lines may be again). Links lead to files and headings that exist.
"""

import argparse
import concurrent.futures
import contextlib
import decimal
import difflib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import threading
import unicodedata
from collections import Counter, defaultdict, namedtuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ["listings", "numbers", "links", "commands"]
BLOCK_MARKS = ["listing", "output", "run", "takes", "sketch", "paper"]
NUMBER_MARKS = ["number", "measured", "minutes"]
LABORATORY = re.compile(r"(src|tests)/lab(/|$)")


class Wrong(Exception):
    """What is wrong, in words for the author of a chapter."""


class LeftOut(Exception):
    """The name of something of the laboratory's, which --core leaves out."""


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blanked(text):
    return re.sub(r"[^\n]", " ", text)


def line_at(text, place):
    return text.count("\n", 0, place) + 1


# ---- Markdown

Mark = namedtuple("Mark", "word rest begin end alone")
Block = namedtuple("Block", "language lines begin end fence mark")

# What is not prose: blocks, escapes, code spans, formulas, comments.
SPANS = re.compile(
    r"^(?P<fence>`{3,}|~{3,})(?P<language>[^\s`{]*)[^`\n]*\n(?P<body>(?:.*\n)*?)(?P=fence)[`~]* *$"
    r"|^ *(?P<open>(?:`{3,}[^`\n]*|~{3,}.*)$(?:.|\n)*)"
    r"|\\."
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\n)[^`]|(?!(?P=ticks)(?!`))`+)+(?P=ticks)(?!`)|`+"
    r"|\$\$(?P<display>(?:(?!\n\n)[^$])+)\$\$|\$(?![ $])(?P<formula>[^$\n]+)(?<! )\$"
    r"|<!--(?:(?P<comment>(?:.|\n)*?)-->|(?P<unclosed>(?:.|\n)*))",
    re.M,
)


class Chapter:
    """A Markdown file: its marks, its blocks, and the prose that is left, at the same places."""

    def __init__(self, name):
        self.name, self.text = name, read(name)
        self.prose, self.marks, self.blocks, self.commands = self.text, [], [], {}
        self.left_out, self.findings = [], []  # line, message, and edit: begin, end, new text
        for match in SPANS.finditer(self.text):
            begin, end = match.span()
            if match["fence"]:
                self.add_block(match)
            elif match["comment"] is not None:
                self.add_mark(match, match["comment"].strip())
            elif match["open"] is not None or match["unclosed"] is not None:
                self.complain(begin, "this block or comment is not closed, or indented")
            elif "<!--" in (match["display"] or match["formula"] or ""):
                self.complain(begin, "a mark inside a formula would be shown")
            self.prose = self.prose[:begin] + blanked(match[0]) + self.prose[end:]

    def complain(self, place, message, edit=None):
        self.findings.append((line_at(self.text, place), message, edit))

    def add_block(self, match):
        above = [m for m in self.marks[-1:] if self.text[m.end : match.start()] == "\n" and m.alone]
        mark = above[0] if above else Mark("", "", match.start(), match.start(), True)
        place = (*match.span("body"), match["fence"], mark)
        self.blocks.append(Block(match["language"], match["body"].split("\n")[:-1], *place))

    def add_mark(self, match, content):
        place, known = match.start(), BLOCK_MARKS + NUMBER_MARKS + ["command"]
        word, colon, rest = re.match(r"([a-zA-Z]*)(:?)(.*)", content, re.S).groups()
        if word not in known or (rest and not colon):
            if colon or word in known:
                self.complain(place, f"unknown mark '{word}:', or a known one without its colon")
            return  # a comment like any other
        before = self.text[:place].rpartition("\n")[2].strip()
        alone = not before and not self.text[match.end() :].partition("\n")[0].strip()
        self.marks.append(Mark(word, rest.strip(), *match.span(), alone))
        if not alone and ("--" in content or "|" in content):
            self.complain(place, "a mark in a sentence must not contain -- or | (use command:)")
        if not alone and not before.strip("-+*>0123456789. "):
            self.complain(place, "a mark that begins a line ends the paragraph: put words before")

    def check_marks(self):
        """Every block says what keeps it true, and every mark has what it speaks of."""
        for block in self.blocks:
            word, allowed = block.mark.word, ["listing", "output", "takes", "sketch", "paper"]
            if block.language in ["sh", "bash", "shell", "console"]:
                allowed = ["listing", "takes", "run"]
            if word not in allowed and block.language not in ["math", "mermaid"]:
                self.complain(block.begin - 1, f"this block needs a mark above it: {allowed}")
            elif word in ["takes", "listing", "output"] and not block.mark.rest:
                self.complain(block.mark.begin, f"'{word}' needs more: see check.py --help")
        above = [block.mark for block in self.blocks]
        for mark in self.marks:
            if mark.word in BLOCK_MARKS and mark.word != "paper" and mark not in above:
                self.complain(mark.begin, f"no block begins in the line below '{mark.word}'")
            if mark.word in NUMBER_MARKS and mark.alone:
                self.complain(mark.begin, f"'{mark.word}' is for a number in a sentence")
            if mark.word == "command":
                name, _, command = (part.strip() for part in mark.rest.partition("="))
                if not command or " " in name or name in self.commands:
                    self.complain(mark.begin, "expected command: NAME = COMMAND, with a new name")
                self.commands[name] = command

    def minutes(self):
        lines = sum(len(block.lines) for block in self.blocks)
        return max(1, int((len(self.prose.split()) / 150 + lines / 12) / 5 + 0.5)) * 5

    def anchors(self):
        """The headings as GitHub names them; the second `x` is x-1."""
        seen, anchors = Counter(), set()
        for heading in re.finditer(r"^ {0,3}#{1,6} .*", self.prose, re.M):
            # The prose tells where a heading is; the text what it says, code spans and all.
            text = self.text[heading.start() : heading.end()].strip(" #").lower()
            text = re.sub(r"\]\([^)]*\)|<[^>]*>", "", text).replace(" ", "-")
            kinds = ("L", "M", "Nd", "Pc")  # letters, marks, digits, connectors
            kept = (c for c in text if c == "-" or unicodedata.category(c).startswith(kinds))
            anchor = "".join(kept)
            anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
            seen[anchor] += 1
        return anchors


# ---- Source files

# In C++: comments, strings, characters and directives.
NO_CODE = re.compile(
    r"//.*|/\*(?:.|\n)*?\*/|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:.*\\\n)*.*"
    r'|R"(?P<raw>[^\s()\\]*)\((?:.|\n)*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"',
    re.M,
)
SCOPE = re.compile(r"(?:inline )?(namespace|struct|class|union|extern)\b *([\w:]*)[^()=]*")
SKIPPED = re.compile(r"(?:[\s;]|(?:public|private|protected)\s*:(?!:))*")
DECLARED = re.compile(r"((?:[^=({;[]|\[\[)*)(?:\(((?:[^()]|\([^()]*\))*)\))?")
ONLY_NAMED = re.compile(r"namespace\b|extern\s*\{|(using|friend|struct|class|union|enum)\b[^={(]*;")
Definition = namedtuple("Definition", "name first last parameters has_body")


def without_templates(text):
    while re.search(r"<[^<>]*>", text):
        text = re.sub(r"(\btemplate\s*)?<[^<>]*>", "", text)
    return " ".join(text.split())


class Source:
    """A file's lines and, of C++, its code and the brackets in it."""

    def __init__(self, path):
        text = read(path)
        self.lines, self.is_cpp = text.rstrip().split("\n"), path.endswith((".cpp", ".h"))
        code = NO_CODE.sub(lambda match: blanked(match[0]), text) if self.is_cpp else blanked(text)
        self.code, self.closing, opened = code + ";", {}, []
        for match in re.finditer(r"[](){}[]", code):
            if opened and code[opened[-1]] + match[0] in ["()", "[]", "{}"]:
                self.closing[opened.pop()] = match.start()
            else:
                opened.append(match.start())
        if opened:
            raise Wrong(f"{path}: the bracket in line {line_at(code, opened[-1])} has no partner")

    def declarations(self, place, end, names):
        """What is declared outside functions: the names around it, where it begins and ends."""
        start = place = SKIPPED.match(self.code, place, end).end()
        while place < end:
            if self.code[place] == "{":
                head, closing = without_templates(self.code[start:place]), self.closing[place]
                scope = SCOPE.fullmatch(head)
                if scope:
                    yield from self.declarations(place + 1, closing, names + scope[2].split("::"))
                # A body; but after one of try, or a brace among initialisers, more follows.
                function = re.match(r"(?:operator\W+|[^=(])*\(", head)
                more = re.compile(r"\s*([,{.]|catch\b)").match(self.code, closing + 1)
                if (function and not more) or (scope and scope[1] in ["namespace", "extern"]):
                    place = closing
            if self.code[place] in ";}":
                yield names, start, place
                start = place = SKIPPED.match(self.code, place + 1, end).end()
            else:
                place = self.closing.get(place, place) + 1

    def definition(self, name, parameters):
        """The lines, the first and the last."""
        wanted, there = name.split("::"), []
        for names, start, end in self.declarations(0, len(self.code), []):
            text = without_templates(self.code[start : end + 1])
            head, inside = DECLARED.match(text).groups()
            words = re.sub(r"(?<!:):(?!:).*| final *$", "", head).split()  # without base classes
            names = names + (words or [""])[-1].strip("*&").split("::")
            if names[-1] == wanted[-1] and not ONLY_NAMED.match(text):
                lines = line_at(self.code, start), line_at(self.code, end)
                there.append(Definition(names, *lines, inside, inside is None or text[-1] == "}"))
        found = [d for d in there if d.name[-len(wanted) :] == wanted]
        found = [d for d in found if d.has_body] or found
        if parameters is None:  # the name of a type is the type, not its constructors
            found = [d for d in found if d.parameters is None] or found
        else:
            parameters = without_templates(parameters)
            found = [d for d in found if parameters in (d.parameters or "")]
            found = [d for d in found if d.parameters == parameters] or found
        if len(found) != 1:
            there = [f"{'::'.join(d.name)}({d.parameters or ''})" for d in found or there]
            raise Wrong(f"'{name}' is defined {len(found)} times; there is {there}")
        return found[0].first, found[0].last

    def is_comment(self, line):
        return 1 <= line <= len(self.lines) and self.lines[line - 1].lstrip().startswith("//")

    def begins_with(self, line, words):
        """Whether a comment, or if it is not C++ a line, begins here and with these words."""
        if not self.is_cpp:
            text = " ".join(self.lines[line - 1].split())
            return text.startswith(words) or text.lstrip("#/-; ").startswith(words)
        comment = []
        while self.is_comment(line) and (comment or not self.is_comment(line - 1)):
            comment += self.lines[line - 1].strip()[2:].split()
            line += 1
        return " ".join(comment).startswith(words)

    def paragraph(self, words, first, last):
        """The lines of the one paragraph that begins with these words."""
        found = [line for line in range(first, last + 1) if self.begins_with(line, words)]
        if len(found) != 1:
            raise Wrong(f'{len(found)} paragraphs begin with "{words}", in lines {found}')
        line, depth, code = found[0], 0, self.code.split("\n")
        while line <= len(self.lines) and (depth > 0 or self.lines[line - 1].strip()):
            for place, character in enumerate(code[line - 1]):
                depth += (character in "([{") - (character in ")]}")
                if depth < 0:  # the end of the block around it
                    return found[0], line if code[line - 1][:place].strip() else line - 1
            line += 1
        return found[0], line - 1


# ---- Numbers

NUMBER = r"[−+-]?[0-9]+(?:,[0-9]{3}(?![0-9]))*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"


def parsed(text):
    """A number, before which and after which nothing is but a unit; None for anything else."""
    match = re.fullmatch(f"({NUMBER})(?:[ %].*)?", text)
    return match and decimal.Decimal(match[1].replace("−", "-").replace(",", ""))


def rounded_like(shown, value):
    """Whether a value rounds to what is shown, and the value in the form of what is shown."""
    wanted, number = parsed(shown), parsed(value)
    if wanted is None or number is None:
        return shown == value, value
    decimals = len(re.search(r"(?:\.([0-9]*))?(?:e|$)", shown)[1] or "")
    least = -number.adjusted() if "e" not in shown and number else 0  # only 0 is shown as 0
    form = f"{',' * (',' in shown)}.{max(decimals, least)}{'e' if 'e' in shown else 'f'}"
    fresh = format(number, form).replace("e+", "e").replace("-", "−" if shown[0] == "−" else "-", 1)
    return 2 * abs(wanted - number) <= decimal.Decimal(10) ** wanted.as_tuple().exponent, fresh


def leaves(value, path=""):
    """The paths and values of JSON."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{index}]")
    else:
        yield path, value if isinstance(value, str) else json.dumps(value)


def values_of(output):
    """What a program prints, by key; a key that is printed twice has two values."""
    if output.lstrip()[:1] in ("{", "["):
        pairs = leaves(json.loads(output, parse_float=str, parse_int=str))
    else:
        pairs = re.findall(r"^ *(.*?)(?: *[=:\t]|  )[=: \t]*(.*?) *$", output, re.M)
    values = defaultdict(list)
    for key, value in pairs:
        values[key].append(value)
    return values


def cell(name, row, column):
    """The cell of a table whose first line that is not a note (#) is the heading."""
    lines = [line for line in read(name).split("\n") if line.strip() and line[0] != "#"]
    heading, *rows = [[text.strip() for text in line.split("\t")] for line in lines]
    wanted = dict(word.split("=", 1) if "=" in word else [heading[0], word] for word in row)
    rows = [dict(zip(heading, cells + [""] * len(heading))) for cells in rows]
    found = [cells for cells in rows if wanted.items() <= cells.items()]
    if len(found) != 1 or column not in heading:
        names = ", ".join(heading)
        raise Wrong(f"{name} has {len(found)} rows '{' '.join(row)}'; its columns are {names}")
    return found[0][column]


# ---- The book


class Book:
    """The chapters, two checked at a time; what they quote is read, and each program run, once."""

    def __init__(self, names, kinds, build, work, core):
        self.chapters, self.kinds = [Chapter(name) for name in names], kinds
        self.build, self.work, self.core = build, work, core
        self.sources, self.anchors, self.values, self.durations = {}, {}, {}, {}
        self.outputs, self.locks = {}, defaultdict(threading.Lock)
        self.printed = []  # places and paths of listings, and the numbers of their lines
        self.quoted = {mark.rest.split(" = ")[-1] for c in self.chapters for mark in c.marks}

    def check_chapter(self, chapter):
        chapter.check_marks()
        if "links" in self.kinds:
            self.check_links(chapter)
        for block in chapter.blocks:
            with reported(chapter, block.mark.begin):
                if block.mark.word == "listing" and "listings" in self.kinds:
                    self.check_listing(chapter, block)
                elif block.mark.word == "output" and "numbers" in self.kinds:
                    printed = self.output(block.mark.rest).split("\n")
                    compare(chapter, block, printed, "what it prints now")
                elif block.mark.word == "takes" and "commands" in self.kinds:
                    self.check_duration(chapter, block)
                elif block.mark.word == "run" and "commands" in self.kinds:
                    self.run_block(block, "run_" + chapter.name.replace("/", "_"))
        for mark in chapter.marks:
            if mark.word in NUMBER_MARKS and not mark.alone and "numbers" in self.kinds:
                with reported(chapter, mark.begin):
                    self.check_number(chapter, mark)

    def check_listing(self, chapter, block):
        form = r'(\w[\w./-]*)\s*([^"(]*?)\s*(?:\((.*?)\))?\s*((?:"[^"]+"\s*)*)'
        match = re.fullmatch(form, block.mark.rest)
        if not match or ".." in match[1]:
            raise Wrong(f'expected PATH NAME(PARAMETERS) "WORDS", not {block.mark.rest}')
        path, name, parameters, quoted = match.groups()
        if self.core and LABORATORY.match(path):
            raise LeftOut(path)
        if path not in self.sources:
            self.sources[path] = Source(path)
        source = self.sources[path]
        first, last = source.definition(name, parameters) if name else (1, len(source.lines))
        while name and not quoted and source.is_comment(first - 1):
            first -= 1
        words = [" ".join(text.split()) for text in re.findall(r'"([^"]+)"', quoted)]
        numbers = []  # of the lines; 0 is the empty one between paragraphs
        for begin, end in [source.paragraph(w, first, last) for w in words] or [(first, last)]:
            numbers += [0] * bool(numbers) + list(range(begin, end + 1))
        lines = [source.lines[number - 1] if number else "" for number in numbers]
        with_words = {n for n, line in zip(numbers, lines) if re.search(r"\w", line)}
        lines = textwrap.dedent("\n".join(lines)).split("\n")
        compare(chapter, block, lines, f"{path}:{numbers[0]}")
        here = f"{chapter.name}:{line_at(chapter.text, block.mark.begin)}", path, with_words
        self.printed.append(here)
        for there in self.printed[:]:
            shared, smaller = len(with_words & there[2]), min(len(with_words), len(there[2]))
            if here is not there and there[1] == path and shared > 3 and 2 * shared > smaller:
                raise Wrong(f"printed twice: {shared} lines of {path} are at {there[0]} too")

    def check_number(self, chapter, mark):
        if mark.word == "number":
            values = [(mark.rest, self.value(chapter, mark.rest))]
        elif mark.word == "minutes":
            path = os.path.join(os.path.dirname(chapter.name), mark.rest)
            values = [(mark.rest, str(Chapter(path).minutes()))]
        else:
            path, *row, columns = shlex.split(mark.rest) or [""]
            if not path.startswith("data/measurements/") or not row:
                raise Wrong("expected measured: data/measurements/FILE.tsv ROW COLUMN")
            values = [(f"{mark.rest} ({c})", cell(path, row, c)) for c in columns.split(",")]
        place = mark.end
        for what, value in values:
            if place > mark.end:
                next_cell = re.compile(r"[^|\n]*\| *(?!\n)").match(chapter.text, place)
                if not next_cell:
                    raise Wrong("expected a cell for each column of the mark")
                place = next_cell.end()
            span = re.compile(r"[*_$]*(?:`([^`\n]*)`|(%s))" % NUMBER).match(chapter.text, place)
            if not span:
                raise Wrong("expected a number or a code span directly after the mark")
            begin, place = span.span(span.lastindex)
            agrees, fresh = rounded_like(chapter.text[begin:place], value)
            if not agrees:
                message = f"stale number {span[0]}: {what} is {value}, i.e. {fresh}"
                chapter.complain(begin, message, (begin, place, fresh))

    def value(self, chapter, key):
        name, _, key = key.partition(" ")
        if name not in chapter.commands:
            raise Wrong(f"no <!-- command: {name} = … --> in this file")
        command = chapter.commands[name]
        if command not in self.values:
            self.values[command] = values_of(self.output(command))
        found = self.values[command].get(key, [])
        if len(found) != 1:
            keys = ", ".join(self.values[command])
            raise Wrong(f"'{command}' prints '{key}' {len(found)} times; it prints {keys[:200]}")
        return found[0]

    def output(self, command):
        """What a command prints. One that failed runs again for the next who asks."""
        with self.locks[command]:
            if command not in self.outputs:
                words = shlex.split(command) or [""]
                if re.search(r"[|&;<>$`*?#~\\]", command):
                    raise Wrong(f"'{command}' needs a shell, and gets none")
                self.leave_out_laboratory(words[0])
                if not words[0].startswith("build/") or not (self.build / words[0][6:]).is_file():
                    raise Wrong(f"there is no program '{words[0]}': is it built?")
                self.outputs[command] = self.run(words, "output", ATTENTION_ISA="portable")
        return self.outputs[command]

    def run_block(self, block, folder):
        for program in re.findall(r"(?<!\S)build/[\w./-]+", "\n".join(block.lines)):
            self.leave_out_laboratory(program)
        script = "\n".join(line for line in block.lines if line not in self.quoted)
        script = re.sub("(?m)^build/tests/.*", r"\g<0> --count | grep 'filters: [1-9]'", script)
        self.run(["sh", "-e", "-c", script], folder)

    def leave_out_laboratory(self, program):
        """By its name, or by what the source of an example includes."""
        source = ROOT / "walkthrough/examples" / re.sub("^build/example-(.*)", r"\1.cpp", program)
        lab = re.search("[-_]lab(?![a-z])", program)
        if self.core and (lab or (source.is_file() and '#include "lab/' in read(source))):
            raise LeftOut(program)

    def run(self, words, folder, **variables):
        """What a program prints; it runs in a folder that looks like the repository."""
        path = self.work / folder
        with self.locks[folder], contextlib.suppress(FileExistsError):
            path.mkdir()
            for name in ["data", "src", "tests", "walkthrough"]:
                (path / name).symlink_to(ROOT / name)
            (path / "build").symlink_to(self.build)
        variables = dict(os.environ, NO_COLOR="1", LC_ALL="C", **variables)
        streams = {"stdin": subprocess.DEVNULL, "capture_output": True, "encoding": "utf-8"}
        result = subprocess.run(words, cwd=path, env=variables, **streams)
        if result.returncode != 0:
            lines = (result.stdout + result.stderr).rstrip().split("\n")[-20:]
            raise Wrong("\n    ".join([f"{words[0]} exits with {result.returncode}", *lines]))
        return result.stdout

    def check_duration(self, chapter, block):
        command = "\n".join(block.lines).replace("\\\n", " ").split("\n")[0]
        here = block.mark.rest, f"{chapter.name}:{line_at(chapter.text, block.mark.begin)}"
        there = self.durations.setdefault(command, here)
        if there[0] != here[0]:
            raise Wrong(f"'{command}' takes '{here[0]}' here and '{there[0]}' at {there[1]}")

    def check_links(self, chapter):
        text = r"(?:[^][\n\\]|\\.|\n(?!\s*\n)|\[(?:[^][\\]|\\.)*\])*"
        link = r"(?<!\\)(?=\[%s\]\(\s*<?((?:[^\s()>]|\([^\s()]*\))*))" % text
        for match in re.finditer(link, chapter.prose):
            with reported(chapter, match.start()):
                self.check_target(chapter, match[1])
        others = r"^ {0,3}\[[^]\n]+\]:|\]\[|<[^>\n]* (href|src|id|name)="
        for match in re.finditer(others, chapter.prose, re.M):
            chapter.complain(match.start(), "a link is [text](target), an anchor a heading")

    def check_target(self, chapter, target):
        if re.match(r"[a-zA-Z][\w+.-]*:|//", target):
            return
        path, _, anchor = target.partition("#")
        folder, itself = os.path.split(chapter.name)
        name = os.path.normpath(os.path.join(folder, path or itself))
        exists = (ROOT / name).exists()
        if self.core and LABORATORY.match(name) and not exists:
            raise LeftOut(name)
        if not target or target[0] == "/" or name.startswith("..") or not exists:
            raise Wrong(f"dead link {target}: there is no {name} in the repository")
        if anchor and name not in self.anchors:
            ids = re.findall(' id="([^"]*)"', read(name))  # of a page
            self.anchors[name] = Chapter(name).anchors() if name.endswith(".md") else ids
        # What follows a ? is for the page.
        if anchor and anchor.partition("?")[0] not in self.anchors[name]:
            raise Wrong(f"dead link {target}: {name} has no heading '#{anchor}'")


@contextlib.contextmanager
def reported(chapter, place):
    """Turns an error into a finding."""
    try:
        yield
    except LeftOut as what:
        chapter.left_out.append(str(what))
    except (Wrong, OSError, ValueError) as error:
        chapter.complain(place, str(error))


def compare(chapter, block, lines, source):
    """A block and its source, without blanks at the ends of lines and empty lines at the end."""
    old, new = (
        "\n".join(line.rstrip() for line in text).rstrip().split("\n")
        for text in (block.lines, lines)
    )
    if any(line.strip().startswith(block.fence) for line in new):
        raise Wrong("a line of the text would close the block: give it a longer fence")
    if old != new:
        difference = difflib.unified_diff(old, new, "the chapter", source, n=2, lineterm="")
        message = "\n    ".join([f"stale {block.mark.word} of {block.mark.rest}", *difference])
        chapter.complain(block.mark.begin, message, (block.begin, block.end, "\n".join([*new, ""])))


def main():
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("mode", nargs="?", choices=["check", "update"], default="check")
    parser.add_argument("files", nargs="*", help="default: every Markdown file")
    parser.add_argument("--only", action="append", choices=KINDS, help="may be repeated")
    parser.add_argument("--core", action="store_true", help="leave out what is the laboratory's")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    options = parser.parse_args()
    folders = [ROOT / folder for folder in ["data", "src", "tests", "walkthrough"]]
    files = sum((list(folder.rglob("*.md")) for folder in folders), list(ROOT.glob("*.md")))
    names = options.files or sorted(str(path.relative_to(ROOT)) for path in files)
    kinds = set(options.only or KINDS) - ({"commands"} if options.mode == "update" else set())
    with tempfile.TemporaryDirectory(prefix="attention-book-") as work:
        book = Book(names, kinds, options.build.resolve(), pathlib.Path(work), options.core)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(book.check_chapter, book.chapters))
    wrong, left_out = 0, Counter()
    for chapter in book.chapters:
        chapter.findings.sort(key=lambda finding: finding[0])
        edits = [edit for *_, edit in chapter.findings if edit and options.mode == "update"]
        for begin, end, fresh in sorted(edits, reverse=True):
            chapter.text = chapter.text[:begin] + fresh + chapter.text[end:]
        if edits:
            (ROOT / chapter.name).write_text(chapter.text, encoding="utf-8")
            print(f"updated {chapter.name}")
        for line, message, edit in chapter.findings:
            if edit not in edits:  # what cannot be repaired, or shall not be
                print(f"{chapter.name}:{line}: {message}")
                wrong += 1
        left_out.update(chapter.left_out)
    for name, count in sorted(left_out.items()):
        print(f"left out, the laboratory's: {name} ({count})")
    marks = sum(len(chapter.marks) for chapter in book.chapters)
    print(f"{marks} marks, {wrong} wrong, {sum(left_out.values())} left out")
    return 1 if wrong or not marks else 0


if __name__ == "__main__":
    sys.exit(main())
