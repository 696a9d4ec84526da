#!/usr/bin/env python3
"""Reads the book's site as a browser does, from files.

    python3 site_test.py build/site [--pictures DIR]

Every page: links lead somewhere, nothing comes from a network, nothing is wider than a phone or a desktop
shows, and the console stays empty. Then the search and the two themes. Needs Chromium with its driver,
and selenium. --pictures keeps pictures of some pages.
"""

import argparse
import base64
import html.parser
import pathlib
import re
import sys
import time
import urllib.parse

from browser import start_browser

WIDTHS = [360, 1440]
SHOWN = ["README.html", "walkthrough/3.2.1-scaled-dot-product-attention.html", "walkthrough/README.html"]
SHOWN += ["walkthrough/B-matmul.html", "src/layers/attention.cpp.html", "walkthrough/3-model-architecture.html"]


class Parsed(html.parser.HTMLParser):
    """What a page defines, what it links to, what it loads, and the text of its article."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads, self.words = set(), [], [], []
        self.inside = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors |= {attributes[name] for name in ("id", "name") if attributes.get(name)}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag in ("img", "script") and "src" in attributes:
            self.loads.append(attributes["src"])
        if tag == "link" and "href" in attributes and attributes.get("rel") != "canonical":
            self.loads.append(attributes["href"])
        if tag in ("pre", "code", "script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        if not self.inside:
            self.words.append(data)


def dead_links(site):
    """What a page refers to and does not find; formulas that nobody has set."""
    pages = {path: Parsed(path) for path in sorted(site.rglob("*.html"))}
    problems = []
    for path, page in pages.items():
        for target in page.links + page.loads:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    problems.append(f"{path}: {target} is not of the site")
                continue
            to = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment).split("?")[0]
            if not to.is_file():
                problems.append(f"{path}: there is no {target}")
            elif anchor and to in pages and anchor not in pages[to].anchors:
                problems.append(f"{path}: {target} has no such place")
        text = "".join(page.words)
        for formula in re.findall(r"\$(?=[^$\s])[^$\n]*\\[a-z]+[^$\n]*\$|\\\(.+?\\\)", text):
            problems.append(f"{path}: the formula {formula} is not set")
    assert len(pages) > 100, f"{site} has {len(pages)} pages"
    return problems, list(pages)


class Browser:
    def __init__(self, site, pictures):
        self.site, self.pictures, self.driver = site, pictures, start_browser()

    def resize(self, width):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def open(self, page):
        self.driver.get((self.site / page).as_uri() if isinstance(page, str) else page.as_uri())

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, what, seconds=60):
        end = time.monotonic() + seconds
        while not self.run("return " + script):
            assert time.monotonic() < end, f"{what}: not within {seconds} s"
            time.sleep(0.05)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def shot(self, clip):
        data = {"captureBeyondViewport": True, "clip": {**clip, "scale": 1}}
        return self.driver.execute_cdp_cmd("Page.captureScreenshot", data)["data"]

    def picture(self, name):
        if self.pictures:
            size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000)}
            (self.pictures / f"{name}.png").write_bytes(base64.b64decode(self.shot(clip)))

    def theme(self, name):
        self.run("localStorage.setItem('theme', arguments[0])", name)
        self.driver.refresh()


# What is wider than the page, or than the theme's column, which scrolls in its place; with a few elements
# that are.
WIDER = """
const article = document.querySelector("article");
for (let box = article.closest(".content"); box; box = box.parentElement) {
  if (box.scrollWidth <= box.clientWidth) continue;
  const right = box.getBoundingClientRect().left + box.clientWidth;
  const out = [...article.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > right + 1);
  const names = out.slice(0, 3).map((e) => e.outerHTML.slice(0, 80)).join(" ");
  return box.scrollWidth + " px in " + box.clientWidth + ": " + names;
}
return "";
"""


def every_page(browser, pages):
    """Nothing is wider than the window; the console is empty."""
    problems = []
    for page in pages:
        if page.name in ("live.html", "index.html") and page.parent.name in ("walkthrough", browser.site.name):
            continue  # the live page has a test of its own; the index leads to the README
        browser.open(page)
        for width in WIDTHS:
            browser.resize(width)
            wider = browser.run(WIDER)
            if wider:
                problems.append(f"{page}: {width} px are too few: {wider}")
        problems += [f"{page}: {message}" for message in browser.complaints()]
    return problems


def search(browser):
    """The search finds a word, and its first answer has it."""
    browser.resize(1440)
    browser.open("README.html")
    browser.run(
        "const field = document.querySelector('input[name=q]'); field.value = 'perplexity'; field.form.submit()"
    )
    browser.wait("document.querySelectorAll('#search-results li a').length > 2", "the search")
    browser.picture("search")
    browser.run("document.querySelector('#search-results li a').click()")
    browser.wait("document.querySelector('article') && !location.href.includes('search.html')", "the page")
    assert browser.run("return document.body.textContent.toLowerCase().includes('perplexity')")
    return browser.complaints()


BRIGHTNESS = """
const [data, done] = arguments, image = new Image();
image.onload = () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const brush = canvas.getContext("2d");
  brush.drawImage(image, 0, 0);
  const pixels = brush.getImageData(0, 0, image.width, image.height).data;
  done(pixels.filter((_, i) => i % 4 < 3).reduce((sum, x) => sum + x, 0) / (pixels.length * 0.75));
};
image.src = "data:image/png;base64," + data;
"""


def themes(browser):
    """Each theme colours page and figure, whatever the system prefers; without a choice, the system's."""
    page = "walkthrough/3-model-architecture.html"
    box = "const r = document.querySelector('article img').getBoundingClientRect();"
    box += "return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height}"
    for system in ["light", "dark"]:
        media = [{"name": "prefers-color-scheme", "value": system}]
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
        for theme in ["light", "dark", "auto"]:
            browser.open(page)
            browser.theme(theme)
            browser.wait("document.querySelector('article img').complete", "the figure")
            expected = system if theme == "auto" else theme
            for what, clip in [("figure", browser.run(box)), ("page", {"x": 0, "y": 0, "width": 1440, "height": 200})]:
                light = browser.driver.execute_async_script(BRIGHTNESS, browser.shot(clip))
                assert (light > 128) == (expected == "light"), f"{theme} on {system}: the {what} is at {light:.0f}"
        browser.theme("auto")
    return browser.complaints()


def pictures(browser):
    for theme in ["light", "dark"]:
        for width in WIDTHS:
            browser.resize(width)
            for page in SHOWN:
                browser.open(page)
                browser.theme(theme)
                browser.picture(f"{pathlib.Path(page).stem}-{width}-{theme}")
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path, metavar="DIR")
    options = parser.parse_args()
    site = options.site.resolve()
    problems, pages = dead_links(site)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    browser = Browser(site, options.pictures)
    try:
        problems += every_page(browser, pages)
        problems += search(browser)
        problems += themes(browser)
        if options.pictures:
            pictures(browser)
    finally:
        browser.driver.quit()
    print(*problems, sep="\n")
    print(f"{len(pages)} pages, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
