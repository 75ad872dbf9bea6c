"""The site that `make docs` builds: its links lead somewhere, axe-core finds no violation."""

import shutil
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from support.pages import axe_pages
from tflm_host.cli import docs
from tflm_host.cli import site as arena
from tflm_host.places import ROOT

pytestmark = pytest.mark.xdist_group("site")  # build/site is written by each of its tests

# The web pages of `make site`, beside the documentation; whose generator it is.
OUTSIDE = {f"../{name}/index.html" for name in ("arena", "run", "repl", "board")}
OUTSIDE.add("https://zensical.org/")
OUTSIDE.add("https://github.com/bytecodealliance/wasmtime-py")
WITHOUT_LINKS = {"404.html"}  # has links from the root of a server
WIDTHS = (400, 1280)  # pixels, of a phone and a desk
RAN = {"path": "/run/index.html", "shows": "main[data-ready] meter"}
FRONT = {"path": "/index.html"}
TYPED = {"path": "/repl/index.html", "click": "[data-types=small]", "shows": "#log .error"}
MEASURED = {"path": "/arena/index.html", "click": "#sample", "shows": "section[data-facts]"}


class Links(HTMLParser):
    """Collects what a page refers to, and what can be referred to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = set(), {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        for name in ("href", "src"):
            if found.get(name) and not (tag == "link" and "canonical" in found.get("rel", "")):
                self.links.add(found[name])


@pytest.fixture(scope="module")
def site():
    """The folder of the built site."""
    docs.main()
    return docs.SITE


@pytest.fixture(scope="module")
def pages(site):
    """{file name: Links} of every page."""
    return {path.name: Links(path.read_text()) for path in sorted(site.glob("*.html"))}


def test_every_page_is_in_the_site(pages):
    assert {path.with_suffix(".html").name for path in docs.PAGES.glob("*.md")} <= set(pages)


def test_site_comes_out_the_same_again(site):
    def contents():
        paths = sorted(path for path in site.rglob("*") if path.is_file())
        return {path.relative_to(site): path.read_bytes() for path in paths}

    first = contents()
    docs.main()
    assert contents() == first


def test_every_page_is_in_the_navigation():
    listed = (ROOT / "mkdocs.yml").read_text().partition("nav:")[2]
    assert [path.name for path in docs.PAGES.glob("*.md") if f" {path.name}\n" not in listed] == []


def test_links_and_anchors_exist_and_nothing_is_fetched(site, pages):
    broken = []
    for name, page in pages.items():
        for link in page.links if name not in WITHOUT_LINKS else ():
            parts = urlsplit(link)
            if link in OUTSIDE or parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                broken.append((name, link))
            else:
                there = site / unquote(parts.path) if parts.path else site / name
                anchors = pages[there.name].anchors if there.name in pages else {""}
                if not there.exists() or unquote(parts.fragment) not in anchors:
                    broken.append((name, link))
    assert broken == []


def test_a_broken_link_is_found():
    page = Links('<a href="x.html#y">x</a><p id="z"><img src="no.png">')
    assert page.links == {"x.html#y", "no.png"}
    assert page.anchors == {"", "z"}


@pytest.fixture
def axe(tmp_path):
    """A function that looks at pages below a folder."""
    if axe_pages.browser() is None or shutil.which("npm") is None:
        pytest.skip("no browser, or no npm: pages are not looked at")
    axe_pages.install()
    return lambda folder, shown: axe_pages.violations(folder, shown, WIDTHS, tmp_path / "profile")


@pytest.mark.long
def test_axe_finds_no_violation_light_and_dark_on_phone_and_desk(site, pages, axe):
    arena.main()
    shown = [{"path": f"/docs/{name}"} for name in pages if name not in WITHOUT_LINKS]
    if arena.RUN_PAGE.exists():  # a compiler for WebAssembly is here
        shown += [RAN, TYPED]
    assert axe(site.parent, [FRONT, MEASURED, *shown]) == []


def test_axe_finds_what_is_wrong_in_both_schemes(axe, tmp_path):
    dark = "@media (prefers-color-scheme: dark) { body { color: white; background: #222 } }"
    style = f"<style>body {{ background: white }} {dark} p {{ color: #777 }}</style>"
    page = f"<html lang='en'><title>x</title>{style}<main><h1>x</h1><p>grey</p><img src=''>"
    (tmp_path / "page.html").write_text(page)
    found = axe(tmp_path, [{"path": "/page.html"}])
    rules = {" ".join(line.split(":")[0].split()[2:]) for line in found}
    assert rules == {"light image-alt", "light color-contrast", "dark color-contrast"}
