"""What is frozen into firmware: the same package, in less flash, under the same names."""

import ast
import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tflm_host.deploy import package
from tflm_host.generate import frozen
from tflm_host.generate.squeeze import messages, needed_paths, squeeze, texts_of
from tflm_host.generate.squeeze.known import drop_unreachable, drop_unused
from tflm_host.generate.squeeze.merge import with_neighbours_joined
from tflm_host.generate.squeeze.module import Module
from tflm_host.generate.squeeze.rooms import make_room
from tflm_host.places import ROOT

PACKAGE = {
    "__init__.py": (
        "from .sizes import total\n_LATER = {'late': 'port'}\n"
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
    "base/__init__.py": "",
    "base/errors.py": """
class BoxError(ValueError):
    pass


def message_of(message):
    return message
""",
    "base/layout.py": "WORD = 4\n",
    "inner/__init__.py": "",
    "ops/__init__.py": "",
    "ops/collect.py": (ROOT / "mp_modules" / "tflm" / "ops" / "collect.py").read_text(),
    "ops/index.py": """
import box.ops.collect as tables

from ..base.errors import message_of


def kernel_names():
    return message_of(tables.KERNELS).split()


def codes():
    return tables.CODES


def words_of(name, params):
    kernel = tables.rows().kernel(name)
    words = [params[field.rstrip("[]")] for field in kernel.fields]
    return kernel.number, words + words.pop()
""",
    "ops/common.py": """
from .index import words_of


def operator(code, prepare, name, **columns):
    return code, prepare


def kernel(number, name, **columns):
    return number, columns["record"]


def set_kernel(context, node, name, args, **params):
    kernel, words = words_of(name, params)
    context.set_record(node, kernel, args, words)
""",
    "ops/family.py": """
import box.sizes as s
from ..inner.use import Context
from .common import operator, set_kernel
from .family_kernels import KERNELS, RECORDS

_own = 5
STEP = 2


def record():
    context = Context()
    args = [s.internal(_own)]
    set_kernel(context, None, "second", args, row_size=1, row_shift=STEP, dims=[3, 4])
    return context.words


OPERATORS = (
    operator(
        7, record, "FIRST", version=1, shape="same", rows="all", uint8="no", types="int8"
    ),
)
""",
    "ops/family_kernels.py": """
from .common import kernel

RECORDS = {"SECOND": ("row_size", "row_shift", "dims[]"), "FIRST": ("size",)}
KERNELS = (
    kernel(1, "second", record="SECOND", arguments="s8 in -> s8 out"),
    kernel(0, "first", record="FIRST", arguments="s8 in -> s8 out"),
)
""",
    "inner/use.py": """
class Context:
    def set_record(self, node, kernel, args, words):
        self.words = kernel, args, words
""",
    "model.py": """
from struct import calcsize

import box.sizes as s
from .base.errors import BoxError, message_of
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


_STEPS = (1, 2)


def _in_steps(speed):
    return speed if speed > 6 else _in_steps(calcsize("b") + speed + _STEPS[1])


def complain(kind):
    if kind == 0:
        raise BoxError("box %d has no lid: lid expected" % kind)
    box = Box(s.WORD)
    box.expect = expect
    box.expect(kind != 1, "box %d has no key: key expected", kind)
    box.expect(kind != 2, "no %d", kind)


def check(value):
    from .ops.family import OPERATORS, record
    from .ops.index import codes, kernel_names

    try:
        from .left_out import FAMILIES
    except ImportError:
        pass
    box = Box(value)
    box._own += [_once(box), kernel_names(), codes()]
    speed = fast() if fast else _in_steps(1)
    answer = record(), OPERATORS[0][1](), box.answer(), box._own
    return answer + ([said(complain, kind) for kind in range(4)], speed, box.hidden)
""",
}

GROUPS = {"model": "base.errors sizes model"}


def write(folder, package):
    for path, text in package.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def names_in(text):
    nodes = list(ast.walk(ast.parse(text)))
    return {
        getattr(n, key) for n in nodes for key in ("id", "attr", "arg", "name") if hasattr(n, key)
    }


def functions_in(folder, paths):
    """Return {(class, function, arguments)} of all modules."""
    found = set()
    for path in paths:
        tree = ast.parse((folder / path).read_text())
        for owner in [tree] + [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]:
            for node in owner.body:
                if isinstance(node, ast.FunctionDef):
                    arguments = [arg.arg for arg in node.args.args]
                    found.add((getattr(owner, "name", ""), node.name, *arguments))
    return found


def test_squeezed_package_does_the_same(tmp_path, monkeypatch):
    write(tmp_path / "before" / "box", PACKAGE)
    source, target = tmp_path / "before" / "box", tmp_path / "after" / "box"
    paths = squeeze(source, target, list(PACKAGE), GROUPS)
    assert paths == sorted(str(path.relative_to(target)) for path in target.rglob("*.py"))
    assert (
        target / "base" / "errors.py"
    ).read_text() == "from ..model import BoxError, message_of\n"
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
    assert answers[0][0][4] == said
    text = (target / "model.py").read_text()
    assert "lid expected' % kind" not in text
    assert not names_in(text) & {"ROW", "NAME", "WORD"}
    assert (target / "sizes.py").read_text().splitlines()[1:] == [
        "WORD = 4",
        "ROW = -16",
        "NAME = 'row'",
    ]
    assert "row_size" not in names_in((target / "ops" / "family.py").read_text())
    assert "s8" not in (target / "ops" / "family.py").read_text()
    assert "OPERATORS = ((7, record),)" in (target / "ops" / "family.py").read_text()
    assert "kernels" not in (target / "ops" / "family.py").read_text()
    assert not (target / "ops" / "family_kernels.py").exists()
    assert "def " not in (target / "ops" / "collect.py").read_text()
    assert not names_in(text) & {"_in_steps", "_STEPS", "calcsize"}
    assert "STEP" not in (target / "ops" / "family.py").read_text()
    assert "except" not in (target / "port.py").read_text()


@pytest.mark.parametrize(
    ("path", "line", "message"),
    [
        ("sizes.py", "def expect(): pass", "model.py and another of its group both have expect"),
        (
            "sizes.py",
            "from array import array as fast\nmade = fast('b')",
            "model.py and another .* both have fast",
        ),
        ("model.py", "def cover(WIDE): return s.WIDE", "model.py has a variable WIDE, as s has"),
        (
            "model.py",
            "from .sizes import total as add\nadd(1)",
            "model.py gives total another name",
        ),
    ],
)
def test_two_meanings_of_a_name_in_a_group_are_refused(tmp_path, path, line, message):
    package = {**PACKAGE, "sizes.py": PACKAGE["sizes.py"] + "WIDE = (1,)\n"}
    package[path] += line + "\n"
    write(tmp_path / "box", package)
    with pytest.raises(ValueError, match=message):
        squeeze(tmp_path / "box", tmp_path / "after", list(package), GROUPS)


def test_name_that_the_native_module_lacks_is_refused_where_nothing_asks(tmp_path):
    write(tmp_path / "box", PACKAGE)  # its model.py imports `fast`, and would do without
    options = {"groups": GROUPS, "native": {"text"}}
    with pytest.raises(
        ValueError, match=r"model.py imports fast, .* getattr\(_tflm, \"fast\", None"
    ):
        squeeze(tmp_path / "box", tmp_path / "after", list(PACKAGE), **options)
    options["native"].add("fast")
    squeeze(tmp_path / "box", tmp_path / "after", list(PACKAGE), **options)


def test_names_of_the_native_module_are_those_of_its_sources():
    names = package.native_names()
    assert {"Graph", "survey", "text", "heap_size"} - names == {"text"}  # firmware has messages
    assert names.isdisjoint(("plan", "commit", "audio_feed", "set_poll", "poll"))


def test_module_that_is_brought_is_the_one_of_its_group(tmp_path):
    box = {
        **PACKAGE,
        "late.py": 'def late(bring): return bring("sizes"), bring("base.errors")\n',
    }
    write(tmp_path / "box", box)
    squeeze(tmp_path / "box", tmp_path / "after", list(box), {"model": "sizes model"})
    assert "bring('model'), bring('base.errors')" in (tmp_path / "after" / "late.py").read_text()


@pytest.mark.slow
def test_no_function_of_tflm_gets_another_name_or_other_arguments(tmp_path):
    source = ROOT / "mp_modules" / "tflm"
    needed = needed_paths(source)
    before = functions_in(source, needed)
    after = functions_in(tmp_path, squeeze(source, tmp_path, needed))
    assert after - before == {("", "_expand", "text", "code")}


def public_names_of(path):
    """Return the names that the module at *path* defines, and those that it imports."""
    defined, imported = set(), set()
    nodes = list(ast.parse(path.read_text()).body)
    for node in nodes:
        if isinstance(node, ast.Try):
            nodes += node.body + [part for handler in node.handlers for part in handler.body]
        elif isinstance(node, ast.ImportFrom):
            imported |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            defined |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
    return [{name for name in names if not name.startswith("_")} for names in (defined, imported)]


@pytest.mark.slow
def test_public_names_of_tflm_can_be_imported_where_they_are_defined(tmp_path):
    source = ROOT / "mp_modules" / "tflm"
    squeeze(source, tmp_path, needed_paths(source))
    missing = set()
    paths = [path.relative_to(source) for path in source.rglob("*.py")]
    paths = [path for path in paths if path.parts[0] not in ("ops", "kernels")]
    assert len(paths) > 60
    for path in paths:
        names = public_names_of(source / path)[0]
        missing |= names.difference(*public_names_of(tmp_path / path))
    assert missing == set()


def test_modules_of_micropython_go_where_only_cpythons_code_asks_for_them():
    text = """
try:
    import micropython as _micropython
except ImportError:
    _micropython = None
import gc
def kept(x):
    gc.collect()
    return x if _micropython else _checked(x)
def _checked(x):
    return x.tobytes()
"""
    module = Module("one.py", text, "box")
    drop_unreachable(module)
    drop_unused([module])
    assert ast.unparse(module.tree).split("\n") == [
        "import gc",
        "",
        "def kept(x):",
        "    gc.collect()",
        "    return x",
    ]


def test_assignments_of_pairs_have_no_brackets_which_would_make_a_tuple_on_the_heap():
    text = "def swapped(a, b):\n    a, b = (b, (a, 1))\n    return a\n"
    assert Module("one.py", text, "box").text({}) == text.replace("(b, (a, 1))", "b, (a, 1)")


def test_imports_from_one_module_in_a_row_are_one():
    text = """
from .run import a
from .run import b, a
from .run import c as d
from ..run import e
import gc
from .run import f
"""
    body = with_neighbours_joined(ast.parse(text).body)
    assert [ast.unparse(node) for node in body] == [
        "from .run import a, b, c as d",
        "from ..run import e",
        "import gc",
        "from .run import f",
    ]


def test_squeezing_again_writes_nothing(tmp_path):
    write(tmp_path / "before" / "box", PACKAGE)
    times = []
    for _ in range(2):
        names = squeeze(tmp_path / "before" / "box", tmp_path / "after", list(PACKAGE), GROUPS)
        times.append([(tmp_path / "after" / name).stat().st_mtime_ns for name in names])
    assert times[0] == times[1]


@pytest.mark.slow
def test_every_message_of_tflm_is_unpacked_as_it_was():
    package = ROOT / "mp_modules" / "tflm"
    paths = [str(path.relative_to(package)) for path in package.rglob("*.py")]
    modules = [Module(path, (package / path).read_text(), "tflm") for path in paths]
    errors = next(module for module in modules if module.name == ("base", "errors"))
    texts = messages.number_messages(modules, errors)
    pairs, packed = messages.pack(texts)
    assert messages.unpack(pairs, packed) == texts
    assert len(pairs) == 2 * 160
    assert set(range(32)) <= set(pairs + packed)
    names = {}
    exec(ast.unparse(errors.tree), names)
    assert len(texts) > 100
    assert [names["message_of"](messages.LOWEST + i) for i in range(len(texts))] == texts
    assert names["message_of"]("as it is") == "as it is"


def test_package_with_texts_in_c_asks_c_for_them(tmp_path, monkeypatch):
    write(tmp_path / "before" / "box", PACKAGE)
    source, target = tmp_path / "before" / "box", tmp_path / "after" / "box"
    texts = texts_of(needed_paths(source), source)
    squeeze(source, target, needed_paths(source), GROUPS, texts)
    text = SimpleNamespace(fast=None, text=lambda number: texts[number - messages.LOWEST])
    text.room = int
    monkeypatch.setitem(sys.modules, "_tflm", text)
    monkeypatch.syspath_prepend(str(tmp_path / "after"))
    complain = importlib.import_module("box.model").complain
    with pytest.raises(ValueError, match="^box 0 has no lid: lid expected$"):
        complain(0)
    assert "expected" not in (target / "model.py").read_text()
    for name in [name for name in sys.modules if name.split(".")[0] == "box"]:
        del sys.modules[name]


MANY = """
from array import array
from ustruct import pack
import machine
if machine:
    a, b = 1, 2
def call():
    inner = array
class Few:
    x = 1
class Many:
    """


@pytest.mark.parametrize(("count", "has_room"), [(7, False), (8, True)])
def test_firmware_makes_room_for_names_of_large_classes(count, has_room):
    module = Module("many.py", MANY + "\n    ".join([f"y{i} = {i}" for i in range(count)]), "box")
    make_room(module)
    *_, few, many = module.tree.body
    assert ast.unparse(few) == "class Few:\n    x = 1"
    assert (ast.unparse(many.body[0]) == "_tflm.room(11)") is has_room
    first = ["import _tflm"] if has_room else []  # of names, the module has not many
    body = [ast.unparse(node) for node in module.tree.body]
    assert body[: len(first) + 1] == [*first, "from uarray import array"]


def test_firmware_makes_room_for_names_of_large_modules():
    text = '"""Text."""\nfrom _tflm import table\nimport _tflm\n' + MANY.split("class Few")[0]
    for count, room in ((15, None), (16, 18)):
        more = [f"n{i} = {i}" for i in range(count - 11)]
        module = Module("pack/__init__.py", text + "\n".join(more), "box")
        make_room(module)
        body = [ast.unparse(node) for node in module.tree.body]
        calls = [line for line in body if line.startswith("_tflm.room")]
        assert calls == ([f"_tflm.room({room})"] if room else [])
        assert body.count("import _tflm") == 1
        if room:
            assert body[1:3] == ["import _tflm", calls[0]]


@pytest.mark.slow
def test_whole_package_keeps_no_module_that_was_moved_since():
    old = frozen.whole() / "tflm" / "moved_since.py"
    old.write_text("")
    frozen.whole()
    assert not old.exists()


@pytest.mark.slow
def test_whole_family_has_the_rows_of_its_kernels_in_itself():
    ops = frozen.whole() / "tflm" / "ops"
    assert not [path.name for path in ops.glob("*_kernels.py")]
    for family in ("broadcast", "elementwise"):
        text = (ops / f"{family}.py").read_text()
        assert f"{family}_kernels" not in text
        names = {}
        source = ast.parse(
            (ROOT / "mp_modules" / "tflm" / "ops" / f"{family}_kernels.py").read_text()
        )
        for tree, kept in ((ast.parse(text), 1), (source, 0)):
            for node in tree.body:
                name = getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else ""
                if name == "RECORDS":
                    names.setdefault(name, []).append(ast.literal_eval(node.value))
                elif name == "KERNELS":
                    names.setdefault(name, []).append(
                        [(row.elts if kept else row.args)[0].value for row in node.value.elts]
                    )
        assert [pair[0] == pair[1] != [] for pair in names.values()] == [True, True]


@pytest.mark.slow
def test_names_of_the_interpreters_module_leave_room_in_its_hash_table():
    """With 93 names in a table of 97 places, loads of prepared models took 6 % more."""
    folder, _ = frozen.freeze()
    tree = ast.parse((Path(folder) / "tflm" / "run" / "__init__.py").read_text())
    names = {name for node in tree.body for name in names_of(node)}
    assert "Interpreter" in names
    assert ast.unparse(tree.body[0]) == "import _tflm"
    room = int(ast.unparse(tree.body[1]).removeprefix("_tflm.room(").removesuffix(")"))
    assert room * 12 >= (len(names) + 3) * 13  # __name__, __file__ and __path__, too


def names_of(node):
    """Return the names that a statement of a module binds there."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [name.asname or name.name for name in node.names]
    stored = [part for part in ast.walk(node) if isinstance(getattr(part, "ctx", None), ast.Store)]
    return [part.id for part in stored if isinstance(part, ast.Name)]


@pytest.mark.slow
def test_builtins_that_loading_calls_are_globals_of_its_modules():
    folder, _ = frozen.freeze()
    package = Path(folder) / "tflm"
    tops = {
        name: "\n".join((package / name).read_text().split("\n", 6)[:6])
        for name in ("load/__init__.py", "run/__init__.py", "ops/conv.py")
    }
    assert "\nfrom builtins import len, isinstance" in tops["load/__init__.py"]
    assert "\nfrom builtins import len, isinstance" in tops["run/__init__.py"]
    assert "builtins" not in tops["ops/conv.py"]
