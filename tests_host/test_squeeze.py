"""What is frozen into firmware: the same package with fewer and shorter names."""

import ast
import importlib
import sys
from types import SimpleNamespace

import pytest
from conftest import ROOT

PACKAGE = {
    "__init__.py": (
        "_EXPORTS = {'check': 'model', 'complain': 'model', 'late': 'port', 'total': 'sizes'}\n"
        "def __getattr__(name):\n    raise AttributeError(name)\n"
    ),
    "port.py": (
        "try:\n    from micropython import const\nexcept ImportError:\n    const = int\n"
        "try:\n    from time import sleep as nap\nexcept ImportError:\n    nap = None\n"
        "def late(): return nap\n"
    ),
    "sizes.py": (
        '"""Sizes."""\nfrom .port import const\n\nWORD = const(4)\nROW = -WORD << 2\n'
        'NAME = "row"\nTABLE = (1, 2)\n_own = 3\n\n\ndef total(count, more=0):\n'
        "    return sum([WORD * count + _own for count in range(count)]) + more\n"
        "\n\ndef internal(total):\n    return total + _own\n"
    ),
    "errors.py": """
class BoxError(ValueError):
    pass


def message_of(message):
    return message
""",
    "layout.py": """
RECORD = ("row_size", "row_shift", "dims[]")
KERNELS = (("first", ("size",), "s8 in -> s8 out"), ("second", RECORD, "s8 in -> s8 out"))


def kernel_names():
    return [kernel[0] for kernel in KERNELS]


def kernel_index(name):
    return kernel_names().index(name)
""",
    "inner/__init__.py": "",
    "ops/__init__.py": "",
    "ops/family.py": """
from .. import sizes as s
from ..inner.use import Context

_own = 5


def record():
    context = Context()
    context.set_kernel(None, "second", [s.internal(_own)], row_size=1, row_shift=2, dims=[3, 4])
    return context.words
""",
    "inner/use.py": """
from .. import layout


class Context:
    def set_kernel(self, node, name, args, **params):
        fields = [field.rstrip("[]") for field in layout.KERNELS[layout.kernel_index(name)][1]]
        words = [params[field] for field in fields]
        self.words = layout.kernel_index(name), args, words + words.pop()

    def set_record(self, node, kernel, args, words):
        self.words = kernel, args, words
""",
    "model.py": """
from . import sizes as s
from .errors import BoxError, message_of
from .layout import kernel_names
from .sizes import NAME, ROW, TABLE, total

try:
    from _tflm import fast
except ImportError:
    fast = None


class Box:
    def __init__(self, given):
        self._given = given
        self.hidden = 1
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


def slow():
    return _slowly()


def _slowly():
    return 7


def complain(kind):
    if kind == 0:
        raise BoxError("box %d has no lid: lid expected" % kind)
    box = Box(s.WORD)
    box.expect = expect
    box.expect(kind != 1, "box %d has no key: key expected", kind)
    box.expect(kind != 2, "no %d", kind)


def check(value):
    from .ops.family import record

    try:
        from .left_out import FAMILIES
    except ImportError:
        pass
    box = Box(value)
    box._own += [_once(box), kernel_names()]
    speed = fast() if fast else _slowly()
    answer = record(), box.answer(), box._own, [said(complain, kind) for kind in range(4)]
    return answer + (speed, box.hidden)
""",
}

GROUPS = {"model": "errors sizes model"}


@pytest.fixture
def tools(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "boards" / "common"))
    names = "squeeze", "squeeze.messages", "squeeze.module"
    return [importlib.import_module(name) for name in names]


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
    source, target = tmp_path / "before" / "box", tmp_path / "after" / "box"
    paths = squeeze(str(source), str(target), list(PACKAGE), GROUPS)
    assert paths == sorted(str(path.relative_to(target)) for path in target.rglob("*.py"))
    assert "errors.py" not in paths
    monkeypatch.setitem(sys.modules, "_tflm", SimpleNamespace(fast=lambda: 7))
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace(const=int))
    answers = []
    for form in ("before", "after"):
        monkeypatch.syspath_prepend(str(tmp_path / form))
        use = importlib.import_module("box.model")
        answers.append((use.check(5), importlib.import_module("box.port").late()))
        for name in [name for name in sys.modules if name.split(".")[0] == "box"]:
            del sys.modules[name]
    assert answers[0] == answers[1]
    said = ["box 0 has no lid: lid expected", "box 1 has no key: key expected", "no 2", None]
    assert answers[0][0][3] == said
    text = (target / "model.py").read_text()
    assert "lid expected' % kind" not in text
    names = names_in(text)
    assert not names & {"ROW", "NAME", "WORD", "_given", "_once", "TABLE", "_slowly"}
    assert {"total", "hidden", "answer", "check", "more"} <= names
    assert names_in((target / "ops" / "family.py").read_text()).isdisjoint(
        {"row_size", "internal"}
    )
    assert "s8" not in (target / "layout.py").read_text()
    assert "except" not in (target / "port.py").read_text()


def test_squeezing_again_writes_nothing(squeeze, tmp_path):
    write(tmp_path / "before", PACKAGE)
    times = []
    for _ in range(2):
        names = squeeze(str(tmp_path / "before"), str(tmp_path / "after"), list(PACKAGE), GROUPS)
        times.append([(tmp_path / "after" / name).stat().st_mtime_ns for name in names])
    assert times[0] == times[1]


def test_every_message_of_tflm_is_unpacked_as_it_was(tools):
    _, messages, module = tools
    package = ROOT / "mp_modules" / "tflm"
    paths = [str(path.relative_to(package)) for path in package.rglob("*.py")]
    modules = [module.Module(path, (package / path).read_text()) for path in paths]
    errors = next(module for module in modules if module.name == ("errors",))
    texts = messages.number_messages(modules, errors)
    assert messages.unpack(*messages.pack(texts)) == texts
    names = {}
    exec(ast.unparse(errors.tree), names)
    assert len(texts) > 100
    assert [names["message_of"](messages.LOWEST + i) for i in range(len(texts))] == texts
    assert names["message_of"]("as it is") == "as it is"


def test_package_with_texts_in_c_asks_c_for_them(tools, tmp_path, monkeypatch):
    squeeze, messages, _ = tools
    write(tmp_path / "before" / "box", PACKAGE)
    source, target = str(tmp_path / "before" / "box"), tmp_path / "after" / "box"
    texts = squeeze.texts_of(source)
    squeeze.squeeze(source, str(target), squeeze.needed_paths(source), GROUPS, texts)
    text = SimpleNamespace(fast=None, text=lambda number: texts[number - messages.LOWEST])
    monkeypatch.setitem(sys.modules, "_tflm", text)
    monkeypatch.syspath_prepend(str(tmp_path / "after"))
    complain = importlib.import_module("box.model").complain
    with pytest.raises(ValueError, match="^box 0 has no lid: lid expected$"):
        complain(0)
    assert "expected" not in (target / "model.py").read_text()
    for name in [name for name in sys.modules if name.split(".")[0] == "box"]:
        del sys.modules[name]


def test_texts_in_c_are_those_of_the_package(tools):
    texts = importlib.import_module("squeeze.texts")
    found = texts.texts_in(str(ROOT / "firmware" / "tflm" / "texts.h"))
    assert found == tools[0].texts_of(str(ROOT / "mp_modules" / "tflm")), "run `make layout`"
