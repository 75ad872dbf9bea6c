"""A new user walks through a release: its pages are typed as they stand, with no clone at hand.

Each walk prints what it took, which `pytest -s` shows: commands, seconds, bytes of packages.
"""

import functools
import http.server
import os
import shutil
import subprocess
import threading

import pytest

from support.device.disks import ram_disk
from support.device.rp2040js import require_rp2040js
from support.device.stock import ON_DEVICE, files_of, own_models
from support.pages import walk
from tflm_host.cli import release as module
from tflm_host.deploy.index import write_index
from tflm_host.places import ROOT
from tflm_host.targets.boards import load_board
from tflm_host.targets.build import build, program_path
from tflm_host.targets.emulator import QEMU, Emulator
from tflm_host.targets.open_target import mpremote
from tflm_host.targets.romfs import build_romfs

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("site")]

RAM_DISK = ram_disk()
DRAGGED = "RPI_PICO"  # whose firmware a walk puts on the drive


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """What the walks need of a release: wheels, models, one firmware, packages of two cores."""
    folder = tmp_path_factory.mktemp("dist")
    module.release(["wheels", "models"], folder)
    write_index(folder / "mip", ["armv6m", "armv7emsp"])
    build(DRAGGED)
    (folder / "firmware").mkdir()
    shutil.copy(program_path(DRAGGED).with_suffix(".uf2"), folder / "firmware" / f"{DRAGGED}.uf2")
    return folder


@pytest.mark.parametrize("way", walk.WAYS, ids=lambda way: way.page)
def test_page_leads_from_nothing_to_a_digit(way, dist, tmp_path, record_property):
    if way.board:
        require_rp2040js()
        build(way.board)
    copy = tmp_path / "tflm"
    shutil.copytree(dist, copy)
    walked = walk.Walk(way, copy, tmp_path).run()
    print(f"\n{walked}")
    record_property("walked", str(walked))
    assert walked.commands > 4
    assert walked.downloaded > 0


def test_walk_notices_another_line_and_a_failing_command(tmp_path, monkeypatch):
    block = walk.read_page(ROOT / "docs" / "no-board.md").of("console")[0]
    for number, text in enumerate(("$ echo 1\n2\n", "$ ls nothing\n...\n", "$ gcc --version\n")):
        block.text = text
        monkeypatch.setattr(walk.Walk, "_blocks", lambda _self: [block])
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(walk.DiffersError):
            walk.Walk(walk.WAYS[-1], tmp_path, folder).run()


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
            steps = "exec", RAM_DISK, *install, "+", "exec", code
            printed = mpremote(emulator.port, *steps, timeout=600)
        server.shutdown()
    assert f"{golden[2].hex()} c" in printed


def test_checksums_hold(dist):
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=dist, check=True)
    assert os.path.getsize(dist / "README.md") > 1000
