"""tflm gets onto stock firmware: with mip from a folder or a server, and with the installer."""

import functools
import http.server
import importlib.util
import shutil
import threading

import pytest

import tflm
from support.device.stock import ON_DEVICE, STOCK, files_of, own_models
from tflm_host.deploy.package import PACKAGES, build_package
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import TargetError, mpremote, open_target
from tflm_host.targets.romfs import build_romfs

INSTALLER = ROOT / "install" / "tflm_install.py"
RAM_DISK = (ROOT / "tests_host" / "support" / "device" / "ram_disk.py").read_text()


def check(folder):
    """Return code that runs a model with what is installed in *folder* and prints its output."""
    golden = own_models()["sine"]
    return (
        f"room = None\n{ON_DEVICE}import tflm, sys\n"
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
    build("MPS2_AN386-stock")
    image = build_romfs(files_of({"sine": own_models()["sine"]}))
    with Emulator(load_board("MPS2_AN386-stock"), image, pty=True) as emulator:
        yield emulator.port


@pytest.mark.usefixtures("server")
def test_package_says_nothing_of_where_it_was_built():
    paths = [path for arch in set(STOCK.values()) for path in (PACKAGES / arch).rglob("*.mpy")]
    assert len(paths) > 100
    assert [path for path in paths if str(ROOT).encode() in path.read_bytes()] == []


@pytest.mark.parametrize(
    ("source", "backend"), [("folder/armv7emsp/package.json", "c"), ("url/armv7emsp/", "c")]
)
def test_mpremote_mip_installs_package_and_model_runs(server, port, source, backend):
    package = source.replace("folder", str(PACKAGES)).replace("url", server)
    code, expected = check("/ram/lib")
    printed = mpremote(port, "exec", RAM_DISK, "mip", "install", package, "+", "exec", code)
    assert expected + backend in printed


def test_installer_on_board_with_mounted_folder_picks_architecture(port):
    build_package("armv7emsp")
    code, expected = check("/ram/lib")
    steps = ("mount", str(PACKAGES), "exec", RAM_DISK, "run", str(INSTALLER), "exec", code)
    printed = mpremote(port, *steps)
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
        (11, "rv32imc"),
    ],
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
