"""Grow: what the book's programs print, part by part, and the stairs."""

import pathlib
import re
import subprocess

from browser import ROOT, equal
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

BOXES = "#grow-stairs input"
PROGRAMS = sorted((ROOT / "walkthrough/grow").glob("[0-9][0-9]-*.cpp"))


def program(page, part):
    """What the compiler of the machine has made of the program."""
    return pathlib.Path(page.program).parent / f"walkthrough/grow/grow-{PROGRAMS[part - 1].stem}"


def parts_on(page):
    return page.run(f"return [...document.querySelectorAll('{BOXES}')].map((box) => box.checked)").count(True)


def switch(page, part):
    page.run(f"document.querySelectorAll('{BOXES}')[arguments[0] - 1].click()", part)


def at_the_end(page):
    page.wait(lambda: page.run("return grow.run && grow.run.exact !== null && !running()"), "the end", 300)
    return page.text("#grow-output")


def cells(page, part):
    return page.run(
        "return [...document.getElementById('grow-stairs').rows[arguments[0] - 1].cells].slice(1).map((c) => c.textContent)",
        part,
    )


def test_grow_like_the_programs(page):
    """A part that is switched on prints, to the last character, what its program prints in a terminal."""
    page.open("#grow?task=copy&steps=100")
    for part, task in [(5, "copy"), (13, "reverse"), (10, "shuffle"), (2, "copy")]:
        page.run("document.querySelector('#grow [value=' + arguments[0] + ']').click()", task)
        on = parts_on(page)
        switch(page, part if part > on else part + 1)
        equal(parts_on(page), part, "the parts that are on")
        expected = subprocess.run(
            [program(page, part), task, "--seed", "1", "--steps", "100"], check=True, stdout=subprocess.PIPE
        ).stdout.decode()
        equal(at_the_end(page), expected, f"what part {part} prints on {task}")
        loss, exact = re.findall(r"loss (\S+)", expected)[-1], expected.split()[-3]
        for cell, own in zip(cells(page, part), [loss, exact]):
            assert cell.endswith(f"yours: {own}"), f"part {part} has '{cell}' and not {own}"
        equal(
            page.run("return [...document.querySelectorAll('#grow-status dd')].map((d) => d.textContent)"),
            ["100 of 100", loss, exact],
            "what is said of the run",
        )
        assert PROGRAMS[part - 1].name in page.text("#grow-command"), page.text("#grow-command")
    equal(page.complaints(), [], "the console")


def test_grow_stairs(page):
    """The stairs are those of the measurements, for every task; every part leads to its section of the chapter."""
    rows = (ROOT / "data/measurements/grow.tsv").read_text(encoding="utf-8").splitlines()
    table = dict(row.split("\t", 1) for row in rows if not row.startswith("#"))
    headings = re.findall(r"^## (.*)$", (ROOT / "walkthrough/grow/README.md").read_text(encoding="utf-8"), re.M)
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    page.open("#grow")
    equal(page.run("return parts.length"), len(PROGRAMS), "the number of parts")
    for part, source in enumerate(PROGRAMS, 1):
        for task in ["copy", "reverse", "shuffle"]:
            page.run(f"showGrow({{part: {part}, task: '{task}'}})")
            _, loss, exact, *_ = table.get(f"{source.stem}/{task}", "-\t–\t–").split("\t")
            equal(cells(page, part), [loss, exact], f"the stairs of part {part} on {task}")
        link = page.run("return document.querySelector('#grow-adds a').getAttribute('href')").split("#")
        assert link[0] == "grow/README.md" and link[1] in anchors, f"part {part} leads to {link}"
    page.run("showGrow({task: 'copy'})")
    width = page.run("return document.querySelector('#grow-stairs .measured').style.width")
    equal(width, "97.6%", "the first bar, 3.2879 of ln 29")


def test_grow_by_touch_and_keyboard(page):
    """Parts are switched by touch and keyboard with all that they need; a run stops and gives way to another."""
    page.open("#grow?part=12", 360)
    page.tap(page.all("#grow-stairs label")[12])
    page.wait(lambda: page.one("#grow-run").text == "Stop", "the last part trains")
    equal(parts_on(page), 13, "the parts that are on by touch")
    page.tap(page.one("#grow-run"))
    page.wait(lambda: page.one("#grow-run").text == "Train", "it stops")
    page.open("#grow?part=7")
    page.run(f"document.querySelectorAll('{BOXES}')[7].focus()")
    page.keys(Keys.SPACE)
    page.wait(lambda: page.one("#grow-run").text == "Stop", "a part trains by keyboard")
    equal(page.text("#grow-title"), "8 The feed-forward network", "the part")
    page.wait(lambda: page.run("return grow.run.losses.length > 0"), "its first loss", 300)
    Select(page.one("#grow [name=steps]")).select_by_visible_text("100")
    page.run(f"document.querySelectorAll('{BOXES}')[1].focus()")
    page.keys(Keys.SPACE)
    equal(parts_on(page), 1, "the parts that are on when the second is off")
    assert at_the_end(page).startswith("step   10  loss "), "the bias trains"
    equal(page.focused().get_attribute("type"), "checkbox", "the focus stays")
    page.type("#grow [name=seed]", "-5")
    switch(page, 2)
    equal(page.run("return [grow.part, running()]"), [2, False], "a part with a wrong seed")
    equal(page.run("return document.querySelector('#grow [name=seed]').validity.valid"), False, "the seed")
    equal(page.complaints(), [], "the console")
