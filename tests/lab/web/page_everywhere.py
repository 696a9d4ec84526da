"""What holds in every mode of the live page: sizes, themes, accessibility, strange words, no network."""

import html.parser
import importlib.util
import pathlib

from browser import ROOT, SENTENCE, equal, submit
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

MODES = ["train", "grow", "look", "step", "trace"]
SIZES = {"phone": 360, "tablet": 820, "desktop": 1440}
HOSTILE = "Jane <script>alert(1)</script> visite \U0001f600 <img/src=x/onerror=alert(2)> l'Afrique"
LONG = " ".join((["un", "avocat", "mange", "un", "avocat", "et"] * 10)[:60])


def axe_is_content(page, what):
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    page.run("for (const details of document.querySelectorAll('main details')) details.open = true")
    page.run((pathlib.Path(package) / "axe.min.js").read_text(encoding="utf-8"))
    violations = page.driver.execute_async_script("axe.run().then((found) => arguments[0](found.violations))")
    found = [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in violations]
    equal(found, [], f"axe in {what}")


# What each mode looks like once it has been used.


def use_train(page):
    page.one("#train-once").click()
    page.wait(lambda: "step 1:" in page.text("#train-fingerprint"), "one step is taken")


def use_grow(page):
    page.run("showGrow({part: 4, task: 'copy', steps: 100})")
    page.run("document.querySelectorAll('#grow-stairs input')[4].click()")
    page.wait(lambda: page.text("#grow-output").endswith("of 1000\n"), "part 5 is trained")


def use_look(page):
    page.run("document.querySelectorAll('.lines-view button')[1].click()")


def use_step(page):
    page.run("document.querySelector('#step-next').click()")
    page.wait(lambda: page.all("#step-written button"), "a token is taken")


def use_trace(page):
    page.run("document.querySelectorAll('#trace-table td[data-row]')[7].click()")
    page.wait(lambda: page.all("#trace-explain h3"), "a number is explained")


USE = {"train": use_train, "grow": use_grow, "look": use_look, "step": use_step, "trace": use_trace}


def test_every_size_and_theme(page):
    """Every mode fits phones, tablets and desktops, light and dark, and nothing is complained of."""
    for mode in MODES:
        for size, width in SIZES.items():
            for scheme in ["light", "dark"]:
                page.open("#" + mode, width, scheme)
                USE[mode](page)
                page.picture(f"{mode}-{size}-{scheme}")
                wide = page.run("return document.documentElement.scrollWidth")
                assert wide <= width, f"{mode} is {wide} pixels wide on {width}"
                outside = page.run("""
                    const scrolls = (node) => node && (getComputedStyle(node).overflowX !== 'visible' || scrolls(node.parentElement));
                    return [...document.querySelectorAll('main *')].filter((node) => !scrolls(node.parentElement) &&
                        node.getBoundingClientRect().width > 0 && node.getBoundingClientRect().right > innerWidth + 1)
                      .map((node) => node.outerHTML.slice(0, 90));""")
                equal(outside, [], f"what sticks out of {mode} at {width}")
                equal(page.complaints(), [], f"the console in {mode}")


def test_accessibility(page):
    """axe-core has nothing to say against any mode, light or dark, on a phone or a desktop."""
    for mode in MODES:
        for width, scheme in [(360, "light"), (1440, "dark"), (1440, "light")]:
            page.open("#" + mode, width, scheme)
            USE[mode](page)
            axe_is_content(page, f"{mode} at {width}, {scheme}")


def test_nothing_is_fetched(page):
    """Using every mode fetches nothing, and the page forbids it to itself."""
    page.cdp("Network.enable")
    for mode in MODES:
        page.open("#" + mode)
        USE[mode](page)
        fetched = page.run(
            "return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !/^(blob|data):/.test(n))"
        )
        equal(fetched, [], f"what {mode} fetched")
    page.run(
        "window.blocked = false; addEventListener('securitypolicyviolation', () => { window.blocked = true; });"
        "fetch('https://example.org/').catch(() => {})"
    )
    page.wait(lambda: page.run("return window.blocked"), "the page's policy forbids a request")
    page.complaints()


def test_links(page):
    """Every link leads to a file of the repository."""
    page.open("#trace")
    use_trace(page)
    targets = page.run("return [...document.querySelectorAll('a[href]')].map((a) => a.getAttribute('href'))")
    for target in set(targets):
        if not target.startswith("#"):
            assert (ROOT / "walkthrough" / target).exists(), f"the link {target} leads nowhere"
    # All chapters, not only those that are on display.
    for file in page.run("return Object.values(chapters).map(([file]) => file)"):
        assert (ROOT / "walkthrough" / file).exists(), f"there is no chapter {file}"


def test_tabs_by_keyboard(page):
    """The tabs move with the arrow keys, and the first Tab leads past them."""
    page.open("#train")
    page.one("#tab-train").send_keys(Keys.ARROW_LEFT)
    equal(page.focused().get_attribute("id"), "tab-trace", "the tab left of the first")
    page.wait(lambda: page.all("#trace-table td[data-row]"), "trace opens")
    page.keys(Keys.HOME)
    equal(page.focused().get_attribute("id"), "tab-train", "the first tab")
    page.keys(Keys.ARROW_RIGHT)
    equal(page.one("#tab-grow").get_attribute("aria-selected"), "true", "the second tab is chosen")
    equal([mode for mode in MODES if page.one("#" + mode).is_displayed()], ["grow"], "the mode that is shown")
    page.open("")
    page.keys(Keys.TAB)
    equal(page.focused().text, "Skip to the content", "the first stop")


def test_odd_addresses(page):
    """An address that names no tab opens the first, and a lone % in one is a %."""
    for address in ["#%", "#toString", "#train%"]:
        page.open(address)
        equal([mode for mode in MODES if page.one("#" + mode).is_displayed()], ["train"], address)
    page.open("#look?source=100%")
    equal(page.one("#look-source").get_attribute("value"), "100%", "the sentence in the address")


def test_hostile_words(page):
    """Words that look like HTML, and emoji, are words in every mode; a sentence of 60 words fits."""
    for mode in ["look", "step", "trace"]:
        for sentence in [HOSTILE, LONG]:
            for width in [360, 1440]:
                page.open(f"#{mode}", width)
                if mode == "trace":
                    Select(page.one("#trace-model")).select_by_value("phrasebook")
                    page.wait(
                        lambda: page.run(
                            "return tracing.key === 'phrasebook' && tracing.values.length > 300"
                        ),
                        "the phrasebook is traced",
                    )
                submit(page, mode, sentence)
                length = len(sentence.split()) + 1
                count = {
                    "look": "return look.answer?.source.length",
                    "step": "return stepping.looks ? stepping.looks.words.length : 0",
                    "trace": "return tracing.values.find((value) => !value.weight)?.shape[0]",
                }[mode]
                page.wait(lambda: page.run(count) == length, f"{mode} reads {length} tokens")
                page.wait(
                    lambda: page.run("return document.querySelector('main').textContent").count("undefined")
                    == 0,
                    "no word is 'undefined'",
                )
                wide = page.run("return document.documentElement.scrollWidth")
                assert wide <= width, f"{mode} is {wide} pixels wide on {width} with '{sentence[:20]}'"
                equal(
                    page.run("return document.querySelectorAll('main script, main img').length"),
                    0,
                    "elements made of words",
                )
                page.picture(f"{mode}-{'long' if sentence == LONG else 'hostile'}-{width}")
                equal(page.complaints(), [], "the console")


def test_wrong_input(page):
    """An empty sentence and one that is too long get a sentence of explanation, and the page goes on."""
    for mode in ["look", "step"]:
        page.open("#" + mode)
        for words, part in [("   ", "no words"), ("un " * 121, "121")]:
            submit(page, mode, words)
            page.wait(
                lambda: page.one(f"#{mode}-message").is_displayed(), f"{mode} complains of '{words[:9]}'"
            )
            assert part in page.text(f"#{mode}-message"), page.text(f"#{mode}-message")
        submit(page, mode, SENTENCE)
        page.wait(lambda: not page.one(f"#{mode}-message").is_displayed(), f"{mode} goes on")


class Structure(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.outside = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "srcset") or (
                tag == "link" and name == "href" and not value.startswith("data:")
            ):
                self.outside.append((tag, value))


def test_one_file(page):
    """The page is one file of at most 3 MB that refers to no other source."""
    file = pathlib.Path(page.url.removeprefix("file://"))
    assert file.stat().st_size <= 3_000_000, f"{file.stat().st_size} bytes"
    structure = Structure()
    structure.feed(file.read_text(encoding="utf-8"))
    equal(structure.outside, [], "sources outside")
