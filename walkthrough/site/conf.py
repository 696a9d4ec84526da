"""The book as a site: Sphinx's settings, and what Markdown made for GitHub needs beyond them.

    cmake --build build --target site

makes build/site from the Markdown files as they are. The site has the repository's folders, so that a
link leads to the same place in both: a .md file is a page, a source file a page with its listing, and a
folder a page with its contents.
"""

import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import sources  # noqa: E402

root = pathlib.Path(__file__).resolve().parents[2]

project = "attention.cpp"
html_title = project
language = "en"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", ".github/CONTRIBUTING.md", "data/**.md", "src/**.md", "walkthrough/**.md"]
# Sphinx follows links, and a build directory has links to its own parents.
exclude_patterns = ["build*", "runs*", ".git", "walkthrough/exercises/mine"]

# Anchors as GitHub makes them.
myst_heading_anchors = 6
myst_heading_slug_func = "sources.slug"

smartquotes_action = "q"  # no dashes from hyphens
# Blocks without a language are what programs print; formulas are indented.
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "github-dark"

html_theme = "furo"
html_static_path = ["style.css", "site.js"]
html_css_files = ["style.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_domain_indices = False
html_use_index = False
html_permalinks_icon = "#"


def chapters():
    """The map's reading order."""
    text = (root / "walkthrough/README.md").read_text(encoding="utf-8")
    table = text.split("\n## Reading order\n")[1].split("\n## ")[0]
    return ["walkthrough/" + name for name in re.findall(r"^\| \[[^]]+\]\((\S+)\.md\)", table, re.M)]


def contents():
    """What stands beside every page; no file of the repository says it, so that GitHub does not show it."""
    also = ["walkthrough/notation", "walkthrough/exercises/README", "walkthrough/break-it/README", "data/README"]
    parts = [("The book", ["walkthrough/README", *chapters()]), ("Beside it", also)]
    return "".join(
        "\n```{toctree}\n:hidden:\n:titlesonly:\n:caption: " + "\n".join([caption, "", *pages]) + "\n```\n"
        for caption, pages in parts
    )


def add_contents(app, name, text):
    if name == root_doc:
        text[0] += contents()
    elif f"\n{name}\n" not in contents():
        # Solutions are found by those who look for them, not by a search.
        searched = "nosearch: true\n" if "/solutions/" in name else ""
        text[0] = f"---\norphan: true\n{searched}---\n{text[0]}"


def finish(app, error):
    if error:
        return
    out = pathlib.Path(app.outdir)
    for figure in root.glob("walkthrough/figures/*.svg"):
        shutil.copy(figure, out / figure.relative_to(root))
    live = (root / "walkthrough/live.html").read_text(encoding="utf-8")
    live = re.sub(r"""\.md(?=['"])""", ".html", live)  # its links to chapters
    (out / "walkthrough/live.html").write_text(live, encoding="utf-8")
    (out / "index.html").write_text(
        '<!doctype html><title>attention.cpp</title><meta http-equiv="refresh" content="0; url=README.html">\n'
    )


def setup(app):
    sources.setup(app, root)
    app.connect("source-read", add_contents)
    app.connect("build-finished", finish)
