"""A new user walks through dist/: an empty environment, a file server, a stock board, no clone."""

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading

import pytest

from support.device.stock import ON_DEVICE, files_of, own_models
from tflm_host.cli import release as module
from tflm_host.deploy.index import write_index
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import mpremote
from tflm_host.targets.romfs import build_romfs

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("site")]

RAM_DISK = (ROOT / "tests_host" / "support" / "device" / "ram_disk.py").read_text()


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """What a release has for the PC, and the packages of one processor."""
    folder = tmp_path_factory.mktemp("dist")
    module.release(["wheels", "models"], folder)
    write_index(folder / "mip", ["armv7emsp"])
    return folder


@pytest.fixture(scope="module")
def environment(dist, tmp_path_factory):
    """A folder with the wheel and all that it asks for, as pip brings it."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    (wheel,) = dist.glob("tflm_host-*.whl")
    install = [folder / "bin" / "pip", "install", "--quiet", f"{wheel}[kernels]"]
    subprocess.run(install, check=True)
    return folder


def tflm(environment, dist, *arguments):
    """Run the command as README.md of the release types it, without a compiler."""
    done = subprocess.run(
        [environment / "bin" / "tflm", *arguments],
        cwd=dist,
        env={"PATH": str(environment / "bin"), "HOME": str(environment)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_measures_runs_and_names_ports(environment, dist):
    digits = "models/digits_cnn.tflite"
    measured = json.loads(tflm(environment, dist, "arena", digits, "--json"))
    assert (measured["arena_bytes"], measured["boards"]["RPI_PICO"]) == (1168, True)
    assert json.loads(tflm(environment, dist, "run", digits, "--json"))["outputs"]
    assert "make " not in tflm(environment, dist, "doctor")


def test_index_installs_on_a_stock_board(dist):
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is not installed")
    build("MPS2_AN386-stock")
    golden = own_models()["sine"]
    code = f"room = None\n{ON_DEVICE}run_all('/rom/sine.tflite', '/rom/sine.in')"
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=dist)
    image = build_romfs(files_of({"sine": golden}))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        index = f"http://127.0.0.1:{server.server_port}/mip"
        with Emulator(load_board("MPS2_AN386-stock"), image, pty=True) as emulator:
            install = "mip", "install", "--index", index, "tflm-armv7emsp"
            printed = mpremote(emulator.port, "exec", RAM_DISK, *install, "+", "exec", code)
        server.shutdown()
    assert f"{golden[2].hex()} c" in printed


def test_checksums_hold(dist):
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=dist, check=True)
    assert os.path.getsize(dist / "README.md") > 1000
