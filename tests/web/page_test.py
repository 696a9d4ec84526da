#!/usr/bin/env python3
"""Uses the live page in a real browser, as a reader would: by mouse, touch and keyboard.

    python3 page_test.py walkthrough/live.html build/attention [--only WORD] [--pictures DIR]

Needs Chromium with its driver, selenium, and axe-core, which finds what readers with a screen reader or
a keyboard could not use; the package axe-playwright-python brings it along. Every number that the trace shows must be the one that
`attention trace --json` prints with the portable kernels. --pictures keeps a picture of each mode.
"""
import argparse
import base64
import contextlib
import html.parser
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = ["train", "look", "step", "trace"]
SIZES = {"phone": 360, "tablet": 820, "desktop": 1440}
SENTENCE = "la vache blanche va boire un verre de lait"
HOSTILE = "Jane <script>alert(1)</script> visite \U0001f600 <img/src=x/onerror=alert(2)> l'Afrique"
LONG = " ".join((["un", "avocat", "mange", "un", "avocat", "et"] * 10)[:60])


def portable():
    return dict(os.environ, ATTENTION_ISA="portable")


class Page:
    """A browser with the page open in one mode."""

    def __init__(self, file, program, pictures):
        self.url = pathlib.Path(file).resolve().as_uri()
        self.program = str(pathlib.Path(program).resolve())
        self.pictures = pictures
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
        for argument in ["headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars"]:
            options.add_argument("--" + argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options,
                                       service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(120)

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def open(self, address, width=1440, scheme="light"):
        """Loads the page anew: '#look?model=copy' and so on."""
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.driver.get("about:blank")
        self.driver.get(self.url + address)
        self.wait(lambda: not self.all("#starting"), "the engine starts")
        name = address[1:].split("?")[0] or "train"
        ready = {"train": "#train-sentences li", "look": "#look-heads canvas", "step": "#step-tree .node",
                 "trace": "#trace-table td[data-row]"}
        self.wait(lambda: self.all(ready[name]), f"{name} shows something")
        if name == "step":
            self.wait(lambda: self.all("#step-candidates button"), "candidates are there")

    def wait(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while True:
            result = condition()
            if result:
                return result
            message = next((m.text for m in self.all(".message") if m.is_displayed()), "")
            assert time.monotonic() < end, f"{what}: not within {seconds} s; the page says: '{message}'"
            time.sleep(0.05)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def ask(self, request):
        """The engine's own answer, past everything that is drawn."""
        return self.driver.execute_async_script(
            "const [request, done] = arguments; call(request).then(done, (error) => done({error: error.message}));", request)

    def type(self, selector, words):
        # By script: the driver cannot type characters beyond the basic plane.
        self.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
                 self.one(selector), words)

    def tap(self, node):
        self.run("arguments[0].scrollIntoView({block: 'center'})", node)
        finger = PointerInput("touch", "finger")
        actions = ActionBuilder(self.driver, mouse=finger)
        actions.pointer_action.move_to(node).pointer_down().pause(0.05).pointer_up()
        actions.perform()

    def hover(self, node):
        self.run("arguments[0].scrollIntoView({block: 'center'})", node)
        ActionChains(self.driver).move_to_element(node).perform()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self):
        return self.driver.switch_to.active_element

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def picture(self, name):
        if not self.pictures:
            return
        size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
        data = self.cdp("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        (pathlib.Path(self.pictures) / f"{name}.png").write_bytes(base64.b64decode(data))

    def attention(self, *arguments, lines=""):
        return subprocess.run([self.program, *arguments], input=lines.encode(), env=portable(), check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()


def equal(found, expected, what):
    assert found == expected, f"{what}: {found!r} instead of {expected!r}"


# What each mode looks like once it has been used.

def use_train(page):
    page.one("#train-once").click()
    page.wait(lambda: "step 1:" in page.text("#train-fingerprint"), "one step is taken")


def use_look(page):
    page.run("document.querySelectorAll('.lines-view button')[1].click()")


def use_step(page):
    page.run("document.querySelector('#step-next').click()")
    page.wait(lambda: page.all("#step-written button"), "a token is taken")


def use_trace(page):
    page.run("document.querySelectorAll('#trace-table td[data-row]')[7].click()")
    page.wait(lambda: page.all("#trace-explain h3"), "a number is explained")


USE = {"train": use_train, "look": use_look, "step": use_step, "trace": use_trace}


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
    package = importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0]
    axe = (pathlib.Path(package) / "axe.min.js").read_text(encoding="utf-8")
    for mode in MODES:
        for width, scheme in [(360, "light"), (1440, "dark"), (1440, "light")]:
            page.open("#" + mode, width, scheme)
            USE[mode](page)
            page.run("for (const details of document.querySelectorAll('main details')) details.open = true")
            page.run(axe)
            violations = page.driver.execute_async_script("axe.run().then((found) => arguments[0](found.violations))")
            found = [(v["id"], v["impact"], v["nodes"][0]["html"][:200]) for v in violations]
            equal(found, [], f"axe in {mode} at {width}, {scheme}")


def test_nothing_is_fetched(page):
    """Using every mode fetches nothing, and the page forbids it to itself."""
    page.cdp("Network.enable")
    for mode in MODES:
        page.open("#" + mode)
        USE[mode](page)
        fetched = page.run("return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !/^(blob|data):/.test(n))")
        equal(fetched, [], f"what {mode} fetched")
    page.run("window.blocked = false; addEventListener('securitypolicyviolation', () => { window.blocked = true; });"
             "fetch('https://example.org/').catch(() => {})")
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
    equal(page.one("#tab-look").get_attribute("aria-selected"), "true", "the second tab is chosen")
    equal([mode for mode in MODES if page.one("#" + mode).is_displayed()], ["look"], "the mode that is shown")
    page.open("")
    page.keys(Keys.TAB)
    equal(page.focused().text, "Skip to the content", "the first stop")


def fingerprint(page, step):
    page.wait(lambda: f"step {step}:" in page.text("#train-fingerprint"), f"the fingerprint of step {step}")
    return page.text("#train-fingerprint code")


def steps(page, count):
    for i in range(1, count + 1):
        page.run("document.querySelector('#train-once').click()")
        fingerprint(page, i)
    return fingerprint(page, count)


def test_train_by_mouse(page):
    """Training runs, pauses and starts over; the loss falls below guessing; a seed gives the same weights."""
    page.open("#train")
    first = steps(page, 3)
    page.one("#train-form [type=submit]").click()
    page.wait(lambda: page.text("#train-status dd") == "0", "it starts over")
    equal(steps(page, 3), first, "the fingerprint after the same three steps")
    seed = page.one("[name=seed]")
    seed.clear()
    seed.send_keys("2", Keys.ENTER)
    page.wait(lambda: page.text("#train-status dd") == "0", "a new seed starts over")
    assert steps(page, 3) != first, "another seed gives the same weights"

    page.one("#train-run").click()
    equal(page.one("#train-run").text, "Pause", "the button while it trains")
    def losses():
        return page.run("return train.validations.map((v) => [v.step, v.loss, v.accuracy])")
    page.wait(lambda: losses()[-1][0] >= 300, "300 steps", 300)
    page.one("#train-run").click()
    page.wait(lambda: page.one("#train-run").text == "Train", "it pauses")
    step, loss, accuracy = losses()[-1]
    guessing = page.run("return train.info.uniform_loss")
    assert loss < guessing / 2 and accuracy > 0.5, f"after step {step}: loss {loss}, accuracy {accuracy}"
    right = len(page.all("#train-sentences .right"))
    equal(page.run("return document.querySelectorAll('#train-status dd')[4].textContent"), f"{right} of 24", "sequences right")
    for item in page.all("#train-sentences li")[:24]:
        written = page.run("return [...arguments[0].querySelector('.letters').childNodes].map((n) => n.nodeName === '#text' ? n.textContent : '').join('').trim()", item)
        source = page.run("return arguments[0].querySelector('.source').textContent", item)
        equal("right" in item.get_attribute("class"), written == source, f"whether '{source}' is right, with '{written}'")
    page.picture("train-after-300")
    equal(page.complaints(), [], "the console")


def test_train_like_the_program(page):
    """The page's losses are those that the program prints."""
    page.open("#train")
    page.driver.execute_async_script("takeSteps(50, train.generation).then(arguments[0])")
    seed = page.run("return train.info.settings.seed")
    with tempfile.TemporaryDirectory() as folder:
        page.attention("train", "copy", "--steps", "50", "--seed", str(seed), "--quiet", "--threads", "1", "--out", folder + "/run")
        rows = [line.split("\t") for line in (pathlib.Path(folder) / "run/log.tsv").read_text().splitlines() if not line.startswith("#")]
    last = dict(zip(rows[0], rows[-1]))
    losses = page.run("return train.losses.slice(0, 50)")
    equal([step for step, _ in losses], list(range(1, 51)), "the steps of the first fifty losses")
    # The program's line is the mean, over tokens, of five steps with about as many tokens each.
    mean = sum(loss for _, loss in losses[45:]) / 5
    assert abs(mean - float(last["loss"])) < 0.002, f"{mean} instead of {last['loss']}"
    held_out = page.ask({"op": "validate", "model": page.run("return train.info.model")})
    equal(f"{held_out['loss']:.6f}", last["validation_loss"], "the loss of what was held out")


def test_train_settings(page):
    """Every setting is accepted, what is broken is broken, and a mistake is explained."""
    page.open("#train")
    page.one("#train-settings summary").click()
    for name, values in {"layers": "1 3", "heads": "1 2 8", "d_model": "32 128", "positions": "learned none", "broken": "shift"}.items():
        for value in values.split():
            Select(page.one(f"[name={name}]")).select_by_visible_text(value) if value.isdigit() else Select(page.one(f"[name={name}]")).select_by_value(value)
            key, wanted = name, int(value) if value.isdigit() else value
            page.wait(lambda: page.run("return train.info.settings[arguments[0]]", key) == wanted, f"{name} becomes {value}")
            page.wait(lambda: page.run("return train.sentences.length") == 24, "the new model is asked")
        Select(page.one(f"[name={name}]")).select_by_index(1 if name in ("layers", "d_model") else 2 if name == "heads" else 0)
    Select(page.one("[name=learning_rate_scale]")).select_by_value("10")
    Select(page.one("[name=dropout]")).select_by_value("0.3")
    time.sleep(0.5)
    steps(page, 1)
    page.type("[name=seed]", "-5")
    page.run("train.info && document.querySelector('#train-form').noValidate; document.querySelector('#train-form').noValidate = true;"
             "document.querySelector('#train-form').requestSubmit()")
    page.wait(lambda: page.one("#train-message").is_displayed(), "a wrong seed is explained")
    assert "seed" in page.text("#train-message"), page.text("#train-message")


def test_tries(page):
    """Every proposal starts a training, and its answer can be opened."""
    page.open("#train")
    for i, _ in enumerate(page.all("#train-tries button")):
        page.run("document.querySelectorAll('#train-tries button')[arguments[0]].click()", i)
        page.wait(lambda: page.run("return train.running && train.step > 0"), f"proposal {i} trains")
        summary = page.all("#train-tries summary")[i]
        page.run("arguments[0].scrollIntoView({block: 'center'})", summary)
        summary.click()
        assert page.all("#train-tries details p")[i].is_displayed()
    equal(page.complaints(), [], "the console")


def look_at(page, sentence):
    page.type("#look-source", sentence)
    page.run("document.querySelector('#look-form').requestSubmit()")
    page.wait(lambda: page.run("return look.answer.source.length") == len(sentence.split()) + 1, f"a look at '{sentence}'")


def test_look_by_mouse(page):
    """Pointing at a word says where it looks; the numbers are the engine's; the map frames the row."""
    page.open("#look")
    look_at(page, SENTENCE)
    expected = page.attention("translate", "--model", str(ROOT / "data/phrasebook"), "--beam", "1", lines=SENTENCE + "\n").strip()
    equal(page.text("#look-output b"), expected, "the translation")
    for word in page.all(".lines-view button")[:4]:
        page.hover(word)
        page.wait(lambda: f"“{word.text}”" in page.text("#look-row"), f"pointing at {word.text}")
        shown = page.run("return [...document.querySelectorAll('.lines-view .to li')].map((li) => li.dataset.weight)")
        weights = page.run("return rowOf(mapOf(look.head), look.row)")
        equal(shown, [f"{w:.2f}" if w >= 0.01 else "" for w in weights], "the weights at the words")
    page.hover(page.one("#look-output"))
    page.wait(lambda: page.run("return look.row") == -1, "the pointer leaves")
    page.all(".lines-view button")[2].click()
    page.hover(page.one("#look-output"))
    page.wait(lambda: page.run("return look.row") == 2, "a chosen word stays chosen")
    page.hover(page.one("#look-matrix canvas"))
    assert page.run("return look.row") >= 0, "pointing at the map chooses a row"


def test_look_like_the_trace(page):
    """Every head's map has the weights that `attention trace` prints."""
    page.open("#look")
    look_at(page, SENTENCE)
    answer = page.run("return look.answer")
    trace = json.loads(page.attention("trace", "--model", str(ROOT / "data/phrasebook"), "--json", SENTENCE))
    equal(len(answer["maps"]), 24, "the number of maps")
    for head in answer["maps"]:
        name = page.run("return traceName(arguments[0])", head)
        flat = [number for row in trace[name]["data"] for number in row]
        equal(len(head["weights"]), len(flat), f"the size of {name}")
        for found, expected in zip(head["weights"], flat):
            equal(found, expected, name)


def test_heads_off(page):
    """Heads turned off by mouse, touch and keyboard change the output, and back on restore it."""
    page.open("#look")
    look_at(page, SENTENCE)
    whole = page.text("#look-output b")
    boxes = "#look-heads input[data-head^=cross]"
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.all(boxes)[0])
    page.all(boxes)[0].click()
    page.wait(lambda: "1 head off" in page.text("#look-output"), "a head is off by mouse")
    page.tap(page.all(boxes)[1])
    page.wait(lambda: "2 heads off" in page.text("#look-output"), "a head is off by touch")
    for i in range(2, 8):
        page.run("arguments[0].focus()", page.all(boxes)[i])
        page.keys(Keys.SPACE)
        page.wait(lambda: f"{i + 1} heads off" in page.text("#look-output"), "a head is off by keyboard")
        assert page.focused().get_attribute("data-head") == page.all(boxes)[i].get_attribute("data-head"), "the focus was lost"
    assert page.text("#look-output b") != whole, "without looking at the source, it writes the same"
    page.picture("look-heads-off")
    page.run("document.querySelector('#look-output button').click()")
    page.wait(lambda: "off" not in page.text("#look-output"), "all heads are on again")
    equal(page.text("#look-output b"), whole, "the output with all heads on")


def test_look_by_touch_and_keyboard(page):
    """Words and heads can be chosen by touch and by keyboard."""
    page.open("#look", 360)
    page.tap(page.all(".lines-view button")[3])
    page.wait(lambda: page.run("return look.row") == 3, "a word is chosen by touch")
    head = page.one("[data-head='encoder-1-2']")
    page.tap(head)
    page.wait(lambda: "Encoder self-attention, layer 2, head 3" == page.text("#look-one-title"), "a head is chosen by touch")
    page.open("#look")
    page.run("document.querySelector('.lines-view button').focus()")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    page.wait(lambda: page.run("return look.row") == 2, "a word is chosen by keyboard")
    page.keys(Keys.END)
    page.wait(lambda: page.run("return look.row === look.answer.target.length - 1"), "the last word")
    page.run("document.querySelector(\"[data-head='decoder-0-1']\").focus()")
    page.keys(Keys.ENTER)
    page.wait(lambda: "Decoder self-attention, layer 1, head 2" == page.text("#look-one-title"), "a head is chosen by keyboard")
    equal(page.focused().get_attribute("data-head"), "decoder-0-1", "the focus stays")


def test_hostile_words(page):
    """Words that look like HTML, and emoji, are words in every mode; a sentence of 60 words fits."""
    for mode in ["look", "step", "trace"]:
        for sentence in [HOSTILE, LONG]:
            for width in [360, 1440]:
                page.open(f"#{mode}", width)
                if mode == "trace":
                    Select(page.one("#trace-model")).select_by_value("phrasebook")
                    page.wait(lambda: page.run("return tracing.key === 'phrasebook' && tracing.values.length > 300"), "the phrasebook is traced")
                page.type(f"#{mode}-source", sentence)
                page.run("document.querySelector(arguments[0]).requestSubmit()", f"#{mode}-form")
                length = len(sentence.split()) + 1
                count = {"look": "return look.answer.source.length", "step": "return stepping.looks ? stepping.looks.source.length : 0",
                         "trace": "return tracing.values[0].shape[0]"}[mode]
                page.wait(lambda: page.run(count) == length, f"{mode} reads {length} tokens")
                page.wait(lambda: page.run("return document.querySelector('main').textContent").count("undefined") == 0, "no word is 'undefined'")
                wide = page.run("return document.documentElement.scrollWidth")
                assert wide <= width, f"{mode} is {wide} pixels wide on {width} with '{sentence[:20]}'"
                equal(page.run("return document.querySelectorAll('main script, main img').length"), 0, "elements made of words")
                page.picture(f"{mode}-{'long' if sentence == LONG else 'hostile'}-{width}")
                equal(page.complaints(), [], "the console")


def test_wrong_input(page):
    """An empty sentence and one that is too long get a sentence of explanation, and the page goes on."""
    for mode in ["look", "step"]:
        page.open("#" + mode)
        for words, part in [("   ", "no words"), ("un " * 121, "121")]:
            page.type(f"#{mode}-source", words)
            page.run("document.querySelector(arguments[0]).requestSubmit()", f"#{mode}-form")
            page.wait(lambda: page.one(f"#{mode}-message").is_displayed(), f"{mode} complains of '{words[:9]}'")
            assert part in page.text(f"#{mode}-message"), page.text(f"#{mode}-message")
        page.type(f"#{mode}-source", SENTENCE)
        page.run("document.querySelector(arguments[0]).requestSubmit()", f"#{mode}-form")
        page.wait(lambda: not page.one(f"#{mode}-message").is_displayed(), f"{mode} goes on")


def test_step_like_the_program(page):
    """Token by token gives what greedy decoding gives, and the beam's best path what `translate` gives."""
    for sentence in [SENTENCE, "un avocat mange un avocat", "il porte une robe"]:
        page.open("#step")
        page.type("#step-source", sentence)
        page.run("document.querySelector('#step-form').requestSubmit()")
        page.wait(lambda: page.run("return stepping.source") == sentence and page.all("#step-candidates button"), "it begins")
        page.one("#step-all").click()
        page.wait(lambda: "this is the end" in page.text("#step-candidates"), "the end")
        words = page.run("return stepping.written.map(({token}) => token)")
        equal(words.pop(), "<eos>", "the last token")
        model = str(ROOT / "data/phrasebook")
        equal(" ".join(words), page.attention("translate", "--model", model, "--beam", "1", lines=sentence + "\n").strip(), "greedy")
        for beam in ["1", "4", "8"]:
            Select(page.one("#step-beam")).select_by_visible_text(beam)
            expected = page.attention("translate", "--model", model, "--beam", beam, lines=sentence + "\n").strip()
            page.wait(lambda: page.all("#step-finished tbody th") and page.text("#step-finished tbody th") == expected, f"beam {beam} finds '{expected}'", 10)
            path = page.run("return [...document.querySelectorAll('#step-tree .node.best text')].map((t) => t.textContent)")
            equal(path[-1], "<eos>", "the end of the best path")
            equal(len(path), len(expected.split()) + 1, f"the length of the best path, {path}")


def test_step_by_touch_and_keyboard(page):
    """Candidates are taken by touch and keyboard; Back takes them back; the tree moves with arrow keys."""
    page.open("#step", 360)
    page.tap(page.all("#step-candidates button")[1])
    page.wait(lambda: len(page.all("#step-written button")) == 1, "a candidate is taken by touch")
    page.tap(page.one("#step-back"))
    page.wait(lambda: len(page.all("#step-written button")) == 0, "it is taken back")
    page.open("#step")
    page.run("document.querySelector('#step-candidates button').focus()")
    page.keys(Keys.ENTER)
    page.wait(lambda: len(page.all("#step-written button")) == 1, "a candidate is taken by keyboard")
    equal(page.run("return document.querySelector('#step-candidates').contains(document.activeElement)"), True, "the focus stays")
    page.run("document.querySelector('#step-tree .node').focus()")
    page.keys(Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("#step-node").startswith("Step 2:"), "to the child")
    page.keys(Keys.ARROW_DOWN)
    page.keys(Keys.ARROW_LEFT)
    page.wait(lambda: page.text("#step-node").startswith("Step 1:"), "to the parent")
    shares = page.run("return stepping.candidates.map(({probability}) => probability)")
    equal(shares, sorted(shares, reverse=True), "the order of the candidates")
    equal(len(shares), 12, "the number of candidates")


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
        page.wait(lambda: page.run("return document.querySelector('#trace-table table').getAttribute('aria-label')") == name, f"{name} opens")
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
                assert abs(float(words.replace("−", "-")) - number) <= max(0.00005001, 0.051 * abs(number) if abs(number) < 5e-5 or abs(number) >= 1e7 else 0), \
                    f"{name} shows {words} for {number}"


def test_trace_like_the_program(page):
    """Every number of the book's example, and many of a real model, are `attention trace --json`'s."""
    page.open("#trace")
    compare_with_program(page, None, None, lambda names: names)
    Select(page.one("#trace-model")).select_by_value("phrasebook")
    page.wait(lambda: page.run("return tracing.values.length") > 300, "the phrasebook is traced")
    page.type("#trace-source", SENTENCE)
    page.run("document.querySelector('#trace-form').requestSubmit()")
    page.wait(lambda: page.run("return tracing.values[0].shape[0]") == len(SENTENCE.split()) + 1, "the sentence is traced")
    compare_with_program(page, "phrasebook", SENTENCE, lambda names: [n for n in names if not n.startswith("embedding")][::9])
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
                answer = page.ask({"op": "explain", "model": model, "name": name, "row": row, "column": column})
                assert "error" not in answer, f"{name}: {answer}"
                equal(answer["result"], number(name, row, column), f"what is explained of {name}")
                assert answer["terms"] or answer["lines"], f"nothing is said of {name}"
                explained += bool(answer["terms"])
                for term in answer["terms"]:
                    for part in term["parts"]:
                        if part["name"]:
                            equal(part["value"], number(part["name"], part["row"], part.get("column", -1)), f"a part of {name}")
    assert explained > 300, f"only {explained} numbers have terms"

    page.run("return openValue('encoder.0.self_attention.heads.0.S')")
    cell = page.wait(lambda: page.all("#trace-table td[data-row='1'][data-column='2']"), "the scores")[0]
    cell.click()
    page.wait(lambda: page.all("#trace-explain h3"), "a score is explained")
    equal(page.text("#trace-explain h3").split(" = ")[0], "S[visite, l'Afrique]", "its name")
    products = page.run("return [...document.querySelectorAll('#trace-explain .terms tr')].map((tr) => tr.lastElementChild.title)")
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
    equal(page.run("const c = document.querySelector('#trace-table td.chosen'); return [c.dataset.row, c.dataset.column]"), ["1", "1"], "the cell")
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
    assert page.run("return [...document.querySelectorAll('#trace-list li')].length") > 100, "the gradients are listed"


def test_files(page):
    """A model of one's own is taken; a damaged or wrong file, or half of a model, gets a clear message."""
    phrasebook = ROOT / "data/phrasebook"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        good = (phrasebook / "model.safetensors").read_bytes()
        tokens = (phrasebook / "tokenizer.txt").read_bytes()
        (folder / "tokenizer.txt").write_bytes(tokens)
        damaged = {"cut short": good[:5000], "empty": b"", "no model": b"\x00" * 4000, "sizes from nowhere": b"\xff" * 8 + good[8:],
                   "a header that lies": good.replace(b'"data_offsets":[0,', b'"data_offsets":[7,', 1)}
        for what, data in damaged.items():
            page.open("#look")
            (folder / "model.safetensors").write_bytes(data)
            page.run("document.querySelector('.own-model').open = true")
            page.one("#look-files").send_keys(f"{folder}/model.safetensors\n{folder}/tokenizer.txt")
            page.wait(lambda: page.one("#look-message").is_displayed(), f"a complaint about a file: {what}")
            words = page.text("#look-message")
            assert "model.safetensors" in words and "stopped" not in words and len(words) > 60, f"{what}: {words}"
            look_at(page, SENTENCE)  # and the page goes on
        page.open("#look")
        (folder / "notes.pdf").write_bytes(b"%PDF")
        page.run("document.querySelector('.own-model').open = true")
        page.run("document.querySelector('#look-files').removeAttribute('accept')")
        page.one("#look-files").send_keys(f"{folder}/notes.pdf")
        page.wait(lambda: "notes.pdf" in page.text("#look-message"), "a wrong kind of file")

        (folder / "model.safetensors").write_bytes(good)
        page.one("#look-files").send_keys(f"{folder}/model.safetensors")
        page.wait(lambda: "tokenizer.txt is missing" in page.text("#look-files-message"), "half a model")
        page.one("#look-files").send_keys(f"{folder}/tokenizer.txt")
        page.wait(lambda: page.one("#look-model").get_attribute("value") == "dropped-1", "the model is taken")
        look_at(page, SENTENCE)
        expected = page.attention("translate", "--model", str(phrasebook), "--beam", "1", lines=SENTENCE + "\n").strip()
        equal(page.text("#look-output b"), expected, "what the model of one's own writes")

        # The same by dropping.
        page.open("#train")
        page.run("""
            const carried = new DataTransfer();
            const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
            carried.items.add(new File([bytes(arguments[0])], 'model.safetensors'));
            carried.items.add(new File([bytes(arguments[1])], 'tokenizer.txt'));
            for (const type of ['dragover', 'drop']) {
              document.body.dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
            }""", base64.b64encode(good).decode(), base64.b64encode(tokens).decode())
        page.wait(lambda: page.one("#look").is_displayed() and page.one("#look-model").get_attribute("value") == "dropped-1", "a dropped model is taken")
        equal(page.complaints(), [], "the console")


def test_trained_model_everywhere(page):
    """The model that Train trains can be looked at, stepped through and traced, while it learns."""
    page.open("#train")
    page.one("#train-run").click()
    page.wait(lambda: page.run("return train.step") > 20, "it trains")
    for mode, ready in [("look", "#look-heads canvas"), ("step", "#step-candidates button"), ("trace", "#trace-table td[data-row]")]:
        page.run("document.querySelector(arguments[0]).click()", f"#tab-{mode}")
        page.wait(lambda: page.all(ready), f"{mode} opens")
        Select(page.one(f"#{mode}-model")).select_by_value("trained")
        page.wait(lambda: " " in (page.one(f"#{mode}-source").get_attribute("value")), f"{mode} shows the trained model")
        page.wait(lambda: page.run(f"return {{look: look.key, step: stepping.key, trace: tracing.key}}['{mode}']") == "trained", mode)
    before = page.run("return train.step")
    page.wait(lambda: page.run("return train.step") > before, "it goes on training")
    equal(page.complaints(), [], "the console")


class Structure(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.outside = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("src", "srcset") or (tag == "link" and name == "href" and not value.startswith("data:")):
                self.outside.append((tag, value))


def test_one_file(page):
    """The page is one file of at most 3 MB that refers to no other source."""
    file = pathlib.Path(page.url.removeprefix("file://"))
    assert file.stat().st_size <= 3_000_000, f"{file.stat().st_size} bytes"
    structure = Structure()
    structure.feed(file.read_text(encoding="utf-8"))
    equal(structure.outside, [], "sources outside")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--pictures")
    options = parser.parse_args()
    if options.pictures:
        pathlib.Path(options.pictures).mkdir(parents=True, exist_ok=True)
    failed = 0
    page = Page(options.page, options.program, options.pictures)
    with contextlib.closing(type("Browser", (), {"close": page.driver.quit})):
        for name, test in list(globals().items()):
            if not name.startswith("test_") or options.only not in name:
                continue
            start = time.monotonic()
            try:
                test(page)
                verdict = "ok    "
            except Exception as error:  # an assertion, or the driver's
                verdict = "FAILED"
                failed += 1
                print(f"{name}: {str(error).splitlines()[0] if str(error) else type(error).__name__}", file=sys.stderr)
                if not isinstance(error, AssertionError):
                    import traceback
                    traceback.print_exc()
            print(f"{verdict} {time.monotonic() - start:5.1f} s  {test.__doc__}", flush=True)
    sys.exit(f"{failed} failed" if failed else 0)


if __name__ == "__main__":
    main()
