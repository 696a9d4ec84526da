"""Trace: every number is the program's, and what is said to have made it did make it."""

import json

from browser import ROOT, SENTENCE, equal, submit
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select


def numbers_on_display(page):
    """All numbers of the value that is open, page after page of its columns."""
    read = """const rows = {};
        for (const cell of document.querySelectorAll('#trace-table td[data-row]')) (rows[cell.dataset.row] ??= []).push([cell.dataset.value, cell.textContent, cell.title]);
        return Object.values(rows);"""
    rows = page.run(read)
    while page.all("#trace-pager button:last-child:not(:disabled)"):
        page.run("document.querySelector('#trace-pager button:last-child').click()")
        rows = [row + more for row, more in zip(rows, page.run(read))]
    return rows


def compare_with_program(page, model, sentence, choose):
    arguments = ["--model", str(ROOT / "data/phrasebook")] if model else []
    sentences = [sentence] if sentence else []
    expected = json.loads(page.attention("trace", *arguments, "--weights", "--json", *sentences))
    expected.update(json.loads(page.attention("trace", *arguments, "--backward", "--json", *sentences)))
    del expected["trace"]
    names = page.run("return tracing.values.map(({name}) => name)")
    equal(sorted(names), sorted(expected), "the names of the trace")
    for name in choose(names):
        page.run("return openValue(arguments[0])", name)
        page.wait(
            lambda: page.run("return document.querySelector('#trace-table table').getAttribute('aria-label')")
            == name,
            f"{name} opens",
        )
        data = expected[name]["data"]
        rows = [row if isinstance(row, list) else [row] for row in data]
        found = numbers_on_display(page)
        equal(len(found), len(rows), f"the rows of {name}")
        for shown_row, row in zip(found, rows):
            equal(len(shown_row), len(row), f"the columns of {name}")
            for (value, words, title), number in zip(shown_row, row):
                if number is None:
                    equal((value, words), ("-inf", "−∞"), name)
                    continue
                equal(float(value), float(number), name)
                equal(float(title.replace("−", "-")), float(number), f"all digits in {name}")
                assert abs(float(words.replace("−", "-")) - number) <= max(
                    0.00005001, 0.051 * abs(number) if abs(number) < 5e-5 or abs(number) >= 1e7 else 0
                ), f"{name} shows {words} for {number}"


def test_trace_like_the_program(page):
    """Every number of the book's example, and many of a real model, are `attention trace --json`'s."""
    page.open("#trace")
    compare_with_program(page, None, None, lambda names: names)
    Select(page.one("#trace-model")).select_by_value("phrasebook")
    page.wait(lambda: page.run("return tracing.values.length") > 300, "the phrasebook is traced")
    submit(page, "trace", SENTENCE)
    page.wait(
        lambda: page.run("return tracing.values.find((value) => !value.weight)?.shape[0]") == len(SENTENCE.split()) + 1,
        "the sentence is traced",
    )
    compare_with_program(
        page, "phrasebook", SENTENCE, lambda names: [n for n in names if not n.startswith("embedding")][::9]
    )
    page.picture("trace-phrasebook")
    equal(page.complaints(), [], "the console")


def test_trace_explains(page):
    """The arithmetic that is written out is right, and its numbers are where their links lead."""
    page.open("#trace")
    values = {v["name"]: v for v in page.run("return tracing.values")}
    model = page.run("return models.get('example').info.model")
    data = {}

    def number(name, row, column):
        if name not in data:
            data[name] = page.ask({"op": "value", "model": model, "name": name})["data"]
        cell = data[name][row]
        return cell[column] if isinstance(cell, list) else cell

    explained = 0
    for name, value in values.items():
        shape = value["shape"]
        for row in {0, shape[0] - 1}:
            for column in ({0, shape[1] - 1} if len(shape) > 1 else {-1}):
                answer = page.ask(
                    {"op": "explain", "model": model, "name": name, "row": row, "column": column}
                )
                assert "error" not in answer, f"{name}: {answer}"
                equal(answer["result"], number(name, row, column), f"what is explained of {name}")
                assert answer["terms"] or answer["lines"], f"nothing is said of {name}"
                explained += bool(answer["terms"])
                for term in answer["terms"]:
                    for part in term["parts"]:
                        if part["name"]:
                            equal(
                                part["value"],
                                number(part["name"], part["row"], part.get("column", -1)),
                                f"a part of {name}",
                            )
    assert explained > 300, f"only {explained} numbers have terms"

    page.run("return openValue('encoder.0.self_attention.heads.0.S')")
    cell = page.wait(lambda: page.all("#trace-table td[data-row='1'][data-column='2']"), "the scores")[0]
    cell.click()
    page.wait(lambda: page.all("#trace-explain h3"), "a score is explained")
    equal(page.text("#trace-explain h3").split(" = ")[0], "S[visite, l'Afrique]", "its name")
    products = page.run(
        "return [...document.querySelectorAll('#trace-explain .terms tr')].map((tr) => tr.lastElementChild.title)"
    )
    total = sum(float(p.replace("−", "-")) for p in products)
    assert abs(total - number("encoder.0.self_attention.heads.0.S", 1, 2)) < 1e-5, products
    page.run("document.querySelector('#trace-explain .terms button').click()")
    page.wait(lambda: "heads.0.Q" in page.text("#trace-head code"), "a part leads to its value")
    page.wait(lambda: page.all("#trace-table td.chosen"), "and to its number")


def test_trace_by_keyboard_and_touch(page):
    """The numbers are reached by arrow keys, explained with Enter or a tap; values are found by name."""
    page.open("#trace")
    page.run("document.querySelector('#trace-table td[tabindex=\"0\"]').focus()")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
    page.wait(lambda: page.all("#trace-explain h3"), "Enter explains")
    equal(
        page.run(
            "const c = document.querySelector('#trace-table td.chosen'); return [c.dataset.row, c.dataset.column]"
        ),
        ["1", "1"],
        "the cell",
    )
    page.type("#trace-find", "cross_attention.heads.1.P")
    names = page.run("return [...document.querySelectorAll('#trace-list li')].length")
    equal(names, 1, "values of this name")
    page.run("document.querySelector('#trace-list li button').focus()")
    page.keys(Keys.ENTER)
    page.wait(lambda: "decoder.0.cross_attention.heads.1.P" in page.text("#trace-head"), "the value opens")
    page.open("#trace", 360)
    page.tap(page.all("#trace-table td[data-row]")[0])
    page.wait(lambda: page.all("#trace-explain h3"), "a tap explains")
    page.one("[name=trace-pass][value=backward]").click()
    assert (
        page.run("return [...document.querySelectorAll('#trace-list li')].length") > 100
    ), "the gradients are listed"
