"""tflm installed on stock firmware: the native module and the viper package, without a reflash."""

import functools
import http.server
import importlib.util
import json
import random
import shutil
import signal
import threading
from pathlib import Path

import pytest
from exact import judge

from tflm.model import Model
from tflm_host.boards import load_board
from tflm_host.build import build
from tflm_host.emulator import QEMU, Emulator
from tflm_host.package import PACKAGES, build_package, package_files
from tflm_host.targets import TargetError, mpremote, open_target

ROOT = Path(__file__).resolve().parent.parent
MODELS = ROOT / "models"
INSTALLER = ROOT / "install" / "tflm_install.py"
RAM_DISK = (Path(__file__).parent / "ram_disk.py").read_text()
STOCK = {
    "unix-stock": "x64",
    "MPS2_AN386-stock": "armv7emsp",
    "MPS2_AN385-stock": "armv7m",
    "MICROBIT-stock": "armv6m",
}
OWN = ("sine", "digits_cnn")
ZOO = {"hello_world_int8": 5, "kws_ref_model": 2}
NATIVE_HEAP = 24_000  # bytes at most that _tflm takes of the heap of a board

ON_DEVICE = """
import binascii, gc
from micropython import heap_lock, heap_unlock
def used():
    gc.collect()
    return gc.mem_alloc()
def run_all(model, inputs):
    import tflm
    interp = tflm.Interpreter(model)
    with open(inputs, "rb") as file:
        while all([file.readinto(tensor.data) for tensor in interp.inputs]):
            if interp.backend == "c":
                heap_lock()
            try:
                interp.invoke()
            finally:
                if interp.backend == "c":
                    heap_unlock()
            print(binascii.hexlify(interp.output(0).data).decode(), end="")
    print("", interp.backend)
"""

# A graph of `count` nodes that all copy `size` bytes inside of the arena.
LONG_GRAPH = """
import struct, _tflm
from tflm import layout
def long_graph(count, size):
    table = 32 + 2 * size
    arena = bytearray(table + 8 * count)
    arena[:12] = struct.pack("<iii", 32 << 1, (32 + size) << 1, size)
    node = struct.pack(layout.NODE_FORMAT, layout.kernel_index("copy"), 2, 0)
    for i in range(table, len(arena), 8):
        arena[i : i + 8] = node
    return _tflm.Graph(arena, b"", table, count)
"""


def open_stock(name, package, models=()):
    """Start stock firmware with *package* (None: without) in a folder for modules."""
    if name != "unix-stock" and shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    files = package_files(STOCK[name], package) if package else []
    files = [("lib/" + path, data) for path, data in files]
    target = open_target(name, models=[("beside", b""), *files, *models])
    if name == "unix-stock":  # boards find /rom/lib by themselves
        folder = target.path("beside").replace("beside", "lib")
        target.exec(f"import sys; sys.path.insert(0, {folder!r})")
    target.exec(ON_DEVICE)
    return target


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


def own_models():
    cases = {}
    for name in OWN:
        golden = json.loads((MODELS / f"{name}.json").read_text())["golden"]
        inputs, outputs = (bytes.fromhex(golden[key]) for key in ("inputs", "outputs"))
        cases[name] = (MODELS / f"{name}.tflite").read_bytes(), inputs, outputs
    return cases


def wrong_models(target, cases, backend):
    """Return the names of the models whose outputs are not the expected ones."""
    wrong = []
    for name, (_, _, expected) in cases.items():
        model, inputs = target.path(f"{name}.tflite"), target.path(f"{name}.in")
        printed = target.exec(f"run_all({model!r}, {inputs!r})", timeout=300).split()
        if printed != [expected.hex(), backend]:
            wrong.append(name)
    return wrong


def files_of(cases):
    files = [(f"{name}.tflite", model) for name, (model, _, _) in cases.items()]
    return files + [(f"{name}.in", inputs) for name, (_, inputs, _) in cases.items()]


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


@pytest.mark.parametrize("name", STOCK)
def test_native_module_on_stock_firmware_zoo_models_give_tflm_bytes(name, zoo_models):
    with open_stock(name, "package.json", files_of(zoo_models)) as target:
        assert wrong_models(target, zoo_models, "c") == []


def test_viper_package_on_stock_firmware_zoo_models_give_tflm_bytes(zoo_models):
    with open_stock("MPS2_AN386-stock", "viper.json", files_of(zoo_models)) as target:
        assert wrong_models(target, zoo_models, "viper") == []


@pytest.mark.parametrize("name", [name for name in STOCK if name != "unix-stock"])
def test_native_module_heap_that_import_takes_stays_small(name):
    with open_stock(name, "package.json") as target:
        taken = int(target.exec("before = used()\nimport _tflm\nprint(used() - before)"))
        size = (build_package(STOCK[name]) / "_tflm.mpy").stat().st_size
        assert size <= taken <= NATIVE_HEAP


# Both ends of what each function accepts, and what it refuses.
CALLS = """
sorted([x for x in dir(_tflm) if x[0] != '_'])
_tflm.__name__
type(_tflm.isa)
[_tflm.has(i) for i in range(-2, 60)]
_tflm.has(1 << 40)
_tflm.has('a')
_tflm.Graph
Graph(arena, b'', 0, 0)(0)
Graph(arena, b'', 32, 4).node
Graph(arena, b'', 32, 5)
Graph(arena, b'', 36, 4)
Graph(arena, b'', 65, 0)
Graph(arena, b'', 34, 0)
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
Graph(arena, b'', 0, 4)()
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
arena = bytearray(64)
for i in range(0, 64, 8):
    arena[i] = arena[i + 1] = 0xff
for text in calls:
    print(text, answer(lambda: eval(text)))
fields = array("i", [0] * 6)
for name, function in (("follow", _tflm.follow), ("ints", _tflm.ints)):
    print(name, [answer(lambda: function(data, pos)) for pos in range(-2, len(data) + 2)])
for name, function in (("i32", _tflm.i32), ("u8", _tflm.u8), ("vector", _tflm.vector)):
    print(name, [answer(lambda: function(data, pos, 3)) for pos in range(-2, len(data) + 2)])
print([(answer(lambda: _tflm.table(data, pos, fields)), fields) for pos in range(len(data))])
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
    [("unix-stock", 30000, 3000000), ("MPS2_AN386-stock", 30000, 200000)],
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
        assert int(target.exec("print(graph(count - 5))")) == count


def test_native_module_scheduled_callback_runs_between_nodes():
    with open_stock("unix-stock", "package.json") as target:
        target.exec(LONG_GRAPH + "graph = long_graph(10, 16)")
        code = (
            "import micropython\n"
            "micropython.schedule(lambda _: print('called at', graph.node), 0); graph(3, 7)\n"
            "print(graph.node)"
        )
        assert target.exec(code).splitlines()[-1] == "6"


def check(folder):
    """Return code that runs a model with what is installed in *folder* and prints its output."""
    golden = own_models()["sine"]
    return (
        f"{ON_DEVICE}import tflm, sys\n"
        f"print(tflm.__file__.startswith({folder!r}))\nrun_all('/rom/sine.tflite', '/rom/sine.in')"
    ), f"True\n{golden[2].hex()} "


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    """The address of a web server of build/package."""
    for arch in set(STOCK.values()):
        build_package(arch)
    handler = functools.partial(QuietHandler, directory=PACKAGES)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture
def port():
    """The serial port of a stock Cortex-M4 whose /rom holds a model and nothing else."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    from tflm_host.romfs import build_romfs  # noqa: PLC0415

    build("MPS2_AN386-stock")
    image = build_romfs(files_of({"sine": own_models()["sine"]}))
    with Emulator(load_board("MPS2_AN386-stock"), image, pty=True) as emulator:
        yield emulator.port


@pytest.mark.parametrize(
    ("source", "backend"),
    [
        ("folder/armv7emsp/package.json", "c"),
        ("url/armv7emsp/", "c"),
        ("url/armv7emsp/viper.json", "viper"),
    ],
)
def test_mpremote_mip_installs_package_and_model_runs(server, port, source, backend):
    package = source.replace("folder", str(PACKAGES)).replace("url", server)
    code, expected = check("/ram/lib")
    printed = mpremote(port, "exec", RAM_DISK, "mip", "install", package, "+", "exec", code)
    assert expected + backend in printed


@pytest.mark.parametrize(("package", "backend"), [("package.json", "c"), ("viper.json", "viper")])
def test_installer_on_board_with_mounted_folder_picks_architecture(port, package, backend):
    build_package("armv7emsp")
    code, expected = check("/ram/lib")
    setting = RAM_DISK + f"PACKAGE = {package!r}\n"
    steps = ("mount", str(PACKAGES), "exec", setting, "run", str(INSTALLER), "exec", code)
    printed = mpremote(port, *steps)
    assert f"tflm 0.1.0 in /ram/lib, kernels: {backend}" in printed
    assert expected + backend in printed


def test_installer_on_unix_port_installs_and_imports(tmp_path):
    build_package("x64")
    with open_target("unix-stock") as target:
        target.exec(f"SOURCE, TARGET = {str(PACKAGES)!r}, {str(tmp_path / 'lib')!r}")
        printed = target.run_file(INSTALLER)
    assert printed.splitlines()[-1] == f"tflm 0.1.0 in {tmp_path}/lib, kernels: c"


@pytest.fixture(scope="module")
def installer():
    spec = importlib.util.spec_from_file_location("tflm_install", INSTALLER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("number", "arch"),
    [(2, "x64"), (4, "armv6m"), (5, "armv7m"), (6, "armv7m"), (7, "armv7emsp"), (8, "armv7emsp")],
)
def test_installer_knows_architecture_of_mpy_word(installer, number, arch):
    assert installer.architecture(number << 10 | 3 << 8 | 6) == arch


@pytest.mark.parametrize("mpy", [0, 4 << 10 | 3 << 8 | 5, 4 << 10 | 2 << 8 | 6, 10 << 10 | 0x306])
def test_installer_firmware_that_takes_no_package_raises(installer, mpy):
    with pytest.raises(installer.InstallError, match="this firmware takes no|no package is built"):
        installer.architecture(mpy)


def test_installer_without_source_names_mip_command():
    with open_target("unix-stock") as target, pytest.raises(TargetError) as caught:
        target.exec("SOURCE = '/nowhere'")
        target.run_file(INSTALLER)
    assert "mpremote mip install build/package/x64/package.json" in str(caught.value)
