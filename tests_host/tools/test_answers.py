"""Replies of a disturbed or hostile board end in one line, and in no traceback."""

import json
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from support.device.local_board import LocalBoard
from support.models.small_models import chain
from tflm_host.__main__ import main
from tflm_host.deploy.models import DeployError, Plan
from tflm_host.measure import bench
from tflm_host.model.oracle import Oracle, OracleError
from tflm_host.places import ROOT
from tflm_host.report import doctor
from tflm_host.targets import run
from tflm_host.targets.answers import (
    below,
    fits,
    is_count,
    is_hex,
    is_number,
    is_size,
    is_text,
    one_of,
    refuse,
)
from tflm_host.targets.listening import Lines, forms_of
from tflm_host.targets.repl import TargetError

SINE = ROOT / "models" / "sine.tflite"
LOADED = ["loaded", ["c", 10, 10, True]]
GOOD = [["microseconds", 5], ["output", 1], ["data", "07"], ["answered", True]]
PROFILE = ["profile", [[0, "FULLY_CONNECTED", 5, 1]]]


def line(value):
    return f"tflm:{json.dumps(value)}\n"


class Board:
    """Says what the test tells it to."""

    name = "board"

    def __init__(self, load, invoke, end):
        self.said = {"attempt(Trial": load, "trial.invokes": invoke, "trial.end": end}

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def source(self, name):
        return repr(name)

    def exec(self, code, _timeout=0):
        for part, said in self.said.items():
            if part in code:
                return said if isinstance(said, str) else "".join(map(line, said))
        return ""


def ask(monkeypatch, load=(LOADED,), invoke=GOOD, end=(PROFILE,)):
    monkeypatch.setattr(run, "open_target", lambda *_, **__: Board(load, invoke, end))
    command = ["run", str(SINE), "--target", "/dev/ttyFAKE", "--profile"]
    return CliRunner().invoke(main, command)


def test_right_answers_are_shown(monkeypatch):
    done = ask(monkeypatch)
    assert done.exit_code == 0, done.output
    assert "FULLY_CONNECTED" in done.stdout


DEEP = "tflm:" + "[" * 100000 + "\n"
LOADS = [
    "tflm:{no json\n",
    DEEP,
    "tflm:" + "9" * 5000 + "\n",
    [5],
    [[1, 2, 3]],
    [["__class__", "x"]],
    [[[1], "x"]],
    [["outputs", "abc"]],
    [["name", "x"]],
    [["error", 5]],
    [["error", ["x", 5]]],
    [["loaded", [1]]],
    [["loaded", ["c\x1b[2J", 1, 1, True]]],
    [["loaded", ["c", -1, 1, True]]],
    [["loaded", ["c", 1.5, 1, True]]],
    [["loaded", ["c", True, 1, True]]],
    [["loaded", ["c", 1, 1, 1]]],
    [["loaded", ["c", 1 << 60, 1, True]]],
    [LOADED, LOADED],
    [LOADED, ["microseconds", 1]],
    [],
]


@pytest.mark.parametrize("load", LOADS, ids=range(len(LOADS)))
def test_wrong_answer_to_loading_is_an_error(monkeypatch, load):
    refused(ask(monkeypatch, load))


def changed(i, *lines):
    return [*GOOD[:i], *lines, *GOOD[i + 1 :]]


INVOKES = [
    [GOOD[2]],
    [GOOD[1]],
    changed(2, ["data", "zz"]),
    changed(2, ["data", "0"]),
    changed(2, ["data", 5]),
    changed(2, ["data", ""]),
    changed(2, ["data", "00" * 5000]),
    changed(1, GOOD[1], GOOD[1]),
    changed(2),
    GOOD[:1],
    GOOD + GOOD,
    [],
    changed(0, ["microseconds", "x"]),
    changed(0, ["microseconds", float("nan")]),
    changed(0, ["microseconds", 1.5]),
    changed(3, ["answered", []]),
    changed(3, ["profile", [[1]]]),
    changed(3, ["backend", "viper"]),
]


@pytest.mark.parametrize("invoke", INVOKES, ids=range(len(INVOKES)))
def test_wrong_answer_to_a_run_is_an_error(monkeypatch, invoke):
    refused(ask(monkeypatch, invoke=invoke))


@pytest.mark.parametrize(
    "end",
    [[["profile", [[1]]]], [["profile", [[0, 5, 1, 1]]]], [["exact", 5]], [["short", [1]]]],
)
def test_wrong_answer_to_the_end_is_an_error(monkeypatch, end):
    refused(ask(monkeypatch, end=end))


def refused(done):
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.stderr.lstrip().startswith("Error: board")
    assert "\x1b" not in done.output
    assert len(done.stderr) < 1000


def test_text_of_a_board_cannot_command_the_terminal(monkeypatch):
    done = ask(monkeypatch, [["error", ["\x1b]0;x\x07Error", "\x1b[2Jall\nError: good"]]])
    assert (done.exit_code, "\x1b" in done.output) == (1, False)
    done = ask(monkeypatch, end=[["profile", [[0, "\x1b[2JCONV", 5, 1]]]])
    assert (done.exit_code, "\x1b" in done.output) == (0, False)


@pytest.mark.parametrize(
    ("value", "form", "fit"),
    [
        ({"a": 1, "b": 2}, {"a": is_count}, True),
        ({"b": 2}, {"a": is_count}, False),
        ([], [is_count, ...], True),
        ([1, "2"], [is_count, ...], False),
        ([1], [is_count, is_count], False),
        ([1, 2], [is_count, is_count], True),
        ({}, [is_count, ...], False),
        (None, (None, is_count), True),
        (0, (None, is_count), True),
        (False, is_count, False),
        (-1, is_count, False),
        ("0aF", is_hex, False),
        ("0aff", is_hex, True),
        (1, bool, False),
        (True, bool, True),
        ("a" * 65536, is_text, True),
        ("a" * 65537, is_text, False),
        (b"a", is_text, False),
        (1 - 2**48, is_number, True),
        (2**48 - 1, is_number, True),
        (2**48, is_number, False),
        (1.0, is_number, False),
        (0, is_count, True),
        (1, is_size, True),
        (0, is_size, False),
        (True, is_size, False),
        ("0af", is_hex, False),
        ("", is_hex, True),
        (0, is_hex, False),
        ("c", one_of("c", "viper"), True),
        ("x", one_of("c", "viper"), False),
        (2, below(3), True),
        (3, below(3), False),
        (-1, below(3), False),
        ("ab", {"a": is_count}, False),
        ({"a": "1"}, {"a": is_count}, False),
        ("1", (None, is_count), False),
        ("12", [is_text, is_text], False),
        ([1, "2"], [is_count, is_count], False),
        ([1, 2], [is_count], False),
        (0, None, False),
        (None, None, True),
    ],
)
def test_forms(value, form, fit):
    assert fits(value, form) is fit


@pytest.mark.parametrize(("size", "more"), [(78, ""), (79, "...")])
def test_answer_of_more_than_80_characters_is_cut(size, more):
    text = repr("a" * size)  # in quotes
    with pytest.raises(TargetError) as caught:
        refuse("here", "a" * size)
    assert str(caught.value).startswith(f"here: {text[:80]}{more} is no valid reply")


class Lying(LocalBoard):
    """Says *lie* when *function* is called."""

    def __init__(self, function, lie):
        super().__init__("board")
        self.function = function
        self.lie = lie

    def exec(self, code, timeout=None):
        said = super().exec(code, timeout)
        return self.lie(said) if code.startswith(self.function) else said


def without(key):
    def lie(said):
        facts = json.loads(said.removeprefix("tflm:"))
        del facts[key]
        return line(facts)

    return lie


PARTS = {"look": "room", "check": "missing", "file_digest": None, "prove": "model"}


@pytest.mark.parametrize("lie", [line(5), line("zz"), DEEP, "", None])
@pytest.mark.parametrize("function", PARTS)
def test_wrong_answer_to_deploy_is_an_error(tmp_path, function, lie):
    part = PARTS[function]
    if lie is None and part is None:
        lie = line(["zz"])
    board = Lying(function + "(", without(part) if lie is None else lambda _: lie)
    try:
        with pytest.raises((DeployError, TargetError), match="no reply|no valid reply"):
            plan = Plan(board, [SINE], str(tmp_path))
            plan.write()
            plan.prove()
    finally:
        board.close()


def test_kernel_that_a_board_does_not_know_by_number_is_an_error(tmp_path):
    board = Lying("check(", lambda _: line({"missing": [99], "fits": True, "free": 1}))
    try:
        with pytest.raises(TargetError, match="no reply|no valid reply"):
            Plan(board, [SINE], str(tmp_path))
    finally:
        board.close()


@pytest.mark.parametrize("said", [line(5), line({}), "", DEEP, line({"tflm": 5})])
def test_wrong_answer_to_doctor_is_an_error(monkeypatch, said):
    class Silent(Board):
        def exec(self, code, _timeout=0):
            return said if code == "say_facts()" else ""

    monkeypatch.setattr(doctor, "open_target", lambda _: Silent("", "", ""))
    assert "is no valid reply" in doctor.ask("board")["error"]


RIGHT = ["c 600 900 1", "50", "9 9", "4"]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (0, "c 600 900"),
        (0, "c x 900 1"),
        (0, "\x1b[2J 600 900 1"),
        (1, ""),
        (1, "50 51"),
        (2, ""),
        (2, "9 x"),
        (3, "4 5"),
        (3, ""),
    ],
)
def test_wrong_answer_to_bench_is_an_error(monkeypatch, place, said):
    lines = list(RIGHT)
    monkeypatch.setattr(bench, "_run", lambda *_: ("us", lambda count: count, lines))
    model = chain(1)
    assert bench.measure("/dev/ttyFAKE", "chain", model).invoke == 9
    for wrong in ([*RIGHT[:place], said, *RIGHT[place + 1 :]], RIGHT[:place], [*RIGHT, said]):
        lines[:] = wrong
        with pytest.raises(TargetError, match="is no valid reply"):
            bench.measure("/dev/ttyFAKE", "chain", model)


@pytest.mark.parametrize("said", [b"\x80\x04.", b"[1]\n", b"{}\n", b"[true", b"5\n", b"\xff\n"])
def test_oracle_reads_json_alone(said):
    """A pickle would run what its sender likes."""
    oracle = Oracle()
    oracle.start()
    oracle._worker.stdout.close()

    class Said:
        def readline(self):
            return said

        def close(self):
            pass

    oracle._worker.stdout = Said()
    with pytest.raises(OracleError, match="crashed during"):
        oracle.load(SINE.read_bytes())


class TestListening:
    """What a board says while models listen there."""

    LINE = "00" * 40
    LABELS = (("yes", "no"), ("voice",))

    def lines(self):
        words = [SimpleNamespace(labels=labels) for labels in self.LABELS]
        taken = []
        return Lines("board", forms_of(words), lambda *said: taken.append(said)), taken

    def said(self, kind, value):
        lines, taken = self.lines()
        lines.read(f"tflm:{json.dumps([kind, value])}\n")
        return taken

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("run", [1, 30, 255, "ff", LINE]),
            ("run", [0, 30, 0, "ff00", LINE]),
            ("event", ["voice", 200, 3, 15999, 0]),
            ("sound", "AAAA"),
            ("lost", 16000),
        ],
    )
    def test_right_lines_are_taken(self, kind, value):
        assert self.said(kind, value) == [(kind, value)]

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("run", [2, 30, 255, "ff", LINE]),
            ("run", [0, 30, 255, "ff", LINE]),
            ("run", [1, 30, 255, "", LINE]),
            ("run", [1, 30, 256, "ff", LINE]),
            ("run", [1, 30, 255, "ff", LINE[2:]]),
            ("run", [1, 30, 255, "ff"]),
            ("event", ["maybe", 200, 3, 0, 0]),
            ("event", ["yes", 200, 3, 16000, 0]),
            ("sound", "A"),
            ("sound", "?"),
            ("sound", ""),
            ("lost", 1 << 40),
            ("lost", -1),
            ("_show", 0),
        ],
    )
    def test_wrong_lines_are_errors(self, kind, value):
        with pytest.raises(TargetError, match="is no valid reply"):
            self.said(kind, value)
