"""docs/claims.md names tests that exist, and quotes numbers that its documents have."""

import ast
import re
from functools import cache

from tflm_host.places import ROOT

PAGE = ROOT / "docs" / "claims.md"
ROW = re.compile(r"^\| (?!claim |-)(.+?) \| `([\w./-]+)` \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
NUMBER = re.compile(r"(?<![\w.,/-])\d(?:[\d,.]*\d)?(?![\w/])")
NOT_HELD = "\n## What no test holds\n"
LEAST, MOST = 30, 100  # claims: those that matter


def held():
    """Return (claim, document, tests) of each row that has tests."""
    return ROW.findall(PAGE.read_text().partition(NOT_HELD)[0])


def not_held():
    """Return (claim, document, reason) of each row that has none."""
    return ROW.findall(PAGE.read_text().partition(NOT_HELD)[2])


@cache
def names_in(path):
    """Return the names of the tests that pytest or unittest collects from file *path*."""
    names = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            names.add(node.name)
    return names


def missing_numbers(claim, text):
    """Return the numbers in *claim* that *text* lacks."""
    return set(NUMBER.findall(claim)) - set(NUMBER.findall(text))


def test_every_line_of_the_tables_is_read():
    lines = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    heads = [line for line in lines if line.startswith("| claim |")]
    assert len(held()) + len(not_held()) == len(lines) - len(heads)
    assert LEAST <= len(held()) <= MOST
    assert not_held()


def test_every_claim_has_tests_that_exist():
    for claim, _, tests in held():
        found = TEST.findall(tests)
        assert found, claim
        assert TEST.sub("", tests).replace(", ", "") == "", claim
    named = TEST.findall(PAGE.read_text())
    assert [f"{path}::{name}" for path, name in named if name not in names_in(path)] == []


def test_numbers_stand_in_the_document_that_says_them():
    for claim, document, _ in held() + not_held():
        assert missing_numbers(claim, (ROOT / document).read_text()) == set(), (claim, document)


def test_number_that_a_document_lacks_is_found():
    text = "takes 1,168 bytes, or 16; v1.25 of int8"
    assert missing_numbers("1,168 bytes, 16 less, 8 KB", text) == {"8"}
    assert NUMBER.findall("int8 on an M55, 99 %, 0.35 and 3x3") == ["99", "0.35"]
