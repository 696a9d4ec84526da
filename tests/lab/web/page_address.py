"""The address has what is shown, and what is shown is never another question's answer."""

import pathlib
import tempfile

from browser import SENTENCE, equal
from page_look import look_at
from selenium.webdriver.support.ui import Select


def address(page):
    return page.run("return location.hash")


def seen(page):
    """What a reader of Look sees."""
    return page.run(
        "return [mode, ...['look-model', 'look-source'].map((id) => byId(id).value), ...['look-one-title', 'look-output',"
        "'look-row'].map((id) => byId(id).innerText), look.off, [...document.querySelectorAll('.off button')].length]"
    )


def drawn(page):
    """Whether Look shows an answer, and its own."""
    return page.run("return byId('look-output').checkVisibility({visibilityProperty: true}) ? look.answer.output : null")


def test_address_of_look(page):
    """A copied address shows a fresh tab the same sentence, model, head and heads switched off; Back undoes each step."""
    page.open("#look")
    page.wait(lambda: "head=" in address(page), "the address is complete")
    states = [seen(page)]

    def step(what, act, shown):
        before = address(page)
        act()
        page.wait(lambda: address(page) != before, f"{what} is in the address")
        page.wait(lambda: shown in page.text("#look-shown") and drawn(page) is not None, what)
        states.append(seen(page))

    step("a sentence", lambda: look_at(page, SENTENCE), "vache")
    click = "document.querySelector(arguments[0]).click()"
    step("a head", lambda: page.run(click, "[data-head='cross-0-1']"), "Encoder–decoder attention, layer 1, head 2")
    step("off", lambda: page.run(click, "[data-head='cross-1-3-on']"), "1 head off")
    step("two off", lambda: page.run(click, "[data-head='cross-1-2-on']"), "2 heads off")
    copied = address(page)
    page.run(click, "#tab-trace")
    page.wait(lambda: "row=" in address(page), "the trace opens with a number")
    page.driver.back()
    page.wait(lambda: page.one("#look").is_displayed(), "Back leads to the tab before")
    for state in reversed(states):
        page.wait(lambda: seen(page) == state, f"Back shows {state} again")
        page.driver.back()
    page.driver.switch_to.new_window("tab")
    page.open(copied)
    equal(seen(page), states[-1], "what a fresh tab shows")
    page.driver.close()
    page.driver.switch_to.window(page.driver.window_handles[0])
    equal(page.complaints(), [], "the console")


def test_address_of_the_others(page):
    """Step's sentence, the number that Trace takes apart and Grow's part are in the address, and Back works."""
    page.open("#trace")
    equal(page.text("#trace-explain h3")[:2], "S[", "the number that Trace begins with")
    first = page.text("#trace-explain h3")
    page.run("document.querySelector('#trace-explain .terms button').click()")
    page.wait(lambda: page.text("#trace-explain h3").startswith("Q["), "a part is taken apart")
    part, copied = page.text("#trace-explain h3"), address(page)
    page.driver.back()
    page.wait(lambda: page.text("#trace-explain h3") == first, "Back to the number")
    page.open(copied)
    page.wait(lambda: page.text("#trace-explain h3") == part, "the number of a copied address")
    page.open("#step?model=phrasebook&source=un+avocat+mange")
    equal(page.one("#step-source").get_attribute("value"), "un avocat mange", "the sentence of the address")
    page.run("document.querySelector('#step-examples button').click()")
    page.wait(lambda: "Jane" in address(page), "an example is in the address")
    page.driver.back()
    page.wait(lambda: page.one("#step-source").get_attribute("value") == "un avocat mange", "Back to the sentence")
    page.open("#grow?part=5&task=copy")
    page.run("document.querySelector('#grow [value=shuffle]').click()")
    page.open(address(page))
    equal(page.run("return [grow.part, growForm().task]"), [5, "shuffle"], "Grow")
    equal(page.complaints(), [], "the console")


def test_no_stale_answer(page):
    """While a model is trained or waited for, no other's answer is shown, a message is, and resizing does no harm."""
    page.open("#look")
    whole = page.text("#look-output b")
    for mode in ["look", "step", "trace"]:
        page.run("document.querySelector(arguments[0]).click()", f"#tab-{mode}")
        page.wait(lambda: page.run(f"return !byId('{mode}-shown').classList.contains('waiting')"), f"{mode} shows something")
        visible = page.driver.execute_async_script(
            """const [mode, done] = arguments, select = byId(mode + '-model');
            select.value = 'copy-here';
            select.dispatchEvent(new Event('change'));
            const shown = byId(mode + '-shown').checkVisibility({visibilityProperty: true});
            setTimeout(() => done([shown, byId(mode + '-message').innerText]), 500);""",
            mode,
        )
        equal([visible[0], visible[1] != ""], [False, True], f"what {mode} shows half a second after the choice")
    page.run("document.querySelector('#tab-look').click()")
    for width in [700, 360, 1440]:
        page.cdp("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        equal(drawn(page), None, f"the answer shown in training at {width}")
    Select(page.one("#look-model")).select_by_value("phrasebook")
    page.wait(lambda: drawn(page) == whole, "the phrasebook again")
    page.driver.back()
    page.wait(lambda: "Training it first" in page.text("#look-message"), "Back to the one in training")
    equal(drawn(page), None, "the answer shown in training")
    page.driver.forward()
    page.wait(lambda: drawn(page) == whole, "forward to the phrasebook")
    page.wait(lambda: page.run("return models.get('copy-here').info"), "the other has learned to copy", 600)
    page.ask({"op": "weights", "model": page.run("return models.get('phrasebook').info.model")})  # after all asked before
    equal([drawn(page), page.one("#look-model").get_attribute("value")], [whole, "phrasebook"], "what is shown then")
    page.driver.back()
    page.wait(lambda: drawn(page) == "h e l l o", "Back to what the other writes")
    equal(page.complaints(), [], "the console")


def test_own_model_first(page):
    """A model of one's own begins without a sentence or maps; in a fresh tab its address shows no other model's."""
    page.open("#look")
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"
        page.attention("train", "copy", "--steps", "5", "--quiet", "--out", str(run))
        page.one("#look-files").send_keys(f"{run}/model.safetensors\n{run}/tokenizer.txt")
        page.wait(lambda: "model=own-" in address(page), "the model is taken")
        page.wait(lambda: "no words yet" in page.text("#look-message"), "it asks for a sentence")
        equal([page.one("#look-source").get_attribute("value"), drawn(page)], ["", None], "the sentence and the answer")
        look_at(page, "h e l l o")
        page.wait(lambda: drawn(page) is not None, "its answer")
        copied = address(page)
    page.driver.get("about:blank")
    page.driver.get(page.url + copied)
    page.wait(lambda: "another page" in page.text("#look-message"), "a fresh tab says that it lacks the model")
    equal(drawn(page), None, "the answer shown for a model that is not there")
    equal(page.complaints(), [], "the console")


def test_alone_on_a_disk(page):
    """Away from the book, the page names the chapters without links that lead nowhere."""
    count = "return document.querySelectorAll('a[href]:not(.skip)').length"
    page.open("#trace")
    assert page.run(count) > 5, "there are links beside the book"
    url = page.url
    with tempfile.TemporaryDirectory() as folder:
        alone = pathlib.Path(folder) / "live.html"
        alone.write_bytes(pathlib.Path(url.removeprefix("file://")).read_bytes())
        page.url = alone.as_uri()
        for name in ["train", "grow", "look", "step", "trace"]:
            page.open("#" + name)
            equal(page.run(count), 0, f"links in {name}")
    page.url = url
    equal(page.complaints(), [], "the console")


def test_maps_near_their_controls(page):
    """On a phone, maps are within a screen of what changes them; on a desktop they are large."""
    top = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
    for mode, control, figure in [("train", "#train-run", "#train-maps"), ("look", "#look-source", "#look-matrix"),
                                  ("look", "#look-matrix", "#look-heads")]:
        page.open("#" + mode, 360)
        distance = page.run(top, figure) - page.run(top, control)
        assert 0 < distance < 700, f"{distance} pixels from {control} to {figure}"
    page.open("#look")
    wide = page.run("return document.querySelector('#look-matrix canvas').clientWidth")
    assert wide > 400, f"the map is {wide} pixels wide"
