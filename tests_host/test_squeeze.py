"""What is frozen into firmware: the same package with fewer and shorter names."""

import ast
import importlib
import sys

import pytest
from conftest import ROOT

PACKAGE = {
    "__init__.py": "def __getattr__(name):\n    raise AttributeError(name)\n",
    "port.py": (
        "try:\n    from time import sleep as nap\nexcept ImportError:\n    nap = None\n"
        "def late(): return nap\n"
    ),
    "sizes.py": (
        '"""Sizes."""\nfrom micropython import const\n\nWORD = const(4)\nROW = -WORD << 2\n'
        'NAME = "row"\nTABLE = (1, 2)\n_own = 3\n\n\ndef total(count, more=0):\n'
        "    return sum([WORD * count + _own for count in range(count)]) + more\n"
    ),
    "errors.py": """
class BoxError(ValueError):
    pass


def message_of(message):
    return message
""",
    "layout.py": """
RECORD = ("row_size", "row_shift", "zero_point")
KERNELS = (("k", RECORD, "s8 in -> s8 out"),)
""",
    "inner/__init__.py": "",
    "inner/use.py": """
from .. import sizes as s
from ..errors import BoxError, message_of
from ..layout import KERNELS
from ..sizes import NAME, ROW, TABLE, total


class Box:
    def __init__(self, given):
        self._given = given
        self._own = _twice(given, lambda value: value + ROW)

    def _sum(self, start, _unused=None):
        return start + self._given + self._own[0]

    def zero_point(self):
        return 0

    def answer(self):
        return self._sum(s.WORD), NAME, TABLE, total(count=3), total(2, more=1)


def _twice(value, function):
    a = 1
    return [function(value), a]


def _once(box):
    return box._given


def expect(condition, message, *values):
    if not condition:
        raise BoxError(message_of(message) % values)


def said(function, *arguments):
    try:
        function(*arguments)
    except BoxError as error:
        return str(error)


def record():
    params = dict(row_size=1, zero_point=3)
    params["row" + "_shift"] = 2
    return [params[field] for field in KERNELS[0][1]]


def complain(kind):
    if kind == 0:
        raise BoxError("box %d has no lid: lid expected" % kind)
    s.expect = expect
    s.expect(kind != 1, "box %d has no key: key expected", kind)
    s.expect(kind != 2, "no %d", kind)


def check(value):
    try:
        from ..left_out import FAMILIES
    except ImportError:
        pass
    box = Box(value)
    box._own += [_once(box)]
    return record(), box.answer(), box._own, [said(complain, kind) for kind in range(4)]
""",
}


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "boards" / "common"))
    return importlib.import_module("squeeze"), importlib.import_module("messages")


@pytest.fixture
def squeeze(tools):
    return tools[0].squeeze


def write(folder, package):
    for path, text in package.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def names_in(text):
    nodes = list(ast.walk(ast.parse(text)))
    return {
        getattr(n, key) for n in nodes for key in ("id", "attr", "arg", "name") if hasattr(n, key)
    }


def test_squeezed_package_does_the_same_with_fewer_names(squeeze, tmp_path, monkeypatch):
    write(tmp_path / "before" / "box", PACKAGE)
    squeeze(str(tmp_path / "before" / "box"), str(tmp_path / "after" / "box"), list(PACKAGE))
    answers = []
    for form in ("before", "after"):
        monkeypatch.syspath_prepend(str(tmp_path / form))
        use = importlib.import_module("box.inner.use")
        answers.append((use.check(5), importlib.import_module("box.port").late()))
        for name in [name for name in sys.modules if name.split(".")[0] == "box"]:
            del sys.modules[name]
    assert answers[0] == answers[1]
    said = ["box 0 has no lid: lid expected", "box 1 has no key: key expected", "no 2", None]
    assert answers[0][0][3] == said
    text = (tmp_path / "after" / "box" / "inner" / "use.py").read_text()
    assert "expected" not in text
    names = names_in(text)
    assert not names & {"ROW", "NAME", "WORD", "given", "_given", "_once", "row_size"}
    assert {"TABLE", "zero_point", "total", "Box", "answer", "check"} <= names
    assert "s8" not in (tmp_path / "after" / "box" / "layout.py").read_text()
    assert "except" not in (tmp_path / "after" / "box" / "port.py").read_text()


def test_squeezing_again_writes_nothing(squeeze, tmp_path):
    write(tmp_path / "before", PACKAGE)
    times = []
    for _ in range(2):
        squeeze(str(tmp_path / "before"), str(tmp_path / "after"), list(PACKAGE))
        paths = sorted((tmp_path / "after").rglob("*.py"))
        times.append([path.stat().st_mtime_ns for path in paths])
        assert len(paths) == len(PACKAGE)
    assert times[0] == times[1]


def test_every_message_of_tflm_is_unpacked_as_it_was(tools):
    squeeze, messages = tools
    package = ROOT / "mp_modules" / "tflm"
    paths = [str(path.relative_to(package)) for path in package.rglob("*.py")]
    modules = [squeeze.Module(path, (package / path).read_text()) for path in paths]
    errors = next(module for module in modules if module.name == ("errors",))
    texts = messages.number_messages(modules, errors)
    names = {}
    exec(ast.unparse(errors.tree), names)
    assert len(texts) > 100
    assert [names["message_of"](number) for number in range(len(texts))] == texts
    assert names["message_of"]("as it is") == "as it is"
