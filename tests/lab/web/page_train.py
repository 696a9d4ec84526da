"""Train: what is learned, drawn and said is what the program would."""

import pathlib
import tempfile
import time

from browser import equal
from page_everywhere import axe_is_content
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select


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
    # Clearing the field has started over as well, with another seed.
    page.wait(
        lambda: page.run("return train.info.settings.seed") == 2 and page.text("#train-status dd") == "0",
        "a new seed starts over",
    )
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
    equal(
        page.run("return document.querySelectorAll('#train-status dd')[4].textContent"),
        f"{right} of 24",
        "sequences right",
    )
    for item in page.all("#train-sentences li")[:24]:
        written = page.run(
            "return [...arguments[0].querySelector('.letters').childNodes].map((n) => n.nodeName === '#text' ? n.textContent : '').join('').trim()",
            item,
        )
        source = page.run("return arguments[0].querySelector('.source').textContent", item)
        equal(
            "right" in item.get_attribute("class"),
            written == source,
            f"whether '{source}' is right, with '{written}'",
        )
    page.picture("train-after-300")
    equal(page.complaints(), [], "the console")


def test_train_like_the_program(page):
    """The page's losses are those that the program prints."""
    page.open("#train")
    page.driver.execute_async_script("takeSteps(50, train.generation).then(arguments[0])")
    seed = page.run("return train.info.settings.seed")
    with tempfile.TemporaryDirectory() as folder:
        page.attention(
            "train",
            "copy",
            "--steps",
            "50",
            "--seed",
            str(seed),
            "--quiet",
            "--threads",
            "1",
            "--out",
            folder + "/run",
        )
        rows = [
            line.split("\t")
            for line in (pathlib.Path(folder) / "run/log.tsv").read_text().splitlines()
            if not line.startswith("#")
        ]
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
    for name, values in {
        "layers": "1 3",
        "heads": "1 2 8",
        "d_model": "32 128",
        "positions": "learned rotary none",
        "architecture": "decoder",
        "broken": "shift",
    }.items():
        for value in values.split():
            (
                Select(page.one(f"[name={name}]")).select_by_visible_text(value)
                if value.isdigit()
                else Select(page.one(f"[name={name}]")).select_by_value(value)
            )
            key, wanted = name, int(value) if value.isdigit() else value
            page.wait(
                lambda: page.run("return train.info.settings[arguments[0]]", key) == wanted,
                f"{name} becomes {value}",
            )
            page.wait(lambda: page.run("return train.sentences.length") == 24, "the new model is asked")
        Select(page.one(f"[name={name}]")).select_by_index(
            1 if name in ("layers", "d_model") else 2 if name == "heads" else 0
        )
    Select(page.one("[name=learning_rate_scale]")).select_by_value("10")
    Select(page.one("[name=dropout]")).select_by_value("0.3")
    time.sleep(0.5)
    steps(page, 1)
    page.type("[name=seed]", "-5")
    page.run(
        "train.info && document.querySelector('#train-form').noValidate; document.querySelector('#train-form').noValidate = true;"
        "document.querySelector('#train-form').requestSubmit()"
    )
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


def test_trained_model_everywhere(page):
    """The model that Train trains can be looked at, stepped through and traced, while it learns."""
    page.open("#train")
    page.one("#train-run").click()
    page.wait(lambda: page.run("return train.step") > 20, "it trains")
    for mode, ready in [
        ("look", "#look-heads canvas"),
        ("step", "#step-candidates button"),
        ("trace", "#trace-table td[data-row]"),
    ]:
        page.run("document.querySelector(arguments[0]).click()", f"#tab-{mode}")
        page.wait(lambda: page.all(ready), f"{mode} opens")
        Select(page.one(f"#{mode}-model")).select_by_value("trained")
        page.wait(
            lambda: " " in (page.one(f"#{mode}-source").get_attribute("value")),
            f"{mode} shows the trained model",
        )
        page.wait(
            lambda: page.run(f"return {{look: look.key, step: stepping.key, trace: tracing.key}}['{mode}']")
            == "trained",
            mode,
        )
    before = page.run("return train.step")
    page.wait(lambda: page.run("return train.step") > before, "it goes on training")
    equal(page.complaints(), [], "the console")


def test_model_trained_when_chosen(page):
    """A model that copies is trained when it is chosen in Look, says so, and then copies."""
    page.open("#look")
    Select(page.one("#look-model")).select_by_value("copy-here")
    page.wait(lambda: "Training it first: step" in page.text("#look-message"), "it trains")
    page.wait(lambda: page.text("#look-output b") == "h e l l o", "it copies", 600)
    equal(page.one("#look-message").is_displayed(), False, "a message is left")
    equal(page.text("#look-one-title")[:34], "Encoder–decoder attention, layer 2", "the head that is shown")


def test_beyond_training(page):
    """Of two models that copy 20 letters one fails beyond, and is seen to look at no later letter; by keyboard."""
    page.open("#train", 390, "dark")
    page.run("document.querySelector('#beyond-source').focus()")
    page.keys(Keys.ENTER)
    page.wait(lambda: "Training it first: step" in page.text("#beyond-message"), "it trains")
    page.wait(lambda: page.one("#beyond-figure").is_displayed(), "both have learned to copy", 600)
    letters = page.one("#beyond-source").get_attribute("value").split()
    sinusoidal, rotary = page.run("return beyond.outputs")
    equal(rotary, letters, "what rotary positions copy")
    wrong = next(i for i, letter in enumerate(letters) if sinusoidal[i : i + 1] != [letter])
    assert wrong >= 19, f"letter {wrong + 1} of 25 is wrong"
    equal(page.text("#beyond-at"), f"{wrong + 1}, “{letters[wrong]}”", "the letter that is shown")
    equal(page.one("#beyond-message").is_displayed(), False, "a message is left")
    page.picture("train-beyond")
    axe_is_content(page, "the comparison")
    page.run("document.querySelector('#beyond-letter').focus()")
    page.keys(Keys.END)
    page.wait(lambda: page.text("#beyond-at").startswith("25,"), "the last letter")
    shares = page.run("return beyond.maps.map((m) => Math.max(...[0, 1, 2, 3].map((i) => rowOf(headsAt(m, 24), i)[24])))")
    assert shares[0] < 0.1 and shares[1] > 0.9, f"the weights of letter 25 are {shares}"
    page.type("#beyond-source", "a b c")
    page.run("document.querySelector('#beyond-form').requestSubmit()")
    page.wait(lambda: page.text("#beyond-at") == "3, “c”", "another sequence")
    equal(page.run("return beyond.outputs"), [["a", "b", "c"]] * 2, "what they copy")
    equal(page.complaints(), [], "the console")
