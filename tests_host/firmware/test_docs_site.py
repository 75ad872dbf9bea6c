"""The documentation site as `make docs` builds it: its links lead somewhere."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from tflm_host.cli import docs

# The web page of `make site`, beside the documentation; whose generator it is.
OUTSIDE = {"../arena/index.html", "https://zensical.org/"}
WITHOUT_LINKS = {"404.html"}  # has links from the root of a server


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
