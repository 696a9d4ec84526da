"""Look and Step: maps, heads, models of one's own, decoding and the beam."""

import base64
import json
import pathlib
import tempfile

from browser import ROOT, SENTENCE, equal, submit
from page_everywhere import axe_is_content
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select


def look_at(page, sentence):
    submit(page, "look", sentence)
    page.wait(
        lambda: page.run("return look.answer?.source.length") == len(sentence.split()) + 1,
        f"a look at '{sentence}'",
    )


def test_look_by_mouse(page):
    """Pointing at a word says where it looks; the numbers are the engine's; the map frames the row."""
    page.open("#look")
    look_at(page, SENTENCE)
    expected = page.attention(
        "translate", "--model", str(ROOT / "data/phrasebook"), "--beam", "1", lines=SENTENCE + "\n"
    ).strip()
    equal(page.text("#look-output b"), expected, "the translation")
    for word in page.all(".lines-view button")[:4]:
        page.hover(word)
        page.wait(lambda: f"“{word.text}”" in page.text("#look-row"), f"pointing at {word.text}")
        shown = page.run(
            "return [...document.querySelectorAll('.lines-view .to li')].map((li) => li.dataset.weight)"
        )
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
        assert page.focused().get_attribute("data-head") == page.all(boxes)[i].get_attribute(
            "data-head"
        ), "the focus was lost"
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
    page.wait(
        lambda: "Encoder self-attention, layer 2, head 3" == page.text("#look-one-title"),
        "a head is chosen by touch",
    )
    page.open("#look")
    page.run("document.querySelector('.lines-view button').focus()")
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    page.wait(lambda: page.run("return look.row") == 2, "a word is chosen by keyboard")
    page.keys(Keys.END)
    page.wait(lambda: page.run("return look.row === look.answer?.target.length - 1"), "the last word")
    page.run("document.querySelector(\"[data-head='decoder-0-1']\").focus()")
    page.keys(Keys.ENTER)
    page.wait(
        lambda: "Decoder self-attention, layer 1, head 2" == page.text("#look-one-title"),
        "a head is chosen by keyboard",
    )
    equal(page.focused().get_attribute("data-head"), "decoder-0-1", "the focus stays")


def test_files(page):
    """A model of one's own is taken; a damaged or wrong file, or half of a model, gets a clear message."""
    phrasebook = ROOT / "data/phrasebook"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        good = (phrasebook / "model.safetensors").read_bytes()
        tokens = (phrasebook / "tokenizer.txt").read_bytes()
        (folder / "tokenizer.txt").write_bytes(tokens)
        damaged = {
            "cut short": good[:5000],
            "empty": b"",
            "no model": b"\x00" * 4000,
            "sizes from nowhere": b"\xff" * 8 + good[8:],
            "a header that lies": good.replace(b'"data_offsets":[0,', b'"data_offsets":[7,', 1),
        }
        for what, data in damaged.items():
            page.open("#look")
            (folder / "model.safetensors").write_bytes(data)
            page.run("document.querySelector('.own-model').open = true")
            page.one("#look-files").send_keys(f"{folder}/model.safetensors\n{folder}/tokenizer.txt")
            page.wait(lambda: page.one("#look-message").is_displayed(), f"a complaint about a file: {what}")
            words = page.text("#look-message")
            assert (
                "model.safetensors" in words and "stopped" not in words and len(words) > 60
            ), f"{what}: {words}"
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
        page.wait(lambda: page.one("#look-model").get_attribute("value").startswith("own-"), "the model is taken")
        look_at(page, SENTENCE)
        expected = page.attention(
            "translate", "--model", str(phrasebook), "--beam", "1", lines=SENTENCE + "\n"
        ).strip()
        equal(page.text("#look-output b"), expected, "what the model of one's own writes")

        # The same by dropping.
        page.open("#train")
        page.run(
            """
            const carried = new DataTransfer();
            const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
            carried.items.add(new File([bytes(arguments[0])], 'model.safetensors'));
            carried.items.add(new File([bytes(arguments[1])], 'tokenizer.txt'));
            for (const type of ['dragover', 'drop']) {
              document.body.dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
            }""",
            base64.b64encode(good).decode(),
            base64.b64encode(tokens).decode(),
        )
        page.wait(
            lambda: page.one("#look").is_displayed()
            and page.one("#look-model").get_attribute("value").startswith("own-"),
            "a dropped model is taken",
        )
        equal(page.complaints(), [], "the console")


def test_step_with_a_decoder_only_model(page):
    """A decoder-only model is trained when chosen; its distribution follows the temperature, what it draws the seed."""
    page.open("#step", 390)
    Select(page.one("#step-model")).select_by_value("writer")
    page.wait(lambda: "perplexity" in page.text("#step-message"), "it trains")
    page.wait(lambda: page.text("#step-written code") == "<eos> the black", "it goes on", 600)
    equal(page.one("#step-beams").is_displayed(), False, "the beam search is shown")
    assert "self-attention" in page.one("#step-looks").text, page.one("#step-looks").text
    axe_is_content(page, "Step with a decoder-only model")
    page.run("document.querySelector('#step-temperature').focus()")
    page.keys(Keys.HOME)
    page.wait(lambda: page.text("#step-candidates .number") == "100.0 %", "at temperature 0 one token is certain")
    page.keys(Keys.END)
    page.wait(lambda: len(page.all("#step-candidates button")) == 12, "at temperature 2 it is not")

    def line(seed):
        page.type("#step-seed", seed)
        submit(page, "step", "the black")
        page.wait(lambda: len(page.all("#step-candidates button")) == 12, "it begins")
        page.tap(page.one("#step-all"))
        page.wait(lambda: "the end" in page.text("#step-candidates") or page.text("#step-message"), "it ends")
        return page.run("return stepping.written.map(({token}) => token)")

    lines = [line(seed) for seed in "334"]
    assert lines[0] == lines[1] != lines[2], f"seeds 3, 3 and 4 draw {lines}"
    for button, written in [("back", lines[2][:-1]), ("draw", lines[2])]:
        page.tap(page.one(f"#step-{button}"))
        page.wait(lambda: page.run("return stepping.written.map(({token}) => token)") == written, button)
    page.picture("step-decoder-only")
    equal(page.complaints(), [], "the console")


# Three words that it does not know: the best path is not always the best at each step.
UNSURE = "Jane qwerty visite uiop asdf l'Afrique"


def test_step_like_the_program(page):
    """Token by token gives what greedy decoding gives, which is temperature 0, and the beam's best path what `translate` gives."""
    for sentence in [SENTENCE, "un avocat mange un avocat", UNSURE]:
        page.open("#step")
        submit(page, "step", sentence)
        page.wait(
            lambda: page.run("return stepping.source") == sentence and page.all("#step-candidates button"),
            "it begins",
        )
        page.type("#step-temperature", "0")
        page.wait(lambda: len(page.all("#step-candidates button")) == 1, "one candidate is certain")
        page.one("#step-all").click()
        page.wait(lambda: "this is the end" in page.text("#step-candidates"), "the end")
        words = page.run("return stepping.written.map(({token}) => token)")
        equal(words.pop(), "<eos>", "the last token")
        model = str(ROOT / "data/phrasebook")
        equal(
            " ".join(words),
            page.attention("translate", "--model", model, "--beam", "1", lines=sentence + "\n").strip(),
            "greedy",
        )
        for beam in ["1", "4", "8"]:
            Select(page.one("#step-beam")).select_by_visible_text(beam)
            expected = page.attention(
                "translate", "--model", model, "--beam", beam, lines=sentence + "\n"
            ).strip()
            page.wait(
                lambda: page.all("#step-finished tbody th")
                and page.text("#step-finished tbody th") == expected,
                f"beam {beam} finds '{expected}'",
                10,
            )
            path = page.run(
                "return [...document.querySelectorAll('#step-tree .node.best text')].map((t) => t.textContent)"
            )
            equal(path, [*expected.split(), "<eos>"], f"the best path of beam {beam}")


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
    equal(
        page.run("return document.querySelector('#step-candidates').contains(document.activeElement)"),
        True,
        "the focus stays",
    )
    page.run("document.querySelector('#step-tree .node').focus()")
    page.keys(Keys.ARROW_RIGHT)
    page.wait(lambda: page.text("#step-node").startswith("Step 2:"), "to the child")
    page.keys(Keys.ARROW_DOWN)
    page.keys(Keys.ARROW_LEFT)
    page.wait(lambda: page.text("#step-node").startswith("Step 1:"), "to the parent")
    shares = page.run("return stepping.candidates.map(({probability}) => probability)")
    equal(shares, sorted(shares, reverse=True), "the order of the candidates")
    equal(len(shares), 12, "the number of candidates")


def test_step_through_the_longest_sentence(page):
    """Of a sentence too long for maps, Step shows all but where the model looks."""
    page.open("#step")
    submit(page, "step", "un " * 120)
    page.wait(lambda: page.run("return stepping.source.length") > 300, "it begins")
    shown = "return byId(arguments[0]).checkVisibility({visibilityProperty: true})"
    page.wait(lambda: page.run(shown, "step-next") and page.run(shown, "step-finished"), "both answers", 300)
    page.wait(lambda: page.all("#step-finished tbody tr"), "the beam ends", 300)
    page.one("#step-next").click()
    page.wait(lambda: page.all("#step-written button"), "a token is taken", 120)
    equal(page.one("#step-message").is_displayed(), False, "a message")
