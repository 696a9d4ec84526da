"""A browser with the live page in it, and the program to compare with."""

import base64
import contextlib
import os
import pathlib
import shutil
import subprocess
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By

ROOT = pathlib.Path(__file__).resolve().parents[3]
SENTENCE = "la vache blanche va boire un verre de lait"


def portable():
    return dict(os.environ, ATTENTION_ISA="portable")


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for argument in [
        "headless=new",
        "no-sandbox",
        "disable-gpu",
        "disable-dev-shm-usage",
        "hide-scrollbars",
    ]:
        options.add_argument("--" + argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_script_timeout(120)
    return driver


class Page:
    """A browser with the page open in one mode."""

    def __init__(self, file, program, pictures):
        self.url = pathlib.Path(file).resolve().as_uri()
        self.program = str(pathlib.Path(program).resolve())
        self.pictures = pictures
        self.driver = start_browser()

    def cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    def new_tab(self):
        """Leaves the old tab with its history: of 50 addresses a browser drops those that no hand led to, so Back skips them."""
        old = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        new = self.driver.current_window_handle
        self.driver.switch_to.window(old)
        self.driver.close()
        self.driver.switch_to.window(new)

    def open(self, address, width=1440, scheme="light"):
        """Loads the page anew: '#look?model=copy' and so on."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.driver.get("about:blank")
        self.driver.get(self.url + address)
        self.wait(lambda: not self.all("#starting"), "the engine starts")
        name = address[1:].split("?")[0] or "train"
        ready = {
            "train": "#train-sentences li",
            "grow": "#grow-stairs .measured",
            "look": "#look-heads canvas",
            "step": "#step-tree .node",
            "trace": "#trace-table td[data-row]",
        }
        self.wait(lambda: self.all(ready.get(name, ready["train"])), f"{address} shows something")
        if name == "step":
            self.wait(lambda: self.all("#step-candidates button"), "candidates are there")

    def wait(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(StaleElementReferenceException):  # drawn anew at this moment
                result = condition()
                if result:
                    return result
            if time.monotonic() > end:
                break
            time.sleep(0.05)
        message = self.run(
            "return [...document.querySelectorAll('.message')].filter((m) => m.checkVisibility()).map((m) => m.textContent)"
        )
        raise AssertionError(f"{what}: not within {seconds} s; the page says: {message}")

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
            "const [request, done] = arguments; call(request).then(done, (error) => done({error: error.message}));",
            request,
        )

    def type(self, selector, words):
        # By script: the driver cannot type characters beyond the basic plane.
        self.run(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            self.one(selector),
            words,
        )

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
        """What the console says; not that a browser skips addresses, of which tests make hundreds in a minute."""
        said = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in said if "Throttling navigation" not in message]

    def picture(self, name):
        if not self.pictures:
            return
        size = self.cdp("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}
        data = self.cdp("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        (pathlib.Path(self.pictures) / f"{name}.png").write_bytes(base64.b64decode(data))

    def attention(self, *arguments, lines=""):
        return subprocess.run(
            [self.program, *arguments],
            input=lines.encode(),
            env=portable(),
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ).stdout.decode()


def equal(found, expected, what):
    assert found == expected, f"{what}: {found!r} instead of {expected!r}"


def submit(page, mode, sentence):
    """Types a sentence and presses Enter, as it were."""
    page.type(f"#{mode}-source", sentence)
    page.run("document.querySelector(arguments[0]).requestSubmit()", f"#{mode}-form")
