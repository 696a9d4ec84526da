#!/usr/bin/env python3
"""Makes the live page: one file, with everything that walkthrough/live/page.html names inside it.

    bundle.py ENGINE.wasm OUT.html        makes it
    bundle.py ENGINE.wasm OUT.html --check   instead says whether OUT.html has the same inside
"""
import argparse
import base64
import gzip
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LIVE = ROOT / "walkthrough/live"
MOST_BYTES = 3_000_000


def script(text):
    """A script may not hold what would end its element."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def packed(data):
    """Gzipped, without a date, and as base64."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def unpacked(page):
    """The page with the contents of its data in place of base64, which other versions of zlib spell
    in other ways."""
    def contents(found):
        return found[1] + repr(gzip.decompress(base64.b64decode(found[2]))) + found[3]
    return re.sub(r'(<script type="text/plain" id="data-[^>]*>)([^<]+)(</script>)', contents, page)


def bundle(engine):
    model = ROOT / "data/phrasebook"
    fillings = {
        "worker-source": script((LIVE / "engine.js").read_text() + (LIVE / "worker.js").read_text()),
        "stairs-measured": (ROOT / "data/measurements/grow.tsv").read_text(),
        "sentences": (model / "test.target").read_text(),
        "data-engine": packed(engine.read_bytes()),
        "data-phrasebook": packed((model / "model.safetensors").read_bytes()),
        "data-phrasebook-tokenizer": packed((model / "tokenizer.txt").read_bytes()),
    }

    def inlined(found):
        text = (LIVE / found[1]).read_text()
        return f"<style>\n{text}</style>" if found[1].endswith(".css") else (
            f"<script>\n{script(text)}</script>")

    def filled(found):
        return found[1] + fillings.pop(found[2], "") + found[3]

    page = (LIVE / "page.html").read_text()
    page = re.sub(r'<link rel="stylesheet" href="(\w+\.css)">', inlined, page)
    page = re.sub(r'<script src="(\w+\.js)"></script>', inlined, page)
    page = re.sub(r'(<script type="text/plain" id="([\w-]+)">)(</script>)', filled, page)
    if fillings:
        sys.exit(f"page.html has no place for {', '.join(fillings)}")
    if len(page.encode()) > MOST_BYTES:
        sys.exit(f"the page has {len(page.encode())} bytes, more than {MOST_BYTES}")
    return page


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("engine", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    page = bundle(given.engine)
    if not given.check:
        given.out.write_text(page)
    elif unpacked(given.out.read_text()) != unpacked(page):
        sys.exit(f"{given.out} is not what its sources make: cmake --build build --target live-page")


main()
