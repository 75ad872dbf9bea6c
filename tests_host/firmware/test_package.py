"""tflm gets onto stock firmware: with mip from a folder or a server, and with the installer."""

import functools
import hashlib
import http.server
import importlib.util
import json
import re
import shutil
import threading

import pytest

import tflm
from support.device.disks import outside_disk, ram_disk
from support.device.stock import ON_DEVICE, STOCK, files_of, own_models
from tflm_host.deploy import package as packages
from tflm_host.deploy.index import write_index
from tflm_host.deploy.package import PACKAGES, build_package, package_files
from tflm_host.places import MODULES, ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build, compile_module
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import TargetError, mpremote, open_target
from tflm_host.targets.romfs import build_romfs

INSTALLER = ROOT / "install" / "tflm_install.py"
SECONDS = 600  # for a package over an emulated serial line, which a busy machine slows down
RAM_DISK = ram_disk()


def check(folder):
    """Return code that runs a model with what is installed in *folder* and prints its output."""
    golden = own_models()["sine"]
    return (
        f"room = None\n{ON_DEVICE}import tflm, sys\n"
        f"print(tflm.__file__.startswith({folder!r}))\nrun_all('/rom/sine.tflite', '/rom/sine.in')"
    ), f"True\n{golden[2].hex()} "


# Detectors decode a small output of 0.5 everywhere, and import each other's modules.
DETECT = """
room = None
class Fake:
    name, dtype, format, zero_point, scale = "output", "uint8", "B", 0, 0.0078125
    def __init__(self, shape):
        self.shape, self.data = shape, memoryview(bytearray([64] * 12))
class Look:
    def __init__(self, *shape):
        self.inputs, self.outputs = (Fake((1, 8, 16, 1)),), (Fake(shape),)
from tflm.detect import Fomo, YoloV2, read_labels
print(*Fomo(Look(1, 1, 2, 3), ("red", "blue")), sep=", ")
print(*YoloV2(Look(1, 1, 1, 6), [(0.25, 0.5)], threshold=0.25))
from tflm.detect import boxes
print(boxes.__file__)
from tflm.detect.heat import Heat
print(*Heat(Look(1, 1, 2, 3)), sep=", ")
try:
    Heat(Look(1, 2, 3))
except ValueError as error:
    print(error)
"""
DETECTED = """\
red 0.50 at 0,0 16x8, blue 0.50 at 0,0 16x8
0 0.62 at 7,2 6x6
/ram/lib/tflm/detect/boxes.mpy
0 0.50 at 4,4 0x0, 1 0.50 at 4,4 0x0, 2 0.50 at 4,4 0x0
output of shape (1, 2, 3): (1, rows, columns, channels) expected
"""
REFUSED = """
try:
    from tflm.detect import Fomo
except ImportError as error:
    print(error)
"""


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
    build("MPS2_AN386-stock")
    image = build_romfs(files_of({"sine": own_models()["sine"]}))
    with Emulator(load_board("MPS2_AN386-stock"), image, pty=True) as emulator:
        yield emulator.port


@pytest.fixture
def frozen_port():
    """The serial port of a Cortex-M4 with tflm in its firmware, without the detectors."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build("MPS2_AN386")
    build_package("armv7emsp")
    with Emulator(load_board("MPS2_AN386"), pty=True) as emulator:
        yield emulator.port


@pytest.mark.usefixtures("server")
def test_package_says_nothing_of_where_it_was_built():
    paths = [path for arch in set(STOCK.values()) for path in (PACKAGES / arch).rglob("*.mpy")]
    assert len(paths) > 100
    assert [path for path in paths if str(ROOT).encode() in path.read_bytes()] == []


@pytest.mark.parametrize(
    ("source", "backend"),
    [
        pytest.param("folder/armv7emsp/package.json", "c", marks=pytest.mark.long),
        ("url/armv7emsp/", "c"),
    ],
)
def test_package_by_mip_runs_a_model_and_decodes(server, port, source, backend):
    package = source.replace("folder", str(PACKAGES)).replace("url", server)
    code, expected = check("/ram/lib")
    installed = "exec", RAM_DISK, "mip", "install", package
    printed = mpremote(port, *installed, "+", "exec", code, "exec", DETECT, timeout=SECONDS)
    assert expected + backend in printed
    assert DETECTED in printed.replace("\r", "")


def test_firmware_without_detectors_names_their_files_and_takes_them(frozen_port):
    package = str(PACKAGES / "armv7emsp" / "detect.json")
    steps = ("exec", RAM_DISK + REFUSED, "mip", "install", package, "+", "exec", DETECT)
    printed = mpremote(frozen_port, *steps, timeout=SECONDS).replace("\r", "")
    assert "Fomo is not in this firmware: on the PC, mpremote mip install build/pack" in printed
    assert DETECTED in printed


def test_installer_on_board_with_mounted_folder_picks_architecture(port):
    build_package("armv7emsp")
    code, expected = check("/ram/lib")
    disk = outside_disk()  # the package would leave the heap in small pieces
    steps = ("mount", str(PACKAGES), "exec", disk, "run", str(INSTALLER), "exec", code)
    printed = mpremote(port, *steps, timeout=SECONDS)
    assert f"tflm {tflm.__version__} in /ram/lib, kernels: c" in printed
    assert expected + "c" in printed


@pytest.mark.parametrize(("package", "backend"), [("package.json", "c"), ("viper.json", "viper")])
def test_installer_on_unix_port_installs_package_and_imports(tmp_path, package, backend):
    build_package("x64")
    with open_target("unix-stock") as target:
        target.exec(f"SOURCE, TARGET = {str(PACKAGES)!r}, {str(tmp_path / 'lib')!r}")
        target.exec(f"PACKAGE = {package!r}")
        printed = target.run_file(INSTALLER)
    version = tflm.__version__
    assert printed.splitlines()[-1] == f"tflm {version} in {tmp_path}/lib, kernels: {backend}"


@pytest.fixture(scope="module")
def installer():
    spec = importlib.util.spec_from_file_location("tflm_install", INSTALLER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("number", "arch"),
    [
        (2, "x64"),
        (4, "armv6m"),
        (5, "armv7m"),
        (6, "armv7m"),
        (7, "armv7emsp"),
        (8, "armv7emsp"),
        (10, "xtensawin"),
        (11, "rv32imc"),
    ],
)
def test_installer_knows_architecture_of_mpy_word(installer, number, arch):
    assert installer.architecture(number << 10 | 3 << 8 | 6) == arch


@pytest.mark.parametrize("mpy", [0, 4 << 10 | 3 << 8 | 5, 4 << 10 | 2 << 8 | 6, 9 << 10 | 0x306])
def test_installer_firmware_that_takes_no_package_raises(installer, mpy):
    with pytest.raises(installer.InstallError, match="this firmware takes no|no package is built"):
        installer.architecture(mpy)


def test_installer_firmware_without_native_code_names_the_setting_of_an_esp32(installer):
    with pytest.raises(installer.InstallError, match="CONFIG_ESP_SYSTEM_PMP_IDRAM_SPLIT is off"):
        installer.architecture(0x306)


def esp32(installer, monkeypatch, tmp_path, machine="Generic ESP32 module with ESP32"):
    """Let the installer find what an ESP32 says of itself, and install into a folder."""
    monkeypatch.setattr(installer.sys.implementation, "_mpy", 10 << 10 | 0x306, raising=False)
    monkeypatch.setattr(installer.sys.implementation, "_machine", machine, raising=False)
    monkeypatch.setattr(installer.sys, "path", [*installer.sys.path])
    return {"SOURCE": str(PACKAGES), "TARGET": str(tmp_path)}


@pytest.mark.parametrize(
    ("machine", "package"),
    [
        ("Generic ESP32 module with ESP32", "package.json"),
        ("ESP32S3 module with ESP32S3", "package.json"),
        ("LOLIN_S2_MINI with ESP32-S2FN4R2", "viper.json"),
        ("Generic ESP32S2 module with ESP32S2", "viper.json"),
    ],
)
def test_installer_takes_c_kernels_where_an_esp32_has_floats(
    installer, monkeypatch, tmp_path, machine, package
):
    installer.main(esp32(installer, monkeypatch, tmp_path, machine))
    expected = dict(package_files("xtensawin", package))
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in written} == (
        expected
    )


def test_installer_without_memory_for_native_code_says_so(installer, monkeypatch, tmp_path):
    class Full:
        def find_spec(self, *_):
            raise MemoryError

    monkeypatch.setattr(installer.sys, "meta_path", [Full()])
    monkeypatch.delitem(installer.sys.modules, "tflm")
    monkeypatch.setattr(installer, "install", lambda *_: str(tmp_path))
    with pytest.raises(installer.InstallError, match="before Wi-Fi starts, or .*'viper.json'"):
        installer.main({})


NO_XTENSA = "no compiler for Xtensa: scripts/fetch_xtensa.sh fetches one"


def test_index_has_the_packages_of_an_esp32(tmp_path):
    names = ["tflm-xtensawin" + end for end in ("", "-prepared", "-viper")]
    assert write_index(tmp_path, ["xtensawin"]) == names
    for name, listed in zip(names, packages.LISTS, strict=True):
        latest = json.loads((tmp_path / f"package/6/{name}/latest.json").read_text())
        hashes = latest["hashes"]
        named = {name: (tmp_path / "file" / h[:2] / h).read_bytes() for name, h in hashes}
        assert named == dict(package_files("xtensawin", listed))
        assert all(hashlib.sha256(named[name]).hexdigest()[:8] == h for name, h in hashes)


def test_package_of_an_esp32_is_the_viper_package_where_no_compiler_is(monkeypatch, tmp_path):
    monkeypatch.setattr(packages, "xtensa_compiler", lambda: None)
    monkeypatch.setattr(packages, "PACKAGES", tmp_path / "packages")
    first, second, viper = (dict(package_files("xtensawin", listed)) for listed in packages.LISTS)
    assert first == second == viper
    assert "_tflm.mpy" not in first


def test_native_module_of_an_esp32_is_as_large_as_the_page_says():
    if not packages.has_native("xtensawin"):
        pytest.skip("no compiler for Xtensa: scripts/fetch_xtensa.sh fetches one")
    data = dict(package_files("xtensawin"))["_tflm.mpy"]
    page = (ROOT / "docs" / "stock.md").read_text()
    said = re.search(r"native module for Xtensa has ([\d,]+) bytes", page)
    assert data[2] >> 2 == 10
    assert len(data) == pytest.approx(int(said[1].replace(",", "")), rel=0.01)


def test_package_of_an_esp32_has_every_module_for_its_processor():
    files = dict(package_files("xtensawin", "viper.json"))
    sources = (MODULES / "tflm" / "kernels").glob("*.py")
    assert {f"tflm/kernels/{path.stem}.mpy" for path in sources} <= {*files}
    numbers = {data[2] >> 2 for data in files.values()}  # 0: bytecode alone
    assert numbers == {0, 10}
    kernels = [data for name, data in files.items() if name.startswith("tflm/kernels/conv_")]
    assert {data[2] >> 2 for data in kernels} == {10}


LONG_LOOP = """
@micropython.viper
def far(n: int) -> int:
    x = 1
    for i in range(n):
{}
    return x
"""


@pytest.mark.parametrize(("lines", "is_near"), [(40, True), (400, False)])
def test_module_whose_jumps_an_xtensa_cannot_make_does_not_compile(tmp_path, lines, is_near):
    source = tmp_path / "far.py"
    source.write_text(LONG_LOOP.format("        x = x * 3 + i\n" * lines))
    if is_near:
        assert compile_module(source, tmp_path, tmp_path / "out", "xtensawin") == "far.mpy"
        return
    with pytest.raises(TargetError, match=r"far\.py does not compile for xtensawin: .*range"):
        compile_module(source, tmp_path, tmp_path / "out", "xtensawin")
    assert [*(tmp_path / "out").iterdir()] == []


def test_installer_without_source_names_mip_command():
    with open_target("unix-stock") as target, pytest.raises(TargetError) as caught:
        target.exec("SOURCE = '/nowhere'")
        target.run_file(INSTALLER)
    assert "mpremote mip install build/package/x64/package.json" in str(caught.value)
