"""The native module and the viper package on stock firmware: TFLM's bytes without a reflash."""

import functools
import random
import re
import signal
import threading

import pytest

from firmware.test_device_scripts import NO_AUDIO, NO_IMAGE, NO_SPECTRAL
from support.device.stock import (
    BOOT_SECONDS,
    ON_DEVICE,
    STOCK,
    files_of,
    isa_of,
    open_pico,
    open_stock,
    own_models,
    prepared,
    wrong_models,
)
from support.expected.exact import judge
from tflm.model import Model
from tflm_host.certify.scripts import run_one, scripts
from tflm_host.deploy.models import Plan
from tflm_host.deploy.package import build_package
from tflm_host.places import ROOT
from tflm_host.targets.open_target import TargetError, open_target
from tflm_host.targets.repl import ExecError

ZOO = {"kws_ref_model": 2, "hello_world_int8": 5}
NATIVE_HEAP = 71_500  # bytes; most with the DSP kernels

# From now on, run_all() collects garbage after each node.
COLLECTING = """
import tflm
from tflm import Interpreter
calls = []
def hooked(model, arena, prepared):
    interp = Interpreter(model, arena, prepared=prepared)
    interp.on_node = lambda i: (gc.collect(), calls.append(i))
    return interp
tflm.Interpreter = hooked
heap_lock = heap_unlock = lambda: None
"""

# A graph of `count` nodes that all copy `size` bytes inside of the arena.
LONG_GRAPH = """
import struct, _tflm
import tflm.base.layout as layout
from tflm.ops.index import kernel_index
def long_graph(count, size):
    table = 32 + 2 * size
    arena = bytearray(table + 8 * count)
    arena[:12] = struct.pack("<iii", 32 << 1, (32 + size) << 1, size)
    node = struct.pack(layout.NODE_FORMAT, kernel_index("copy"), 2, 0)
    for i in range(table, len(arena), 8):
        arena[i : i + 8] = node
    return _tflm.Graph(arena, b"", table << 1, count)
"""


@pytest.fixture(scope="module")
def zoo_models(oracle, zoo):
    """{name: (model, inputs, outputs)}, the outputs being TFLM's."""
    cases = {}
    for name, count in ZOO.items():
        model = (zoo / f"{name}.tflite").read_bytes()
        graph = Model(model).subgraphs[0]
        rng = random.Random(name)
        inputs = [[random_bytes(graph.tensor(i), rng) for i in graph.inputs] for _ in range(count)]
        expected = judge(oracle, name, model, inputs).expected
        cases[name] = model, b"".join(sum(inputs, [])), b"".join(sum(expected, []))
    return cases


def random_bytes(tensor, rng):
    return rng.randbytes(tensor.nbytes)


@pytest.mark.parametrize("name", STOCK)
def test_stock_firmware_without_package_has_no_tflm(name):
    with open_stock(name, None) as target:
        for module in ("_tflm", "tflm"):
            with pytest.raises(TargetError, match="ImportError"):
                target.exec(f"import {module}")


@pytest.mark.parametrize("name", STOCK)
@pytest.mark.parametrize(("package", "backend"), [("package.json", "c"), ("viper.json", "viper")])
def test_package_on_stock_firmware_own_models_give_tflm_bytes(name, package, backend):
    cases = own_models()
    with open_stock(name, package, files_of(cases)) as target:
        assert wrong_models(target, cases, backend) == []


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("unix-stock", "package.json"),
        ("unix-stock", "viper.json"),
        ("MPS2_AN386-stock", "viper.json"),
    ],
)
def test_every_public_name_on_stock_firmware(name, package):
    """test_device_scripts.py has boards with the native module."""
    models = [ROOT / "models" / "digits_cnn.tflite"]
    with open_stock(name, package, models) as target:
        if name == "unix-stock":
            target.exec(f"MODELS = ({target.path(models[0]).rpartition('/')[0]!r},)")
        outcomes = [run_one(target, path) for path in scripts() if "public" in path.name]
    assert len(outcomes) == 8
    assert [one.output for one in outcomes if not one.ok] == []
    skipped = {reason for one in outcomes for reason in one.skips}
    assert skipped <= {NO_AUDIO, NO_IMAGE, NO_SPECTRAL}


@pytest.mark.parametrize("name", STOCK)
def test_native_module_on_stock_firmware_zoo_models_give_tflm_bytes(name, zoo_models):
    with open_stock(name, "package.json", files_of(zoo_models)) as target:
        assert wrong_models(target, zoo_models, "c") == []


@pytest.mark.parametrize("name", STOCK)
@pytest.mark.parametrize(("package", "backend"), [("package.json", "c"), ("viper.json", "viper")])
def test_package_on_stock_firmware_prepared_models_give_tflm_bytes(
    name, package, backend, zoo_models
):
    """Viper kernels run such a model as the one that it was made from."""
    cases = own_models() | (zoo_models if backend == "c" else {})
    cases = prepared(cases, isa_of(name))
    with open_stock(name, package, files_of(cases)) as target:
        assert wrong_models(target, cases, backend) == []


@pytest.mark.parametrize("name", STOCK)
def test_native_module_refuses_model_prepared_for_other_kernels(name):
    isa = isa_of(name)
    other = "armv6m" if isa == "dsp" else "dsp"
    (case,) = prepared({"sine": own_models()["sine"]}, other).values()
    with open_stock(name, "package.json", [("sine.tflite", case[0])]) as target:
        reason = f"ModelError.* prepared for {other} kernels, this build has {isa}: prepare it"
        with pytest.raises(ExecError, match=reason):
            target.exec(
                f"import tflm\ntflm.Interpreter({target.path('sine.tflite')!r}, prepared=True)"
            )


def test_viper_package_on_stock_firmware_zoo_models_give_tflm_bytes(zoo_models):
    with open_stock("MPS2_AN386-stock", "viper.json", files_of(zoo_models)) as target:
        assert wrong_models(target, zoo_models, "viper") == []


@pytest.mark.long
@pytest.mark.parametrize(("package", "backend"), [("package.json", "c"), ("viper.json", "viper")])
def test_package_on_stock_pico_models_give_tflm_bytes(package, backend, zoo_models):
    # The heap of a Pico holds the largest only as long as it is in one piece: that goes first,
    # behind its arena.
    cases = (zoo_models if backend == "c" else {}) | own_models()
    if backend == "c":
        cases |= prepared(own_models(), "armv6m")
    with open_pico(package, files_of(cases)) as target:
        assert wrong_models(target, cases, backend, arena_first=True) == []


def test_deploy_to_stock_pico_writes_files(tmp_path):
    """Upstream's firmware has no ROMFS."""
    model = tmp_path / "sine.tflite"
    model.write_bytes(own_models()["sine"][0])
    with open_pico("package.json", []) as target:
        plan = Plan(target, [model])
        assert not plan.in_place
        plan.write()
        (result,) = plan.prove()
    assert (result["path"], result["in_flash"], result["checked"]) == ("/sine.tflite", False, True)


@pytest.mark.parametrize("name", [name for name in STOCK if name != "unix-stock"])
def test_native_module_heap_that_import_takes_stays_small(name):
    with open_stock(name, "package.json") as target:
        taken = int(target.exec("before = used()\nimport _tflm\nprint(used() - before)"))
        size = (build_package(STOCK[name]) / "_tflm.mpy").stat().st_size
        assert size <= taken <= NATIVE_HEAP


def test_native_module_after_soft_reset_and_collecting_in_every_node_gives_tflm_bytes():
    cases = own_models()
    with open_stock("MPS2_AN386-stock", "package.json", files_of(cases)) as target:
        assert wrong_models(target, cases, "c") == []
        target.repl.enter(BOOT_SECONDS)  # with a soft reset
        target.exec(ON_DEVICE + COLLECTING)
        assert wrong_models(target, cases, "c") == []
        assert target.exec("print(len(calls) > 100)") == "True\n"


# Both ends of what each function accepts, and what it refuses.
CALLS = """
sorted([x for x in dir(_tflm) if x[0] != '_' and x[:5] not in ONLY_FIRMWARE])
_tflm.__name__
type(_tflm.isa)
[_tflm.form(i) for i in range(-2, 30)]
_tflm.form(1 << 40)
_tflm.form('a')
_tflm.Graph
Graph(arena, b'', 0, 0)(0)
Graph(arena, b'', 64, 4).node
Graph(arena, b'', 64, 5)
Graph(arena, b'', 72, 4)
Graph(arena, b'', 130, 0)
Graph(arena, b'', 68, 0)
Graph(arena, b'', 1, 0)
Graph(arena, bytearray(4), 1, 0)(0)
_tflm.checksum(arena, 0, 8)
_tflm.checksum(arena, 1, 8)
_tflm.checksum(arena, 8, 0)
type(_tflm.layout)
Graph(arena, b'', -4, 0)
Graph(arena, b'', 0, -1)
Graph(arena, b'', 0, 1 << 70)
Graph(arena, b'', 0, True)(0, 1)
Graph(b'12', b'', 0, 0)
Graph(arena, b'', 0)
Graph(arena, b'', 0, count=1)
Graph(memoryview(arena)[1:], b'', 0, 0)
Graph(arena, 5, 0, 0)
Graph(arena, b'', 0, 4)(0, 5)
Graph(arena, b'', 0, 4)(3, 2)
Graph(arena, b'', 0, 4)(-1)
Graph(arena, b'', 0, 0)()
Graph(arena, b'', 0, 4)(0, 1, 2)
Graph(arena, b'', 0, 4)(4)
Graph(arena, b'', 0, 4).x
Graph(arena, b'', 0, 4)(1.5)
setattr(Graph(arena, b'', 0, 4), 'node', 3)
bool(Graph(arena, b'', 0, 4))
_tflm.follow(b'1234', 1)
_tflm.follow(5, 1)
_tflm.i32(b'', 0, None)
_tflm.i32(b'1234567', 3, 0)
_tflm.i32(b'1234567', -1, 0)
_tflm.u8(b'12', 1, 7)
_tflm.u8(b'12', 1 << 29, 7)
_tflm.u8(b'12', (1 << 32) + 1, 7)
_tflm.u8(b'12', 1 << 70, 7)
_tflm.ints(b'1', 0)
_tflm.vector(b'', 0, 4)
"""

TWIN = """
import _tflm
from array import array
from _tflm import Graph
def answer(call):
    try:
        return call()
    except Exception as error:
        return repr(error)
ONLY_FIRMWARE = "audio", "image", "enter", "text", "plan", "commi", "room"
arena = bytearray(64)
for i in range(0, 64, 8):
    arena[i] = arena[i + 1] = 0xff
for text in calls:
    print(text, answer(lambda: eval(text)))
for name, function in (("follow", _tflm.follow), ("ints", _tflm.ints)):
    print(name, [answer(lambda: function(data, pos)) for pos in range(-2, len(data) + 2)])
for name, function in (("i32", _tflm.i32), ("u8", _tflm.u8), ("vector", _tflm.vector)):
    print(name, [answer(lambda: function(data, pos, 3)) for pos in range(-2, len(data) + 2)])
print([answer(lambda: _tflm.table(data, pos, 6)) for pos in range(len(data))])
"""


@pytest.mark.parametrize(
    ("stock", "firmware"), [("unix-stock", "unix"), ("MPS2_AN386-stock", "MPS2_AN386")]
)
def test_native_module_every_call_answers_as_firmware_module(stock, firmware):
    rng = random.Random(3)
    data = bytes(rng.choice((0, 0, 0, 4, 6, 8, 12, 255, 1)) for _ in range(150))
    code = f"calls = {CALLS.split(chr(10))[1:-1]!r}\ndata = {data!r}\n{TWIN}"
    with open_target(firmware) as target:
        expected = target.exec(code).splitlines()
    with open_stock(stock, "package.json") as target:
        answers = target.exec(code).splitlines()
    assert answers == expected
    assert len(answers) > 40  # all calls ran


@pytest.mark.parametrize(
    ("name", "count", "size"),
    [("unix-stock", 30000, 3000000), ("MPS2_AN386-stock", 8000, 400000)],
)
def test_native_module_ctrl_c_between_nodes_interrupts_and_graph_runs_again(name, count, size):
    with open_stock(name, "package.json") as target:
        target.exec(LONG_GRAPH + f"count = {count}\ngraph = long_graph(count, {size})")
        if name == "unix-stock":
            interrupt = functools.partial(target._process.send_signal, signal.SIGINT)
        else:
            interrupt = functools.partial(target.repl._stream.link.write, b"\x03")
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        code = "try:\n    graph(0)\nexcept KeyboardInterrupt:\n    print(graph.node)"
        node = int(target.exec(code))
        timer.join()
        assert 0 < node < count
        assert int(target.exec("print(graph(count - 5))")) == 0


def test_native_module_scheduled_callback_runs_between_nodes():
    with open_stock("unix-stock", "package.json") as target:
        target.exec(LONG_GRAPH + "graph = long_graph(10, 16)")
        code = (
            "import micropython\n"
            "micropython.schedule(lambda _: print('called at', graph.node), 0); graph(3, 7)\n"
            "print(graph.node)"
        )
        assert target.exec(code).splitlines()[-1] == "6"


def instructions_a_node(target):
    """Return what one node of a long graph takes: calling the graph is not counted."""
    few, many = (
        target.count_instructions(f"{LONG_GRAPH}\ngraph = long_graph({count}, 4)", "graph()")
        for count in (10, 110)
    )
    return (many - few) / 100


def test_native_module_looks_for_ctrl_c_in_as_many_instructions_as_the_page_says():
    with open_target("MPS2_AN386", icount=True) as target:
        firmware = instructions_a_node(target)
    with open_stock("MPS2_AN386-stock", "package.json", icount=True) as target:
        native = instructions_a_node(target)
    page = (ROOT / "docs" / "install.md").read_text()
    said = re.search(r"Checking for Ctrl-C costs about (\d+) instructions per node", page)
    assert native - firmware == pytest.approx(int(said[1]), rel=0.05)
