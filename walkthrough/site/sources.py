"""Links from the book to source files and folders, and the pages that they lead to."""

import html
import os
import posixpath
import re

from docutils import nodes
from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

FOLDERS = ["data", "src", "tests", "walkthrough"]
LONGEST = 200_000  # bytes: what is longer is data for programs


def slug(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def readable(path):
    """A text file, not too long."""
    if path.stat().st_size > LONGEST:
        return False
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True


def page_of(root, path):
    """The page of a file or a folder, both relative to the root; none for what has no page."""
    if (root / path).is_dir():
        return posixpath.join(path, "index.html")
    if path.endswith(".md"):
        return path[:-3] + ".html"
    if path == "walkthrough/live.html" or path.endswith(".svg"):
        return path
    return path + ".html" if readable(root / path) else None


def relative(page, path):
    """A path as a page links to it."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def link(root, page, target):
    """A link in a page, to a file or a folder of the repository, as the site has it."""
    path, mark, anchor = target.partition("#")
    there = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    to = page_of(root, there)
    return to and relative(page, to) + mark + anchor


def with_links_to_sources(root, original):
    """MyST's rendering of a link, taught what is not a page of the book's."""

    def render(self, token):
        target = token.attrGet("href") or ""
        page = self.sphinx_env.docname + ".html"
        path = root / posixpath.dirname(page) / target.split("#")[0]
        if target.startswith("#") or not path.exists() or path.suffix == ".md":
            return original(self, token)
        token.attrs["href"] = link(root, page, target)
        return self.render_link_url(token)

    return render


def name_listings(app, document):
    """A listing says where it comes from; the authors' marks go."""
    page = app.env.docname + ".html"
    for comment in list(document.findall(nodes.raw)):
        text = comment.astext().strip()
        if not (text.startswith("<!--") and text.endswith("-->")):
            continue
        listed = re.match(r"<!-- listing: (\S+)", text)
        if listed:
            path = listed[1]
            origin = nodes.paragraph(classes=["origin"])
            origin += nodes.reference("", path, refuri=relative(page, page_of(app.srcdir, path)))
            comment.replace_self(origin)
        else:
            comment.parent.remove(comment)


def ways_up(page, path):
    """The folders above, each a link."""
    parts = path.split("/")
    links = []
    for n in range(1, len(parts)):
        folder = "/".join(parts[:n])
        links.append(f'<a href="{relative(page, folder + "/index.html")}">{parts[n - 1]}</a>/')
    return "".join(links) + html.escape(parts[-1])


def as_page(page, path, body):
    body = f'<h1 class="path">{ways_up(page, path)}</h1>\n{body}'
    return page.removesuffix(".html"), {"title": path, "body": body}, "page.html"


def language_of(path, text):
    try:
        return get_lexer_for_filename(path, text).aliases[0]
    except ClassNotFound:
        first = text.split("\n")[0]
        return next((name for name in ("bash", "python") if first.startswith("#!") and name in first), "text")


def file_page(app, path):
    text = (app.srcdir / path).read_text(encoding="utf-8")
    listing = app.builder.highlighter.highlight_block(text, language_of(path, text), force=True)
    return as_page(path + ".html", path, listing)


def folder_page(path, folders, files):
    """`files`: the page of each, or none."""
    page = path + "/index.html"
    items = [f'<li><a href="{name}/index.html">{name}/</a></li>' for name in folders]
    for file, to in files.items():
        name = html.escape(file)
        items.append(f'<li><a href="{relative(page, to)}">{name}</a></li>' if to else f"<li>{name}</li>")
    return as_page(page, path, '<ul class="folder">' + "\n".join(items) + "</ul>")


def linked(app):
    """What the book links to or lists."""
    paths = set()
    for name in app.env.found_docs:
        text = (app.srcdir / (name + ".md")).read_text(encoding="utf-8")
        folder = posixpath.dirname(name)
        targets = re.findall(r"\]\(([^)#\s]+)", text)
        paths |= {posixpath.normpath(posixpath.join(folder, target)) for target in targets}
        paths |= set(re.findall(r"^<!-- listing: (\S+)", text, re.M))
    return {path for path in paths if (app.srcdir / path).exists()}


def pages(app):
    """Every folder with what is in it; a file, if it is the library's or the book leads to it."""
    wanted = {path for path in linked(app) if page_of(app.srcdir, path) == path + ".html"}
    for top in FOLDERS:
        for where, folders, files in os.walk(app.srcdir / top):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "mine"))
            path = posixpath.relpath(where, app.srcdir)
            shown = {}
            for name in sorted(files):
                page = page_of(app.srcdir, f"{path}/{name}")
                listed = page == f"{path}/{name}.html"
                if listed and top == "src":
                    wanted.add(f"{path}/{name}")
                shown[name] = page if not listed or f"{path}/{name}" in wanted else None
            yield folder_page(path, folders, shown)
    for path in sorted(wanted):
        yield file_page(app, path)


def share_contents(app, page, template, context, doctree):
    """The contents beside the pages of a folder are made once: that takes longer than the pages."""
    if doctree is not None or page in app.env.found_docs:
        return
    make, folder = context["toctree"], posixpath.dirname(page)

    def shared(**options):
        if folder not in app.contents_by_folder:
            app.contents_by_folder[folder] = make(**options)
        return app.contents_by_folder[folder]

    context["toctree"] = shared


def setup(app, root):
    app.contents_by_folder = {}
    SphinxRenderer.render_link_unknown = with_links_to_sources(root, SphinxRenderer.render_link_unknown)
    app.connect("doctree-read", name_listings)
    app.connect("html-collect-pages", pages)
    app.connect("html-page-context", share_contents, priority=400)
