"""Documents and Python files keep the rules of words; `make lint` reports each that does not."""

import pytest

from tflm_host.cli import prose
from tflm_host.cli.prose_comments import findings_in_comments
from tflm_host.places import ROOT

MOST = 56  # findings in all files; lower it if they become fewer
NAMES = prose.documents() + prose.sources()


@pytest.mark.slow
def test_files_have_no_more_findings_than_their_list_says():
    assert prose.complaints(prose.findings_in(NAMES), prose.budget()) == []


def test_no_document_has_a_finding():
    assert {name for name in prose.budget() if name.endswith(".md")} == set()


def test_list_may_only_become_shorter():
    assert sum(prose.budget().values()) <= MOST


def test_every_document_is_read():
    names = prose.documents()
    assert {"README.md", "CONTRIBUTING.md", "DESIGN.md", "SPEC.md", "CHANGELOG.md"} < set(names)
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} < set(names)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The strip comes first.", "stripe"),
        ("Layers that are made row by row.", "fused layers"),
        ("A record has\nthree refs.", "tagged offset"),
        ("It is made anew.", "recomputed"),
        ("All but\nfor one.", "except"),
        ("The user is told so.", "active verb"),
        ("It is found there.", "active verb"),
        ("Outputs lie over it.", "overlap"),
        ("All else stays.", "everything"),
        ("The plain model runs.", "unprepared"),
        ("The model's answer.", "result"),
        ("It runs the same.", "noun"),
        ("One: two: three.", "two colons"),
        ("Word " * 26, "26 words"),
        ("| a |\n|---|\n| the twin |", "reference implementation"),
    ],
)
def test_rule_finds_what_it_forbids(text, said):
    (*_, found) = prose.findings(text)
    assert said in found.what


@pytest.mark.parametrize(
    "text",
    [
        "Word " * 25,
        "Word " * 20 + "ends. " + "Word " * 20,
        "`a record` of code, SQUEEZE, SPACE and the squeeze-and-excite block.",
        "    strip anew\n",
        "```text\nstrip anew\n```\n",
        "---\nmodels: anew.tflite\n---\n\nText.",
        "<!-- operators -->\n| alone |\n|---|\n<!-- /operators -->\n",
        "## 0.2.0, unreleased\n\nText.\n\n## 0.1.0, January\n\nMade anew.\n",
        "Press a key to record a word.",
    ],
)
def test_what_no_rule_forbids(text):
    assert prose.findings(text) == []


def test_finding_has_the_line_of_its_words():
    found = prose.findings("# Title\n\nA line\nand a strip.\n\nMore\nwords anew.\n")
    assert [str(one).split('"')[:2] for one in found] == [["4: ", "strip"], ["7: ", "anew"]]


def test_more_and_fewer_findings_than_allowed_are_reported():
    found = {"a.md": prose.findings("A strip."), "b.md": prose.findings("Text.")}
    assert prose.complaints(found, {"a.md": 1}) == []
    assert prose.complaints(found, {})[-1] == "a.md: 1 findings, 0 allowed"
    assert "b.md: 0 findings: write that into prose.csv" in prose.complaints(
        found, {"a.md": 1, "b.md": 1}
    )
    assert prose.complaints(found, {"a.md": 1, "c.md": 2}) == [
        "c.md: no such file, but in prose.csv"
    ]


def test_docstrings_help_and_messages_of_a_file_are_read():
    source = '''"""Made anew.

pad  what it is; a strip
stripe  what it is
"""
PAD_HELP = "A strip."
option(help="Of the " + NAME + " twin.")

def check(node):
    """`A strip` of *code*."""
    node.expect(True, "the record of %s is asked", node.name)
'''
    found = prose.findings_in_source("a.py", source)
    said = [str(one).split('"')[:2] for one in found]
    assert said == [
        ["1: ", "anew"],
        ["1: ", "strip"],
        ["6: ", "strip"],
        ["7: ", "twin"],
        ["a message: ", "record"],
        ["a message: ", "is asked"],
    ]


def test_list_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(prose, "BUDGET", tmp_path / "prose.csv")
    prose.save({"a.md": prose.findings("A strip."), "b.md": []})
    assert prose.budget() == {"a.md": 1}


def test_drawn_sentences_are_of_these_files_and_the_same_for_a_seed():
    names = ["DESIGN.md", "host_tools/tflm_host/cli/prose.py"]
    every = {
        f"{name}:{place}: {' '.join(sentence.split())}"
        for name in names
        for place, sentence in prose.sentences_of(name)
    }
    lines = prose.drawn(names, 26, 40)
    assert lines == prose.drawn(names, 26, 40) != prose.drawn(names, 27, 40)
    assert len(set(lines)) == 40
    assert set(lines) <= every
    assert {line.split(":")[0] for line in every} == set(names)


@pytest.mark.slow
def test_no_comment_has_an_old_word():
    names = prose.commented()
    assert {"mp_modules/tflm/model.py", "firmware/tflm/slices.c", "tests_host/judge.py"} < set(
        names
    )
    assert prose.old_words() == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", "x = 1\n\n# Made\n# by a twin.\n"),
        ("a.py", 'def f():\n\n\n    """A twin."""\n'),
        ("a.c", "int twin;\n\n\n// A twin.\n"),
        ("a.h", "/* Text\n\n\n a twin */\nint twin = 1;\n"),
    ],
)
def test_old_word_of_a_comment_has_its_line(name, source):
    found = findings_in_comments(name, source)
    assert [str(one) for one in found] == ['4: "twin": write reference implementation']


def test_names_in_comments_and_words_with_other_senses_are_not_found():
    source = (
        "# `twin`, judge.py, a_twin(), squeeze/names.py, SQUEEZE; the record, an answer, a strip\n"
    )
    assert findings_in_comments("a.py", source + "twin = 1\n") == []
