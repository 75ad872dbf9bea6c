"""The viper kernels against plain Python integers, on 64 and on 32 bits.

test_kernels_c has the same vectors for the C kernels.
"""

import ast
import functools
import random
import re
import shutil

import pytest

from support.draw import viper_steps
from support.expected import viper_vectors
from support.reference import kernel_model, multiplier_vectors
from tflm import kernels
from tflm.ops.collect import rows
from tflm_host.places import ROOT
from tflm_host.targets.emulator import QEMU
from tflm_host.targets.open_target import open_target

FOLDER = ROOT / "mp_modules" / "tflm" / "kernels"
NATIVE = [kernel.name for kernel in rows().kernels if "native" in kernel.traits]  # not in viper
KERNELS = {kernel.name: kernel for kernel in rows().kernels if kernel.name not in NATIVE}
# The parameters that setup() copies, in the order of the work area.
OUTPUT_FIELDS = (
    ("output_offset", "output_zero_point"),
    ("multiplier", "output_multiplier"),
    ("shift", "output_shift"),
    ("activation_min",),
    ("activation_max",),
)
# Constants that are neither a parameter nor a word of the work area.
NUMBERS = ("_A", "_B", "_BLOCK", "_FULL", "_LONGEST", "_WORD")
NAMES_AT_ONCE = 20
REGISTERS = 3  # locals of a viper function that lie in them
WIDE = ("ptr16", "ptr32")
COUNTS = {"unix": 60, "MPS2_AN386": 12, "MICROBIT": 3}
BLOCKS = "conv_2d_s8_blocks"  # layers of many channels: not all have room in a board's heap
LARGEST = {"MPS2_AN386": 20000, "MICROBIT": 12000}  # characters of the source of a call
AT_ONCE = {"unix": 20000, "MPS2_AN386": 20000, "MICROBIT": 4000}  # characters before a new script
FORGET = """
import gc, sys
from tflm import kernels
kernels._found.clear()
for name in list(sys.modules):
    if name.startswith("tflm.kernels."):
        del sys.modules[name]
        delattr(kernels, name.rsplit(".")[-1])
gc.collect()
"""


@pytest.fixture(scope="module", params=COUNTS)
def opened(request):
    yield from _opened(request.param)


@pytest.fixture
def target(opened):
    """An open target; a board forgets the kernels of the last test: not all fit in its heap."""
    if opened.name != "unix":
        opened.exec(FORGET)
    return opened


@pytest.fixture(params=COUNTS)
def fresh(request):
    """A target without kernels in its heap: those of files lie there, and a board has 176 KB."""
    yield from _opened(request.param)


def _opened(name):
    if name != "unix" and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    with open_target(name, viper=True) as opened:
        yield opened


@pytest.mark.firmware
@pytest.mark.parametrize("name", [name for name in KERNELS if name != BLOCKS])
def test_viper_kernel_random_calls_bytes_equal(target, name):
    calls = viper_vectors.vectors(name, COUNTS[target.name], seed=1)
    for source in viper_vectors.scripts(enumerate(calls), AT_ONCE[target.name]):
        assert target.exec(source) == "DONE\n"


@pytest.mark.firmware
def test_viper_convolution_of_many_channels_random_calls_bytes_equal(fresh):
    count = max(COUNTS[fresh.name], 12)
    calls = list(viper_vectors.vectors(BLOCKS, count, seed=1))
    if fresh.name != "unix":
        calls = [call for call in calls if len(call.source(BLOCKS)) < LARGEST[fresh.name]]
        assert calls
    for source in viper_vectors.scripts(enumerate(calls), AT_ONCE[fresh.name]):
        assert fresh.exec(source) == "DONE\n"


@pytest.mark.firmware
@pytest.mark.parametrize("depth", [1, 10], ids=["along rows", "by positions"])
def test_viper_convolution_sums_around_steps_bytes_equal(target, depth):
    rng = random.Random(depth)
    calls = []
    for _ in range(COUNTS[target.name]):
        record, inputs, states = viper_steps.near_steps(rng, depth)
        calls.append(viper_vectors.Vector("conv_2d_s8", record, inputs, states, 0))
    for source in viper_vectors.scripts(enumerate(calls), AT_ONCE[target.name]):
        assert target.exec(source) == "DONE\n"


@pytest.mark.firmware
def test_viper_channel_factor_hard_scales_equals_double(fresh):
    count = 40000 if fresh.name == "unix" else 1500
    assert fresh.exec(multiplier_vectors.script(count, seed=1)) == "DONE\n"


@pytest.mark.parametrize(
    ("x", "multiplier", "shift", "expected"),
    [
        (1, 2**30, 0, 1),  # 0.5, ties up
        (-1, 2**30, 0, 0),  # -0.5, ties up
        (3, 2**30, 1, 3),
        (-6, 2**30, -1, -2),  # -1.5: the second rounding goes away from zero
        (6, 2**30, -1, 2),
        (2**30, 2**30, 1, -(2**30)),  # the left shift wraps
        (-(2**31), 2**31 - 1, 0, -(2**31) + 1),
        (2**31 - 1, 2**31 - 1, -31, 1),
    ],
)
def test_model_multiply_by_hand_equals(x, multiplier, shift, expected):
    assert kernel_model.multiply(x, multiplier, shift) == expected


def test_find_on_cpython_none():
    assert all(kernels.find(name) is None for name in KERNELS)


@pytest.mark.firmware
def test_find_on_target_every_kernel_with_a_twin_and_no_other(fresh):
    lacks = [*NATIVE, "no_such_kernel"]
    names = [*KERNELS, *lacks]
    fresh.exec("from tflm.kernels import find")
    found = []
    for start in range(0, len(names), NAMES_AT_ONCE):  # the heap of a board has no room for all
        some = names[start : start + NAMES_AT_ONCE]
        found += ast.literal_eval(fresh.exec(f"print([n for n in {some} if find(n) is None])"))
    assert found == lacks


def test_native_kernel_has_no_twin_in_any_module():
    defined = {name for tree in _sources().values() for name in _functions(tree)}
    assert defined & set(NATIVE) == set()


# The sources, without running them.


@functools.cache
def _sources():
    return {path.stem: ast.parse(path.read_text()) for path in FOLDER.glob("*.py")}


def _functions(tree):
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _constants(tree):
    return {
        node.targets[0].id: node.value.args[0].value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and getattr(node.value.func, "id", "") == "const"
    }


def _is_work(constant):
    return constant.startswith("_W_") or constant in NUMBERS


@functools.cache
def _reached(name):
    """Return (module, function) of kernel *name* and of all that it calls."""
    sources = _sources()
    tables = {module: _functions(tree) for module, tree in sources.items()}
    pending = [(module, name) for module in tables if name in tables[module]]
    reached = {}
    while pending:
        module, function = pending.pop()
        if (module, function) in reached:
            continue
        node = reached[module, function] = tables[module][function]
        called = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        for other in called:
            owners = [m for m in (module, *tables) if other in tables[m]]
            pending += [(m, other) for m in owners[:1]]
    return [(module, node) for (module, _), node in reached.items()]


def _used_constants(name):
    """Return {(constant, value)} of the parameters that kernel *name* and its functions use."""
    used = set()
    for module, function in _reached(name):
        constants = _constants(_sources()[module])
        names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
        used |= {(c, constants[c]) for c in names & constants.keys() if not _is_work(c)}
    return used


def _field_index(fields, constant):
    """Return the index of the field that `_NAME` or `_<PREFIX>_NAME` stands for."""
    name = constant[1:].lower()
    plain = [field.removesuffix("[]") for field in fields]
    return plain.index(name if name in plain else name.split("_", 1)[1])


@pytest.mark.parametrize("name", KERNELS)
def test_viper_kernel_name_and_arguments_equal_layout(name):
    functions = {k: f for tree in _sources().values() for k, f in _functions(tree).items()}
    declared = KERNELS[name].arguments.replace("->", ",").split(",")
    expected = ["params"] + [argument.split()[-1] for argument in declared]
    assert [argument.arg for argument in functions[name].args.args] == expected


@pytest.mark.parametrize("name", KERNELS)
def test_viper_kernel_constants_equal_layout(name):
    used = _used_constants(name)
    assert used or "f32" in name  # some of these read all parameters at once
    for constant, value in used:
        assert (constant, value) == (constant, _field_index(KERNELS[name].fields, constant))


@pytest.mark.parametrize("name", KERNELS)
def test_viper_setup_copies_fields_in_order(name):
    for module, function in _reached(name):
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setup":
                first = _constants(_sources()[module])[node.args[2].id]
                count = node.args[3].value
                fields = KERNELS[name].fields[first : first + count]
                for field, allowed in zip(fields, OUTPUT_FIELDS[:count], strict=True):
                    assert field in allowed


def _slots():
    """Return {name: word} of the table in fixed_point.py, where each name stands once."""
    rows = re.findall(r"^ +(\d+)  ([A-Z]\w*)", ast.get_docstring(_sources()["fixed_point"]), re.M)
    slots = {name: int(word) for word, name in rows}
    assert len(slots) == len(rows)
    return slots


def test_viper_work_slots_equal_the_table():
    slots, used = _slots(), set()
    for module, tree in _sources().items():
        for constant, value in _constants(tree).items():
            if constant.startswith("_W_") or constant in ("_A", "_B"):
                name = constant.removeprefix("_W").removeprefix("_")
                assert (module, name, slots.get(name)) == (module, name, value)
                used.add(name)
    assert used == slots.keys()


def test_viper_blocks_fill_the_work_area():
    slots, fixed_point = _slots(), ast.unparse(_sources()["fixed_point"])
    lengths = {_constants(tree).get("_BLOCK", 32) for tree in _sources().values()}
    assert lengths == {slots["B"] - slots["A"]} == {32}
    assert f"WORK = bytearray({4 * (slots['B'] + 32)})" in fixed_point
    assert fixed_point.count(f"range({slots['B'] + 32})") == 2  # kept while a callback runs


def _parts(module):
    """Return {kernel: module} of the PARTS of *module*; a family of native kernels has none."""
    for node in _sources()[module].body if module in _sources() else ():
        if isinstance(node, ast.Assign) and node.targets[0].id == "PARTS":
            return {k: part for part, names in ast.literal_eval(node.value) for k in names.split()}
    return {}


def test_kernel_is_in_its_family_s_module_or_a_part_of_it():
    for family in rows().families:
        parts = _parts(family)
        for name in [name for name, kernel in KERNELS.items() if kernel.family == family]:
            module = parts.pop(name, family)
            assert module == family or module.startswith(family + "_")
            assert name in _functions(_sources()[module]), (module, name)
        assert not parts, family


def viper_functions():
    """Return (name of the module, function) of each in viper."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            marks = [ast.unparse(mark) for mark in getattr(node, "decorator_list", ())]
            if "micropython.viper" in marks:
                found.append((path.name, node))
    return found


def words_indexed_by_registers(function):
    """Return the subscripts of ptr16 and ptr32 whose index is one of the first locals as it is.

    Those are in registers, which mpy-cross 1.26 and 1.27 shift to get an address, on Arm and
    RISC-V, and do not restore. So a kernel adds to such an index.
    """
    arguments = function.args.args
    names = [argument.arg for argument in arguments]
    wide = {a.arg for a in arguments if a.annotation and ast.unparse(a.annotation) in WIDE}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names += [node.id] if node.id not in names else []
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith(WIDE):
            wide |= {ast.unparse(target) for target in node.targets}
    subscripts = [node for node in ast.walk(function) if isinstance(node, ast.Subscript)]
    return [
        ast.unparse(node)
        for node in subscripts
        if ast.unparse(node.value) in wide and ast.unparse(node.slice) in names[:REGISTERS]
    ]


def test_no_word_is_indexed_by_a_local_that_lies_in_a_register():
    functions = viper_functions()
    assert len(functions) > 50
    for name, function in functions:
        assert not words_indexed_by_registers(function), (name, function.name)


def test_a_word_that_is_indexed_by_a_local_in_a_register_is_found():
    text = "def f(x, at: int):\n    p = ptr32(x)\n    y = p[at] + p[at + 1] + x[at]\n"
    assert words_indexed_by_registers(ast.parse(text).body[0]) == ["p[at]"]
