"""Flashing our firmware takes nothing away: it has upstream's modules, and drivers that work."""

import json

import pytest

from support.device.rp2040js import require_rp2040js
from tflm_host.places import BOARDS, ROOT
from tflm_host.targets.open_target import open_target
from tflm_host.targets.repl import ExecError

DEVICE = ROOT / "tests_host" / "support" / "device"
UPSTREAM = json.loads((DEVICE / "upstream_modules.json").read_text())
SCRIPTS = [DEVICE / name for name in ("one_wire_bus.py", "drivers_device.py")]
OURS = "tflm/__init__", "_tflm"


@pytest.fixture(scope="module")
def pico():
    require_rp2040js()
    with open_target("RPI_PICO") as target:
        yield target


def test_pico_has_all_modules_that_upstreams_firmware_has(pico):
    printed = pico.exec("help('modules')")
    found = set(printed[: printed.index("Plus any")].split())
    assert found.issuperset(UPSTREAM["RPI_PICO"]["modules"])
    assert found.issuperset(OURS)


class Manifest:
    """What MicroPython's build defines for a manifest, noting names of what is frozen."""

    def __init__(self, folder, has_library):
        self.folder = folder
        self.has_library = has_library
        self.names = set()

    def require(self, name):
        if not self.has_library:
            raise ValueError(f"Library not found: {name}")
        self.names.add(name)

    def include(self, path, **_options):
        if "$(" in path:
            self.names.add(path)
        else:
            path = (self.folder / path).resolve()
            if path.name != "manifest.py" or path.parent.name != "common":  # the package itself
                self.run(path)

    def module(self, name, base_path):
        assert (BOARDS / "common" / base_path / name).is_file()
        self.names.add(name.removesuffix(".py"))

    def run(self, path):
        before, self.folder = self.folder, path.parent
        names = ("require", "include", "module")
        defined = {name: getattr(self, name) for name in names}
        exec(path.read_text(), {**defined, "freeze": self.names.add})
        self.folder = before


def frozen(board, has_library):
    manifest = Manifest(None, has_library)
    manifest.run(BOARDS / board / "manifest.py")
    return manifest.names


@pytest.mark.parametrize("board", [name for name in UPSTREAM if "frozen" in UPSTREAM[name]])
def test_manifest_freezes_all_that_upstreams_freezes(board):
    wanted = set(UPSTREAM[board]["frozen"])
    assert frozen(board, True).issuperset(wanted)
    if board in ("RPI_PICO", "RPI_PICO2"):
        assert frozen(board, False).issuperset(wanted)


def test_drivers_reach_the_pins(pico):
    code = "import dht, machine, neopixel\npixels = neopixel.NeoPixel(machine.Pin(2), 8)\n"
    pico.exec(code + "pixels.fill((1, 2, 3))\npixels.write()")
    with pytest.raises(ExecError, match="ETIMEDOUT"):  # nothing is connected
        pico.exec("dht.DHT22(machine.Pin(15)).measure()")


def test_drivers_speak_to_simulated_devices(pico):
    pico.exec("".join(path.read_text() for path in SCRIPTS))
    assert pico.exec("try_one_wire()").splitlines() == [
        "pin (2, 3)",
        "scan True",
        "16 85.0",
        "34 0.5",
        "40 85.0",
        "40 -10.125",
        "[None, b'\\x01\\x02?', None, None, None]",
        "the checksum is wrong",
        "[] False",
        "no device answers",
    ]
    assert pico.exec("try_pixels()").splitlines() == [
        "pin (1,)",
        "3 (1, 2, 3) (4, 5, 6) True (0, (400, 850, 800, 450),"
        " bytearray(b'\\x02\\x01\\x03\\x02\\x01\\x03\\x05\\x04\\x06'))",
        "pin (1,)",
        "pin (1,)",
        "b'\\x02\\x01\\x03\\x04' (800, 1700, 1600, 900) (1, 2, 3, 4)",
        "IndexError",
        "IndexError",
    ]
    assert pico.exec("try_humidity()").splitlines() == ["45 23", "65.2 -35.1", "checksum error"]
