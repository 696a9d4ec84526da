#!/usr/bin/env python3
"""Uses the live page in a real browser, as a reader would: by mouse, touch and keyboard.

    python3 page_test.py walkthrough/live.html build/attention [--only WORD] [--pictures DIR]

Needs Chromium with its driver, selenium, and axe-core, which finds what readers with a screen reader or
a keyboard could not use; the package axe-playwright-python brings it along. Every number that the trace
shows must be the one that `attention trace --json` prints with the portable kernels. --pictures keeps a
picture of each mode.
"""

import argparse
import pathlib
import sys
import time
import traceback

import page_address
import page_everywhere
import page_grow
import page_look
import page_trace
import page_train
from browser import Page


def tests(only):
    for module in [page_everywhere, page_address, page_train, page_grow, page_look, page_trace]:
        for name, test in vars(module).items():
            if name.startswith("test_") and only in name:
                yield name, test


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("program")
    parser.add_argument("--only", default="", metavar="WORD", help="only tests with this word in their names")
    parser.add_argument("--pictures", metavar="DIR")
    options = parser.parse_args()
    if options.pictures:
        pathlib.Path(options.pictures).mkdir(parents=True, exist_ok=True)
    page = Page(options.page, options.program, options.pictures)
    failed = 0
    try:
        for name, test in tests(options.only):
            start = time.monotonic()
            try:
                page.new_tab()
                test(page)
                verdict = "ok    "
            except Exception as error:  # an assertion, or the driver's
                verdict = "FAILED"
                failed += 1
                print(f"{name}: {error}", file=sys.stderr)
                if not isinstance(error, AssertionError):
                    traceback.print_exc()
            print(f"{verdict} {time.monotonic() - start:5.1f} s  {test.__doc__}", flush=True)
    finally:
        page.driver.quit()
    sys.exit(f"{failed} failed" if failed else 0)


if __name__ == "__main__":
    main()
